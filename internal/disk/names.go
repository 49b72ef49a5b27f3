package disk

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"seed/finding"
)

const stagePrefix = ".seed-"

// isStage reports whether name has the form of a stage's name, in any case
// since some file systems do not tell them apart.
func isStage(name string) bool {
	if len(name) != len(stagePrefix)+32 || !strings.EqualFold(name[:len(stagePrefix)], stagePrefix) {
		return false
	}
	for _, c := range []byte(name[len(stagePrefix):]) {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// checkPath holds a path to what keeps it below its destination. The path rule
// of the format asks more and was applied before; this is the second lock.
func checkPath(p string) error {
	bad := func(why string) error { return fmt.Errorf("path %s: %s", finding.Quote(p), why) }
	if p == "" || strings.ContainsAny(p, "\\\x00") || !filepath.IsLocal(filepath.FromSlash(p)) {
		return bad("does not stay below its destination")
	}
	for part := range strings.SplitSeq(p, "/") {
		switch {
		case part == "" || part == "." || part == "..":
			return bad("is not in its plain form")
		case isStage(part):
			// It could pass for a stage of ours in a later recovery.
			return bad("has the name of a staging directory")
		}
	}
	return nil
}

// entry is a file with its place relative to the base.
type entry struct {
	*File
	dir, name string
}

func (e *entry) full() string { return path.Join(e.dir, e.name) }

// arrange checks the paths of files and orders them so that those of one
// directory follow each other, below prefix.
func arrange(files []File, prefix string) ([]entry, error) {
	list := make([]entry, len(files))
	taken := make(map[string]bool, len(files))
	for i := range files {
		f := &files[i]
		if err := checkPath(f.Path); err != nil {
			return nil, err
		}
		if taken[f.Path] {
			return nil, fmt.Errorf("path %s: given twice", finding.Quote(f.Path))
		}
		taken[f.Path] = true
		cut := strings.LastIndexByte(f.Path, '/') + 1
		list[i] = entry{File: f, dir: path.Join(prefix, f.Path[:cut]), name: f.Path[cut:]}
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(strings.Compare(a.dir, b.dir), strings.Compare(a.name, b.name))
	})
	last := ""
	for _, e := range list {
		if e.dir == last {
			continue
		}
		last = e.dir
		for p := path.Dir(e.Path); p != "."; p = path.Dir(p) {
			if taken[p] {
				return nil, fmt.Errorf("path %s: both a file and a directory", finding.Quote(p))
			}
		}
	}
	return list, nil
}

// batches cuts a list into runs that are worth handing to a worker.
func batches(list []entry) [][]entry {
	const mostFiles, mostBytes = 64, 4 << 20
	var out [][]entry
	for len(list) > 0 {
		n, size := 0, int64(0)
		for n < len(list) && n < mostFiles && size < mostBytes {
			size += list[n].Size
			n++
		}
		out = append(out, list[:n])
		list = list[n:]
	}
	return out
}

// comparePaths orders paths so that what is in one directory stays together
// and parents come first.
func comparePaths(a, b string) int {
	ad, an := split(a)
	bd, bn := split(b)
	return cmp.Or(strings.Compare(ad, bd), strings.Compare(an, bn))
}

package disk

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"seed/finding"
)

// Tracked is something that was put below a destination earlier.
type Tracked struct {
	Path string   // slash-separated, relative to the destination; "." is the destination
	Dir  bool     // a directory, removed when nothing is left in it
	Sum  [32]byte // SHA-256 of a file, removed only while its content is that
}

// Removal is what [RemoveTracked] did. Paths are those of the entries.
type Removal struct {
	Removed []string // files and directories
	Kept    []string // files of other content, directories with something in them, whatever else is there now
	Missing []string // nothing is there any more
}

// RemoveTracked removes those entries that are still what they were. It
// follows no link below dest. After an error the rest is untouched, and
// calling again goes on.
func RemoveTracked(dest string, entries []Tracked) (*Removal, error) {
	var dirs, files []Tracked
	for _, e := range entries {
		if !(e.Dir && e.Path == ".") {
			if err := checkPath(e.Path); err != nil {
				return nil, err
			}
		}
		if e.Dir {
			dirs = append(dirs, e)
		} else {
			files = append(files, e)
		}
	}
	byPath := func(a, b Tracked) int { return comparePaths(a.Path, b.Path) }
	slices.SortFunc(files, byPath)
	slices.SortFunc(dirs, byPath)

	r := &Removal{}
	p, err := locate(dest)
	if err != nil {
		return nil, err
	}
	defer p.base.close()
	if p.rel != "" {
		for _, e := range entries {
			r.Missing = append(r.Missing, e.Path)
		}
		return r, nil
	}
	c := cursor{top: p.base}
	defer c.close()
	for _, e := range files {
		if err := r.one(&c, e, removeFile); err != nil {
			return r, err
		}
	}
	top := false
	for _, e := range slices.Backward(dirs) {
		if e.Path == "." {
			top = true
		} else if err := r.one(&c, e, removeDir); err != nil {
			return r, err
		}
	}
	if top {
		c.close()
		r.top(p)
	}
	return r, nil
}

// one removes e and notes what became of it.
func (r *Removal) one(c *cursor, e Tracked, remove func(*dir, string, Tracked) (bool, error)) error {
	at, name := split(e.Path)
	d, err := c.to(at)
	removed := false
	if err == nil {
		removed, err = remove(d, name, e)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		r.Missing = append(r.Missing, e.Path)
	case errors.Is(err, errLink), errors.Is(err, errNotDir), err == nil && !removed:
		r.Kept = append(r.Kept, e.Path)
	case err != nil:
		return fmt.Errorf("remove %s: %w", finding.Quote(e.Path), err)
	default:
		r.Removed = append(r.Removed, e.Path)
	}
	return nil
}

// top removes the destination itself when it is empty. It is reached by its
// path, as it was named: rmdir takes neither links nor anything with content.
func (r *Removal) top(p *place) {
	in, base, err := openParent(p.path)
	if err == nil {
		defer in.close()
		err = in.rmdir(base)
	}
	if err != nil {
		r.Kept = append(r.Kept, ".")
	} else {
		r.Removed = append(r.Removed, ".")
	}
}

func removeFile(d *dir, name string, e Tracked) (bool, error) {
	got, at, err := sumOf(d, name)
	var odd *notRegularError
	if errors.As(err, &odd) {
		return false, nil
	}
	if err != nil || got != e.Sum {
		return false, err
	}
	// An editor may have put another file here while this one was read.
	now, err := d.lstat(name)
	if err != nil || !now.same(at) {
		return false, err
	}
	return true, d.remove(name)
}

func removeDir(d *dir, name string, _ Tracked) (bool, error) {
	at, err := d.lstat(name)
	if err != nil || !at.mode.IsDir() {
		return false, err
	}
	err = d.rmdir(name)
	if isNotEmpty(err) {
		return false, nil
	}
	return err == nil, err
}

// sumOf takes the SHA-256 of a regular file.
func sumOf(d *dir, name string) (got sum, at info, err error) {
	f, at, err := d.open(name)
	if err != nil {
		return got, at, err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.CopyBuffer(h, f, make([]byte, bufferSize/4)); err != nil {
		return got, at, err
	}
	h.Sum(got[:0])
	return got, at, nil
}

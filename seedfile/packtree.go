package seedfile

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"seed/finding"
	"seed/internal/pathrule"
	"seed/seedfile/transport"
)

// Policy says what becomes of what the format cannot carry.
type Policy int

const (
	Refuse Policy = iota // name all of it and pack nothing
	Skip                 // leave it out and say so
	Encode               // binary files only: base64 (SP-ARC-09)
)

// Member is something in the tree that is packed. Its type bits are those of
// the file itself: whoever follows a link gives the mode of its target.
type Member struct {
	Path string
	Mode fs.FileMode
}

// TreeOptions are the choices for packing a folder.
type TreeOptions struct {
	PackOptions
	Root     string // the folder's name, information in the archive
	At       string // date and time, information in the archive
	Extra    string // further metadata lines, such as "kind: skill\n"
	Binary   Policy
	Symlinks Policy
	Special  Policy
	// Keep is how many bytes of small files may stay in memory after the first
	// reading, so that they need no second one.
	Keep int64
	// Tap, if not nil, gives a writer that is shown a file's bytes while they
	// are read, and is then closed. It is called from several goroutines.
	Tap func(path string) io.WriteCloser
	// Progress, if not nil, is told of each file that was read or written.
	Progress func(bytes int64)
}

// Refusal is something that the format cannot carry.
type Refusal struct {
	Path string
	Why  string
	Rule finding.Rule
}

// RefusedError lists everything that stands in the way of packing a tree.
type RefusedError struct{ Refused []Refusal }

func (e *RefusedError) Error() string {
	r := e.Refused[0]
	s := fmt.Sprintf("%s: %s (%s)", finding.Quote(r.Path), r.Why, r.Rule.ID)
	if n := len(e.Refused) - 1; n > 0 {
		s += fmt.Sprintf(", and %d more", n)
	}
	return s
}

// PackTree packs the named members of a folder as an archive. It reads every
// file once to check and hash it; [Packed.WriteTo] reads it again.
func PackTree(fsys fs.FS, members []Member, o TreeOptions) (*Packed, error) {
	t := &treePacker{fsys: fsys, o: o, p: &Packed{progress: o.Progress}}
	t.o.Root, t.o.At = rootField(o.Root), cmp.Or(o.At, noTime)
	if !looksLikeTime(t.o.At) {
		return nil, ruleArchive.Errorf(finding.Place{Name: o.Base}, "%s is not a date and time", finding.Quote(o.At))
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	files, err := t.admit(members)
	if err != nil {
		return nil, err
	}
	read, err := t.readAll(files)
	if err != nil {
		return nil, err
	}
	if files, read = t.dropBinary(files, read); len(t.refused) > 0 {
		slices.SortFunc(t.refused, func(a, b Refusal) int { return cmp.Compare(a.Path, b.Path) })
		return nil, &RefusedError{t.refused}
	}
	if len(files) == 0 {
		return nil, ruleSections.Errorf(finding.Place{Name: o.Base}, "nothing to pack: an archive needs at least one file")
	}
	return t.p, t.compose(files, read)
}

// noTime stands for the time when nobody names one, so that the same tree gives
// the same bytes (SP-PACK-04).
const noTime = "1980-01-01T00:00:00Z"

type treePacker struct {
	fsys    fs.FS
	o       TreeOptions
	p       *Packed
	avoid   avoid
	refused []Refusal
	kept    atomic.Int64
}

func (t *treePacker) leaveOut(policy Policy, m Member, rule finding.Rule, why string) {
	r := Refusal{Path: m.Path, Why: why, Rule: rule}
	if policy == Skip {
		t.p.Skipped = append(t.p.Skipped, r)
		return
	}
	t.refused = append(t.refused, r)
}

// admit sorts the members and refuses what its name or type rules out.
func (t *treePacker) admit(members []Member) ([]Member, error) {
	members = slices.Clone(members)
	slices.SortFunc(members, func(a, b Member) int { return cmp.Compare(a.Path, b.Path) })
	files := members[:0]
	var names pathrule.Set
	for _, m := range members {
		switch typ := m.Mode.Type(); {
		case typ == fs.ModeSymlink:
			t.leaveOut(t.o.Symlinks, m, ruleCarry, "a symbolic link cannot be carried")
			continue
		case typ != 0:
			t.leaveOut(t.o.Special, m, ruleCarry, "a socket, pipe or device cannot be carried")
			continue
		}
		if err := pathrule.Check(m.Path); err != nil {
			t.leaveOut(Refuse, m, rulePath, err.Error())
			continue
		}
		if strings.Contains(m.Path, "-->") {
			t.leaveOut(Refuse, m, rulePathText, `the name holds "-->", which would end its own header`)
			continue
		}
		if err := names.Add(m.Path); err != nil {
			return nil, ruleSections.Errorf(finding.Place{Name: m.Path}, "%v", err)
		}
		files = append(files, m)
	}
	if len(files) > MaxFiles {
		return nil, ruleCarry.Errorf(finding.Place{}, "more than %d files", MaxFiles)
	}
	return files, nil
}

// readAll is the first pass, on all cores.
func (t *treePacker) readAll(files []Member) ([]contents, error) {
	var (
		out  = make([]contents, len(files))
		errs = make([]error, min(runtime.GOMAXPROCS(0), len(files)))
		next atomic.Int64
		stop atomic.Bool
		mu   sync.Mutex
		wg   sync.WaitGroup
	)
	for w := range errs {
		wg.Go(func() {
			var reader fileReader
			for {
				i := int(next.Add(1) - 1)
				if i >= len(files) || stop.Load() {
					break
				}
				if out[i], errs[w] = t.readOne(&reader, files[i].Path); errs[w] != nil {
					stop.Store(true)
					break
				}
			}
			mu.Lock()
			t.avoid.merge(&reader.avoid)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out, errors.Join(errs...)
}

func (t *treePacker) readOne(reader *fileReader, path string) (contents, error) {
	f, err := t.fsys.Open(path)
	if err != nil {
		return contents{}, err
	}
	defer f.Close()
	var tap io.WriteCloser
	if t.o.Tap != nil {
		tap = t.o.Tap(path)
	}
	c, err := reader.read(f, tap)
	if tap != nil {
		err = errors.Join(err, tap.Close())
	}
	// A file of one window is still in the buffer.
	if err == nil && c.binary == "" && c.size <= readSize && t.o.Keep > 0 && t.kept.Add(c.size) <= t.o.Keep {
		c.text = bytes.Clone(reader.buf[:c.size])
	}
	if err == nil && c.binary != "" && t.o.Binary == Encode {
		c.crc, err = t.encodedCRC(path, c.crc)
	}
	if t.o.Progress != nil {
		t.o.Progress(c.size)
	}
	if err != nil {
		return c, fmt.Errorf("read %s: %w", finding.Quote(path), err)
	}
	return c, nil
}

// encodedCRC reads a binary file again, as it will stand in the seed. It must
// still be the file that was checked and shown to the tap.
func (t *treePacker) encodedCRC(path string, raw transport.CRC) (crc transport.CRC, err error) {
	f, err := t.fsys.Open(path)
	if err != nil {
		return crc, err
	}
	defer f.Close()
	var again transport.CRC
	if _, err = encodeBase64(&crc, io.TeeReader(f, &again)); err == nil && again != raw {
		err = (&part{path: path}).changed()
	}
	return crc, err
}

func (t *treePacker) dropBinary(files []Member, read []contents) ([]Member, []contents) {
	if t.o.Binary == Encode {
		return files, read
	}
	keptFiles, keptRead := files[:0], read[:0]
	for i, c := range read {
		if c.binary != "" {
			t.leaveOut(t.o.Binary, files[i], ruleCarry, "the file "+c.binary)
			continue
		}
		keptFiles, keptRead = append(keptFiles, files[i]), append(keptRead, c)
	}
	return keptFiles, keptRead
}

// compose lays out the archive.
func (t *treePacker) compose(files []Member, read []contents) error {
	digest := newTreeDigest(t.o.Root, t.o.At)
	t.p.Files = make([]Entry, len(files))
	binary := false
	for i, m := range files {
		e := &t.p.Files[i]
		*e = Entry{Path: m.Path, Mode: m.Mode.Perm(), Encoded: read[i].binary != "", Size: read[i].size}
		digest.add(e, read[i].sum)
		t.avoid.find([]byte(m.Path), 0)
		binary = binary || e.Encoded
	}
	content := digest.sum()
	marker, err := t.avoid.marker(content)
	if err != nil {
		return err
	}
	if err := t.metadata(); err != nil {
		return err
	}
	parts := make([]part, 0, 2*len(files)+2)
	parts = append(parts, textPart("---\nseed: \"1.0\"\nmarker: "+marker+"\nroot: "+t.o.Root+"\nat: "+t.o.At+"\n---\n\n"))
	for i := range files {
		e := &t.p.Files[i]
		body := part{path: e.Path, crc: read[i].crc, enc: e.Encoded, size: e.Size, text: read[i].text}
		if body.text == nil {
			body.open = func() (io.ReadCloser, error) { return t.fsys.Open(e.Path) }
		}
		parts = append(parts, textPart(sectionHead(marker, e)), body)
	}
	t.p.parts = append(parts, textPart("<!--seed:"+marker+"@end-->\n"))
	return t.p.finish(t.o.PackOptions, filenameFor(t.p.Meta.Name), &t.avoid, content, binary)
}

func (t *treePacker) metadata() (err error) {
	grow, name := t.o.Grow, t.o.Name
	if len(grow) == 0 {
		grow = []string{"unfold"}
	}
	if name == "" {
		name = cleanName(t.o.Base)
	}
	t.p.Meta, err = newMetadata(grow, "archive", name, t.o.Extra)
	return err
}

// rootField makes a folder's name fit on its line: what is read back from there
// must be what was written.
func rootField(root string) string {
	plain := allBytes(root, func(c byte) bool { return c >= 0x20 && c != 0x7f }) && utf8.ValidString(root)
	if !plain || root == "" || unquote(trimValue(root)) != root {
		root = cleanName(root)
	}
	return cmp.Or(root, "root")
}

func sectionHead(marker string, e *Entry) string {
	s := "<!--seed:" + marker + "@file path=\"" + e.Path + "\""
	if e.Mode != 0o644 {
		s += fmt.Sprintf(" mode=\"%03o\"", e.Mode)
	}
	if e.Encoded {
		s += ` enc="base64"`
	}
	return s + "-->\n"
}

// treeDigest is the SHA-256 over a tree from which marker and sentinel come.
type treeDigest struct{ h hash.Hash }

func newTreeDigest(root, at string) treeDigest {
	t := treeDigest{sha256.New()}
	fmt.Fprintf(t.h, "seed archive 1.0\n%q %q\n", root, at)
	return t
}

func (t treeDigest) add(e *Entry, sum [32]byte) {
	fmt.Fprintf(t.h, "%q %03o %t %x\n", e.Path, e.Mode, e.Encoded, sum)
}

func (t treeDigest) sum() (s [32]byte) {
	t.h.Sum(s[:0])
	return s
}

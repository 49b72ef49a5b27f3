package workfolder

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/disk"
	"seed/internal/packer"
	"seed/internal/pathrule"
	"seed/internal/secrets"
	"seed/jcs"
	"seed/seedfile"
)

var (
	ruleExtract = finding.Rule{ID: "CAP-ZIP-26", Want: "names that are safe and distinct on every system"}
	ruleKept    = finding.Rule{ID: "CAP-BLD-01", Want: "the log, the program and listed files in the capsule"}
	ruleSkill   = finding.Rule{ID: "CAP-BLD-01", Want: "a skill.json that is JSON"}
	ruleRegular = finding.Rule{ID: "CAP-ZIP-17", Want: "regular files only"}
)

// place holds a path of a capsule to what may be written into a folder, and
// remembers one that lies outside the usual places.
func (s *State) place(path string) error {
	at := finding.Place{Name: path}
	if err := pathrule.Check(path); err != nil {
		return ruleExtract.Errorf(at, "%w", err)
	}
	if why := pathrule.Portable(path); why != "" {
		return ruleExtract.Errorf(at, "%s", why)
	}
	switch {
	case path == StateFile:
		return ruleExtract.Errorf(at, "the name is that of the working folder's own state").WithHint("use extract instead of open")
	case strings.HasSuffix("/"+path, "/.seedignore"):
		return ruleExtract.Errorf(at, "in a working folder it would hide other files").WithHint("use extract instead of open")
	}
	if !standard(path) {
		s.Files = append(s.Files, path)
	}
	return nil
}

// standard reports whether a path is in one of the places that are sealed
// without being listed.
func standard(path string) bool {
	switch path {
	case "program.md", "agents.md", chain.Path:
		return true
	}
	return strings.HasPrefix(path, "skills/") || strings.HasPrefix(path, "payload/")
}

// land puts a new tree at dir.
func land(dir string, files []disk.File) error {
	names := make([]string, len(files))
	var set pathrule.Set
	for i, f := range files {
		names[i] = f.Path
		if err := set.Add(f.Path); err != nil {
			return ruleExtract.Errorf(finding.Place{Name: f.Path}, "%w", err)
		}
	}
	if pair := collision(names); pair != nil {
		return ruleExtract.Errorf(finding.Place{Name: pair[0]}, "is the same file as %s where case or normalisation does not count", finding.Quote(pair[1]))
	}
	ctx := context.Background()
	t, err := disk.NewTree(dir)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Write(ctx, files); err != nil {
		return err
	}
	_, err = t.Land(ctx, disk.Options{})
	return err
}

func collision(names []string) []string {
	members := make([]seedfile.Member, 0, len(names))
	for _, n := range names {
		members = append(members, seedfile.Member{Path: n})
	}
	for _, pair := range packer.Collisions(members) {
		return pair[:]
	}
	return nil
}

// Collected is what a folder gives to be sealed.
type Collected struct {
	Draft   build.Draft
	Secrets *packer.Secrets // filled while the files are hashed
	Left    []packer.Left   // ignored on purpose
	Strays  []string        // files that are in no place that is sealed
	Odd     []string        // what is sealed and may not be what was meant, as sentences
	Bytes   int64

	source *packer.Source
}

// Close gives the folder's handles back.
func (c *Collected) Close() error { return c.source.Close() }

// Collect finds the files of the folder. Out, if not "", is a file in it that is
// being written. With scan, the content is looked through for secrets while it
// is hashed.
func (f *Folder) Collect(out string, scan bool) (*Collected, error) {
	src, err := packer.Open(f.Dir, packer.Options{Output: out})
	if err != nil {
		return nil, err
	}
	c := &Collected{Secrets: &packer.Secrets{}, Left: src.Left, source: src}
	if err := c.take(f, scan); err != nil {
		return nil, errors.Join(err, src.Close())
	}
	return c, nil
}

func (c *Collected) take(f *Folder, scan bool) error {
	d := &c.Draft
	s := &f.State
	d.Label, d.CreatedAt, d.Participants, d.Extra = s.Label, s.CreatedAt, s.Participants, s.Extra
	if o := s.Origin; o != nil {
		d.Version, d.Predecessors = o.Version, o.Predecessors
		if o.Events > 0 { // no line has begun with a template
			d.Continues = &build.Line{CapsuleID: o.CapsuleID, Events: o.Events, EntryHash: o.EntryHash}
		}
	} else {
		d.Version = capsule.Version06
	}
	for _, m := range c.source.Members {
		switch {
		case m.Path == StateFile, m.Path == ".seedignore", m.Path == chain.Path+".lock", m.Mode.IsDir():
			continue
		case !standard(m.Path) && !slices.Contains(s.Files, m.Path):
			c.Strays = append(c.Strays, m.Path)
			continue
		case !m.Mode.IsRegular():
			return ruleRegular.Errorf(finding.Place{Name: m.Path}, "is a %s, and a capsule carries regular files only", kindOf(m.Mode))
		}
		file, err := c.file(m.Path, scan)
		if err != nil {
			return err
		}
		c.Bytes += file.Size
		if m.Path == chain.Path {
			d.Chain = file
			continue
		}
		file.Carried = s.Origin != nil // what came with the capsule keeps its name
		d.Files = append(d.Files, file)
	}
	if err := c.kept(f); err != nil {
		return err
	}
	if err := c.skills(); err != nil {
		return err
	}
	if scan { // what goes into the manifest leaves the machine too
		state, err := s.marshal()
		if err != nil {
			return err
		}
		c.Secrets.Add(StateFile, secrets.ScanBytes(StateFile, state))
	}
	if !slices.ContainsFunc(d.Files, func(file build.File) bool { return file.Path == "program.md" }) {
		c.Odd = append(c.Odd, "there is no program.md, so an empty one is sealed")
	}
	for _, name := range s.Files {
		if !slices.ContainsFunc(d.Files, func(file build.File) bool { return file.Path == name }) {
			return fmt.Errorf("%s lists %s, which is not in the folder", StateFile, finding.Quote(name))
		}
	}
	return nil
}

// kept refuses ignore rules that leave out what a capsule is made of: the log,
// the program, and files that are listed by name.
func (c *Collected) kept(f *Folder) error {
	for _, name := range append([]string{chain.Path, "program.md", "agents.md"}, f.State.Files...) {
		taken := name == chain.Path && c.Draft.Chain.Open != nil ||
			slices.ContainsFunc(c.Draft.Files, func(file build.File) bool { return file.Path == name })
		if taken {
			continue
		}
		if _, err := os.Lstat(filepath.Join(f.Dir, filepath.FromSlash(name))); err == nil {
			return ruleKept.Errorf(finding.Place{Name: name}, "is left out by an ignore rule, and a capsule cannot do without it").
				WithHint("take the pattern out of .seedignore")
		}
	}
	return nil
}

// maxSkill is the most bytes of a skill.json that are looked at.
const maxSkill = 1 << 20

// skills refuses a skill.json that is no JSON, and names folders below skills
// that no reader would take for a skill.
func (c *Collected) skills() error {
	known := make(map[string]bool)
	var folders []string
	for _, f := range c.Draft.Files {
		rest, ok := strings.CutPrefix(f.Path, "skills/")
		id, file, cut := strings.Cut(rest, "/")
		if !ok || !cut {
			continue
		}
		if _, seen := known[id]; !seen {
			folders = append(folders, id)
		}
		known[id] = known[id] || file == "SKILL.md" || file == "skill.json"
		if file != "skill.json" {
			continue
		}
		r, err := c.source.FS.Open(f.Path)
		if err != nil {
			return err
		}
		data, err := io.ReadAll(io.LimitReader(r, maxSkill))
		if err = errors.Join(err, r.Close()); err != nil {
			return err
		}
		if _, err := jcs.Parse(data); err != nil {
			return ruleSkill.Errorf(finding.Place{Name: f.Path}, "%w", err)
		}
	}
	for _, id := range folders {
		if !known[id] {
			c.Odd = append(c.Odd, "skills/"+id+" has neither SKILL.md nor skill.json, so no reader takes it for a skill")
		}
	}
	return nil
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "symbolic link"
	case m.IsDir():
		return "folder"
	case m.IsRegular():
		return "file"
	}
	return "special file"
}

// file is one file of the folder. The first reading, which hashes, also feeds
// the scan for secrets.
func (c *Collected) file(path string, scan bool) (build.File, error) {
	info, err := fs.Stat(c.source.FS, path)
	if err != nil {
		return build.File{}, err
	}
	var once sync.Once
	return build.File{Path: path, Size: info.Size(), Open: func() (io.ReadCloser, error) {
		f, err := c.source.FS.Open(path)
		if err != nil {
			return nil, err
		}
		r := io.ReadCloser(f)
		if scan {
			once.Do(func() { r = &tapped{f, c.Secrets.Tap(path)} })
		}
		return r, nil
	}}, nil
}

// tapped shows everything that is read to a tap.
type tapped struct {
	r   io.ReadCloser
	tap io.WriteCloser
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		if _, terr := t.tap.Write(p[:n]); terr != nil {
			return n, terr
		}
	}
	return n, err
}

func (t *tapped) Close() error { return errors.Join(t.r.Close(), t.tap.Close()) }

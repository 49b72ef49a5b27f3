package workfolder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/disk"
	"seed/internal/noun"
)

// maxState is the most bytes a state file may have.
const maxState = 8 << 20

// ErrNotFolder is wrapped when a folder is not a working folder.
var ErrNotFolder = errors.New("not a capsule's working folder")

// Folder is a working folder.
type Folder struct {
	Dir   string
	State State
}

const agentsText = `# Agents

Who works on this, what each may do, and what to keep to.
`

const programText = `# Program

What this is, where it stands, and what to do next.
`

// Init makes a working folder in dir, which must be empty or missing. Nothing is
// left behind when it fails.
func Init(dir string, s State) (*Folder, error) {
	if err := emptyOrMissing(dir); err != nil {
		return nil, err
	}
	f := &Folder{Dir: dir, State: s}
	state, err := s.marshal()
	if err != nil {
		return nil, err
	}
	err = f.fill([]content{
		{StateFile, state}, {"program.md", []byte(programText)}, {"agents.md", []byte(agentsText)}, {chain.Path, nil},
	})
	if err != nil {
		return nil, err
	}
	for _, sub := range []string{"skills", "payload"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return f, nil
}

type content struct {
	path string
	data []byte
}

func emptyOrMissing(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: %w", dir, fs.ErrExist)
	}
	return nil
}

// fill writes the files of a new folder, all or none.
func (f *Folder) fill(files []content) error {
	tree := make([]disk.File, len(files))
	for i, c := range files {
		tree[i] = disk.File{Path: c.path, Mode: 0o644, Size: int64(len(c.data)), Open: func() io.Reader { return bytes.NewReader(c.data) }}
	}
	return land(f.Dir, tree)
}

// Load reads the state of a working folder.
func Load(dir string) (*Folder, error) {
	path := filepath.Join(dir, StateFile)
	if err := plain(dir); err != nil {
		return nil, err
	}
	file, info, err := noun.OpenRegular(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, noun.ErrNotFound) {
			return nil, fmt.Errorf("%s has no %s: %w", dir, StateFile, ErrNotFolder)
		}
		return nil, err
	}
	defer file.Close()
	if info.Size() > maxState {
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxState)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxState+1))
	if err != nil {
		return nil, err
	}
	s, err := parseState(path, data)
	if err != nil {
		return nil, err
	}
	return &Folder{Dir: dir, State: *s}, nil
}

// plain refuses a folder whose own parts are links: it may come from a stranger,
// and what is written through a link lands elsewhere.
func plain(dir string) error {
	for _, name := range []string{StateFile, "chain", chain.Path, "skills", "payload"} {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return err
		case name == StateFile || name == chain.Path:
			if !info.Mode().IsRegular() {
				return ruleRegular.Errorf(finding.Place{Name: name}, "is a %s, not part of a working folder", kindOf(info.Mode()))
			}
		case !info.IsDir():
			return ruleRegular.Errorf(finding.Place{Name: name}, "is a %s, not part of a working folder", kindOf(info.Mode()))
		}
	}
	return nil
}

// Appended is an event that was added.
type Appended struct {
	Seq  int
	Hash string
	Line []byte
}

// Append adds one event to the log. Two writers at once both get their turn; the
// log is replaced whole, so a crash leaves the old one or the new one.
func (f *Folder) Append(d chain.Draft) (*Appended, error) {
	var a *Appended
	if d.Timestamp == "" {
		d.Timestamp = f.State.CreatedAt // CAP-BLD-02
	}
	err := disk.Update(filepath.Join(f.Dir, filepath.FromSlash(chain.Path)), 0o644, func(old []byte) ([]byte, error) {
		log, err := chain.Resume(bytes.NewReader(old), build.Actors(f.State.Participants))
		if err != nil {
			return nil, err
		}
		line, err := log.Append(d)
		if err != nil {
			return nil, err
		}
		a = &Appended{Seq: log.Len(), Hash: log.Last(), Line: line}
		if len(old) > 0 && old[len(old)-1] != '\n' {
			old = append(old, '\n')
		}
		return append(old[:len(old):len(old)], line...), nil
	})
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Unpack turns a verified plain capsule back into a working folder at dir, which
// must be empty or missing.
func Unpack(c *capsule.Capsule, res *capsule.Result, dir string) (*Folder, error) {
	d, err := build.Resume(c, res)
	if err != nil {
		return nil, err
	}
	if err := emptyOrMissing(dir); err != nil {
		return nil, err
	}
	s := State{
		Label: d.Label, CreatedAt: d.CreatedAt, Participants: d.Participants, Extra: d.Extra,
		Origin: &Origin{
			Version: c.Manifest.Version, OriginatorKey: c.Manifest.OriginatorKey, CapsuleID: res.CapsuleID,
			ManifestHash: res.ManifestHash, EntryHash: c.Envelope.EntryHash, Events: res.Chain.Events,
			Encrypted: res.Outer != nil, Predecessors: d.Predecessors,
		},
	}
	for _, signer := range c.Envelope.Signers {
		s.Origin.Signers = append(s.Origin.Signers, OriginSigner{signer.Role, signer.PublicKey})
	}
	var tree []disk.File
	for _, file := range append(d.Files, d.Chain) {
		if err := s.place(file.Path); err != nil {
			return nil, err
		}
		tree = append(tree, disk.File{Path: file.Path, Mode: 0o644, Size: file.Size, Open: opener(file)})
	}
	state, err := s.marshal()
	if err != nil {
		return nil, err
	}
	tree = append(tree, disk.File{Path: StateFile, Mode: 0o644, Size: int64(len(state)), Open: func() io.Reader { return bytes.NewReader(state) }})
	return &Folder{Dir: dir, State: s}, land(dir, tree)
}

// opener adapts a file of a draft; what fails to open fails to be read.
func opener(f build.File) func() io.Reader {
	return func() io.Reader {
		r, err := f.Open()
		if err != nil {
			return failed{err}
		}
		return r
	}
}

type failed struct{ err error }

func (f failed) Read([]byte) (int, error) { return 0, f.err }

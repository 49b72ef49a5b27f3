package disk

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile puts what write writes at path: whole, synced, or not at all. A
// link in place of the file is replaced, not followed. The directory must
// exist; perm is subject to the umask.
func WriteFile(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return writeFile(path, perm, write, (*Pending).Commit)
}

// WriteNew is [WriteFile] for a path where nothing may be yet. Of several
// writers at once one succeeds; the others get [fs.ErrExist].
func WriteNew(path string, perm fs.FileMode, write func(io.Writer) error) error {
	return writeFile(path, perm, write, (*Pending).CommitNew)
}

func writeFile(path string, perm fs.FileMode, write func(io.Writer) error, commit func(*Pending) error) error {
	p, err := CreatePending(path, perm)
	if err != nil {
		return err
	}
	defer p.Abort()
	if err := write(p); err != nil {
		return err
	}
	return commit(p)
}

// Pending is a file being written under another name beside its place. It
// can be read back before it is committed. Either [Pending.Commit],
// [Pending.CommitNew] or [Pending.Abort] must be called; Abort after a commit
// does nothing.
type Pending struct {
	path string
	base string
	temp string
	in   *dir
	f    *file
}

// CreatePending begins the file that is to be at path.
func CreatePending(path string, perm fs.FileMode) (*Pending, error) {
	in, base, err := openParent(path)
	if err != nil {
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	temp := ".seed-tmp-" + random()
	f, err := in.create(temp, perm)
	if err != nil {
		in.close()
		return nil, fmt.Errorf("write %s: %w", path, err)
	}
	return &Pending{path: path, base: base, temp: temp, in: in, f: f}, nil
}

// openParent opens the directory of path, which the user named, and gives the
// name in it.
func openParent(path string) (*dir, string, error) {
	base := filepath.Base(path)
	if path == "" || os.IsPathSeparator(path[len(path)-1]) || base == "." || base == ".." {
		return nil, "", errors.New("is not the name of a file")
	}
	in, err := openTop(filepath.Dir(path))
	return in, base, err
}

// random is a name that nobody can foresee.
func random() string {
	var b [16]byte
	rand.Read(b[:]) // never fails, by its contract
	return hex.EncodeToString(b[:])
}

func (p *Pending) Write(b []byte) (int, error) {
	n, err := p.f.Write(b)
	if err != nil {
		return n, fmt.Errorf("write %s: %w", p.path, err)
	}
	return n, nil
}

// WriteAt writes at a place of the file, before or instead of Write.
func (p *Pending) WriteAt(b []byte, off int64) (int, error) {
	n, err := p.f.WriteAt(b, off)
	if err != nil {
		return n, fmt.Errorf("write %s: %w", p.path, err)
	}
	return n, nil
}

// ReadAt reads back what was written.
func (p *Pending) ReadAt(b []byte, off int64) (int, error) { return p.f.ReadAt(b, off) }

// Commit syncs the file and puts it in its place, over a file or link that is there.
func (p *Pending) Commit() error {
	return p.commit(func() error {
		// A rename would replace a device or a pipe, which nobody means. One over
		// an empty directory would be refused anyway, but with words that differ
		// from system to system.
		if at, err := p.in.lstat(p.base); err == nil && at.mode.Type()&^fs.ModeSymlink != 0 {
			if at.mode.IsDir() {
				return errors.New("is a directory")
			}
			return errors.New("is not a regular file")
		}
		return p.in.rename(p.temp, p.in, p.base)
	})
}

// CommitNew is Commit where nothing may be in the place; it fails with
// [fs.ErrExist] otherwise.
func (p *Pending) CommitNew() error {
	return p.commit(func() error { return p.in.renameNew(p.temp, p.in, p.base) })
}

func (p *Pending) commit(place func() error) error {
	defer p.Abort()
	err := p.f.sync()
	if cerr := p.f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = place()
	}
	if err == nil {
		p.temp = ""
		err = p.in.sync()
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", p.path, err)
	}
	return nil
}

// Abort removes the unfinished file.
func (p *Pending) Abort() {
	if p.in == nil {
		return
	}
	p.f.Close()
	if p.temp != "" {
		p.in.remove(p.temp)
	}
	p.in.close()
	p.in = nil
}

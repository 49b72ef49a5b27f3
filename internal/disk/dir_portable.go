//go:build (!linux && !darwin) || portable

package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// dir is an open directory on systems without the *at calls: an os.Root of its
// own for what happens inside it, and the top one for moves between two.
// Nothing can leave the top directory; a link that somebody swaps in between
// two calls can at worst lead elsewhere below it.
type dir struct {
	root *os.Root
	top  *os.Root
	rel  string
}

// openTop opens the directory path, which the user named: links are followed.
func openTop(path string) (*dir, error) {
	r, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	return &dir{root: r, top: r, rel: "."}, nil
}

// sub opens the directory name. A link gives errLink, anything else that is
// no directory errNotDir.
func (d *dir) sub(name string) (*dir, error) {
	in, err := d.lstat(name)
	switch {
	case err != nil:
		return nil, err
	case in.mode&fs.ModeSymlink != 0:
		return nil, nameError("open", name, errLink)
	case !in.mode.IsDir():
		return nil, nameError("open", name, errNotDir)
	}
	r, err := d.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	got, err := r.Stat(".")
	if err == nil && !os.SameFile(got, in.fi) {
		err = nameError("open", name, errLink)
	}
	if err != nil {
		r.Close()
		return nil, err
	}
	return &dir{root: r, top: d.top, rel: filepath.Join(d.rel, name)}, nil
}

func nameError(op, name string, err error) error {
	return &fs.PathError{Op: op, Path: name, Err: err}
}

func (d *dir) mkdir(name string, perm fs.FileMode) error { return d.root.Mkdir(name, perm.Perm()) }

// create makes the file name, which must not exist.
func (d *dir) create(name string, perm fs.FileMode) (*file, error) {
	f, err := d.root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm.Perm())
	if err != nil {
		return nil, err
	}
	return &file{f}, nil
}

// open opens the regular file name for reading.
func (d *dir) open(name string) (*file, info, error) { return d.openFlags(name, os.O_RDONLY, 0) }

// openState opens the regular file name for reading and writing and makes it
// where it is missing.
func (d *dir) openState(name string, perm fs.FileMode) (*file, info, error) {
	return d.openFlags(name, os.O_RDWR|os.O_CREATE, perm)
}

func (d *dir) openFlags(name string, flags int, perm fs.FileMode) (*file, info, error) {
	if in, err := d.lstat(name); err == nil && !in.mode.IsRegular() {
		return nil, in, nameError("open", name, notRegular(in.mode))
	}
	o, err := d.root.OpenFile(name, flags|noWait, perm.Perm())
	if err != nil {
		return nil, info{}, err
	}
	f := &file{o}
	in, err := f.info()
	if err == nil && !in.mode.IsRegular() {
		err = nameError("open", name, notRegular(in.mode))
	}
	if now, lerr := d.lstat(name); err == nil && (lerr != nil || !now.same(in)) {
		err = nameError("open", name, errLink)
	}
	if err != nil {
		f.Close()
		return nil, in, err
	}
	return f, in, nil
}

func (d *dir) lstat(name string) (info, error) {
	fi, err := d.root.Lstat(name)
	if err != nil {
		return info{}, err
	}
	return infoOf(fi), nil
}

func (d *dir) rename(name string, to *dir, as string) error {
	return d.top.Rename(filepath.Join(d.rel, name), filepath.Join(to.rel, as))
}

// renameNew renames without replacing anything.
func (d *dir) renameNew(name string, to *dir, as string) error {
	in, err := d.lstat(name)
	if err != nil {
		return err
	}
	if !in.mode.IsDir() {
		err := d.link(name, to, as)
		if err == nil {
			return d.remove(name)
		}
		if errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	if _, err := to.lstat(as); !errors.Is(err, fs.ErrNotExist) {
		return nameError("rename", name, fs.ErrExist)
	}
	return d.rename(name, to, as)
}

func (d *dir) link(name string, to *dir, as string) error {
	return d.top.Link(filepath.Join(d.rel, name), filepath.Join(to.rel, as))
}

func (d *dir) remove(name string) error {
	if in, err := d.lstat(name); err == nil && in.mode.IsDir() {
		return nameError("remove", name, errors.New("is a directory"))
	}
	return d.root.Remove(name)
}

func (d *dir) rmdir(name string) error {
	if in, err := d.lstat(name); err == nil && !in.mode.IsDir() {
		return nameError("remove directory", name, errNotDir)
	}
	return d.root.Remove(name)
}

// names lists the directory.
func (d *dir) names(most int) ([]string, error) {
	f, err := d.root.Open(".")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(most)
	if err == io.EOF { // how an empty directory answers a limited question
		err = nil
	}
	return names, err
}

// sync does nothing: these systems have no durable order for directories.
func (d *dir) sync() error { return nil }

// syncTree does nothing: these systems sync single files only.
func (d *dir) syncTree() error { return nil }

func (d *dir) close() {
	if d != nil {
		d.root.Close()
	}
}

// info is what the package needs to know of a file.
type info struct {
	mode fs.FileMode
	size int64
	fi   fs.FileInfo
}

func infoOf(fi fs.FileInfo) info { return info{fi.Mode(), fi.Size(), fi} }

// same reports whether both are one file.
func (a info) same(b info) bool { return os.SameFile(a.fi, b.fi) }

// identity is a word that a copy of the file is unlikely to have.
func (a info) identity() string { return fmt.Sprint(born(a.fi)) }

// mine reports whether the file belongs to the user of this process, as far
// as that can be told.
func (a info) mine() bool { return true }

//go:build (linux || darwin) && !portable

package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// dir is an open directory. Its methods take single names, never paths, and
// follow no link.
type dir struct{ fd int }

// openTop opens the directory path, which the user named: links are followed.
func openTop(path string) (*dir, error) {
	fd, err := openat(unix.AT_FDCWD, path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: path, Err: err}
	}
	return &dir{fd}, nil
}

func openat(at int, name string, flags int, perm fs.FileMode) (int, error) {
	for {
		fd, err := unix.Openat(at, name, flags|unix.O_CLOEXEC, uint32(perm.Perm()))
		if err != unix.EINTR {
			return fd, err
		}
	}
}

func nameError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}

// sub opens the directory name. A link gives errLink, anything else that is
// no directory errNotDir.
func (d *dir) sub(name string) (*dir, error) {
	fd, err := openat(d.fd, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err == nil {
		return &dir{fd}, nil
	}
	if err == unix.ENOTDIR || err == unix.ELOOP {
		err = errNotDir
		if in, lerr := d.lstat(name); lerr == nil && in.mode&fs.ModeSymlink != 0 {
			err = errLink
		}
	}
	return nil, nameError("open", name, err)
}

func (d *dir) mkdir(name string, perm fs.FileMode) error {
	return nameError("make directory", name, unix.Mkdirat(d.fd, name, uint32(perm.Perm())))
}

// create makes the file name, which must not exist.
func (d *dir) create(name string, perm fs.FileMode) (*file, error) {
	fd, err := openat(d.fd, name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW, perm)
	if err != nil {
		return nil, nameError("create", name, err)
	}
	return &file{fd}, nil
}

// open opens the regular file name for reading. It does not wait for the
// other end of a pipe.
func (d *dir) open(name string) (*file, info, error) {
	return d.openFlags(name, unix.O_RDONLY, 0)
}

// openState opens the regular file name for reading and writing and makes it
// where it is missing.
func (d *dir) openState(name string, perm fs.FileMode) (*file, info, error) {
	return d.openFlags(name, unix.O_RDWR|unix.O_CREAT, perm)
}

func (d *dir) openFlags(name string, flags int, perm fs.FileMode) (*file, info, error) {
	// Some devices act on being opened, so a look comes first. What counts is
	// what the handle says afterwards.
	if in, err := d.lstat(name); err == nil && !in.mode.IsRegular() {
		return nil, in, nameError("open", name, notRegular(in.mode))
	}
	fd, err := openat(d.fd, name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY, perm)
	if err == unix.ELOOP {
		return nil, info{mode: fs.ModeSymlink}, nameError("open", name, errLink)
	}
	if err != nil {
		return nil, info{}, nameError("open", name, err)
	}
	f := &file{fd}
	in, err := f.info()
	if err == nil && !in.mode.IsRegular() {
		err = notRegular(in.mode)
	}
	if err != nil {
		f.Close()
		return nil, in, nameError("open", name, err)
	}
	return f, in, nil
}

func (d *dir) lstat(name string) (info, error) {
	var st unix.Stat_t
	if err := unix.Fstatat(d.fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return info{}, nameError("look at", name, err)
	}
	return infoOf(&st), nil
}

func (d *dir) rename(name string, to *dir, as string) error {
	return nameError("rename", name, unix.Renameat(d.fd, name, to.fd, as))
}

// renameNew renames without replacing anything.
func (d *dir) renameNew(name string, to *dir, as string) error {
	err := renameExcl(d.fd, name, to.fd, as)
	if err == unix.ENOSYS || err == unix.EINVAL || err == unix.ENOTSUP || err == unix.EPERM {
		err = d.claim(name, to, as)
	}
	return nameError("rename", name, err)
}

// claim is renameNew for file systems that cannot do it in one call: the new
// name is first taken in a way that fails when it exists.
func (d *dir) claim(name string, to *dir, as string) error {
	in, err := d.lstat(name)
	if err != nil {
		return err
	}
	if !in.mode.IsDir() {
		if err := unix.Linkat(d.fd, name, to.fd, as, 0); err != nil {
			return err
		}
		return unix.Unlinkat(d.fd, name, 0)
	}
	if err := unix.Mkdirat(to.fd, as, 0o700); err != nil {
		return err
	}
	// A directory may be renamed over an empty one; if somebody has filled it
	// meanwhile, this fails and what they made stays.
	if err := unix.Renameat(d.fd, name, to.fd, as); err != nil {
		return errors.Join(err, unix.Unlinkat(to.fd, as, unix.AT_REMOVEDIR))
	}
	return nil
}

func (d *dir) link(name string, to *dir, as string) error {
	return nameError("link", name, unix.Linkat(d.fd, name, to.fd, as, 0))
}

func (d *dir) remove(name string) error {
	return nameError("remove", name, unix.Unlinkat(d.fd, name, 0))
}

func (d *dir) rmdir(name string) error {
	return nameError("remove directory", name, unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR))
}

// names lists the directory.
func (d *dir) names(most int) ([]string, error) {
	fd, err := openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return nil, nameError("list", ".", err)
	}
	f := os.NewFile(uintptr(fd), ".")
	defer f.Close()
	names, err := f.Readdirnames(most)
	if err == io.EOF { // how an empty directory answers a limited question
		err = nil
	}
	return names, err
}

// sync makes changes of the directory's own entries durable.
func (d *dir) sync() error {
	if err := unix.Fsync(d.fd); err != nil && err != unix.EINVAL && err != unix.ENOTSUP {
		return fmt.Errorf("sync directory: %w", err)
	}
	return nil
}

func (d *dir) close() {
	if d != nil && d.fd >= 0 {
		unix.Close(d.fd)
		d.fd = -1
	}
}

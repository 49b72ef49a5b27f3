//go:build (linux || darwin) && !portable

package disk

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// info is what the package needs to know of a file.
type info struct {
	mode     fs.FileMode
	size     int64
	dev, ino uint64
	changed  unix.Timespec
	uid      uint32
}

// same reports whether both are one file.
func (a info) same(b info) bool { return a.dev == b.dev && a.ino == b.ino }

// identity is a word that no copy of the file has: nobody can choose the time
// at which the kernel changed an inode.
func (a info) identity() string {
	return fmt.Sprintf("%d.%d.%d", a.ino, a.changed.Sec, a.changed.Nsec)
}

// mine reports whether the file belongs to the user of this process.
func (a info) mine() bool { return int(a.uid) == os.Geteuid() }

func infoOf(st *unix.Stat_t) info {
	m := fs.FileMode(st.Mode & 0o777)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFCHR, unix.S_IFBLK:
		m |= fs.ModeDevice
	default:
		m |= fs.ModeIrregular
	}
	return info{mode: m, size: st.Size, dev: uint64(st.Dev), ino: st.Ino, changed: ctime(st), uid: st.Uid}
}

// file is an open file without what os.File adds: ten thousand of them are
// opened in a fraction of a second.
type file struct{ fd int }

func (f *file) info() (info, error) {
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return info{}, err
	}
	return infoOf(&st), nil
}

func (f *file) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		n, err := unix.Write(f.fd, b[done:])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

// WriteAt writes all of b, wherever the file ends.
func (f *file) WriteAt(b []byte, off int64) (int, error) {
	done := 0
	for done < len(b) {
		n, err := unix.Pwrite(f.fd, b[done:], off+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func (f *file) Read(b []byte) (int, error) {
	return readResult(b, func() (int, error) { return unix.Read(f.fd, b) })
}

// ReadAt fills b unless the file ends first.
func (f *file) ReadAt(b []byte, off int64) (int, error) {
	done := 0
	for done < len(b) {
		rest := b[done:]
		n, err := readResult(rest, func() (int, error) { return unix.Pread(f.fd, rest, off+int64(done)) })
		if err != nil {
			return done, err
		}
		done += n
	}
	return done, nil
}

func readResult(b []byte, read func() (int, error)) (int, error) {
	for {
		n, err := read()
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

func (f *file) seekEnd() (int64, error) { return unix.Seek(f.fd, 0, io.SeekEnd) }

func (f *file) truncate(size int64) error { return unix.Ftruncate(f.fd, size) }

func (f *file) sync() error { return unix.Fsync(f.fd) }

func (f *file) Close() error {
	if f.fd < 0 {
		return nil
	}
	err := unix.Close(f.fd)
	f.fd = -1
	return err
}

func (f *file) lock(wait bool) error { return lockHandle(uintptr(f.fd), wait) }

package packer

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"time"

	"golang.org/x/sys/unix"
)

// beneath lets the kernel resolve a whole path at once, which is several times
// faster than component by component, and equally unable to leave the folder.
func beneath(root *os.Root) fs.FS {
	handle, err := root.Open(".")
	if err != nil {
		return rootFS{root}
	}
	return &kernelFS{dir: handle, slow: rootFS{root}, openat2: unix.Openat2}
}

type kernelFS struct {
	dir     *os.File
	slow    rootFS
	openat2 func(dir int, path string, how *unix.OpenHow) (int, error)
}

func (k *kernelFS) Open(name string) (fs.File, error) {
	fd, err := k.openat2(int(k.dir.Fd()), name, &unix.OpenHow{
		Flags:   unix.O_RDONLY | unix.O_CLOEXEC | unix.O_NONBLOCK,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_MAGICLINKS,
	})
	switch {
	case err == nil:
		return regular(&plainFile{fd: fd, name: name})
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM), errors.Is(err, unix.EAGAIN), errors.Is(err, unix.EINTR):
		return k.slow.Open(name) // an old kernel, a filter, or a rename in the way
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: err}
}

func (k *kernelFS) Close() error { return k.dir.Close() }

// plainFile reads a descriptor without the runtime's poller, which has nothing
// to do for regular files.
type plainFile struct {
	fd   int
	name string
	stat unix.Stat_t // when it was opened
}

func regular(f *plainFile) (fs.File, error) {
	err := unix.Fstat(f.fd, &f.stat)
	if err == nil && f.stat.Mode&unix.S_IFMT != unix.S_IFREG {
		err = errNotRegular
	}
	if err != nil {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: f.name, Err: err}, f.Close())
	}
	return f, nil
}

func (f *plainFile) Read(b []byte) (int, error) {
	for {
		n, err := unix.Read(f.fd, b)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return 0, &fs.PathError{Op: "read", Path: f.name, Err: err}
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		}
		return n, nil
	}
}

// Stat describes the file as it was when it was opened.
func (f *plainFile) Stat() (fs.FileInfo, error) { return plainInfo{f}, nil }

type plainInfo struct{ f *plainFile }

func (i plainInfo) Name() string       { return path.Base(i.f.name) }
func (i plainInfo) Size() int64        { return i.f.stat.Size }
func (i plainInfo) Mode() fs.FileMode  { return fs.FileMode(i.f.stat.Mode & 0o777) }
func (i plainInfo) ModTime() time.Time { return time.Unix(i.f.stat.Mtim.Unix()) }
func (i plainInfo) IsDir() bool        { return false }
func (i plainInfo) Sys() any           { return nil }

// Close gives the descriptor back, once: by the second time its number may be
// that of another file.
func (f *plainFile) Close() error {
	if f.fd < 0 {
		return fs.ErrClosed
	}
	fd := f.fd
	f.fd = -1
	return unix.Close(fd)
}

package packer

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
)

// errNotRegular is for what became something else after the walk: a pipe would
// be read as an empty file, or for ever.
var errNotRegular = errors.New("not a regular file any more")

// rootFS opens files below a folder through its handle, so that a link put in
// their way while we read cannot lead outside.
type rootFS struct {
	root *os.Root
}

func (r rootFS) Open(name string) (fs.File, error) {
	flag := os.O_RDONLY
	if runtime.GOOS != "windows" {
		flag |= syscall.O_NONBLOCK // a pipe must not make us wait
	}
	f, err := r.root.OpenFile(name, flag, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errNotRegular}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

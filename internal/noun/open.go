package noun

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// ErrNotRegular is wrapped when a path names a pipe, a device or a socket.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file for reading and never waits for anything
// else: a pipe, a device or a socket is refused, also one that takes the file's
// place between the look and the opening.
func OpenRegular(path string) (*os.File, fs.FileInfo, error) {
	// The first look keeps devices that act on being opened untouched.
	fi, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if err := wantRegular(path, fi); err != nil {
		return nil, nil, err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	fi, err = f.Stat()
	if err == nil {
		err = wantRegular(path, fi)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, fi, nil
}

func wantRegular(path string, fi fs.FileInfo) error {
	if fi.Mode().IsRegular() {
		return nil
	}
	return fmt.Errorf("%s is %s: %w", path, special(fi.Mode()), ErrNotRegular)
}

func special(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

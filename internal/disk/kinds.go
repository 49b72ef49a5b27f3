package disk

import (
	"errors"
	"io/fs"
	"syscall"
)

var (
	errLink   = errors.New("is a symbolic link")
	errNotDir = errors.New("is not a directory")
	errLocked = errors.New("is locked by another process")
)

// notRegularError says what is in the place of a regular file.
type notRegularError struct{ what string }

func (e *notRegularError) Error() string { return "is " + e.what }

func notRegular(m fs.FileMode) error {
	if m&fs.ModeSymlink != 0 {
		return errLink
	}
	return &notRegularError{describe(m)}
}

func describe(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m.IsRegular():
		return "a file"
	}
	return "something special"
}

// isNotEmpty reports whether err says that a directory has something in it.
func isNotEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, fs.ErrExist)
}

//go:build !windows && ((!linux && !darwin) || portable)

package disk

import (
	"io/fs"
	"syscall"
)

// noWait keeps an open from waiting for the other end of a pipe.
const noWait = syscall.O_NONBLOCK

// born is when the file was written.
func born(fi fs.FileInfo) int64 { return fi.ModTime().UnixNano() }

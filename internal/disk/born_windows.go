package disk

import (
	"io/fs"
	"syscall"
)

// noWait is empty here: no pipe is found among files.
const noWait = 0

// born is when the file was made, which archives do not carry over.
func born(fi fs.FileInfo) int64 {
	if d, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		return d.CreationTime.Nanoseconds()
	}
	return fi.ModTime().UnixNano()
}

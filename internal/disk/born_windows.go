package disk

import (
	"io/fs"
	"syscall"
)

// born is when the file was made, which archives do not carry over.
func born(fi fs.FileInfo) int64 {
	if d, ok := fi.Sys().(*syscall.Win32FileAttributeData); ok {
		return d.CreationTime.Nanoseconds()
	}
	return fi.ModTime().UnixNano()
}

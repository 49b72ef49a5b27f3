//go:build !windows && ((!linux && !darwin) || portable)

package disk

import "io/fs"

// born is when the file was written.
func born(fi fs.FileInfo) int64 { return fi.ModTime().UnixNano() }

//go:build !unix

package keys

import "io/fs"

// openToOthers and writableByOthers cannot tell where access lists rule; a
// profile is closed to others by those it inherits.
func openToOthers(fs.FileInfo) bool { return false }

func writableByOthers(fs.FileInfo) bool { return false }

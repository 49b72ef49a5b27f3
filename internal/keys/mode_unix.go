//go:build unix

package keys

import "io/fs"

// openToOthers reports whether anybody but the owner has rights to the file.
func openToOthers(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o077 != 0 }

// writableByOthers reports whether anybody but the owner may change the file.
func writableByOthers(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o022 != 0 }

package packer

import (
	"io/fs"
	"os"
)

// rootFS opens files below a folder through its handle, so that a link put in
// their way while we read cannot lead outside.
type rootFS struct {
	root *os.Root
}

func (r rootFS) Open(name string) (fs.File, error) { return r.root.Open(name) }

//go:build !linux

package packer

import (
	"io/fs"
	"os"
)

func beneath(root *os.Root) fs.FS { return rootFS{root} }

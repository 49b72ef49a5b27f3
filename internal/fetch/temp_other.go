//go:build !unix

package fetch

import (
	"errors"
	"os"
)

func createTemp(dir string) (*os.File, error) { return os.CreateTemp(dir, "seed-*") }

// closeTemp removes the file only now: an open file has a name there.
func closeTemp(f *os.File) error { return errors.Join(f.Close(), os.Remove(f.Name())) }

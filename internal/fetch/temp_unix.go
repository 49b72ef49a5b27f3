//go:build unix

package fetch

import "os"

func createTemp(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, "seed-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func closeTemp(f *os.File) error { return f.Close() }

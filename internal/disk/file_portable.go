//go:build (!linux && !darwin) || portable

package disk

import (
	"io"
	"os"
)

// file is an open file.
type file struct{ *os.File }

func (f *file) info() (info, error) {
	fi, err := f.Stat()
	if err != nil {
		return info{}, err
	}
	return infoOf(fi), nil
}

func (f *file) seekEnd() (int64, error) { return f.Seek(0, io.SeekEnd) }

func (f *file) truncate(size int64) error { return f.Truncate(size) }

func (f *file) sync() error { return f.Sync() }

func (f *file) lock(wait bool) error { return lockHandle(f.Fd(), wait) }

package seedfile_test

import (
	"io/fs"
	"sync/atomic"
	"testing/fstest"
)

// brokenFS fails the reading of every file after some bytes, in one opening.
type brokenFS struct {
	fstest.MapFS
	open   int // which opening fails, from 0
	after  int // bytes that can be read before
	opened atomic.Int64
	closed atomic.Int64
}

func (b *brokenFS) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	if err != nil {
		return nil, err
	}
	n := int(b.opened.Add(1)) - 1
	return &brokenFile{f, b, n == b.open, b.after}, nil
}

type brokenFile struct {
	fs.File
	of   *brokenFS
	bad  bool
	left int
}

func (f *brokenFile) Read(p []byte) (int, error) {
	if !f.bad {
		return f.File.Read(p)
	}
	if f.left == 0 {
		return 0, errFire
	}
	n, err := f.File.Read(p[:min(len(p), f.left)])
	f.left -= n
	return n, err
}

func (f *brokenFile) Close() error {
	f.of.closed.Add(1)
	return f.File.Close()
}

// changingFS serves the second content from the second opening of a file on.
type changingFS struct {
	first, second fstest.MapFS
	path          string
	opened        atomic.Int64
}

func (c *changingFS) Open(name string) (fs.File, error) {
	if name == c.path && c.opened.Add(1) > 1 {
		return c.second.Open(name)
	}
	return c.first.Open(name)
}

package zipstore

import (
	"errors"
	"fmt"
	"io"
)

// How much is read at once. Records of the central directory follow one another,
// and so do local headers of small entries; those of large entries are far apart,
// and to read on from there would be to read content. A read costs about as much
// as to copy 8 KiB more.
const (
	near     = 8 << 10
	readNear = 64 << 10
	readAfar = 1 << 10
)

// source reads small pieces of a file through a window. The tail of the file
// stays in memory: it has the end record, and all of a small archive.
type source struct {
	r       io.ReaderAt
	size    int64
	tail    []byte
	tailOff int64
	buf     []byte
	bufOff  int64
}

func newSource(r io.ReaderAt, size int64) (*source, error) {
	n := min(size, maxEnd)
	s := &source{r: r, size: size, tailOff: size - n}
	tail, err := s.read(make([]byte, n), s.tailOff)
	s.tail = tail
	return s, err
}

// at returns the n bytes at off, which the caller knows to be inside the file.
// They are valid until the next call.
func (s *source) at(off int64, n int) ([]byte, error) {
	if off >= s.tailOff {
		return s.tail[off-s.tailOff:][:n], nil
	}
	stop := s.bufOff + int64(len(s.buf))
	if off < s.bufOff || off+int64(n) > stop {
		ahead := readAfar
		if off >= s.bufOff && off-stop < near {
			ahead = readNear
		}
		want := int(min(int64(max(n, ahead)), s.size-off))
		if cap(s.buf) < want {
			s.buf = make([]byte, want)
		}
		buf, err := s.read(s.buf[:want], off)
		if err != nil {
			return nil, err
		}
		s.buf, s.bufOff = buf, off
	}
	return s.buf[off-s.bufOff:][:n], nil
}

// read fills p. A reader that has less than it was said to have is an I/O error
// and not a property of the archive.
func (s *source) read(p []byte, off int64) ([]byte, error) {
	n, err := s.r.ReadAt(p, off)
	if n == len(p) {
		return p, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, fmt.Errorf("read archive at offset %d: %w", off, err)
}

package seedfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"

	"seed/seedfile/transport"
)

// contents is what one reading of a file tells a packer.
type contents struct {
	size   int64
	sum    [32]byte
	crc    transport.CRC
	binary string // why the format cannot carry it as text, "" if it can
	text   []byte // all of it, when it was kept
}

// fileReader reads files one after the other with one buffer.
type fileReader struct {
	avoid avoid
	buf   []byte
}

const readSize = 256 << 10

// overlap is kept of each window, so that what lies across two is seen.
const overlap = 16

// read reads r to its end. tap, if not nil, is shown every byte.
func (f *fileReader) read(r io.Reader, tap io.Writer) (contents, error) {
	if f.buf == nil {
		f.buf = make([]byte, overlap+readSize)
	}
	var (
		c      contents
		hash   = sha256.New()
		carry  int // bytes of the window before
		judged int // index up to which the window is known to be UTF-8
	)
	for {
		n, err := io.ReadFull(r, f.buf[carry:])
		atEnd := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !atEnd {
			return c, err
		}
		data := f.buf[:carry+n]
		fresh := data[carry:]
		c.size += int64(n)
		hash.Write(fresh)
		_, _ = c.crc.Write(fresh)
		if tap != nil {
			if _, err := tap.Write(fresh); err != nil {
				return c, err
			}
		}
		whole := len(data)
		if !atEnd {
			whole = completeRunes(data)
		}
		if c.binary == "" {
			switch {
			case bytes.IndexByte(fresh, 0) >= 0:
				c.binary = "holds a NUL byte"
			case invalidUTF8(data[judged:whole]) >= 0:
				c.binary = "is not UTF-8"
			}
		}
		f.avoid.find(data, carry)
		if atEnd {
			break
		}
		keep := min(overlap, len(data))
		judged = keep - (len(data) - whole)
		copy(f.buf, data[len(data)-keep:])
		carry = keep
	}
	hash.Sum(c.sum[:0])
	return c, nil
}

// completeRunes returns the length of b without a rune that is cut at its end.
func completeRunes(b []byte) int {
	for k := 1; k <= 3 && k <= len(b); k++ {
		if c := b[len(b)-k]; c >= 0xC0 {
			if needs(c) > k {
				return len(b) - k
			}
			return len(b)
		} else if c < 0x80 {
			return len(b)
		}
	}
	return len(b)
}

// needs is how many bytes the rune that c begins has.
func needs(c byte) int {
	switch {
	case c >= 0xF0:
		return 4
	case c >= 0xE0:
		return 3
	}
	return 2
}

package jcs

import (
	"bytes"
	"fmt"
)

// Limits bound what [Doc.Parse] takes on. Zero fields mean the defaults.
type Limits struct {
	Depth int // of nested arrays and objects
	Size  int // of the source, in bytes
}

// The default limits, those of CAP-JSON-08.
const (
	MaxDepth = 512
	MaxSize  = 64 << 20
)

// No limit can be set above these: nodes count in 28 bits, and the writers
// recurse.
const (
	mostDepth = 10_000
	mostSize  = 1<<28 - 1
)

func limit(asked, usual, most int) int {
	if asked <= 0 {
		return usual
	}
	return min(asked, most)
}

// Parse reads a document within the default limits. It does not look at
// [Doc.Refused].
func Parse(src []byte) (*Doc, error) {
	d := new(Doc)
	if err := d.Parse(src, Limits{}); err != nil {
		return nil, err
	}
	return d, nil
}

// ParseStrict is [Parse] for a document that is going to be hashed: one outside
// the I-JSON boundary is an error as well.
func ParseStrict(src []byte) (*Doc, error) {
	d, err := Parse(src)
	if err != nil {
		return nil, err
	}
	if d.refused != nil {
		return nil, d.refused
	}
	return d, nil
}

// Canonical returns the canonical form of a document that passes [ParseStrict].
func Canonical(src []byte) ([]byte, error) {
	d, err := ParseStrict(src)
	if err != nil {
		return nil, err
	}
	return d.Root().AppendCanonical(make([]byte, 0, len(src))), nil
}

// Parse makes d the document in src. It keeps the memory of the document before,
// whose values become meaningless, and it keeps src. Every error is an [*Error].
func (d *Doc) Parse(src []byte, lim Limits) error {
	d.reset(src)
	if err := d.parse(lim); err != nil {
		d.reset(nil)
		return err
	}
	d.keys = reuse(d.keys, 0)
	return nil
}

func (d *Doc) parse(lim Limits) *Error {
	if size := limit(lim.Size, MaxSize, mostSize); len(d.src) > size {
		return &Error{
			Reason: TooLarge, Rule: ruleLimits, Line: 1, Col: 1,
			Msg: fmt.Sprintf("the text has %d bytes, the limit is %d", len(d.src), size),
		}
	}
	if err := d.checkUTF8(); err != nil {
		return err
	}
	if bytes.HasPrefix(d.src, []byte("\ufeff")) {
		return d.breach(InvalidJSON, 0, "the text starts with a byte order mark")
	}
	return d.values(limit(lim.Depth, MaxDepth, mostDepth))
}

package zipstore_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"testing"

	"seed/internal/zipstore"
)

// raw is a ZIP file of which every field can be set, to build what no sane
// program writes.
type raw struct {
	prefix  string // before everything, offsets adjusted
	parts   []*part
	order   []int                       // of the central directory, nil for that of the parts
	gap     string                      // between the last entry and the central directory
	hidden  string                      // between the central directory and the end record
	comment string                      // of the archive
	fix     func(parts []*part, e *fin) // runs when all offsets and counts are known
}

// part is one entry. What both headers have is set by both at first.
type part struct {
	local, central header
	data           string
	descriptor     string
	gap            string // before the local header
}

type header struct {
	sig                    string
	madeBy, version, flags uint16
	method, time, date     uint16
	crc, compressed, size  uint32
	name, extra, comment   string
	nameLen, extraLen      int // -1 for the true ones
	disk, internal         uint16
	external, offset       uint32
}

// fin is the end record.
type fin struct {
	disk, dirDisk, onDisk, count uint16
	dirSize, dirOffset           uint32
	commentLen                   int
}

// zip returns an archive of names and contents in turn.
func zip(namesAndContents ...string) *raw {
	z := &raw{}
	for i := 0; i < len(namesAndContents); i += 2 {
		z.parts = append(z.parts, file(namesAndContents[i], namesAndContents[i+1]))
	}
	return z
}

func file(name, content string) *part {
	h := header{
		version: 10, madeBy: 0x031e, date: 0x21, name: name, nameLen: -1, extraLen: -1,
		crc: crc32.ChecksumIEEE([]byte(content)), compressed: uint32(len(content)), size: uint32(len(content)),
	}
	for _, c := range []byte(name) {
		if c >= 0x80 {
			h.flags = 1 << 11
		}
	}
	p := &part{local: h, central: h, data: content}
	p.local.sig, p.central.sig = "PK\x03\x04", "PK\x01\x02"
	return p
}

// both runs f on the local and the central header.
func (p *part) both(f func(h *header)) *part {
	f(&p.local)
	f(&p.central)
	return p
}

// streamed makes p an entry with a data descriptor.
func (p *part) streamed(signature string) *part {
	p.both(func(h *header) { h.flags |= 1 << 3 })
	p.local.crc, p.local.compressed, p.local.size = 0, 0, 0
	c := p.central
	p.descriptor = signature + string(le(c.crc, c.compressed, c.size))
	return p
}

func le(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, v)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, v)
		case string:
			b = append(b, v...)
		}
	}
	return b
}

func length(declared int, s string) uint16 {
	if declared >= 0 {
		return uint16(declared)
	}
	return uint16(len(s))
}

func (h *header) localBytes() []byte {
	return le(h.sig, h.version, h.flags, h.method, h.time, h.date, h.crc, h.compressed, h.size,
		length(h.nameLen, h.name), length(h.extraLen, h.extra), h.name, h.extra)
}

func (h *header) centralBytes() []byte {
	return le(h.sig, h.madeBy, h.version, h.flags, h.method, h.time, h.date, h.crc, h.compressed, h.size,
		length(h.nameLen, h.name), length(h.extraLen, h.extra), uint16(len(h.comment)), h.disk, h.internal,
		h.external, h.offset, h.name, h.extra, h.comment)
}

func (z *raw) bytes() []byte {
	out := []byte(z.prefix)
	for _, p := range z.parts {
		out = append(out, p.gap...)
		p.central.offset = uint32(len(out))
		out = append(out, p.local.localBytes()...)
		out = append(out, p.data...)
		out = append(out, p.descriptor...)
	}
	out = append(out, z.gap...)
	order := z.order
	if order == nil {
		for i := range z.parts {
			order = append(order, i)
		}
	}
	e := fin{onDisk: uint16(len(order)), count: uint16(len(order)), dirOffset: uint32(len(out)), commentLen: -1}
	for _, i := range order {
		e.dirSize += uint32(len(z.parts[i].central.centralBytes()))
	}
	if z.fix != nil {
		z.fix(z.parts, &e)
	}
	for _, i := range order {
		out = append(out, z.parts[i].central.centralBytes()...)
	}
	out = append(out, z.hidden...)
	return append(out, le("PK\x05\x06", e.disk, e.dirDisk, e.onDisk, e.count, e.dirSize, e.dirOffset,
		length(e.commentLen, z.comment), z.comment)...)
}

func open(data []byte, o zipstore.Options) (*zipstore.Archive, error) {
	return zipstore.Open(bytes.NewReader(data), int64(len(data)), o)
}

// refused fails the test unless data is refused for that reason by that rule.
func refused(t *testing.T, what string, data []byte, rule string, reason zipstore.Reason) {
	t.Helper()
	_, err := open(data, zipstore.Options{})
	wantError(t, what, err, rule, reason)
}

func wantError(t *testing.T, what string, err error, rule string, reason zipstore.Reason) {
	t.Helper()
	var broken *zipstore.Error
	if !errors.As(err, &broken) || broken.Reason != reason || broken.Rule.ID != rule {
		t.Errorf("%s: got %v, want %s by %s", what, detail(err), reason, rule)
	}
}

func detail(err error) string {
	var broken *zipstore.Error
	if errors.As(err, &broken) {
		return string(broken.Reason) + " by " + broken.Rule.ID + ": " + broken.Error()
	}
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// accepted fails the test unless data opens and every file reads back, and
// returns the contents by name.
func accepted(t *testing.T, what string, data []byte) map[string]string {
	t.Helper()
	a, err := open(data, zipstore.Options{})
	if err != nil {
		t.Errorf("%s: got %s, want it opened", what, detail(err))
		return nil
	}
	got, err := contents(a)
	if err != nil {
		t.Errorf("%s: got %s, want it read", what, detail(err))
	}
	return got
}

// contents reads every file in both ways.
func contents(a *zipstore.Archive) (map[string]string, error) {
	got := make(map[string]string)
	for i := range a.Entries {
		e := &a.Entries[i]
		whole, err := a.ReadFile(e, e.Size)
		if err != nil {
			return nil, err
		}
		streamed, err := io.ReadAll(a.Open(e))
		if err != nil {
			return nil, err
		}
		section, err := io.ReadAll(a.Section(e))
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(whole, streamed) || !bytes.Equal(whole, section) {
			return nil, errors.New("ReadFile, Open and Section differ on " + e.Name)
		}
		got[e.Name] = string(whole)
	}
	return got, nil
}

package testkit

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"
	"strings"
)

// field is a number of a ZIP record. Records are written field by field, so that
// any of them can be made wrong.
type field struct {
	name string
	size int
}

var (
	localFields = []field{
		{"sig", 4},
		{"version", 2},
		{"flags", 2},
		{"method", 2},
		{"time", 2},
		{"date", 2},
		{"crc", 4},
		{"csize", 4},
		{"usize", 4},
		{"name_len", 2},
		{"extra_len", 2},
	}
	centralFields = []field{
		{"sig", 4},
		{"made_by", 2},
		{"version", 2},
		{"flags", 2},
		{"method", 2},
		{"time", 2},
		{"date", 2},
		{"crc", 4},
		{"csize", 4},
		{"usize", 4},
		{"name_len", 2},
		{"extra_len", 2},
		{"comment_len", 2},
		{"disk", 2},
		{"internal", 2},
		{"external", 4},
		{"offset", 4},
	}
	endFields = []field{
		{"sig", 4}, {"disk", 2}, {"cd_disk", 2}, {"count_disk", 2}, {"count", 2}, {"cd_size", 4}, {"cd_offset", 4}, {"comment_len", 2},
	}
)

// zipRecord is a header: the true numbers, the changes to them, and its texts.
type zipRecord struct {
	fields  []field
	num     map[string]uint64
	changes [][2]string // field, new value; "+1" is relative to the true one
	name    []byte
	extra   []byte
	comment []byte
}

func (r *zipRecord) bytes() ([]byte, error) {
	r.num["name_len"], r.num["extra_len"], r.num["comment_len"] = uint64(len(r.name)), uint64(len(r.extra)), uint64(len(r.comment))
	for _, c := range r.changes {
		n, err := strconv.ParseInt(strings.TrimPrefix(c[1], "+"), 0, 64)
		if err != nil {
			return nil, fmt.Errorf("field %s: %w", c[0], err)
		}
		if c[1][0] == '+' || c[1][0] == '-' {
			n += int64(r.num[c[0]])
		}
		r.num[c[0]] = uint64(n)
	}
	var out []byte
	for _, f := range r.fields {
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], r.num[f.name])
		out = append(out, b[:f.size]...)
	}
	return slices.Concat(out, r.name, r.extra, r.comment), nil
}

// zipEntry is a file of the container.
type zipEntry struct {
	path           string // how steps call it
	data           []byte
	local, central *zipRecord
	before         []byte // bytes in front of the local header
	descriptor     []byte // behind the data
	hidden         bool   // no record in the central directory
	ghost          bool   // no local header and data
}

func newEntry(path string, data []byte) *zipEntry {
	num := func(sig uint64) map[string]uint64 {
		flags := uint64(0)
		for i := range len(path) {
			if path[i] >= 0x80 {
				flags = 1 << 11
			}
		}
		return map[string]uint64{
			"sig": sig, "version": 10, "flags": flags, "date": 0x21, "crc": uint64(crc32.ChecksumIEEE(data)),
			"csize": uint64(len(data)), "usize": uint64(len(data)), "made_by": 0x031e, "external": 0x81b40000,
		}
	}
	return &zipEntry{
		path: path, data: data,
		local:   &zipRecord{fields: localFields, num: num(0x04034b50), name: []byte(path)},
		central: &zipRecord{fields: centralFields, num: num(0x02014b50), name: []byte(path)},
	}
}

// archive is the container as steps change it.
type archive struct {
	entries []*zipEntry
	end     *zipRecord
	prefix  []byte // before everything; offsets count from the file's start
	junk    []byte // before everything; offsets do not know of it
	gap     []byte // before the central directory
	behind  []byte // between the central directory and the end record
	trailer []byte // after everything
	turned  bool   // central records in the reverse order of the entries
}

// pack writes the container and applies the zip and bytes steps.
func (l *layer) pack() ([]byte, error) {
	z := &archive{end: &zipRecord{fields: endFields, num: map[string]uint64{"sig": 0x06054b50}}}
	for _, path := range l.paths() {
		z.entries = append(z.entries, newEntry(path, l.files[path]))
	}
	for _, s := range l.steps {
		if s.verb == "zip" {
			a := &args{s: s.rest}
			err := z.step(a.word(), a)
			if err == nil {
				err = a.err
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	out, err := z.write()
	if err != nil {
		return nil, err
	}
	for _, s := range l.steps {
		if s.verb == "bytes" {
			if out, err = rawStep(out, &args{s: s.rest}); err != nil {
				return nil, fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	return out, nil
}

func (z *archive) write() ([]byte, error) {
	out := slices.Clone(z.prefix)
	for _, e := range z.entries {
		if e.ghost {
			continue
		}
		out = append(out, e.before...)
		e.central.num["offset"] = uint64(len(out))
		head, err := e.local.bytes()
		if err != nil {
			return nil, err
		}
		out = append(append(append(out, head...), e.data...), e.descriptor...)
	}
	out = append(out, z.gap...)
	start := len(out)
	count := uint64(0)
	records := slices.Clone(z.entries)
	if z.turned {
		slices.Reverse(records)
	}
	for _, e := range records {
		if e.hidden {
			continue
		}
		record, err := e.central.bytes()
		if err != nil {
			return nil, err
		}
		out = append(out, record...)
		count++
	}
	z.end.num["count"], z.end.num["count_disk"] = count, count
	z.end.num["cd_offset"], z.end.num["cd_size"] = uint64(start), uint64(len(out)-start)
	out = append(out, z.behind...)
	end, err := z.end.bytes()
	if err != nil {
		return nil, err
	}
	return slices.Concat(z.junk, out, end, z.trailer), nil
}

// rawStep changes the finished bytes.
func rawStep(out []byte, a *args) ([]byte, error) {
	switch verb := a.word(); verb {
	case "whole":
		out = a.bytes()
	case "truncate":
		n := a.int()
		if n < 0 {
			n += len(out)
		}
		if n < 0 || n > len(out) {
			return nil, fmt.Errorf("cut at %d", n)
		}
		out = out[:n]
	case "flip":
		return out, flip(out, a)
	default:
		return nil, fmt.Errorf("nothing to do with bytes is called %q", verb)
	}
	return out, a.err
}

// hexBytes is the word as hex digits.
func (a *args) hexBytes() []byte {
	b, err := hex.DecodeString(a.word())
	if err != nil {
		a.fail("hex: %w", err)
	}
	return b
}

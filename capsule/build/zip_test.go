package build_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/internal/zipstore"
)

// record is one entry of the written file, read here by the words of the format.
type record struct {
	name           string
	local, central []byte // headers without the name
}

func records(t *testing.T, data []byte) []record {
	t.Helper()
	le := binary.LittleEndian
	end := len(data) - 22
	if end < 0 || !bytes.Equal(data[end:end+4], []byte("PK\x05\x06")) {
		t.Fatal("no end record at the end: there is a comment, or something after it")
	}
	count, at := int(le.Uint16(data[end+10:])), int(le.Uint32(data[end+16:]))
	if at+int(le.Uint32(data[end+12:])) != end {
		t.Fatal("the directory does not end where the end record begins")
	}
	var all []record
	next := 0
	for range count {
		n := int(le.Uint16(data[at+28:]))
		r := record{name: string(data[at+46 : at+46+n]), central: data[at : at+46]}
		off := int(le.Uint32(r.central[42:]))
		if off != next {
			t.Fatalf("%s begins at %d, want %d: entries follow one another", r.name, off, next)
		}
		r.local = data[off : off+30]
		if got := string(data[off+30 : off+30+n]); got != r.name {
			t.Fatalf("local name %q, want %q", got, r.name)
		}
		next = off + 30 + n + int(le.Uint32(r.local[18:]))
		all = append(all, r)
		at += 46 + n
	}
	if at != end || next != int(le.Uint32(data[end+16:])) {
		t.Fatal("bytes that belong to no entry")
	}
	return all
}

func TestCAP_ZIP_01_Headers(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Files = append(d.Files, build.Text("payload/é.txt", "x"), build.Text("payload/empty", ""))
	data, _ := write(t, d)
	_, key := recipient(t, "rita")
	enc := draft(t)
	enc.Recipients, enc.Rand = [][32]byte{key}, constant(7)
	outer, _ := write(t, enc)
	le := binary.LittleEndian
	for _, r := range append(records(t, data), records(t, outer)...) {
		ascii := strings.IndexFunc(r.name, func(c rune) bool { return c > 127 }) < 0
		flags := uint16(0)
		if !ascii {
			flags = 1 << 11
		}
		for _, c := range []struct {
			rule      string
			got, want uint32
		}{
			{"CAP-ZIP-05 version needed", uint32(le.Uint16(r.local[4:])), 10},
			{"CAP-ZIP-04 flags", uint32(le.Uint16(r.local[6:])), uint32(flags)},
			{"CAP-ZIP-01 method", uint32(le.Uint16(r.local[8:])), 0},
			{"CAP-ZIP-03 time", uint32(le.Uint16(r.local[10:])), 0},
			{"CAP-ZIP-03 date", uint32(le.Uint16(r.local[12:])), 0x21},
			{"CAP-ZIP-01 sizes", le.Uint32(r.local[18:]), le.Uint32(r.local[22:])},
			{"CAP-ZIP-05 local extra", uint32(le.Uint16(r.local[28:])), 0},
			{"CAP-ZIP-05 made by", uint32(le.Uint16(r.central[4:])), 0x031E},
			{"CAP-ZIP-05 central extra", uint32(le.Uint16(r.central[30:])), 0},
			{"CAP-ZIP-01 entry comment", uint32(le.Uint16(r.central[32:])), 0},
			{"CAP-ZIP-05 internal attributes", uint32(le.Uint16(r.central[36:])), 0},
			{"CAP-ZIP-05 external attributes", le.Uint32(r.central[38:]), 0x81B40000},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s: got %#x, want %#x", r.name, c.rule, c.got, c.want)
			}
		}
		// From the version needed to the uncompressed size both headers agree.
		if !bytes.Equal(r.local[4:26], r.central[6:28]) {
			t.Errorf("CAP-ZIP-04 %s: local %x, central %x", r.name, r.local[4:26], r.central[6:28])
		}
		if strings.HasSuffix(r.name, "/") {
			t.Errorf("CAP-ZIP-04 %s: a directory entry", r.name)
		}
	}
}

func TestCAP_ZIP_02_OrderOfPaths(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Files = []build.File{
		build.Text("payload/\uFF5E", "1"), build.Text("payload/\U0001F600", "2"), build.Text("payload/\uE000", "3"), build.Text("payload/z", "4"),
		build.Text("payload/Z", "5"), build.Text("payload/z.a", "6"), build.Text("payload/za", "7"),
	}
	data, _ := write(t, d)
	var got []string
	for _, r := range records(t, data) {
		if rest, ok := strings.CutPrefix(r.name, "payload/"); ok {
			got = append(got, rest)
		}
	}
	want := []string{"Z", "z", "z.a", "za", "\U0001F600", "\uE000", "\uFF5E"}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %q, want %q", got, want)
	}

	t.Run("CAP-IDX-03 the index has the same order", func(t *testing.T) {
		t.Parallel()
		files := opened(t, data).Manifest.Files
		var listed []string
		for _, f := range files {
			if rest, ok := strings.CutPrefix(f.Path, "payload/"); ok {
				listed = append(listed, rest)
			}
		}
		if strings.Join(listed, " ") != strings.Join(want, " ") {
			t.Errorf("got %q, want %q", listed, want)
		}
	})
}

func TestCAP_ZIP_07_WhatIsNotWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule, says, path string
	}{
		{"CAP-LAY-01", "..", "payload/../x"},
		{"CAP-LAY-01", "absolute", "/etc/passwd"},
		{"CAP-LAY-01", "empty", ""},
		{"CAP-LAY-01", "backslash", `payload\x`},
		{"CAP-LAY-01", "control", "payload/\x1b"},
		{"CAP-LAY-01", "UTF-8", "payload/\xff"},
		{"CAP-LAY-01", "the format's own", "manifest.json"},
		{"CAP-LAY-01", "the format's own", "provenance/envelope.json"},
		{"CAP-LAY-01", "the format's own", "content.enc"},
		{"CAP-LAY-01", "the format's own", "chain/events.jsonl"},
		{"CAP-LAY-06", "skills/<id>/", "skills/a b/SKILL.md"},
		{"CAP-LAY-06", "skills/<id>/", "skills/é/SKILL.md"},
		{"CAP-LAY-06", "skills/<id>/", "skills/loose.md"},
		{"CAP-LAY-08", "the skill id decryption is reserved", "skills/decryption/SKILL.md"},
		{"CAP-LAY-08", "the skill id decryption is reserved", "skills/decryption/decryption.json"},
	} {
		refused(t, c.rule, c.says, func(d *build.Draft) { d.Files = append(d.Files, build.Text(c.path, "x")) })
	}
	var bad *zipstore.Error
	d := draft(t)
	d.Files = append(d.Files, build.Text("payload/data.txt", "again"))
	var out memory
	if _, err := build.Write(&out, &d); !errors.As(err, &bad) || bad.Reason != zipstore.DuplicateEntry || out.Len() != 0 {
		t.Errorf("a path twice: got %v after %d bytes", err, out.Len())
	}
	// Names from another capsule are not ours to choose, but must be safe.
	d = draft(t)
	d.Files = []build.File{{Path: "skills/a b/SKILL.md", Open: build.Text("", "").Open, Carried: true}, {Path: "../up", Open: build.Text("", "").Open, Carried: true}}
	if _, err := build.Write(&out, &d); !errors.As(err, &bad) || bad.Reason != zipstore.UnsafePath || out.Len() != 0 {
		t.Errorf("a carried unsafe path: got %v after %d bytes", err, out.Len())
	}
	d.Files = d.Files[:1]
	write(t, d)

	t.Run("CAP-ZIP-07 the limit of entries", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Files = nil
		for i := range 10_000 - 4 { // beside program, chain, manifest and envelope
			d.Files = append(d.Files, build.Text(fmt.Sprintf("payload/%d", i), ""))
		}
		write(t, d)
		d.Files = append(d.Files, build.Text("payload/x", ""))
		var out memory
		var bad *zipstore.Error
		if _, err := build.Write(&out, &d); !errors.As(err, &bad) || bad.Reason != zipstore.EntryCountLimit || out.Len() != 0 {
			t.Errorf("10,001 entries: got %v after %d bytes", err, out.Len())
		}
	})
}

// constant is randomness that tests can repeat.
type constant byte

func (c constant) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c) + byte(i)
	}
	return len(p), nil
}

// worthless demands that what an aborted sealing left is no capsule.
func worthless(t *testing.T, out *memory) {
	t.Helper()
	if c, err := capsule.Open(out, int64(out.Len()), capsule.Limits{}); err == nil {
		t.Errorf("what was left opens as capsule %s", c.Envelope.CapsuleID)
	}
}

// TestCAP_BLD_05_FilesThatChange: every file is read once, so what is sealed is
// what was hashed; one that is not as long as was said ends the sealing, whether
// it is written in one piece or in many.
func TestCAP_BLD_05_FilesThatChange(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	for _, text := range []string{"data", strings.Repeat("data", 100_000)} {
		size := len(text)
		for name, content := range map[string]string{"shorter": text[1:], "longer": text + "+", "much longer": text + strings.Repeat(text, 3)} {
			d := draft(t)
			d.Files = []build.File{{Path: "payload/a", Size: int64(size), Open: func() (io.ReadCloser, error) {
				return io.NopCloser(strings.NewReader(content)), nil
			}}, build.Text("payload/b", "beside it")}
			var out memory
			if sealed, err := build.Write(&out, &d); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("bytes now, had %d", size)) {
				t.Errorf("%d bytes, %s: got %+v, %v", size, name, sealed, err)
			}
			worthless(t, &out)
		}
		d := draft(t)
		calls := 0
		d.Files = []build.File{{Path: "payload/a", Size: int64(size), Open: func() (io.ReadCloser, error) {
			calls++
			return io.NopCloser(strings.NewReader(text)), nil
		}}}
		if write(t, d); calls != 1 {
			t.Errorf("a file of %d bytes was opened %d times, want once", size, calls)
		}
	}
	d := draft(t)
	d.Files = []build.File{{Path: "payload/a", Size: 4, Open: func() (io.ReadCloser, error) { return nil, gone }}}
	var out memory
	if _, err := build.Write(&out, &d); !errors.Is(err, gone) {
		t.Errorf("got %v, want the error of opening", err)
	}
	worthless(t, &out)
	calls := 0
	// A chain is read twice; one that has other events then is not sealed.
	d = draft(t)
	one, two := events(t, "began", "went on"), events(t, "began", "went in")
	d.Chain = build.File{Size: one.Size, Open: func() (io.ReadCloser, error) {
		if calls++; calls == 1 {
			return one.Open()
		}
		return two.Open()
	}}
	if _, err := build.Write(&memory{}, &d); err == nil || !strings.Contains(err.Error(), "CAP-BLD-05") {
		t.Errorf("a chain that changes: got %v, want CAP-BLD-05", err)
	}
}

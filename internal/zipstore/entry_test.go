package zipstore_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

func TestCAP_ZIP_16_stored(t *testing.T) {
	t.Parallel()
	for _, method := range []uint16{1, 8, 9, 12, 14, 93, 99, 0xffff} {
		z := two()
		z.parts[1].both(func(h *header) { h.method = method })
		refused(t, "method", z.bytes(), "CAP-ZIP-16", zipstore.UnsupportedCompression)
	}
	for _, bit := range []int{0, 5, 6, 13} {
		z := two()
		z.parts[1].both(func(h *header) { h.flags |= 1 << bit })
		refused(t, "flag", z.bytes(), "CAP-ZIP-16", zipstore.UnsupportedCompression)
	}
	sizes := two()
	sizes.parts[0].both(func(h *header) { h.size++ })
	refused(t, "stored with two sizes", sizes.bytes(), "CAP-ZIP-16", zipstore.MalformedContainer)
	accepted(t, "stored", two().bytes())
}

func TestCAP_ZIP_17_types(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		mode   uint32
		reason zipstore.Reason
	}{
		{"a", 0o120777, zipstore.SymlinkEntry},
		{"d/", 0o120777, zipstore.SymlinkEntry},
		{"a", 0o010644, zipstore.UnsupportedEntryType},
		{"a", 0o020644, zipstore.UnsupportedEntryType},
		{"a", 0o060644, zipstore.UnsupportedEntryType},
		{"a", 0o140644, zipstore.UnsupportedEntryType},
		{"a", 0o160644, zipstore.UnsupportedEntryType},
		{"a", 0o040755, zipstore.DirectoryMarkerShape},
	} {
		for _, host := range []uint16{0, 3, 19} { // DOS, Unix, macOS: the mode counts whoever wrote it
			z := zip(c.name, "")
			z.parts[0].central.external = c.mode << 16
			z.parts[0].central.madeBy = host<<8 | 30
			refused(t, c.name, z.bytes(), "CAP-ZIP-17", c.reason)
		}
	}
	for _, c := range []struct {
		name string
		mode uint32
	}{{"a", 0}, {"a", 0o100644}, {"a", 0o104755}, {"a", 0o644}, {"d/", 0o040755}, {"d/", 0}, {"d/", 0o100644}} {
		z := zip(c.name, "")
		z.parts[0].central.external = c.mode << 16
		a, err := open(z.bytes(), zipstore.Options{})
		if err != nil {
			t.Errorf("%s with mode %o: got %v, want nil", c.name, c.mode, err)
		} else if e := a.Find(c.name); e != nil && e.Mode != c.mode {
			t.Errorf("%s: got mode %o, want %o", c.name, e.Mode, c.mode)
		}
	}
}

func TestCAP_ZIP_18_directoryShape(t *testing.T) {
	t.Parallel()
	bit := zip("a", "x")
	bit.parts[0].central.external = 0x10
	refused(t, "bit without slash", bit.bytes(), "CAP-ZIP-18", zipstore.DirectoryMarkerShape)
	empty := zip("a", "")
	empty.parts[0].central.external = 0x81b40010
	refused(t, "bit without slash, empty", empty.bytes(), "CAP-ZIP-18", zipstore.DirectoryMarkerShape)
	refused(t, "slash with content", zip("a/", "x").bytes(), "CAP-ZIP-18", zipstore.DirectoryMarkerShape)
	for name, f := range map[string]func(h *header){
		"size":            func(h *header) { h.size = 1 },
		"compressed size": func(h *header) { h.compressed = 1 },
	} {
		z := zip("a/", "")
		z.parts[0].both(f)
		refused(t, name, z.bytes(), "CAP-ZIP-18", zipstore.DirectoryMarkerShape)
	}
	crc := zip("a/", "")
	crc.parts[0].both(func(h *header) { h.crc = 1 })
	refused(t, "CRC-32", crc.bytes(), "CAP-ZIP-20", zipstore.CRCMismatch)

	z := zip("d/", "", "d/a", "x", "e/f/", "")
	z.parts[0].central.external = 0x10
	z.parts[2].central.external = 0o040755<<16 | 0x10
	a, err := open(z.bytes(), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Entries) != 1 || strings.Join(a.Dirs, " ") != "d/ e/f/" {
		t.Errorf("got %d files and %q, want one file and d/ e/f/", len(a.Entries), a.Dirs)
	}
}

func TestCAP_ZIP_19_localHeaders(t *testing.T) {
	t.Parallel()
	for name, f := range map[string]func(p []*part){
		"signature":     func(p []*part) { p[1].local.sig = "PK\x03\x05" },
		"other name":    func(p []*part) { p[1].local.name = "dir/c.txt" },
		"name of other": func(p []*part) { p[1].local.name = "a.txt" },
		"longer name":   func(p []*part) { p[1].local.name = "dir/b.txt2" },
		"no name":       func(p []*part) { p[1].local.name = "" },
		"other case":    func(p []*part) { p[1].local.name = "dir/B.txt" },
	} {
		z := two()
		f(z.parts)
		refused(t, name, z.bytes(), "CAP-ZIP-19", zipstore.LocalCentralNameMismatch)
	}
	same := two()
	same.fix = func(p []*part, _ *fin) { p[1].central.offset = p[0].central.offset }
	refused(t, "two records, one local header", same.bytes(), "CAP-ZIP-19", zipstore.LocalCentralNameMismatch)
	amid := two()
	amid.fix = func(p []*part, _ *fin) { p[1].central.offset += 2 }
	refused(t, "offset into a header", amid.bytes(), "CAP-ZIP-19", zipstore.LocalCentralNameMismatch)

	for name, f := range map[string]func(h *header){
		"method":          func(h *header) { h.method = 8 },
		"flags":           func(h *header) { h.flags = 1 << 11 },
		"descriptor flag": func(h *header) { h.flags = 1 << 3 },
		"encrypted":       func(h *header) { h.flags = 1 },
		"CRC-32":          func(h *header) { h.crc++ },
		"zero CRC-32":     func(h *header) { h.crc = 0 },
		"size":            func(h *header) { h.size++ },
		"zero size":       func(h *header) { h.size = 0 },
		"compressed size": func(h *header) { h.compressed-- },
	} {
		z := two()
		f(&z.parts[0].local)
		refused(t, name, z.bytes(), "CAP-ZIP-19", zipstore.LocalCentralMismatch)
	}
	free := two()
	free.parts[0].local.version, free.parts[0].local.time, free.parts[0].local.date = 20, 1, 2
	accepted(t, "version and times are free", free.bytes())
}

func TestCAP_ZIP_20_CRC(t *testing.T) {
	t.Parallel()
	for name, z := range map[string]*raw{"content": two(), "empty": zip("dir/b.txt", "")} {
		p := z.parts[len(z.parts)-1]
		p.both(func(h *header) { h.crc ^= 1 << 7 })
		a, err := open(z.bytes(), zipstore.Options{})
		if err != nil {
			t.Fatalf("%s: got %v, want it opened: content is not read yet", name, err)
		}
		e := a.Find("dir/b.txt")
		got, err := io.ReadAll(a.Open(e))
		wantError(t, name+": Open", err, "CAP-ZIP-20", zipstore.CRCMismatch)
		if string(got) != p.data {
			t.Errorf("%s: got %q before the error, want %q", name, got, p.data)
		}
		_, err = a.ReadFile(e, 100)
		wantError(t, name+": ReadFile", err, "CAP-ZIP-20", zipstore.CRCMismatch)
		if got, err := io.ReadAll(a.Section(e)); err != nil || string(got) != p.data {
			t.Errorf("%s: Section: got %q, %v, want %q unchecked", name, got, err, p.data)
		}
		r := a.Open(e)
		io.ReadAll(r)
		if _, err := r.Read(make([]byte, 1)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: got %v when reading on, want the mismatch again", name, err)
		}
	}
	accepted(t, "good", two().bytes())
}

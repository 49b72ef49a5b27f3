package zipstore_test

import (
	"slices"
	"testing"

	"seed/internal/zipstore"
)

func TestCAP_ZIP_23_everyByteBelongs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		make   func(z *raw)
		reason zipstore.Reason
	}{
		{"one byte first", func(z *raw) { z.prefix = "x" }, zipstore.LeadingBytes},
		{"a script first", func(z *raw) { z.prefix = "#!/bin/sh\nexit\n" }, zipstore.LeadingBytes},
		{"an unlisted entry first", func(z *raw) { z.prefix = string(file("c", "x").local.localBytes()) + "x" }, zipstore.LeadingBytes},
		{"gap between entries", func(z *raw) { z.parts[1].gap = "x" }, zipstore.MalformedContainer},
		{"unlisted entry between", func(z *raw) { z.parts = append(z.parts, file("c", "x")); z.order = []int{0, 2} }, zipstore.MalformedContainer},
		{"unlisted entry at the end", func(z *raw) { z.parts = append(z.parts, file("c", "x")); z.order = []int{0, 1} }, zipstore.MalformedContainer},
		{"gap before the directory", func(z *raw) { z.gap = "x" }, zipstore.MalformedContainer},
		{"only a gap", func(z *raw) { z.parts, z.gap = nil, "x" }, zipstore.LeadingBytes},
		{"content into the directory", func(z *raw) {
			z.parts[1].both(func(h *header) { h.size, h.compressed = 5, 5 })
		}, zipstore.MalformedContainer},
		{"content into the next entry", func(z *raw) {
			z.parts[0].both(func(h *header) { h.size, h.compressed = 6, 6 })
		}, zipstore.MalformedContainer},
		{"content shorter than it is", func(z *raw) {
			z.parts[0].both(func(h *header) { h.size, h.compressed = 4, 4 })
		}, zipstore.MalformedContainer},
		{"extra into the content", func(z *raw) { z.parts[0].local.extraLen = 1 }, zipstore.MalformedContainer},
		{"extra into the directory", func(z *raw) { z.parts[1].local.extraLen = 5 }, zipstore.MalformedContainer},
		{"header in the directory", func(z *raw) {
			z.fix = func(p []*part, e *fin) { p[1].central.offset = e.dirOffset - 29 }
		}, zipstore.MalformedContainer},
		{"header past the file", func(z *raw) {
			z.fix = func(p []*part, _ *fin) { p[1].central.offset = 1<<32 - 2 }
		}, zipstore.MalformedContainer},
	} {
		z := two()
		c.make(z)
		refused(t, c.name, z.bytes(), "CAP-ZIP-23", c.reason)
	}
	good := string(two().bytes())
	refused(t, "bytes first, offsets as before", []byte("junk"+good), "CAP-ZIP-23", zipstore.LeadingBytes)
	refused(t, "an archive first", []byte(good+good), "CAP-ZIP-23", zipstore.LeadingBytes)
	refused(t, "bytes before an empty archive", []byte("junk"+emptyArchive), "CAP-ZIP-23", zipstore.LeadingBytes)

	// An entry whose content is a whole local entry, which a record also names.
	inner := file("b", "y")
	nested := zip("a", string(inner.local.localBytes())+"y", "b", "y")
	nested.fix = func(p []*part, _ *fin) { p[1].central.offset = 31 }
	refused(t, "entry inside an entry", nested.bytes(), "CAP-ZIP-23", zipstore.MalformedContainer)
}

func TestCAP_ZIP_23_anyOrderOfRecords(t *testing.T) {
	t.Parallel()
	z := zip("a", "1", "b", "22", "c", "333")
	z.order = []int{2, 0, 1}
	got := accepted(t, "records in another order", z.bytes())
	if got["a"] != "1" || got["b"] != "22" || got["c"] != "333" {
		t.Errorf("got %v", got)
	}
	a, err := open(z.bytes(), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range a.Entries {
		names = append(names, e.Name)
	}
	if !slices.Equal(names, []string{"c", "a", "b"}) {
		t.Errorf("got %q, want the order of the central directory", names)
	}
}

func TestCAP_ZIP_24_descriptors(t *testing.T) {
	t.Parallel()
	const signature = "PK\x07\x08"
	good := map[string]*raw{
		"signed":            two(),
		"plain":             two(),
		"empty file":        zip("a", "", "b", ""),
		"known beforehand":  two(),
		"directory":         zip("d/", "", "d/a", "x"),
		"mixed":             two(),
		"looks signed":      zip("a", "x", "b", "y"),
		"content like it":   zip("a", signature+"12341234123", "b", "y"),
		"another order":     two(),
		"like a descriptor": zip("a", string(file("a", "").streamed(signature).descriptor), "b", "y"),
	}
	for name, z := range good {
		sig := signature
		if name == "plain" {
			sig = ""
		}
		for _, p := range z.parts {
			p.streamed(sig)
		}
		switch name {
		case "known beforehand":
			p := z.parts[0]
			p.local.crc, p.local.size, p.local.compressed = p.central.crc, p.central.size, p.central.compressed
		case "mixed":
			z.parts[0] = file("a.txt", "alpha")
			z.parts[1] = file("dir/b.txt", "beta").streamed("")
		case "another order":
			z.order = []int{1, 0}
		case "looks signed": // without signature, but with a CRC-32 that is one
			z.parts[0] = file("a", "x").both(func(h *header) { h.crc = 0x08074b50 }).streamed("")
		}
		a, err := open(z.bytes(), zipstore.Options{})
		if err != nil {
			t.Errorf("%s: got %v, want nil", name, err)
			continue
		}
		for _, e := range a.Entries {
			if want := !(name == "mixed" && e.Name == "a.txt"); e.Descriptor != want {
				t.Errorf("%s: %s: got Descriptor %v, want %v", name, e.Name, e.Descriptor, want)
			}
		}
		if name != "looks signed" {
			accepted(t, name, z.bytes())
		}
		_, err = open(z.bytes(), zipstore.Options{Strict: true})
		wantError(t, name+", strict", err, "CAP-ZIP-24", zipstore.NotStrict)
	}

	for _, c := range []struct {
		name       string
		descriptor func(d string) string
		rule       string
		reason     zipstore.Reason
	}{
		{"none", func(string) string { return "" }, "CAP-ZIP-24", zipstore.MalformedContainer},
		{"one byte short", func(d string) string { return d[:15] }, "CAP-ZIP-24", zipstore.MalformedContainer},
		{"one byte long", func(d string) string { return d + "x" }, "CAP-ZIP-24", zipstore.MalformedContainer},
		{"of ZIP64", func(d string) string { return d + "12345678" }, "CAP-ZIP-24", zipstore.MalformedContainer},
		{"other signature", func(d string) string { return "PK\x07\x09" + d[4:] }, "CAP-ZIP-19", zipstore.LocalCentralMismatch},
		{"other CRC-32", func(d string) string { return d[:4] + "x" + d[5:] }, "CAP-ZIP-19", zipstore.LocalCentralMismatch},
		{"other compressed size", func(d string) string { return d[:8] + "x" + d[9:] }, "CAP-ZIP-19", zipstore.LocalCentralMismatch},
		{"other size", func(d string) string { return d[:12] + "x" + d[13:] }, "CAP-ZIP-19", zipstore.LocalCentralMismatch},
		{"zeros without signature", func(string) string { return string(make([]byte, 12)) }, "CAP-ZIP-19", zipstore.LocalCentralMismatch},
	} {
		for i := range 2 { // before another entry and before the directory
			z := two()
			p := z.parts[i].streamed(signature)
			p.descriptor = c.descriptor(p.descriptor)
			refused(t, c.name, z.bytes(), c.rule, c.reason)
		}
	}
	half := two()
	half.parts[0].streamed(signature).local.size = 4
	refused(t, "wrong size beforehand", half.bytes(), "CAP-ZIP-19", zipstore.LocalCentralMismatch)
}

func TestCAP_ZIP_24_comment(t *testing.T) {
	t.Parallel()
	z := two()
	z.comment = "hello"
	a, err := open(z.bytes(), zipstore.Options{})
	if err != nil || string(a.Comment) != "hello" {
		t.Errorf("got %v, want the comment", err)
	}
	_, err = open(z.bytes(), zipstore.Options{Strict: true})
	wantError(t, "strict", err, "CAP-ZIP-24", zipstore.NotStrict)
	if _, err := open(two().bytes(), zipstore.Options{Strict: true}); err != nil {
		t.Errorf("strict without comment and descriptors: got %v, want nil", err)
	}
}

func TestCAP_ZIP_25_oneSetOfNames(t *testing.T) {
	t.Parallel()
	z := zip("d/", "", "d/a", "1", "b", "2", "toString", "3", "__proto__", "4")
	a, err := open(z.bytes(), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Entries)+len(a.Dirs) != len(z.parts) {
		t.Errorf("got %d files and %d directories, want all %d entries", len(a.Entries), len(a.Dirs), len(z.parts))
	}
	for i := range a.Entries {
		if got := a.Find(a.Entries[i].Name); got != &a.Entries[i] {
			t.Errorf("Find(%q): got %v, want that entry", a.Entries[i].Name, got)
		}
	}
	for _, name := range []string{"", "d", "d/", "a", "B", "b/", "d//a"} {
		if got := a.Find(name); got != nil {
			t.Errorf("Find(%q): got %v, want nil", name, got)
		}
	}
}

package zipstore_test

import (
	"slices"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

func TestCAP_ZIP_14_names(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "a\x00b", "/", "/etc/passwd", `\a`, `\\host\share`, `C:\x`, "C:/x", "z:/", "..", "../a", "a/..", "a/../b",
		`..\a`, `a\..\b`, `a/..\b`, `a\..`, ".", "./a", "a/.", "a/./b", `a\.\b`, "a//b", "a//", `a\\b`, `a\`, `a/\b`, `a\/`, "../", "./",
		"a\nb", "a\x1bb", "a\x7fb", "a\u0080b", "a\u009fb", "a\u0085", "a\xff", "a\xed\xa0\x80b", "a\xc0\xaf",
	} {
		refused(t, name, zip(name, "").bytes(), "CAP-ZIP-14", zipstore.UnsafePath)
		var out strings.Builder
		_, err := zipstore.Write(&out, files(map[string]string{name: ""}), zipstore.Options{})
		wantError(t, "Write "+name, err, "CAP-ZIP-07", zipstore.UnsafePath)
		if out.Len() > 0 {
			t.Errorf("Write %q: got %d bytes before the refusal, want none", name, out.Len())
		}
	}
	for _, name := range []string{
		"a", "a/b", "...", "..a", "a..", "a/...", `a\b`, "C:x", "1:/x", "CC:/x", "a b", " ", "~", "-rf", "a\u00a0b", "日本/語",
		"\U0001f600", "\ufffd", strings.Repeat("x", 1<<16-1),
	} {
		got := accepted(t, name, zip(name, "x").bytes())
		if got[name] != "x" {
			t.Errorf("%.20q: got %d files without it", name, len(got))
		}
		if _, err := zipstore.Write(&strings.Builder{}, files(map[string]string{name: ""}), zipstore.Options{}); err != nil {
			t.Errorf("Write %.20q: got %v, want nil", name, err)
		}
	}
	// The raw name counts, also in what is said about it.
	_, err := open(zip("a\x1b[31m/../b", "").bytes(), zipstore.Options{})
	if err == nil || strings.Contains(err.Error(), "\x1b") || !strings.Contains(err.Error(), `\x1b[31m`) {
		t.Errorf("got %v, want the name quoted", err)
	}
}

func TestCAP_ZIP_15_duplicateNames(t *testing.T) {
	t.Parallel()
	for name, z := range map[string]*raw{
		"same content":       zip("a", "x", "a", "x"),
		"apart":              zip("a", "x", "b", "y", "a", "z"),
		"markers":            zip("d/", "", "d/", ""),
		"file and directory": zip("d", "x", "d/", ""),
		"directory and file": zip("d/", "", "d", "x"),
	} {
		refused(t, name, z.bytes(), "CAP-ZIP-15", zipstore.DuplicateEntry)
	}
	accepted(t, "names that differ in case", zip("a", "x", "A", "y").bytes())
	accepted(t, "marker and file below", zip("d/", "", "d/a", "y").bytes())
}

func TestCAP_ZIP_22_namesThatDecodeAlike(t *testing.T) {
	t.Parallel()
	field := func(id uint16, body string) string { return string(le(id, uint16(len(body)), body)) }
	path := func(name string) string { return field(0x7075, "\x01\xde\xad\xbe\xef"+name) }
	for _, c := range []struct{ name, extra string }{
		{"other name", path("dir/c.txt")},
		{"empty name", path("")},
		{"prefix of the name", path("dir/b")},
		{"too short for a name", field(0x7075, "\x01abc")},
		{"empty field", field(0x7075, "")},
		{"other version", field(0x7075, "\x02\xde\xad\xbe\xefdir/b.txt")},
		{"cut short", path("dir/b.txt")[:10]},
		{"after another field", field(0x5455, "abc") + path("x")},
		{"after a good one", path("dir/b.txt") + path("x")},
	} {
		z := two()
		z.parts[1].central.extra = c.extra
		refused(t, "central: "+c.name, z.bytes(), "CAP-ZIP-22", zipstore.AmbiguousNameEncoding)
		z = two()
		z.parts[1].local.extra = c.extra
		refused(t, "local: "+c.name, z.bytes(), "CAP-ZIP-22", zipstore.AmbiguousNameEncoding)
	}
	for name, extra := range map[string]string{
		"same name":         path("dir/b.txt"),
		"other fields":      field(0x5455, "\x03abcdefgh") + field(0x7875, "\x01\x04abcd\x04abcd"),
		"empty field":       field(0xcafe, ""),
		"padding":           "\x00\x00\x00",
		"no field at all":   "this is not a list of fields",
		"longest":           field(0xcafe, strings.Repeat("x", 1<<16-5)),
		"ZIP64 not pointed": field(1, strings.Repeat("\x09", 16)),
	} {
		z := two()
		z.parts[1].local.extra, z.parts[0].central.extra = extra, ""
		z.parts[1].central.extra = extra
		if got := accepted(t, name, z.bytes()); got["dir/b.txt"] != "beta" {
			t.Errorf("%s: got %v", name, got)
		}
	}

	bare := zip("é.txt", "x")
	bare.parts[0].both(func(h *header) { h.flags = 0 })
	refused(t, "no flag", bare.bytes(), "CAP-ZIP-22", zipstore.AmbiguousNameEncoding)
	accepted(t, "flag", zip("é.txt", "x").bytes())
	ascii := zip("e.txt", "x")
	ascii.parts[0].both(func(h *header) { h.flags = 1 << 11 })
	accepted(t, "flag on an ASCII name", ascii.bytes())
}

func TestCAP_ZIP_02_orderOfUTF16(t *testing.T) {
	t.Parallel()
	// U+1F600 begins with the unit D83D and sorts before U+E000, although both
	// code point and UTF-8 order say otherwise.
	want := []string{
		"B", "a", "a-b", "a/b", "a/b/c", "a0", "aa", "é", "日", "\U00010000", "\U0001f600", "\U0001f600a", "\U0001f601",
		"\U0010ffff", "\ue000", "\ue000\U0001f600", "\ue000\ue000", "\uffee", "\uffee\U0001f600", "\uffee\ue000",
	}
	given := slices.Clone(want)
	slices.Sort(given)
	if slices.Equal(given, want) {
		t.Fatal("the names do not tell the orders apart")
	}
	m := make(map[string]string)
	for _, n := range given {
		m[n] = n
	}
	a, err := open(write(t, files(m)), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range a.Entries {
		got = append(got, e.Name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+q, want %+q", got, want)
	}
}

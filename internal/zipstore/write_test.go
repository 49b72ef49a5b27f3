package zipstore_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/internal/zipstore"
)

func content(name, text string) zipstore.File {
	return zipstore.File{
		Name: name, Size: int64(len(text)), CRC32: crc32.ChecksumIEEE([]byte(text)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil },
	}
}

func files(m map[string]string) []zipstore.File {
	var list []zipstore.File
	for name, text := range m {
		list = append(list, content(name, text))
	}
	return list
}

func write(t testing.TB, list []zipstore.File) []byte {
	t.Helper()
	var out bytes.Buffer
	n, err := zipstore.Write(&out, list, zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n != int64(out.Len()) || n != zipstore.Size(list) {
		t.Fatalf("got %d bytes, Write says %d, Size says %d", out.Len(), n, zipstore.Size(list))
	}
	return out.Bytes()
}

// Every byte of a small archive: method 0, no flags but UTF-8 where it is needed,
// first day of 1980, version 10 of 3.0 on Unix, mode 100664, nothing extra.
func TestCAP_ZIP_01_CAP_ZIP_03_CAP_ZIP_04_CAP_ZIP_05_bytes(t *testing.T) {
	t.Parallel()
	got := hex.EncodeToString(write(t, []zipstore.File{content("é", "hi\n"), content("a/b", "")}))
	want := "504b0304" + "0a00" + "0000" + "0000" + "0000" + "2100" + "00000000" + "00000000" + "00000000" + "0300" + "0000" + "612f62" +
		"504b0304" + "0a00" + "0008" + "0000" + "0000" + "2100" + "7a7a6fed" + "03000000" + "03000000" + "0200" + "0000" + "c3a9" + "68690a" +
		"504b0102" + "1e03" + "0a00" + "0000" + "0000" + "0000" + "2100" + "00000000" + "00000000" + "00000000" + "0300" + "0000" +
		"0000" + "0000" + "0000" + "0000b481" + "00000000" + "612f62" +
		"504b0102" + "1e03" + "0a00" + "0008" + "0000" + "0000" + "2100" + "7a7a6fed" + "03000000" + "03000000" + "0200" + "0000" +
		"0000" + "0000" + "0000" + "0000b481" + "21000000" + "c3a9" +
		"504b0506" + "0000" + "0000" + "0200" + "0200" + "61000000" + "44000000" + "0000"
	if got != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
	if got := string(write(t, nil)); got != emptyArchive {
		t.Errorf("no files: got %x, want %x", got, emptyArchive)
	}
}

// The order of the list does not matter, and no archive of ours is refused when
// strict.
func TestCAP_ZIP_06_sameInputSameBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.MapOf(rapid.StringMatching(`[a-c日\x{1f600}\x{ff01}]{1,4}`), rapid.StringOfN(rapid.Rune(), 0, 300, -1)).Draw(t, "files")
		list := files(m)
		var first, second bytes.Buffer
		if _, err := zipstore.Write(&first, list, zipstore.Options{}); err != nil {
			t.Fatal(err)
		}
		slices.Reverse(list)
		given := slices.Clone(list)
		if _, err := zipstore.Write(&second, list, zipstore.Options{}); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Fatalf("two archives of %q differ", m)
		}
		for i := range list {
			if list[i].Name != given[i].Name {
				t.Fatal("Write reordered the list it was given")
			}
		}
		a, err := open(first.Bytes(), zipstore.Options{Strict: true})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := contents(a); err != nil || !maps.Equal(got, m) {
			t.Fatalf("got %q, %v, want %q", got, err, m)
		}
	})
}

func TestCAP_ZIP_07_refusals(t *testing.T) {
	t.Parallel()
	three := []zipstore.File{content("a", "1"), content("b", "2"), content("c", "3")}
	huge := func(n int64) []zipstore.File { return []zipstore.File{{Name: "a", Size: n}} }
	many := make([]zipstore.File, 1<<16-1)
	for i := range many {
		many[i] = content(fmt.Sprintf("%d", i), "")
	}
	for _, c := range []struct {
		name   string
		list   []zipstore.File
		o      zipstore.Options
		rule   string
		reason zipstore.Reason
	}{
		{"entries", three, zipstore.Options{MaxEntries: 2}, "CAP-ZIP-07", zipstore.EntryCountLimit},
		{"entries by default", many[:10_001], zipstore.Options{}, "CAP-ZIP-07", zipstore.EntryCountLimit},
		{"entries of ZIP64", many, zipstore.Options{MaxEntries: 1 << 20}, "CAP-ZIP-12", zipstore.ZIP64},
		{"duplicate", []zipstore.File{three[0], three[1], content("a", "1")}, zipstore.Options{}, "CAP-ZIP-07", zipstore.DuplicateEntry},
		{"directory", []zipstore.File{content("a/", "")}, zipstore.Options{}, "CAP-ZIP-07", zipstore.UnsafePath},
		{"name too long", []zipstore.File{content(strings.Repeat("x", 1<<16), "")}, zipstore.Options{}, "CAP-ZIP-07", zipstore.UnsafePath},
		{"total", three, zipstore.Options{MaxTotal: 2}, "CAP-ZIP-21", zipstore.TotalSizeLimit},
		{"total by default", huge(1<<30 + 1), zipstore.Options{}, "CAP-ZIP-21", zipstore.TotalSizeLimit},
		{"size of ZIP64", huge(1<<32 - 1), zipstore.Options{MaxTotal: 1 << 62}, "CAP-ZIP-12", zipstore.ZIP64},
		{"offset of ZIP64", huge(1<<32 - 1 - 31), zipstore.Options{MaxTotal: 1 << 62}, "CAP-ZIP-12", zipstore.ZIP64},
		{"largest size", huge(1<<63 - 1), zipstore.Options{MaxTotal: 1<<63 - 1}, "CAP-ZIP-12", zipstore.ZIP64},
	} {
		var out bytes.Buffer
		n, err := zipstore.Write(&out, c.list, c.o)
		wantError(t, c.name, err, c.rule, c.reason)
		if n != 0 || out.Len() != 0 {
			t.Errorf("%s: got %d bytes written, want none", c.name, out.Len())
		}
	}
	if _, err := zipstore.Write(io.Discard, three, zipstore.Options{MaxEntries: 3, MaxTotal: 3}); err != nil {
		t.Errorf("at the limits: got %v, want nil", err)
	}
	if _, err := zipstore.Write(io.Discard, many[:1<<16-2], zipstore.Options{MaxEntries: 1 << 20}); err != nil {
		t.Errorf("65,534 entries: got %v, want nil", err)
	}
	if _, err := zipstore.Write(io.Discard, huge(-1), zipstore.Options{}); err == nil {
		t.Error("negative size: got no error")
	}
}

func TestCAP_ZIP_04_contentAsDeclared(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(f *zipstore.File){
		"shorter": func(f *zipstore.File) { f.Size++ },
		"longer":  func(f *zipstore.File) { f.Size-- },
		"other":   func(f *zipstore.File) { f.CRC32++ },
	} {
		list := []zipstore.File{content("a", "some text"), content("b", "more")}
		change(&list[0])
		var out bytes.Buffer
		_, err := zipstore.Write(&out, list, zipstore.Options{})
		wantError(t, name, err, "CAP-ZIP-04", zipstore.CRCMismatch)
		if _, err := open(out.Bytes(), zipstore.Options{}); err == nil {
			t.Errorf("%s: what was written opens", name)
		}
	}
}

// Write refuses content that would make its own archive ambiguous.
func TestCAP_ZIP_11_contentLikeAnEnd(t *testing.T) {
	t.Parallel()
	for _, padding := range []int{0, 40_000} {
		body := func(length uint16) string {
			return strings.Repeat("x", 50_000) + emptyArchive[:20] + string(le(length)) + strings.Repeat("y", padding)
		}
		left := padding + 46 + len("a") + 22
		var out bytes.Buffer
		_, err := zipstore.Write(&out, []zipstore.File{content("a", body(uint16(left)))}, zipstore.Options{})
		wantError(t, "Write", err, "CAP-ZIP-11", zipstore.AmbiguousEOCD)
		if _, err := open(out.Bytes(), zipstore.Options{}); err == nil {
			t.Error("what was written opens")
		}
		accepted(t, "one byte off", write(t, []zipstore.File{content("a", body(uint16(left-1)))}))
	}
}

// zeros is a file of n zeros.
func zeros(name string, n int64) zipstore.File {
	sum := crc32.NewIEEE()
	io.CopyN(sum, zeroReader{}, n)
	return zipstore.File{
		Name: name, Size: n, CRC32: sum.Sum32(),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(io.LimitReader(zeroReader{}, n)), nil },
	}
}

type zeroReader struct{}

func (zeroReader) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Offsets are numbers that can look like a signature. As the offset of the last
// record, at the right distance from the end, one is taken for a ZIP64 locator; in
// an end record without comment nobody looks for another one.
func TestCAP_ZIP_12_offsetLikeASignature(t *testing.T) {
	t.Parallel()
	const locator, end = 0x07064b50, 0x06054b50
	last := content("sixteen-letters!", "")
	_, err := zipstore.Write(io.Discard, []zipstore.File{zeros("a", locator-31), last}, zipstore.Options{})
	wantError(t, "locator", err, "CAP-ZIP-12", zipstore.ZIP64)
	for name, list := range map[string][]zipstore.File{
		"locator, one byte off": {zeros("a", locator-30), last},
		"end record":            {zeros("a", end-31)},
	} {
		if n, err := zipstore.Write(io.Discard, list, zipstore.Options{}); err != nil || n != zipstore.Size(list) {
			t.Errorf("%s: got %d, %v, want %d bytes", name, n, err, zipstore.Size(list))
		}
	}
}

type broken struct {
	io.Reader
	closed error
}

func (b broken) Close() error { return b.closed }

type cutWriter struct{ left int }

func (w *cutWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, io.ErrShortWrite
	}
	return n, nil
}

func TestWrite_passesErrorsOn(t *testing.T) {
	t.Parallel()
	cause := errors.New("cause")
	with := func(open func() (io.ReadCloser, error)) []zipstore.File {
		f := content("a", "text")
		f.Open = open
		return []zipstore.File{f}
	}
	for name, list := range map[string][]zipstore.File{
		"open": with(func() (io.ReadCloser, error) { return nil, cause }),
		"read": with(func() (io.ReadCloser, error) {
			return broken{io.MultiReader(strings.NewReader("te"), errReader{cause}), nil}, nil
		}),
		"after": with(func() (io.ReadCloser, error) {
			return broken{io.MultiReader(strings.NewReader("text"), errReader{cause}), nil}, nil
		}),
		"close": with(func() (io.ReadCloser, error) { return broken{strings.NewReader("text"), cause}, nil }),
	} {
		if _, err := zipstore.Write(io.Discard, list, zipstore.Options{}); !errors.Is(err, cause) || !strings.Contains(err.Error(), `"a"`) {
			t.Errorf("%s: got %v, want the cause and the name", name, err)
		}
	}
	big := []zipstore.File{content("a", strings.Repeat("x", 200_000))}
	for _, room := range []int{0, 10, 100_000, int(zipstore.Size(big)) - 1} {
		n, err := zipstore.Write(&cutWriter{room}, big, zipstore.Options{})
		if !errors.Is(err, io.ErrShortWrite) || n != int64(room) {
			t.Errorf("room for %d: got %d, %v, want that many and a short write", room, n, err)
		}
	}
}

type errReader struct{ err error }

func (e errReader) Read([]byte) (int, error) { return 0, e.err }

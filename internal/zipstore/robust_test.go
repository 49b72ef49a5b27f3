package zipstore_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"seed/finding"
	"seed/internal/zipstore"
)

// samples are small archives with everything that is accepted.
func samples() map[string][]byte {
	streamed := zip("d/", "", "d/é", "some text", "empty", "")
	streamed.parts[1].streamed("PK\x07\x08")
	streamed.parts[2].streamed("")
	streamed.parts[1].central.extra = string(le(uint16(0x7075), uint16(5+len("d/é")), "\x01abcdd/é"))
	streamed.comment = "closing words"
	return map[string][]byte{"plain": two().bytes(), "streamed": streamed.bytes(), "empty": []byte(emptyArchive)}
}

func TestCAP_ZIP_10_truncationNeverOpens(t *testing.T) {
	t.Parallel()
	for name, data := range samples() {
		accepted(t, name, data)
		for n := range data {
			_, err := open(data[:n], zipstore.Options{})
			var broken *zipstore.Error
			if !errors.As(err, &broken) {
				t.Errorf("%s cut to %d of %d bytes: got %v, want a refusal", name, n, len(data), err)
			}
		}
	}
}

// Every single flipped bit is refused, meets a wrong CRC-32 or leaves names and
// contents as they were.
func TestCAP_ZIP_13_flippedBits(t *testing.T) {
	t.Parallel()
	for name, data := range samples() {
		want := accepted(t, name, data)
		for i := range len(data) * 8 {
			bad := bytes.Clone(data)
			bad[i/8] ^= 1 << (i % 8)
			a, err := open(bad, zipstore.Options{})
			if err != nil {
				continue
			}
			if got, err := contents(a); err == nil && !maps.Equal(got, want) {
				t.Errorf("%s with bit %d of byte %d flipped: got %q, want %q or an error", name, i%8, i/8, got, want)
			}
		}
	}
}

func TestCAP_ZIP_13_randomDamage(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	edges := []byte{0, 1, 0x7f, 0x80, 0xfe, 0xff}
	for name, data := range samples() {
		opened := 0
		for range 20_000 {
			bad := bytes.Clone(data)
			for range 1 + rnd.IntN(6) {
				bad[rnd.IntN(len(bad))] = edges[rnd.IntN(len(edges))]
			}
			if a, err := open(bad, zipstore.Options{}); err == nil {
				opened++
				contents(a)
			}
		}
		if opened == 20_000 {
			t.Errorf("%s: all damaged archives open", name)
		}
	}
}

func TestOpen_errorsOfTheReader(t *testing.T) {
	t.Parallel()
	big := zip("a", strings.Repeat("x", 200_000), "b", "y").bytes()
	cause := errors.New("cause")
	for good := range 4 {
		r := &failing{Reader: bytes.NewReader(big), good: good, err: cause}
		_, err := zipstore.Open(r, int64(len(big)), zipstore.Options{})
		var broken *zipstore.Error
		if r.failed && (!errors.Is(err, cause) || errors.As(err, &broken)) {
			t.Errorf("after %d reads: got %v, want the cause and no refusal", good, err)
		}
		if good == 0 && !r.failed {
			t.Error("the reader was never asked")
		}
	}
	_, err := zipstore.Open(bytes.NewReader(big), int64(len(big))+1, zipstore.Options{})
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a reader shorter than said: got %v, want unexpected EOF", err)
	}

	r := &failing{Reader: bytes.NewReader(big), good: 1 << 20, err: cause}
	a, err := zipstore.Open(r, int64(len(big)), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.good = 0
	if _, err := a.ReadFile(a.Find("a"), 1<<20); !errors.Is(err, cause) {
		t.Errorf("ReadFile: got %v, want the cause", err)
	}
	if _, err := io.ReadAll(a.Open(a.Find("a"))); !errors.Is(err, cause) {
		t.Errorf("Open: got %v, want the cause", err)
	}
}

// A file that shrinks after Open is noticed by its length.
func TestCAP_ZIP_20_length(t *testing.T) {
	t.Parallel()
	data := zip("a", strings.Repeat("x", 1000)).bytes()
	r := &shrinking{data: data}
	a, err := zipstore.Open(r, int64(len(data)), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	r.data = data[:500]
	_, err = io.ReadAll(a.Open(a.Find("a")))
	wantError(t, "Open", err, "CAP-ZIP-20", zipstore.CRCMismatch)
	_, err = a.ReadFile(a.Find("a"), 1000)
	wantError(t, "ReadFile", err, "CAP-ZIP-20", zipstore.CRCMismatch)
}

type shrinking struct{ data []byte }

func (s *shrinking) ReadAt(p []byte, off int64) (int, error) {
	return bytes.NewReader(s.data).ReadAt(p, off)
}

type failing struct {
	*bytes.Reader
	good   int // reads that work
	err    error
	failed bool
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if f.good == 0 {
		f.failed = true
		return 0, f.err
	}
	f.good--
	return f.Reader.ReadAt(p, off)
}

func TestError(t *testing.T) {
	t.Parallel()
	rule := finding.Rule{ID: "CAP-ZIP-14"}
	for _, c := range []struct{ entry, text, at string }{
		{"", "not so (CAP-ZIP-14)", ""},
		{"a/é", `"a/\u00e9": not so (CAP-ZIP-14)`, "a/é"},
		{"a\x1b", `"a\x1b": not so (CAP-ZIP-14)`, `"a\x1b"`},
	} {
		e := &zipstore.Error{Rule: rule, Reason: zipstore.UnsafePath, Entry: c.entry, Msg: "not so"}
		if e.Error() != c.text {
			t.Errorf("got %q, want %q", e.Error(), c.text)
		}
		if f := e.Finding(); f.At.Name != c.at || f.Rule != rule || f.Msg != "not so" || f.Severity != finding.Breach {
			t.Errorf("got %+v, want the same at %q", f, c.at)
		}
	}
}

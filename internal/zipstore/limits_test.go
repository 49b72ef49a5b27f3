package zipstore_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

func TestCAP_ZIP_21_entryLimit(t *testing.T) {
	t.Parallel()
	many := func(n int) []byte {
		z := &raw{}
		for i := range n {
			z.parts = append(z.parts, file(fmt.Sprintf("%d", i), ""))
		}
		return z.bytes()
	}
	for _, c := range []struct {
		n, limit int
		ok       bool
	}{{3, 3, true}, {4, 3, false}, {1, 1, true}, {2, 1, false}, {0, 1, true}, {10_000, 0, true}, {10_001, 0, false}, {10_001, 10_001, true}} {
		_, err := open(many(c.n), zipstore.Options{MaxEntries: c.limit})
		if c.ok && err != nil {
			t.Errorf("%d entries, limit %d: got %v, want nil", c.n, c.limit, err)
		}
		if !c.ok {
			wantError(t, fmt.Sprintf("%d entries, limit %d", c.n, c.limit), err, "CAP-ZIP-21", zipstore.EntryCountLimit)
		}
	}
	markers := zip("a/", "", "b/", "")
	_, err := open(markers.bytes(), zipstore.Options{MaxEntries: 1})
	wantError(t, "directory markers count", err, "CAP-ZIP-21", zipstore.EntryCountLimit)
}

func TestCAP_ZIP_21_sizeLimit(t *testing.T) {
	t.Parallel()
	data := zip("a", "12345", "b", "123").bytes()
	if _, err := open(data, zipstore.Options{MaxTotal: 8}); err != nil {
		t.Errorf("8 of 8 bytes: got %v, want nil", err)
	}
	_, err := open(data, zipstore.Options{MaxTotal: 7})
	wantError(t, "8 of 7 bytes", err, "CAP-ZIP-21", zipstore.TotalSizeLimit)

	// Declared sizes alone decide, long before anything looks at the content.
	for _, size := range []uint32{1<<30 + 1, 1<<32 - 2} {
		z := zip("a", "")
		z.parts[0].both(func(h *header) { h.size, h.compressed = size, size })
		refused(t, "declared", z.bytes(), "CAP-ZIP-21", zipstore.TotalSizeLimit)
		z.parts[0].both(func(h *header) { h.compressed = 0 })
		refused(t, "declared as uncompressed", z.bytes(), "CAP-ZIP-21", zipstore.TotalSizeLimit)
	}
	sum := zip("a", "", "b", "")
	for _, p := range sum.parts {
		p.both(func(h *header) { h.size, h.compressed = 1<<29+1, 1<<29+1 })
	}
	refused(t, "together", sum.bytes(), "CAP-ZIP-21", zipstore.TotalSizeLimit)

	edge := zip("a", "")
	edge.parts[0].both(func(h *header) { h.size, h.compressed = 1<<30, 1<<30 })
	refused(t, "1 GiB passes the limit and is not there", edge.bytes(), "CAP-ZIP-23", zipstore.MalformedContainer)
}

func TestCAP_ZIP_21_readLimit(t *testing.T) {
	t.Parallel()
	a, err := open(two().bytes(), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e := a.Find("a.txt")
	if got, err := a.ReadFile(e, 5); err != nil || string(got) != "alpha" {
		t.Errorf("got %q, %v, want alpha", got, err)
	}
	for _, limit := range []int64{4, 0, -1} {
		_, err = a.ReadFile(e, limit)
		wantError(t, "a limit too small", err, "CAP-ZIP-21", zipstore.TotalSizeLimit)
	}
}

func TestCAP_ZIP_21_namesLimit(t *testing.T) {
	t.Parallel()
	z := &raw{}
	for i := range zipstore.MaxNames>>15 + 1 { // names of 32 KiB, one too many
		z.parts = append(z.parts, file(fmt.Sprintf("%05d", i)+strings.Repeat("x", 1<<15-5), ""))
	}
	refused(t, "too many long names", z.bytes(), "CAP-ZIP-21", zipstore.TotalSizeLimit)
	m := make([]zipstore.File, len(z.parts))
	for i, p := range z.parts {
		m[i] = content(p.central.name, "")
	}
	_, err := zipstore.Write(io.Discard, m, zipstore.Options{})
	wantError(t, "Write", err, "CAP-ZIP-21", zipstore.TotalSizeLimit)
	z.parts = z.parts[1:]
	if _, err := open(z.bytes(), zipstore.Options{}); err != nil {
		t.Errorf("at the limit: got %v, want nil", err)
	}
}

func TestCAP_ZIP_21_limitsArePositive(t *testing.T) {
	t.Parallel()
	for _, o := range []zipstore.Options{{MaxEntries: -1}, {MaxTotal: -1}} {
		if _, err := open(two().bytes(), o); err == nil || !strings.Contains(err.Error(), "positive") {
			t.Errorf("Open with %+v: got %v, want an error", o, err)
		}
		if _, err := zipstore.Write(io.Discard, nil, o); err == nil || !strings.Contains(err.Error(), "positive") {
			t.Errorf("Write with %+v: got %v, want an error", o, err)
		}
	}
}

// meter counts what is read through it.
type meter struct {
	*bytes.Reader
	bytes, calls int
}

func (m *meter) ReadAt(p []byte, off int64) (int, error) {
	m.bytes += len(p)
	m.calls++
	return m.Reader.ReadAt(p, off)
}

// Open takes few and small reads: neither one for each record, nor the content.
func TestOpen_readsHeadersOnly(t *testing.T) {
	t.Parallel()
	small, large := &raw{}, &raw{}
	for i := range 5000 {
		small.parts = append(small.parts, file(fmt.Sprintf("f%05d", i), "some text"))
	}
	for i := range 50 {
		large.parts = append(large.parts, file(fmt.Sprintf("f%05d", i), strings.Repeat("x", 100_000)))
	}
	for _, c := range []struct {
		z            *raw
		calls, bytes int
	}{{small, 120, 1 << 20}, {large, 60, 300_000}} {
		data := c.z.bytes()
		m := &meter{Reader: bytes.NewReader(data)}
		if _, err := zipstore.Open(m, int64(len(data)), zipstore.Options{}); err != nil {
			t.Fatal(err)
		}
		if m.calls > c.calls || m.bytes > c.bytes {
			t.Errorf("%d entries, %d bytes: got %d reads of %d bytes, want at most %d of %d",
				len(c.z.parts), len(data), m.calls, m.bytes, c.calls, c.bytes)
		}
	}
}

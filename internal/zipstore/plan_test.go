package zipstore_test

import (
	"bytes"
	"hash/crc32"
	"io"
	"slices"
	"sync"
	"testing"

	"seed/internal/zipstore"
)

// place is a file in memory that is written to out of order.
type place struct {
	mu   sync.Mutex
	data []byte
}

func (p *place) WriteAt(b []byte, off int64) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := int(off) + len(b); n > len(p.data) {
		p.data = append(p.data, make([]byte, n-len(p.data))...)
	}
	return copy(p.data[off:], b), nil
}

// TestCAP_ZIP_06_PlanEqualsWrite: content that is put in its place in any order
// gives the archive that Write writes.
func TestCAP_ZIP_06_PlanEqualsWrite(t *testing.T) {
	t.Parallel()
	contents := map[string]string{"a": "first", "é": "", "b/c": "text\n", "\U0001f600": "x", "\ue000": "yy", "z": string(make([]byte, 70_000))}
	var files []zipstore.File
	for name, text := range contents {
		data := []byte(text)
		files = append(files, zipstore.File{Name: name, Size: int64(len(data)), CRC32: crc32.ChecksumIEEE(data), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(data)), nil
		}})
	}
	var want bytes.Buffer
	if _, err := zipstore.Write(&want, files, zipstore.Options{}); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		slices.Reverse(files)
		plan, err := zipstore.NewPlan(files, zipstore.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if plan.Size() != int64(want.Len()) {
			t.Errorf("got a plan of %d bytes, want %d", plan.Size(), want.Len())
		}
		var got place
		for _, f := range files {
			piece := plan.AppendHeader(nil, f.Name, f.CRC32)
			if _, err := got.WriteAt(append(piece, contents[f.Name]...), plan.Offset(f.Name)); err != nil {
				t.Fatal(err)
			}
		}
		if err := plan.Finish(&got); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.data, want.Bytes()) {
			t.Error("got other bytes than Write writes")
		}
	}
}

// TestCAP_ZIP_07_PlanRefuses: a plan refuses what Write refuses before its first
// byte.
func TestCAP_ZIP_07_PlanRefuses(t *testing.T) {
	t.Parallel()
	for name, files := range map[string][]zipstore.File{
		"unsafe": {{Name: "../x"}}, "twice": {{Name: "a"}, {Name: "a"}}, "large": {{Name: "a", Size: 2 << 30}}, "negative": {{Name: "a", Size: -1}},
	} {
		if _, err := zipstore.NewPlan(files, zipstore.Options{}); err == nil {
			t.Errorf("%s: got a plan", name)
		}
	}
}

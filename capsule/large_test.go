package capsule_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
)

// sparse is a file of which long runs of zeros are not kept.
type sparse struct {
	mu   sync.Mutex
	runs []run
	size int64
}

type run struct {
	at   int64
	data []byte // nil: zeros
	n    int64
}

func (s *sparse) WriteAt(p []byte, off int64) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := run{at: off, n: int64(len(p))}
	if len(p) < 1<<12 || len(bytes.TrimLeft(p, "\x00")) > 0 {
		r.data = bytes.Clone(p)
	}
	s.runs = append(s.runs, r)
	s.size = max(s.size, off+r.n)
	return len(p), nil
}

func (s *sparse) ReadAt(p []byte, off int64) (int, error) {
	n := min(int64(len(p)), max(0, s.size-off))
	clear(p[:n])
	for _, r := range s.runs {
		if r.data == nil || r.at >= off+n || r.at+r.n <= off {
			continue
		}
		from := max(r.at, off)
		copy(p[from-off:n], r.data[from-r.at:])
	}
	if n < int64(len(p)) {
		return int(n), io.EOF
	}
	return int(n), nil
}

// zeroes gives n zero bytes.
func zeroes(path string, n int64) build.File {
	return build.File{Path: path, Size: n, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(nothing{}, n)), nil
	}}
}

type nothing struct{}

func (nothing) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestCAP_VER_00_LargePayloadInSmallMemory is not parallel: it counts what the
// whole process allocates.
func TestCAP_VER_00_LargePayloadInSmallMemory(t *testing.T) {
	const size, bound = 256 << 20, 32 << 20
	d := sampleDraft(t)
	d.Files = append(d.Files, zeroes("payload/large", size))
	var file sparse
	var err error
	if got := allocated(func() { _, err = build.Write(&file, &d) }); err != nil || got > bound {
		t.Fatalf("sealing 256 MiB allocated %d bytes, want under 32 MiB (%v)", got, err)
	}
	var res *capsule.Result
	got := allocated(func() { res, err = capsule.Verify(&file, file.size, capsule.Options{}) })
	if err != nil || res.Verdict != capsule.Valid || file.size < size {
		t.Fatalf("got %v, %v", res, err)
	}
	if got > bound {
		t.Errorf("verifying 256 MiB allocated %d bytes, want under 32 MiB", got)
	}
}

func TestCAP_IDX_05_ManyFiles(t *testing.T) {
	t.Parallel()
	const files = 9000
	data := sealFile(t, func(d *build.Draft) {
		d.Files = nil
		for i := range files {
			d.Files = append(d.Files, build.Text(fmt.Sprintf("payload/%04d/%d.txt", i%100, i), fmt.Sprint(i)))
		}
	})
	res := judgeFile(t, data, capsule.Options{})
	if res.Verdict != capsule.Valid || len(openFile(t, data).Entries()) != files+4 || len(openFile(t, data).Manifest.Files) != files+2 {
		t.Fatalf("got %s, %v", res.Verdict, res.Errors)
	}
	// With every file changed the report stays bounded, and says how much is left out.
	bad := reseal(t, data, func(p *parts) {
		for path := range p.files {
			if path != chain.Path {
				p.files[path] = append(p.files[path], '!')
			}
		}
	})
	res = judgeFile(t, bad, capsule.Options{})
	if kept := len(res.Problems); res.Verdict != capsule.Invalid || kept < 1000 || kept > 1100 || len(res.ContentIndex.Errors) != 1000 || res.ContentIndex.OK {
		t.Errorf("got %s with %d problems, %d of the index", res.Verdict, kept, len(res.ContentIndex.Errors))
	}
	const all = files + 1 + 2 // the program too, and both hashes of the index
	if want := fmt.Sprintf("and %d more problems", all-len(res.Problems)); len(res.Notes) == 0 || res.Notes[0] != want {
		t.Errorf("got %q, want %q", res.Notes, want)
	}
}

// TestCAP_IDX_05_LinearWork: nine times as many files take about nine times the
// memory. That the time grows no faster is measured by the case growth of
// bench/capsule.sh.
func TestCAP_IDX_05_LinearWork(t *testing.T) {
	const few, times = 1000, 9
	// Paths of one length that differ at their ends make comparing them dear.
	folder := "payload/" + strings.Repeat("d", 150) + "/"
	sealed := func(files int) []byte {
		return sealFile(t, func(d *build.Draft) {
			d.Files = nil
			for i := range files {
				d.Files = append(d.Files, build.Text(fmt.Sprintf("%s%05d", folder, i), "x"))
			}
		})
	}
	small, large := sealed(few), sealed(few*times)
	run := func(data []byte) {
		if res := judgeFile(t, data, capsule.Options{}); res.Verdict != capsule.Valid {
			t.Fatalf("got %s: %v", res.Verdict, res.Errors)
		}
	}
	a, b := testing.AllocsPerRun(1, func() { run(small) }), testing.AllocsPerRun(1, func() { run(large) })
	if b > a*times*2 {
		t.Errorf("got %.0f allocations for %d files, %.0f for %d", a, few, b, few*times)
	}
}

// TestCAP_CHN_04_ManyBadEvents: a chain with more problems than are kept is
// invalid and says how many there are.
func TestCAP_CHN_04_ManyBadEvents(t *testing.T) {
	t.Parallel()
	data := reseal(t, sealFile(t, nil), func(p *parts) {
		p.reindex = true
		p.files[chain.Path] = append(p.files[chain.Path], bytes.Repeat([]byte("[]\n"), 5000)...)
	})
	res := judgeFile(t, data, capsule.Options{})
	if res.Verdict != capsule.Invalid || res.Chain.OK || res.Chain.Events != 5002 || len(res.Chain.Errors) != 1001 || len(res.Problems) > 1100 {
		t.Fatalf("got %s, %d events, %d errors, %d problems", res.Verdict, res.Chain.Events, len(res.Chain.Errors), len(res.Problems))
	}
	if got := res.Chain.Errors[1000].Message; got != "and 4000 more problems in the chain" {
		t.Errorf("got %q", got)
	}
}

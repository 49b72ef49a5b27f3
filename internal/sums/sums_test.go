package sums_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"seed/internal/sums"
)

// Borders of the package: what one read takes, and from where on a file is read
// and summed at the same time.
const (
	chunk = 256 << 10
	pipe  = 2 << 20
)

// content gives n bytes that no two offsets of a chunk share.
func content(n int) []byte {
	b := make([]byte, n)
	x := uint32(n)*2654435761 + 1
	for i := range b {
		x = x*1664525 + 1013904223
		b[i] = byte(x >> 24)
	}
	return b
}

// closer counts how often it is closed.
type closer struct {
	io.Reader
	closed *atomic.Int32
	err    error
}

func (c closer) Close() error {
	c.closed.Add(1)
	return c.err
}

func job(b []byte, wrap func(io.Reader) io.Reader) sums.Job {
	return sums.Job{Size: int64(len(b)), Open: func() (io.Reader, error) { return wrap(bytes.NewReader(b)), nil }}
}

func check(t *testing.T, name string, j sums.Job, want []byte) {
	t.Helper()
	if j.Err != nil || j.Bytes != int64(len(want)) || j.SHA256 != sha256.Sum256(want) || j.CRC32 != crc32.ChecksumIEEE(want) {
		t.Errorf("%s: got %x, %08x over %d bytes, %v, want the sums of %d bytes", name, j.SHA256, j.CRC32, j.Bytes, j.Err, len(want))
	}
}

func borders() []int {
	return []int{
		0, 1, 63, 64, 65, 4096, chunk - 1, chunk, chunk + 1, 2*chunk - 1, 2 * chunk, 2*chunk + 1,
		pipe - 1, pipe, pipe + 1, pipe + chunk - 1, pipe + chunk, pipe + chunk + 1, 3*chunk + 17, 5<<20 + 3,
	}
}

func runAll(t *testing.T) {
	t.Helper()
	for name, wrap := range map[string]func(io.Reader) io.Reader{
		"whole reads":       func(r io.Reader) io.Reader { return r },
		"half reads":        iotest.HalfReader,
		"data with its EOF": iotest.DataErrReader,
		"odd reads":         func(r io.Reader) io.Reader { return &odd{r: r} },
		"no other methods":  func(r io.Reader) io.Reader { return struct{ io.Reader }{r} },
	} {
		var jobs []sums.Job
		var want [][]byte
		total := 0
		for _, n := range borders() {
			b := content(n)
			jobs, want, total = append(jobs, job(b, wrap)), append(want, b), total+n
		}
		var seen atomic.Int64
		sums.Run(jobs, func(n int64) { seen.Add(n) })
		for i, j := range jobs {
			check(t, fmt.Sprintf("%s, %d bytes", name, len(want[i])), j, want[i])
		}
		if seen.Load() != int64(total) {
			t.Errorf("%s: progress was told of %d bytes, want %d", name, seen.Load(), total)
		}
	}
}

// odd reads some bytes at a time, and every third time none.
type odd struct {
	r     io.Reader
	calls int
}

func (o *odd) Read(p []byte) (int, error) {
	if o.calls++; o.calls%3 == 0 {
		return 0, nil
	}
	return o.r.Read(p[:min(len(p), 40_001)])
}

func TestRun_EqualsSequentialHashing(t *testing.T) {
	t.Parallel()
	runAll(t)
}

// TestRun_OnOneCore is not parallel: it sets GOMAXPROCS of the process.
func TestRun_OnOneCore(t *testing.T) {
	before := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(before)
	runAll(t)
}

// TestRun_OnMoreCores sees the pipe also where the machine has one core only.
func TestRun_OnMoreCores(t *testing.T) {
	before := runtime.GOMAXPROCS(4)
	defer runtime.GOMAXPROCS(before)
	runAll(t)
}

func TestRun_Nothing(t *testing.T) {
	t.Parallel()
	sums.Run(nil, nil)
	sums.Run([]sums.Job{}, func(int64) { t.Error("progress without a file") })
}

// TestRun_SizeIsAHint: the size decides how a file is read, never what is read.
func TestRun_SizeIsAHint(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, chunk, pipe + 1} {
		for _, claimed := range []int64{0, 1, pipe, 1 << 40, -1} {
			b := content(n)
			jobs := []sums.Job{job(b, func(r io.Reader) io.Reader { return r })}
			jobs[0].Size = claimed
			sums.Run(jobs, nil)
			check(t, fmt.Sprintf("%d bytes said to be %d", n, claimed), jobs[0], b)
		}
	}
}

func TestRun_ErrorsStayWithTheirFile(t *testing.T) {
	t.Parallel()
	unreadable, gone, stuck := errors.New("unreadable"), errors.New("gone"), errors.New("stuck")
	var closed atomic.Int32
	var jobs []sums.Job
	good := content(chunk + 5)
	for _, n := range []int{0, 10, chunk, pipe - 1, pipe, pipe + chunk + 1} { // read this far, then fail
		b := content(n)
		jobs = append(jobs, sums.Job{Size: int64(n) + 1, Open: func() (io.Reader, error) {
			return closer{io.MultiReader(bytes.NewReader(b), iotest.ErrReader(gone)), &closed, nil}, nil
		}})
	}
	failed := len(jobs)
	jobs = append(
		jobs,
		sums.Job{Size: 1, Open: func() (io.Reader, error) { return nil, unreadable }},
		sums.Job{Size: int64(len(good)), Open: func() (io.Reader, error) { return closer{bytes.NewReader(good), &closed, stuck}, nil }},
		job(good, func(r io.Reader) io.Reader { return closer{r, &closed, nil} }),
	)
	sums.Run(jobs, nil)
	for i, n := range []int64{0, 10, chunk, pipe - 1, pipe, pipe + chunk + 1} {
		if !errors.Is(jobs[i].Err, gone) || jobs[i].Bytes != n {
			t.Errorf("after %d bytes: got %v after %d", n, jobs[i].Err, jobs[i].Bytes)
		}
	}
	if !errors.Is(jobs[failed].Err, unreadable) || jobs[failed].Bytes != 0 {
		t.Errorf("got %v, want the error of opening", jobs[failed].Err)
	}
	if !errors.Is(jobs[failed+1].Err, stuck) {
		t.Errorf("got %v, want the error of closing", jobs[failed+1].Err)
	}
	check(t, "beside files that fail", jobs[failed+2], good)
	if got, want := closed.Load(), int32(failed+2); got != want {
		t.Errorf("%d readers were closed, want each of %d once", got, want)
	}
}

func TestRun_ManyFiles(t *testing.T) {
	t.Parallel()
	var closed, open, most atomic.Int32
	jobs := make([]sums.Job, 3000)
	for i := range jobs {
		b := content(i % 700)
		jobs[i] = sums.Job{Size: int64(len(b)), Open: func() (io.Reader, error) {
			if n := open.Add(1) - closed.Load(); n > most.Load() {
				most.Store(n)
			}
			return closer{bytes.NewReader(b), &closed, nil}, nil
		}}
	}
	sums.Run(jobs, nil)
	for i, j := range jobs {
		check(t, fmt.Sprint("file ", i), j, content(i%700))
	}
	if closed.Load() != int32(len(jobs)) || open.Load() != int32(len(jobs)) {
		t.Errorf("%d opened, %d closed, want each of %d once", open.Load(), closed.Load(), len(jobs))
	}
	// Files are open while they are read, not all at once.
	if most.Load() > 64 {
		t.Errorf("%d files were open at once", most.Load())
	}
}

// zeros gives n zero bytes.
type zeros struct{ n int64 }

func (z *zeros) Read(p []byte) (int, error) {
	if z.n == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), z.n)
	clear(p[:n])
	z.n -= n
	return int(n), nil
}

// TestRun_MemoryDoesNotGrow is not parallel: it counts what the process allocates.
func TestRun_MemoryDoesNotGrow(t *testing.T) {
	spent := func(size int64) uint64 {
		jobs := []sums.Job{{Size: size, Open: func() (io.Reader, error) { return &zeros{size}, nil }}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		sums.Run(jobs, nil)
		runtime.ReadMemStats(&after)
		if jobs[0].Err != nil || jobs[0].Bytes != size {
			t.Fatalf("got %d bytes, %v", jobs[0].Bytes, jobs[0].Err)
		}
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, size := range []int64{4 << 20, 64 << 20} {
		if got := spent(size); got > 1<<20 {
			t.Errorf("%d bytes: allocated %d, want under 1 MiB", size, got)
		}
	}
}

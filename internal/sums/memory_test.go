package sums_test

import (
	"bytes"
	"fmt"
	"io"
	"sync/atomic"
	"testing"

	"seed/internal/sums"
)

func TestRun_DataInMemory(t *testing.T) {
	t.Parallel()
	var jobs []sums.Job
	var want [][]byte
	total := 0
	for _, n := range borders() {
		b := content(n)
		jobs, want, total = append(jobs, sums.Job{Size: int64(n), Data: b}), append(want, b), total+n
	}
	var seen atomic.Int64
	sums.Run(jobs, func(n int64) { seen.Add(n) })
	for i, j := range jobs {
		check(t, fmt.Sprintf("%d bytes", len(want[i])), j, want[i])
	}
	if seen.Load() != int64(total) {
		t.Errorf("progress was told of %d bytes, want %d", seen.Load(), total)
	}
}

// TestRun_KeepsContent: content stays in the memory of the job, and a source
// that has more than it said is summed to its end without touching that.
func TestRun_KeepsContent(t *testing.T) {
	t.Parallel()
	for _, n := range borders() {
		for _, more := range []int{0, 1, chunk + 1} {
			b := content(n + more)
			into := make([]byte, n)
			jobs := []sums.Job{job(b, func(r io.Reader) io.Reader { return &odd{r: r} }), job(b, func(r io.Reader) io.Reader { return r })}
			for i := range jobs {
				clear(into)
				jobs[i].Size, jobs[i].Into = int64(n), into
				sums.Run(jobs[i:i+1], nil)
				check(t, fmt.Sprintf("%d bytes and %d more", n, more), jobs[i], b)
				if !bytes.Equal(into, b[:n]) {
					t.Errorf("%d bytes and %d more: other bytes were kept", n, more)
				}
			}
		}
	}
}

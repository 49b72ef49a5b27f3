package sums_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"seed/internal/sums"
)

// TestHooks: the hooks see every byte in its place, and an error of one ends the
// file and no other.
func TestHooks(t *testing.T) {
	t.Parallel()
	stop := errors.New("stop")
	for _, size := range []int{0, 1, 300 << 10, 5 << 20} {
		want := bytes.Repeat([]byte{7, 1, 3}, size/3+1)[:size]
		got := make([]byte, size)
		started, done := 0, 0
		open := func() (io.Reader, error) { return bytes.NewReader(want), nil }
		jobs := []sums.Job{
			{
				Size: int64(size), Open: open, Start: func(*sums.Job) { started++ },
				Out:  func(chunk []byte, off int64) error { copy(got[off:], chunk); return nil },
				Done: func(j *sums.Job) error { done++; return nil },
			},
			{Size: int64(size), Open: open, Out: func([]byte, int64) error { return stop }, Done: func(*sums.Job) error { t.Error("done after an error"); return nil }},
			{Size: int64(size), Open: open, Done: func(*sums.Job) error { return stop }},
		}
		if size == 0 {
			jobs[1].Done = nil // nothing is read, so nothing fails
		}
		sums.Run(jobs, nil)
		if jobs[0].Err != nil || started != 1 || done != 1 || !bytes.Equal(got, want) {
			t.Errorf("%d bytes: got %v, started %d, done %d", size, jobs[0].Err, started, done)
		}
		if size > 0 && !errors.Is(jobs[1].Err, stop) || !errors.Is(jobs[2].Err, stop) {
			t.Errorf("%d bytes: got %v and %v, want the errors of the hooks", size, jobs[1].Err, jobs[2].Err)
		}
	}
}

// Package sums computes the SHA-256 and CRC-32 of many files on all cores, in
// memory that does not depend on their sizes. A single large file is read on one
// core while another computes its SHA-256.
package sums

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"runtime"
	"slices"
	"sync"
)

// Sizes: a chunk is what one read takes. From pipeFrom on, starting a second
// goroutine for a file is cheaper than what it saves.
const (
	chunkSize = 256 << 10
	pipeFrom  = 2 << 20
)

// Job is one file: where it comes from, and after [Run] what its bytes sum to.
type Job struct {
	Size int64 // as expected; big files go first
	Open func() (io.Reader, error)

	SHA256 [32]byte
	CRC32  uint32
	Bytes  int64 // that were read
	Err    error // of opening or reading
}

// Run does all jobs. Progress, if not nil, is told of bytes as they are read,
// from several goroutines. A reader that is an io.Closer is closed.
func Run(jobs []Job, progress func(bytes int64)) {
	if progress == nil {
		progress = func(int64) {}
	}
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	// The big ones first, so that no core is left alone with one at the end.
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(jobs[b].Size, jobs[a].Size) })
	next := make(chan int)
	var wg sync.WaitGroup
	for range max(1, min(runtime.GOMAXPROCS(0), len(jobs))) {
		wg.Go(func() {
			w := worker{progress: progress, digest: sha256.New()}
			for i := range next {
				w.do(&jobs[i])
			}
		})
	}
	for _, i := range order {
		next <- i
	}
	close(next)
	wg.Wait()
}

// worker keeps its buffers from file to file.
type worker struct {
	a, b     []byte
	digest   hash.Hash
	progress func(int64)
}

func (w *worker) do(j *Job) {
	r, err := j.Open()
	if err != nil {
		j.Err = err
		return
	}
	if w.a == nil {
		w.a = make([]byte, chunkSize)
	}
	w.digest.Reset()
	if j.Size < pipeFrom || runtime.GOMAXPROCS(0) == 1 {
		w.plain(j, r)
	} else {
		w.piped(j, r)
	}
	if c, ok := r.(io.Closer); ok {
		j.Err = errors.Join(j.Err, c.Close())
	}
	w.digest.Sum(j.SHA256[:0])
}

// take reads the next chunk into buf and counts it.
func (w *worker) take(j *Job, r io.Reader, buf []byte) (chunk []byte, end bool) {
	n, err := r.Read(buf)
	j.CRC32 = crc32.Update(j.CRC32, crc32.IEEETable, buf[:n])
	j.Bytes += int64(n)
	w.progress(int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		j.Err = err
	}
	return buf[:n], err != nil
}

func (w *worker) plain(j *Job, r io.Reader) {
	for end := false; !end; {
		var chunk []byte
		chunk, end = w.take(j, r, w.a)
		_, _ = w.digest.Write(chunk) // a hash never fails
	}
}

// piped reads here while another goroutine sums the chunk before.
func (w *worker) piped(j *Job, r io.Reader) {
	if w.b == nil {
		w.b = make([]byte, chunkSize)
	}
	full, free := make(chan []byte), make(chan []byte, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for chunk := range full {
			_, _ = w.digest.Write(chunk)
			free <- chunk[:cap(chunk)]
		}
	}()
	free <- w.a
	free <- w.b
	for end := false; !end; {
		var chunk []byte
		chunk, end = w.take(j, r, <-free)
		full <- chunk
	}
	close(full)
	<-done
}

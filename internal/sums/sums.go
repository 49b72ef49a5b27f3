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
	"sync/atomic"
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
	Data []byte // the content itself, when Open is nil
	Into []byte // where content that is read stays, as much as there is room for

	// Start is called before the first read, Out with each chunk that was read and
	// its place, Done when all of a file was read and summed; each may be nil. They
	// are called by the goroutine that works on the file, and an error ends it.
	Start func(j *Job)
	Out   func(chunk []byte, off int64) error
	Done  func(j *Job) error

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
	var next atomic.Int64 // of order
	var wg sync.WaitGroup
	for range max(1, min(runtime.GOMAXPROCS(0), len(jobs))) {
		wg.Go(func() {
			w := worker{progress: progress, digest: sha256.New()}
			for k := next.Add(1); k <= int64(len(order)); k = next.Add(1) {
				w.do(&jobs[order[k-1]])
			}
		})
	}
	wg.Wait()
}

// worker keeps its buffers from file to file.
type worker struct {
	a, b     []byte
	digest   hash.Hash
	progress func(int64)
}

func (w *worker) do(j *Job) {
	w.digest.Reset()
	if j.Open == nil {
		w.memory(j)
		w.digest.Sum(j.SHA256[:0])
		return
	}
	r, err := j.Open()
	if err != nil {
		j.Err = err
		return
	}
	if j.Start != nil {
		j.Start(j)
	}
	if w.a == nil { // no later job of this worker is larger
		w.a = make([]byte, max(512, min(j.Size, chunkSize)))
	}
	if j.Size < pipeFrom || runtime.GOMAXPROCS(0) == 1 {
		w.plain(j, r)
	} else {
		w.piped(j, r)
	}
	if c, ok := r.(io.Closer); ok {
		j.Err = errors.Join(j.Err, c.Close())
	}
	w.digest.Sum(j.SHA256[:0])
	if j.Done != nil && j.Err == nil {
		j.Err = j.Done(j)
	}
}

// count adds a chunk to all but the SHA-256.
func (w *worker) count(j *Job, chunk []byte) {
	j.CRC32 = crc32.Update(j.CRC32, crc32.IEEETable, chunk)
	j.Bytes += int64(len(chunk))
	w.progress(int64(len(chunk)))
}

// memory sums what need not be read, chunk by chunk so that what the one sum
// took from memory is in the cache for the other.
func (w *worker) memory(j *Job) {
	for rest := j.Data; len(rest) > 0; {
		chunk := rest[:min(len(rest), chunkSize)]
		rest = rest[len(chunk):]
		w.count(j, chunk)
		_, _ = w.digest.Write(chunk) // a hash never fails
	}
}

// take reads the next chunk, into the job's own memory while there is room and
// into buf otherwise, and counts it.
func (w *worker) take(j *Job, r io.Reader, buf []byte) (chunk []byte, end bool) {
	if j.Bytes < int64(len(j.Into)) {
		buf = j.Into[j.Bytes:]
		buf = buf[:min(len(buf), chunkSize)]
	}
	n, err := r.Read(buf)
	w.count(j, buf[:n])
	if err != nil && !errors.Is(err, io.EOF) {
		j.Err = err
	}
	if j.Out != nil && n > 0 {
		if oerr := j.Out(buf[:n], j.Bytes-int64(n)); oerr != nil {
			j.Err, err = oerr, oerr
		}
	}
	return buf[:n], err != nil
}

func (w *worker) plain(j *Job, r io.Reader) {
	for end := false; !end; {
		var chunk []byte
		chunk, end = w.take(j, r, w.a)
		_, _ = w.digest.Write(chunk)
	}
}

// piped reads here while another goroutine sums the chunk before.
func (w *worker) piped(j *Job, r io.Reader) {
	if w.b == nil {
		w.b = make([]byte, chunkSize)
	}
	full, summed := make(chan []byte, 1), make(chan struct{}, 2)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for chunk := range full {
			_, _ = w.digest.Write(chunk)
			summed <- struct{}{}
		}
	}()
	buffers := [2][]byte{w.a, w.b}
	for k, end := 0, false; !end; k++ {
		if k >= len(buffers) {
			<-summed // the chunk that was in this buffer
		}
		var chunk []byte
		chunk, end = w.take(j, r, buffers[k%len(buffers)])
		full <- chunk
	}
	close(full)
	<-done
}

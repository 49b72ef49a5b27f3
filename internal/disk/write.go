package disk

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"seed/finding"
)

// share runs one worker for each core over the batches of list. What worker
// gives is called for one batch after the other, with its entries and the
// index of the first.
func share(ctx context.Context, list []entry, worker func() (do func(context.Context, []entry, int) error, end func())) error {
	runs := batches(list)
	starts := make([]int, len(runs))
	for i := 1; i < len(runs); i++ {
		starts[i] = starts[i-1] + len(runs[i-1])
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(runs)) {
		g.Go(func() error {
			do, end := worker()
			defer end()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(runs) {
					return nil
				}
				if err := do(ctx, runs[i], starts[i]); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

const bufferSize = 256 << 10

// writer makes files and takes their sums on the way.
type writer struct {
	cur  cursor
	buf  []byte
	hash hash.Hash

	out  *file
	size int64
}

func writeAll(ctx context.Context, top *dir, list []entry) error {
	return share(ctx, list, func() (func(context.Context, []entry, int) error, func()) {
		w := &writer{cur: cursor{top: top, mk: true}, hash: sha256.New()}
		do := func(ctx context.Context, run []entry, _ int) error {
			for _, e := range run {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := w.file(e); err != nil {
					return fmt.Errorf("write %s: %w", finding.Quote(e.Path), err)
				}
			}
			return nil
		}
		return do, w.cur.close
	})
}

func (w *writer) file(e entry) error {
	d, err := w.cur.to(e.dir)
	if err != nil {
		return err
	}
	w.out, err = d.create(e.name, e.Mode)
	if err != nil {
		return err
	}
	w.hash.Reset()
	w.size = 0
	err = w.copy(e.Open())
	if cerr := w.out.Close(); err == nil {
		err = cerr
	}
	if err == nil && w.size != e.Size {
		err = fmt.Errorf("content has %d bytes, %d were announced", w.size, e.Size)
	}
	w.hash.Sum(e.Sum[:0])
	return err
}

func (w *writer) copy(r io.Reader) error {
	if to, ok := r.(io.WriterTo); ok {
		_, err := to.WriteTo(w)
		return err
	}
	if w.buf == nil {
		w.buf = make([]byte, bufferSize)
	}
	for {
		n, err := io.ReadFull(r, w.buf)
		if _, werr := w.Write(w.buf[:n]); werr != nil {
			return werr
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Write sums and writes b in parts that fit the processor's cache.
func (w *writer) Write(b []byte) (int, error) {
	done := 0
	for done < len(b) {
		part := b[done:min(len(b), done+bufferSize)]
		w.hash.Write(part)
		n, err := w.out.Write(part)
		done += n
		w.size += int64(n)
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

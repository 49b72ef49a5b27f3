package seedfile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"

	"seed/finding"
	"seed/seedfile/transport"
)

// WriteTo writes the seed. Sources are read again; one that no longer gives what
// it gave when it was packed fails the writing (SP-PACK-05), and what was
// written until then is worthless.
func (p *Packed) WriteTo(w io.Writer) (int64, error) {
	out := &counter{w: w}
	buf := bufio.NewWriterSize(out, readSize)
	_, _ = buf.Write(p.Profile.Head(p.Params)) // bufio keeps the first error for Flush
	if err := p.writeParts(buf); err != nil {
		return out.n, err
	}
	_, _ = buf.Write(p.Profile.Tail(p.Params.Sentinel))
	if err := buf.Flush(); err != nil {
		return out.n, fmt.Errorf("write seed: %w", err)
	}
	return out.n, nil
}

type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	c.n += int64(n)
	return n, err
}

// fetched is a small source that was read ahead of its turn.
type fetched struct {
	part  *part
	ready chan struct{}
	data  []byte
	whole bool // data is all of it; otherwise the writer reads the rest
	rest  io.ReadCloser
	err   error
}

const (
	aheadSize  = 64 << 10 // sources up to this size are read ahead whole
	aheadCount = 64       // how many of them wait at most
)

// writeParts reads small files ahead on all cores, because opening them is what
// takes the time, and writes everything in order.
func (p *Packed) writeParts(w *bufio.Writer) error {
	stop := make(chan struct{})
	queue := make(chan *fetched, aheadCount)
	jobs := make(chan *fetched, aheadCount)
	free := make(chan []byte, aheadCount+2)
	go func() {
		defer close(queue)
		defer close(jobs)
		for i := range p.parts {
			f := &fetched{part: &p.parts[i]}
			if f.part.open != nil {
				f.ready = make(chan struct{})
				select {
				case jobs <- f:
				case <-stop:
					return
				}
			}
			select {
			case queue <- f:
			case <-stop:
				f.drop() // nobody else will
				return
			}
		}
	}()
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for f := range jobs {
				f.fetch(free)
			}
		}()
	}
	var failed error
	for f := range queue {
		if failed != nil {
			f.drop()
			continue
		}
		if failed = f.writeTo(w); failed != nil {
			close(stop) // the queue then ends, and what waits in it is dropped
		}
		if f.data != nil {
			select {
			case free <- f.data[:0]:
			default:
			}
		}
	}
	return failed
}

func (f *fetched) fetch(free chan []byte) {
	defer close(f.ready)
	src, err := f.part.open()
	if err != nil {
		f.err = err
		return
	}
	select {
	case f.data = <-free:
	default:
		f.data = make([]byte, 0, aheadSize)
	}
	n, err := io.ReadFull(src, f.data[:aheadSize])
	f.data = f.data[:n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		f.whole = true
		f.err = src.Close()
		return
	}
	f.rest, f.err = src, err
}

// drop closes what a failed write leaves open.
func (f *fetched) drop() {
	if f.ready == nil {
		return
	}
	<-f.ready
	if f.rest != nil {
		_ = f.rest.Close() // it was only read
	}
}

func (f *fetched) writeTo(w *bufio.Writer) error {
	if f.part.open == nil {
		_, _ = w.Write(f.part.text) // bufio keeps the first error for Flush
		return nil
	}
	defer f.drop()
	<-f.ready
	if f.err != nil {
		return fmt.Errorf("read %s: %w", finding.Quote(f.part.path), f.err)
	}
	var src io.Reader = bytes.NewReader(f.data)
	if !f.whole {
		src = io.MultiReader(src, f.rest)
	}
	var crc transport.CRC
	dst := io.MultiWriter(w, &crc)
	var err error
	if f.part.enc {
		_, err = encodeBase64(dst, src)
	} else {
		_, err = io.Copy(dst, src)
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", finding.Quote(f.part.path), err)
	}
	if crc != f.part.crc {
		return ruleTwoPass.Errorf(finding.Place{Name: f.part.path}, "the file changed while it was packed")
	}
	return nil
}

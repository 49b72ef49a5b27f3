package seedfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"

	"seed/finding"
	"seed/seedfile/transport"
)

// WriteTo writes the seed. Sources are read again; one that no longer gives what
// it gave when it was packed fails the writing (SP-PACK-05), and what was
// written until then is worthless.
func (p *Packed) WriteTo(w io.Writer) (int64, error) {
	out := &counter{w: w}
	if _, err := out.Write(p.Profile.Head(p.Params)); err != nil {
		return out.n, fmt.Errorf("write seed: %w", err)
	}
	if err := p.writeParts(out); err != nil {
		return out.n, err
	}
	if _, err := out.Write(p.Profile.Tail(p.Params.Sentinel)); err != nil {
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

// batchSize is how much of the document one worker prepares at a time: opening
// many small files is what takes the time, so they are read ahead on all cores.
const batchSize = 512 << 10

// batch is a run of parts that fit together into one buffer, or one part that
// is larger and is streamed when its turn comes.
type batch struct {
	parts  []part
	stream bool
	ready  chan struct{}
	data   []byte
	err    error
}

// batches cuts the document into runs of parts.
func (p *Packed) batches() []*batch {
	var list []*batch
	for from := 0; from < len(p.parts); {
		to, size := from, int64(0)
		for to < len(p.parts) && size+p.parts[to].crc.Size() <= batchSize {
			size += p.parts[to].crc.Size()
			to++
		}
		b := &batch{ready: make(chan struct{})}
		if to == from {
			b.stream = true
			to++
		}
		b.parts = p.parts[from:to]
		list = append(list, b)
		from = to
	}
	return list
}

// writeParts lets every core fill buffers and writes them in order.
func (p *Packed) writeParts(w io.Writer) error {
	list := p.batches()
	workers := runtime.GOMAXPROCS(0)
	// A buffer is a licence to work ahead: there are only so many.
	free := make(chan []byte, workers+2)
	for range cap(free) {
		free <- nil
	}
	jobs := make(chan *batch)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(jobs)
		for _, b := range list {
			if b.stream {
				continue
			}
			select {
			case b.data = <-free:
			case <-stop:
				return
			}
			select {
			case jobs <- b:
			case <-stop:
				return
			}
		}
	})
	for range workers {
		wg.Go(func() {
			for b := range jobs {
				b.err = b.fill()
				close(b.ready)
			}
		})
	}
	defer wg.Wait()
	defer close(stop)
	for _, b := range list {
		if b.stream {
			if err := b.parts[0].copyTo(w); err != nil {
				return err
			}
			p.tell(b)
			continue
		}
		<-b.ready
		if b.err != nil {
			return b.err
		}
		if _, err := w.Write(b.data); err != nil {
			return fmt.Errorf("write seed: %w", err)
		}
		free <- b.data[:0]
		p.tell(b)
	}
	return nil
}

// tell reports the sources of a batch that was written.
func (p *Packed) tell(b *batch) {
	for i := range b.parts {
		if p.progress != nil && b.parts[i].open != nil {
			p.progress(b.parts[i].size)
		}
	}
}

// fill reads all parts of a batch into its buffer.
func (b *batch) fill() error {
	if b.data == nil {
		b.data = make([]byte, 0, batchSize)
	}
	for i := range b.parts {
		p := &b.parts[i]
		if p.open == nil {
			b.data = append(b.data, p.text...)
			continue
		}
		from := len(b.data)
		var err error
		if b.data, err = p.appendTo(b.data); err != nil {
			return err
		}
		var crc transport.CRC
		_, _ = crc.Write(b.data[from:]) // a checksum takes everything
		if crc != p.crc {
			return p.changed()
		}
	}
	return nil
}

// appendTo reads a source whose size is known to be small.
func (p *part) appendTo(buf []byte) ([]byte, error) {
	src, err := p.open()
	if err != nil {
		return buf, p.readError(err)
	}
	defer src.Close()
	if p.enc {
		w := bytes.NewBuffer(buf)
		// One byte more than was there is enough to see that it changed.
		if _, err := encodeBase64(w, io.LimitReader(src, p.crc.Size()+1)); err != nil {
			return buf, p.readError(err)
		}
		return w.Bytes(), nil
	}
	from, size := len(buf), int(p.crc.Size())
	if cap(buf) < from+size+1 {
		buf = append(make([]byte, 0, from+size+1), buf...)
	}
	n, err := io.ReadFull(src, buf[from:from+size+1])
	if err == nil {
		return buf, p.changed()
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return buf, p.readError(err)
	}
	return buf[:from+n], nil
}

// copyTo streams a large source.
func (p *part) copyTo(w io.Writer) error {
	if p.open == nil {
		_, err := w.Write(p.text)
		return err
	}
	src, err := p.open()
	if err != nil {
		return p.readError(err)
	}
	defer src.Close()
	var crc transport.CRC
	dst := io.MultiWriter(w, &crc)
	if p.enc {
		_, err = encodeBase64(dst, src)
	} else {
		_, err = io.CopyBuffer(dst, onlyReader{src}, make([]byte, readSize))
	}
	if err != nil {
		return fmt.Errorf("copy %s: %w", finding.Quote(p.path), err)
	}
	if crc != p.crc {
		return p.changed()
	}
	return nil
}

// onlyReader hides other methods, so that our buffer is used.
type onlyReader struct{ io.Reader }

func (p *part) readError(err error) error {
	return fmt.Errorf("read %s: %w", finding.Quote(p.path), err)
}

func (p *part) changed() error {
	return ruleTwoPass.Errorf(finding.Place{Name: p.path}, "the file changed while it was packed")
}

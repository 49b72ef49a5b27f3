package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"seed/finding"
)

// Compare says what landing files in dest would do, ordered by directory and
// name. It writes nothing.
func Compare(ctx context.Context, dest string, files []File, o Options) ([]Change, error) {
	p, err := locate(dest)
	if err != nil {
		return nil, err
	}
	defer p.base.close()
	list, err := arrange(files, p.rel)
	if err != nil {
		return nil, err
	}
	return p.compare(ctx, list, o)
}

func (p *place) compare(ctx context.Context, list []entry, o Options) ([]Change, error) {
	changes := make([]Change, len(list))
	err := share(ctx, list, func() (func(context.Context, []entry, int) error, func()) {
		c := &comparer{place: p, cur: cursor{top: p.base}, noMkdir: o.NoMkdir}
		do := func(ctx context.Context, run []entry, first int) error {
			for i, e := range run {
				if err := ctx.Err(); err != nil {
					return err
				}
				ch, err := c.file(e)
				if err != nil {
					return fmt.Errorf("compare %s: %w", finding.Quote(e.Path), err)
				}
				changes[first+i] = ch
			}
			return nil
		}
		return do, c.cur.close
	})
	if err != nil {
		return nil, err
	}
	return changes, nil
}

type comparer struct {
	place   *place
	cur     cursor
	noMkdir bool
	a, b    []byte
	stop    *stepError // where the way to the entry before this one ended
}

func (c *comparer) file(e entry) (Change, error) {
	ch := Change{Path: e.Path, At: e.Path}
	if c.stop != nil && below(e.dir, c.stop.at) {
		return c.stopped(ch, c.stop)
	}
	d, err := c.cur.to(e.dir)
	if err != nil {
		return c.stopped(ch, err)
	}
	f, at, err := d.open(e.name)
	var odd *notRegularError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		ch.top = e.full()
		return ch, nil
	case errors.Is(err, errLink):
		ch.Kind, ch.Note = Unsafe, errLink.Error()
		return ch, nil
	case errors.As(err, &odd):
		ch.Kind, ch.Note = Blocked, odd.Error()
		return ch, nil
	case err != nil:
		return ch, err
	}
	defer f.Close()
	ch.Size = at.size
	same := at.size == e.Size
	if same {
		if same, err = c.equal(f, e.Open()); err != nil {
			return ch, err
		}
	}
	if same {
		ch.Kind = Same
	} else {
		ch.Kind, ch.Note = Differs, "exists with other content"
	}
	return ch, nil
}

// stopped makes a change of the reason why a directory could not be entered.
func (c *comparer) stopped(ch Change, err error) (Change, error) {
	var stop *stepError
	if !errors.As(err, &stop) {
		return ch, err
	}
	c.stop = stop
	switch {
	case errors.Is(err, fs.ErrNotExist):
		ch.top = stop.at
		if c.noMkdir {
			ch.Kind, ch.Note = NoDir, "directory is missing"
		}
	case errors.Is(err, errLink):
		ch.Kind, ch.Note = Unsafe, errLink.Error()
	case errors.Is(err, errNotDir):
		ch.Kind, ch.Note = Blocked, errNotDir.Error()
	default:
		return ch, err
	}
	if ch.Kind != New {
		ch.At = c.place.inside(stop.at)
	}
	return ch, nil
}

func (c *comparer) equal(f *file, r io.Reader) (bool, error) {
	if c.a == nil {
		c.a, c.b = make([]byte, bufferSize/2), make([]byte, bufferSize/2)
	}
	for {
		n, err := io.ReadFull(r, c.a)
		end := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !end {
			return false, err
		}
		m, err := io.ReadFull(f, c.b[:n])
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return false, err
		}
		if !bytes.Equal(c.a[:n], c.b[:m]) {
			return false, nil
		}
		if end {
			// The file may have grown since its size was taken.
			m, err := f.Read(c.b[:1])
			if err == io.EOF {
				err = nil
			}
			return m == 0, err
		}
	}
}

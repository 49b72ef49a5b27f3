package capsulecmd

import (
	"context"
	"io"

	"seed/capsule/build"
)

// Reading and writing end with the command's context, so that a signal stops work
// of any length at its next piece.

type cancelReader struct {
	ctx context.Context
	r   io.ReaderAt
}

func (c cancelReader) ReadAt(p []byte, off int64) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.r.ReadAt(p, off)
}

type cancelTarget struct {
	cancelReader
	w io.WriterAt
}

func (c cancelTarget) WriteAt(p []byte, off int64) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.w.WriteAt(p, off)
}

// until makes a target that stops with ctx.
func until(ctx context.Context, t build.Target) build.Target {
	return cancelTarget{cancelReader{ctx, t}, t}
}

// stopping makes the sources of a draft stop with ctx.
func stopping(ctx context.Context, d *build.Draft) {
	for i := range d.Files {
		d.Files[i].Open = cancelOpen(ctx, d.Files[i].Open)
	}
	if d.Chain.Open != nil {
		d.Chain.Open = cancelOpen(ctx, d.Chain.Open)
	}
}

func cancelOpen(ctx context.Context, open func() (io.ReadCloser, error)) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) {
		r, err := open()
		if err != nil {
			return nil, err
		}
		return cancelSource{ctx, r}, nil
	}
}

type cancelSource struct {
	ctx context.Context
	io.ReadCloser
}

func (c cancelSource) Read(p []byte) (int, error) {
	if err := context.Cause(c.ctx); err != nil {
		return 0, err
	}
	return c.ReadCloser.Read(p)
}

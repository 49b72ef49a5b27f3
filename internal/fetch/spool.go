package fetch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
)

// Spool is content from outside, complete, in a temporary file. On Unix the file
// has no name and vanishes with the process, also when that is killed; elsewhere
// Close removes it. Any number of reads may go on at once.
type Spool struct {
	f    *os.File
	size int64
	sha  string
}

// Source says how much is read from a stream, and who is told.
type Source struct {
	MaxSize  int64         // in bytes; 0 means DefaultMaxSize
	Progress func(n int64) // called with the bytes so far; may be nil
	Dir      string        // where the temporary file lies; "" means the system's place
}

// ReadAll spools a stream, standard input for one, to its end. It returns as
// soon as ctx ends, even when r never does.
func ReadAll(ctx context.Context, r io.Reader, src Source) (*Spool, error) {
	if src.MaxSize <= 0 {
		src.MaxSize = DefaultMaxSize
	}
	s, err := newSpool(src.Dir)
	if err != nil {
		return nil, err
	}
	// A read that waits for a terminal or a pipe cannot be interrupted, so it
	// is left behind; its next write then fails on the closed file.
	type result struct {
		size int64
		sha  string
		err  error
	}
	done := make(chan result, 1)
	go func() {
		size, sha, err := fill(ctx, s.f, r, src)
		done <- result{size, sha, err}
	}()
	select {
	case res := <-done:
		s.size, s.sha, err = res.size, res.sha, res.err
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func fill(ctx context.Context, w io.Writer, r io.Reader, src Source) (size int64, sha string, err error) {
	hash := sha256.New()
	buf := make([]byte, 64<<10)
	for ctx.Err() == nil {
		n, err := r.Read(buf)
		if size += int64(n); size > src.MaxSize {
			return 0, "", tooLarge(src.MaxSize)
		}
		hash.Write(buf[:n])
		if _, werr := w.Write(buf[:n]); werr != nil {
			return 0, "", fmt.Errorf("keep the input: %w", werr)
		}
		if src.Progress != nil && n > 0 {
			src.Progress(size)
		}
		if errors.Is(err, io.EOF) {
			return size, hex.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return 0, "", fmt.Errorf("read the input: %w", err)
		}
	}
	return 0, "", context.Cause(ctx)
}

// Download is [Client.Fetch] into a Spool in dir, "" for the system's place.
func (c *Client) Download(ctx context.Context, req Request, dir string) (*Spool, Result, error) {
	s, err := newSpool(dir)
	if err != nil {
		return nil, Result{}, err
	}
	res, err := c.Fetch(ctx, req, s.f)
	if err != nil {
		s.Close()
		return nil, Result{}, err
	}
	s.size, s.sha = res.Size, res.SHA256
	return s, res, nil
}

func newSpool(dir string) (*Spool, error) {
	f, err := createTemp(dir)
	if err != nil {
		return nil, fmt.Errorf("create temporary file: %w", err)
	}
	return &Spool{f: f}, nil
}

// ReadAt implements [io.ReaderAt].
func (s *Spool) ReadAt(p []byte, off int64) (int, error) { return s.f.ReadAt(p, off) }

// Size is the number of bytes held.
func (s *Spool) Size() int64 { return s.size }

// SHA256 is the digest of the content in 64 hex digits.
func (s *Spool) SHA256() string { return s.sha }

// Close gives the space back.
func (s *Spool) Close() error { return closeTemp(s.f) }

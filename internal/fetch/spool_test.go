package fetch_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"seed/internal/fetch"
)

func entries(t *testing.T, dir string) int {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

func check(t *testing.T, s *fetch.Spool, dir, want string) {
	t.Helper()
	got, err := io.ReadAll(io.NewSectionReader(s, 0, s.Size()))
	if err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	sum := sha256.Sum256([]byte(want))
	if s.SHA256() != hex.EncodeToString(sum[:]) {
		t.Errorf("got digest %s, want %x", s.SHA256(), sum)
	}
	if n := entries(t, dir); runtime.GOOS != "windows" && n != 0 {
		t.Errorf("got %d names while the spool is open, want none", n)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if n := entries(t, dir); n != 0 {
		t.Errorf("got %d files after Close, want none", n)
	}
}

func TestReadAll(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("0123456789", 10000)
	for _, want := range []string{"", "x", content} {
		dir := t.TempDir()
		var seen int64
		s, err := fetch.ReadAll(t.Context(), iotest.DataErrReader(strings.NewReader(want)), fetch.Source{
			MaxSize: int64(max(1, len(want))), Dir: dir, Progress: func(n int64) { seen = n },
		})
		if err != nil {
			t.Fatal(err)
		}
		if seen != int64(len(want)) {
			t.Errorf("got progress %d, want %d", seen, len(want))
		}
		check(t, s, dir, want)
	}
}

func TestReadAllFails(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		r    io.Reader
		is   error
		want string
	}{
		{"too large", strings.NewReader(strings.Repeat("x", 1<<20+1)), fetch.ErrTooLarge, "larger than the limit of 1 MiB"},
		{"endless", iotest.OneByteReader(zero{}), fetch.ErrTooLarge, "limit of 1 MiB"},
		{"broken", io.MultiReader(strings.NewReader("x"), iotest.ErrReader(io.ErrClosedPipe)), io.ErrClosedPipe, "read the input: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			_, err := fetch.ReadAll(t.Context(), tt.r, fetch.Source{MaxSize: 1 << 20, Dir: dir})
			if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
			if n := entries(t, dir); n != 0 {
				t.Errorf("got %d files left, want none", n)
			}
		})
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A reader that never returns must not keep Ctrl-C waiting.
func TestReadAllCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	go func() {
		w.Write([]byte("x"))
		cancel()
	}()
	if _, err := fetch.ReadAll(ctx, r, fetch.Source{Dir: t.TempDir()}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestDownload(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/ok" {
			w.Write([]byte("content"))
			return
		}
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("content"))
	})
	dir := t.TempDir()
	s, res, err := c.Download(t.Context(), fetch.Request{URL: url + "/ok"}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if res.Size != 7 || res.SHA256 != s.SHA256() || s.Size() != 7 {
		t.Errorf("got %+v and %d bytes, want them to agree", res, s.Size())
	}
	check(t, s, dir, "content")
	if _, _, err := c.Download(t.Context(), fetch.Request{URL: url + "/cut"}, dir); !errors.Is(err, fetch.ErrNetwork) {
		t.Errorf("got %v, want ErrNetwork", err)
	}
	if n := entries(t, dir); n != 0 {
		t.Errorf("got %d files after a failed download, want none", n)
	}
}

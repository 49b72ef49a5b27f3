package fetch_test

import (
	"bytes"
	"errors"
	"io"
	"log"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"seed/internal/fetch"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestFetchLimit(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/told" {
			w.Header().Set("Content-Length", "1000")
		}
		for range 10 {
			w.Write(bytes.Repeat([]byte("x"), 100))
			w.(http.Flusher).Flush()
		}
	})
	for _, path := range []string{"/told", "/untold"} {
		var got bytes.Buffer
		res, err := c.Fetch(t.Context(), fetch.Request{URL: url + path, MaxSize: 1000}, &got)
		if err != nil || res.Size != 1000 {
			t.Errorf("%s: got %+v, %v, want the limit itself to fit", path, res, err)
		}
		got.Reset()
		res, err = c.Fetch(t.Context(), fetch.Request{URL: url + path, MaxSize: 999}, &got)
		if !errors.Is(err, fetch.ErrTooLarge) || !strings.Contains(err.Error(), "limit of 999 bytes") || errors.Is(err, fetch.ErrNetwork) {
			t.Errorf("%s: got %v, want ErrTooLarge naming the limit", path, err)
		}
		if got.Len() > 999 || res != (fetch.Result{}) {
			t.Errorf("%s: got %d bytes and %+v, want at most 999 and nothing", path, got.Len(), res)
		}
		if path == "/told" && got.Len() != 0 {
			t.Errorf("got %d bytes of a length that was announced too large, want none", got.Len())
		}
	}
}

func TestFetchCut(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		head := "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n0123456789"
		if r.URL.Path == "/chunked" {
			head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n"
		}
		io.WriteString(conn, head)
	})
	for _, path := range []string{"/length", "/chunked"} {
		_, err := c.Fetch(t.Context(), fetch.Request{URL: url + path}, &bytes.Buffer{})
		if !errors.Is(err, fetch.ErrNetwork) || !strings.Contains(err.Error(), "the transfer was cut after 10 bytes") {
			t.Errorf("%s: got %v, want a cut transfer", path, err)
		}
	}
}

// fakeTimer is the stall timer, fired by the test.
type fakeTimer struct {
	mu     sync.Mutex
	d      time.Duration
	fire   func()
	resets int
}

func (f *fakeTimer) start(d time.Duration, fn func()) fetch.Timer {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.d, f.fire = d, fn
	return f
}

func (f *fakeTimer) Reset(time.Duration) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.resets++
	return true
}

func (f *fakeTimer) Stop() bool { return true }

func TestFetchStall(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("x"))
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	var timer fakeTimer
	c.AfterFunc = timer.start
	progress := func(int64, int64) { timer.fire() }
	_, err := c.Fetch(t.Context(), fetch.Request{URL: url, Progress: progress}, &bytes.Buffer{})
	if !errors.Is(err, fetch.ErrNetwork) || !strings.Contains(err.Error(), "stalled: nothing came for 30s") {
		t.Errorf("got %v, want a stalled transfer", err)
	}
	if timer.d != fetch.DefaultStall {
		t.Errorf("got a timer of %v, want %v", timer.d, fetch.DefaultStall)
	}
}

// A slow server is not a stalled one: every piece starts the timer anew.
func TestFetchSlow(t *testing.T) {
	t.Parallel()
	const pieces = 20
	seen := make(chan struct{}, 1)
	seen <- struct{}{}
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		for range pieces {
			<-seen
			w.Write([]byte("x"))
			w.(http.Flusher).Flush()
		}
	})
	var timer fakeTimer
	c.AfterFunc, c.Stall = timer.start, time.Minute
	progress := func(int64, int64) { seen <- struct{}{} }
	res, err := c.Fetch(t.Context(), fetch.Request{URL: url, Progress: progress}, &bytes.Buffer{})
	if err != nil || res.Size != pieces {
		t.Fatalf("got %+v, %v, want %d bytes", res, err, pieces)
	}
	if timer.resets != pieces || timer.d != time.Minute {
		t.Errorf("got %d resets of %v, want %d of 1m", timer.resets, timer.d, pieces)
	}
}

type fullDisk struct{}

var errFull = errors.New("disk full")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestFetchDestinationFails(t *testing.T) {
	t.Parallel()
	c, url := serve(t, func(w http.ResponseWriter, r *http.Request) { w.Write([]byte("x")) })
	_, err := c.Fetch(t.Context(), fetch.Request{URL: url}, fullDisk{})
	if !errors.Is(err, errFull) || errors.Is(err, fetch.ErrNetwork) {
		t.Errorf("got %v, want %v alone", err, errFull)
	}
}

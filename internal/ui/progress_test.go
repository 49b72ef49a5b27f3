package ui_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"seed/internal/ui"
)

// fakeClock ticks when the test says so. Its channel has no buffer: when the
// second of two ticks was taken, the first was drawn.
type fakeClock struct {
	now   time.Time
	ticks chan time.Time
	every time.Duration
	ended bool
}

func newClock() *fakeClock {
	return &fakeClock{now: time.Unix(1000, 0), ticks: make(chan time.Time)}
}

func (c *fakeClock) Now() time.Time { return c.now }

func (c *fakeClock) Ticker(d time.Duration) (<-chan time.Time, func()) {
	c.every = d
	return c.ticks, func() { c.ended = true }
}

func (c *fakeClock) tick(after time.Duration) { c.ticks <- c.now.Add(after) }

func TestProgress(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name                   string
		totalBytes, totalItems int64
		bytes, items           int64
		width                  int
		want                   string
	}{
		{"all known", 4 << 20, 700, 2 << 20, 310, 0, "grow  50%  2.0 MiB of 4.0 MiB  310 of 700 items  1.0 MiB/s"},
		{"nothing known", 0, 0, 2 << 20, 1, 0, "grow  2.0 MiB  1 item  1.0 MiB/s"},
		{"bytes only", 1024, 0, 0, 0, 0, "grow   0%  0 B of 1.0 KiB"},
		{"items only", 0, 3, 0, 2, 0, "grow  66%  2 of 3 items"},
		{"nearly done", 1000, 0, 999, 0, 0, "grow  99%  999 B of 1000 B  499 B/s"},
		{"more than promised", 1000, 0, 2000, 0, 0, "grow  100%  2.0 KiB of 1000 B  1000 B/s"},
		{"narrow", 4 << 20, 700, 2 << 20, 310, 20, "grow  50%  2.0 MiB…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var err bytes.Buffer
			clock := newClock()
			s := &ui.Streams{Err: &err, ErrTTY: true, Redraw: true, Clock: clock, Width: tt.width}
			p := ui.NewProgress(s, "grow", tt.totalBytes, tt.totalItems)
			var wg sync.WaitGroup
			wg.Go(func() { p.Add(tt.bytes, 0) })
			wg.Go(func() { p.Add(0, tt.items) })
			wg.Wait()
			clock.tick(900 * time.Millisecond)
			clock.tick(2 * time.Second)
			p.Done()
			p.Done()
			want := "\r" + tt.want + "\x1b[K" + "\r\x1b[K"
			if err.String() != want {
				t.Errorf("got %q, want %q", err.String(), want)
			}
			if clock.every < 100*time.Millisecond {
				t.Errorf("got a redraw every %v, want at most 10 a second", clock.every)
			}
			if !clock.ended {
				t.Error("the ticker still runs after Done")
			}
		})
	}
}

func TestProgressShortWorkShowsNothing(t *testing.T) {
	t.Parallel()
	var err bytes.Buffer
	clock := newClock()
	p := ui.NewProgress(&ui.Streams{Err: &err, Redraw: true, Clock: clock}, "x", 10, 0)
	clock.tick(500 * time.Millisecond)
	clock.tick(999 * time.Millisecond)
	p.Done()
	if err.Len() != 0 {
		t.Errorf("got %q, want nothing", err.String())
	}
}

func TestProgressNeedsATerminal(t *testing.T) {
	t.Parallel()
	var err bytes.Buffer
	clock := newClock()
	p := ui.NewProgress(&ui.Streams{Err: &err, Clock: clock}, "x", 10, 0)
	p.Add(5, 1)
	p.Done()
	if err.Len() != 0 || clock.every != 0 {
		t.Errorf("got %q and a ticker of %v, want neither", err.String(), clock.every)
	}
}

func TestProgressGivesWayToNotes(t *testing.T) {
	t.Parallel()
	var err bytes.Buffer
	clock := newClock()
	s := &ui.Streams{Err: &err, Redraw: true, Clock: clock}
	p := ui.NewProgress(s, "ev\x1bil", 0, 2)
	clock.tick(2 * time.Second)
	clock.tick(0) // the line above is drawn now
	s.Note("left out x")
	p.Done()
	want := "\rev\\x1bil   0%  0 of 2 items\x1b[K" + "\r\x1b[K" + "note: left out x\n"
	if got := err.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if strings.HasSuffix(err.String(), "\x1b[K") {
		t.Error("Done erased a line that was already gone")
	}
}

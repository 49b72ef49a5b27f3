package ui

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"seed/internal/visible"
)

const (
	progressDelay = time.Second
	progressEvery = 100 * time.Millisecond
)

// Progress shows on one redrawn line how far long work has come. It stays
// silent for the first second, and altogether where no terminal shows it.
type Progress struct {
	s          *Streams
	label      string
	totalBytes int64
	totalItems int64
	bytes      atomic.Int64
	items      atomic.Int64
	start      time.Time
	quit       chan struct{} // nil when nothing is ever shown
	gone       chan struct{}
	once       sync.Once
}

// NewProgress begins to watch work. A total of 0 is unknown. The caller ends it
// with Done.
func NewProgress(s *Streams, label string, totalBytes, totalItems int64) *Progress {
	p := &Progress{s: s, label: visible.Text(label), totalBytes: totalBytes, totalItems: totalItems}
	if !s.Redraw {
		return p
	}
	p.start = s.clock().Now()
	p.quit, p.gone = make(chan struct{}), make(chan struct{})
	ticks, stop := s.clock().Ticker(progressEvery)
	go func() {
		defer close(p.gone)
		defer stop()
		for {
			select {
			case <-p.quit:
				return
			case now := <-ticks:
				if now.Sub(p.start) >= progressDelay {
					p.draw(now)
				}
			}
		}
	}()
	return p
}

// Add counts work done. Many goroutines may call it at once.
func (p *Progress) Add(bytes, items int64) {
	p.bytes.Add(bytes)
	p.items.Add(items)
}

// Done ends the watch and removes the line. Further calls do nothing.
func (p *Progress) Done() {
	p.once.Do(func() {
		if p.quit == nil {
			return
		}
		close(p.quit)
		<-p.gone
		p.s.mu.Lock()
		defer p.s.mu.Unlock()
		p.s.erase()
	})
}

func (p *Progress) draw(now time.Time) {
	line := visible.Line(p.line(now.Sub(p.start)), p.s.Columns()-1)
	p.s.mu.Lock()
	defer p.s.mu.Unlock()
	_, _ = io.WriteString(p.s.Err, "\r"+line+"\x1b[K")
	p.s.drawn = true
}

// line is, in full: "unfold  42%  1.2 MiB of 2.9 MiB  310 of 700 items  0.6 MiB/s".
func (p *Progress) line(spent time.Duration) string {
	bytes, items := p.bytes.Load(), p.items.Load()
	parts := []string{p.label}
	switch {
	case p.totalBytes > 0:
		parts = append(parts, percent(bytes, p.totalBytes))
	case p.totalItems > 0:
		parts = append(parts, percent(items, p.totalItems))
	}
	if bytes > 0 || p.totalBytes > 0 {
		text := Size(bytes)
		if p.totalBytes > 0 {
			text += " of " + Size(p.totalBytes)
		}
		parts = append(parts, text)
	}
	if items > 0 || p.totalItems > 0 {
		text := Plural(items, "item", "items")
		if p.totalItems > 0 {
			text = Count(items) + " of " + Plural(p.totalItems, "item", "items")
		}
		parts = append(parts, text)
	}
	if secs := spent.Seconds(); bytes > 0 && secs > 0 {
		parts = append(parts, Size(int64(float64(bytes)/secs))+"/s")
	}
	return strings.Join(parts, "  ")
}

// percent never says 100 before the end nor more after it: a total is a promise
// that a file which grows meanwhile breaks.
func percent(n, total int64) string {
	v := int64(100)
	if n < total {
		v = min(99, int64(float64(n)/float64(total)*100))
	}
	return fmt.Sprintf("%2d%%", v)
}

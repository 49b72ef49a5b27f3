// Package ui is how commands talk to people and to programs that read them.
//
// The rules of output: results go to standard output; progress, notes and
// errors go to standard error, so that pipes work. Colour and redrawn lines
// appear only where a terminal shows them. Text from outside is passed through
// package visible before it is printed; what takes text here does that by
// itself, except the styles of [Paint], which are for words of our own and for
// text that already was. Questions go to the controlling terminal, because
// standard input may be the data.
//
// The package knows no command, reads no environment by itself and never exits.
package ui

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"seed/internal/visible"
)

// Streams are the three streams of a command and what is known about them. The
// zero value of every field but Out and Err is usable: no terminal, no colour.
// Streams must not be copied.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer

	InTTY, OutTTY, ErrTTY bool

	Color    Paint // styles for Out
	ErrColor Paint // styles for Err
	Redraw   bool  // Err is a terminal on which a line can be drawn anew
	Width    int   // columns of the terminal; 0 means 80

	// Program is the name that the program was started by; "" means seed.
	Program string

	// OpenTTY opens the controlling terminal for a question; nil means the
	// real one.
	OpenTTY func() (Terminal, error)
	// Clock is the time for progress; nil means the real one.
	Clock Clock

	mu    sync.Mutex // guards Err
	drawn bool       // a progress line stands on Err
}

// NewStreams describes the streams of a process. Colour is off without a
// terminal, with NO_COLOR set to anything, and with TERM=dumb.
func NewStreams(in, out, err *os.File, env func(string) string) *Streams {
	s := &Streams{
		In: in, Out: out, Err: err,
		InTTY:  term.IsTerminal(int(in.Fd())),
		OutTTY: term.IsTerminal(int(out.Fd())),
		ErrTTY: term.IsTerminal(int(err.Fd())),
	}
	dumb := env("TERM") == "dumb"
	plain := dumb || env("NO_COLOR") != ""
	s.Redraw = s.ErrTTY && !dumb && understandsANSI(err)
	s.ErrColor = Paint(s.Redraw && !plain)
	s.Color = Paint(s.OutTTY && !plain && understandsANSI(out))
	for _, f := range []*os.File{out, err} {
		if w, _, e := term.GetSize(int(f.Fd())); e == nil && w > 0 {
			s.Width = w
			break
		}
	}
	return s
}

// NoColor turns colour off on both streams, for --no-color.
func (s *Streams) NoColor() { s.Color, s.ErrColor = false, false }

// Columns is the width to lay text out for.
func (s *Streams) Columns() int {
	if s.Width <= 0 {
		return 80
	}
	return s.Width
}

// Own makes words of our own that name commands fit the name of the program: under
// the name capsule, `seed capsule verify` is `capsule verify`. Text from outside
// does not belong here.
func (s *Streams) Own(text string) string {
	if s.Program == "" {
		return text
	}
	return strings.ReplaceAll(text, "seed "+s.Program, s.Program)
}

// Note prints one line to standard error: a fact beside the result.
func (s *Streams) Note(format string, args ...any) {
	s.errLine(s.ErrColor.Dim("note:"), fmt.Sprintf(s.Own(format), args...))
}

// Done prints one line to standard error: what a command that has no other
// result has done.
func (s *Streams) Done(format string, args ...any) {
	s.errLine(s.ErrColor.Good("done:"), fmt.Sprintf(s.Own(format), args...))
}

// Warn prints one line to standard error: something a careful reader acts on.
func (s *Streams) Warn(format string, args ...any) {
	s.errLine(s.ErrColor.Warn("warning:"), fmt.Sprintf(s.Own(format), args...))
}

// Fail prints why a command did not do its work, each of the details on a line
// of its own, and what to do next if hint is not empty.
func (s *Streams) Fail(err error, hint string, details ...string) {
	s.errLine(s.ErrColor.Bad(cmp.Or(s.Program, "seed")+":"), err.Error())
	for _, d := range details {
		s.errLine(" ", d)
	}
	if hint != "" {
		s.errLine(s.ErrColor.Dim(" hint:"), hint)
	}
}

func (s *Streams) errLine(prefix, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.erase()
	// An error on standard error has nowhere to be reported.
	_, _ = fmt.Fprintln(s.Err, prefix, visible.Text(text))
}

// erase removes a progress line, so that the next text begins on a clean one.
// The caller holds mu.
func (s *Streams) erase() {
	if s.drawn {
		_, _ = io.WriteString(s.Err, "\r\x1b[K")
		s.drawn = false
	}
}

// Clock is where time comes from.
type Clock interface {
	Now() time.Time
	// Ticker delivers the time every d until stop is called.
	Ticker(d time.Duration) (ticks <-chan time.Time, stop func())
}

type realClock struct{}

func (realClock) Now() time.Time { return time.Now() }

func (realClock) Ticker(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTicker(d)
	return t.C, t.Stop
}

func (s *Streams) clock() Clock {
	if s.Clock == nil {
		return realClock{}
	}
	return s.Clock
}

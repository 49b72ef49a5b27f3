package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"seed/internal/command"
	"seed/internal/ui"
)

// slowTTY is a person who takes a minute to answer: the clock ticks all the
// while, so whatever wants to draw has drawn.
type slowTTY struct {
	bytes.Buffer // the screen

	clock  *handClock
	answer io.Reader
}

func (s *slowTTY) Read(b []byte) (int, error) {
	s.clock.pass(time.Minute)
	return s.answer.Read(b)
}

func (s *slowTTY) Close() error { return nil }

// handClock ticks when it is told to.
type handClock struct {
	mu    sync.Mutex
	now   time.Time
	ticks []chan time.Time
}

func (c *handClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *handClock) Ticker(time.Duration) (<-chan time.Time, func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ticks := make(chan time.Time)
	c.ticks = append(c.ticks, ticks)
	return ticks, func() {}
}

// pass lets time go by. Whoever listens gets the tick twice: when it has taken
// the second, it has drawn the first.
func (c *handClock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	for _, t := range c.ticks {
		for range 2 {
			select {
			case t <- c.now:
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
}

// The progress line must not wipe out the question that a person is reading.
func TestNoProgressOverAQuestion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "run.sh")
	if err := os.WriteFile(script, []byte("echo ran\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	clock := &handClock{now: time.Unix(0, 0)}
	tty := &slowTTY{clock: clock, answer: strings.NewReader("n\n")}
	var stdout, stderr bytes.Buffer
	env := func(name string) string { return map[string]string{"HOME": dir}[name] }
	a := &app{command.App{Env: env, UI: &ui.Streams{
		In: strings.NewReader(""), Out: &stdout, Err: &stderr, Redraw: true, Clock: clock,
		OpenTTY: func() (ui.Terminal, error) { return tty, nil },
	}}}
	packed := filepath.Join(dir, "run.seed")
	if code := execute(t, a, "pack", script, "--grow", "exec", "-o", packed); code != command.Done {
		t.Fatalf("pack: got %d, %s", code, &stderr)
	}
	stderr.Reset()
	if code := execute(t, a, "grow", packed, filepath.Join(dir, "dest")); code != command.Cannot {
		t.Errorf("got exit code %d, want %d", code, command.Cannot)
	}
	if got := stderr.String(); strings.Contains(got, "growing") || !strings.Contains(got, "declined") {
		t.Errorf("got %q on standard error, want the refusal and no progress", got)
	}
	if got := tty.String(); !strings.Contains(got, "echo ran\n") || !strings.HasSuffix(got, "[y/N] ") {
		t.Errorf("got %q on the terminal, want the script and the question", got)
	}
}

func execute(t *testing.T, a *app, words ...string) int {
	t.Helper()
	root := a.root(words)
	root.SetArgs(words)
	return a.Finish(root.ExecuteContext(t.Context()))
}

func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		sig  os.Signal
		want int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		i := command.Interrupted{Signal: tt.sig}
		if got := i.Code(); got != tt.want {
			t.Errorf("%v: got %d, want %d", tt.sig, got, tt.want)
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(i)
		if got := command.Explain(errors.Join(errors.New("write"), context.Cause(ctx))).Code; got != tt.want {
			t.Errorf("%v inside another error: got %d, want %d", tt.sig, got, tt.want)
		}
	}
}

package ui_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"seed/internal/ui"
)

// fakeTTY is a terminal at which the answer was typed already.
type fakeTTY struct {
	io.Reader
	out    bytes.Buffer
	closed chan struct{}
}

func newTTY(r io.Reader) *fakeTTY { return &fakeTTY{Reader: r, closed: make(chan struct{})} }

func (f *fakeTTY) Write(p []byte) (int, error) { return f.out.Write(p) }
func (f *fakeTTY) Close() error                { close(f.closed); return nil }

func at(tty *fakeTTY) *ui.Streams {
	return &ui.Streams{OpenTTY: func() (ui.Terminal, error) { return tty, nil }}
}

func TestSP_GROW_06_Confirm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		typed string
		want  bool
	}{
		{"y\n", true},
		{"Y\n", true},
		{"yes\n", true},
		{" YES \r\n", true},
		{"\n", false},
		{"n\n", false},
		{"yeah\n", false},
		{"no\ny\n", false},
		{"y\x00\n", false},
		{"", false},
		{"y", false}, // not confirmed with Enter
		{strings.Repeat("y", 10000) + "\n", false},
	}
	for _, tt := range tests {
		t.Run(tt.typed[:min(10, len(tt.typed))], func(t *testing.T) {
			t.Parallel()
			tty := newTTY(strings.NewReader(tt.typed))
			got, err := at(tty).Confirm(t.Context(), "run \x1b[2Jinstall?")
			if err != nil || got != tt.want {
				t.Errorf("%q: got %v, %v, want %v", tt.typed, got, err, tt.want)
			}
			if want := "run \\x1b[2Jinstall? [y/N] "; tty.out.String() != want {
				t.Errorf("got question %q, want %q", tty.out.String(), want)
			}
			<-tty.closed
		})
	}
}

func TestConfirmReadsNoMoreThanItsLine(t *testing.T) {
	t.Parallel()
	rest := strings.NewReader("y\nnext")
	if yes, err := at(newTTY(rest)).Confirm(t.Context(), "?"); !yes || err != nil {
		t.Fatalf("got %v, %v, want true", yes, err)
	}
	if left, _ := io.ReadAll(rest); string(left) != "next" {
		t.Errorf("got %q left, want %q", left, "next")
	}
}

func TestSP_GROW_06_ConfirmWithoutTerminal(t *testing.T) {
	t.Parallel()
	s := &ui.Streams{
		In:      strings.NewReader("y\n"),
		OpenTTY: func() (ui.Terminal, error) { return nil, errors.New("no such device") },
	}
	if yes, err := s.Confirm(t.Context(), "?"); yes || !errors.Is(err, ui.ErrNoTerminal) {
		t.Errorf("got %v, %v, want ErrNoTerminal", yes, err)
	}
}

func TestConfirmCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	tty := newTTY(r)
	go func() {
		w.Write([]byte("y")) // half an answer is no answer
		cancel()
	}()
	if yes, err := at(tty).Confirm(ctx, "?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, %v, want context.Canceled", yes, err)
	}
	<-tty.closed
	if !strings.HasSuffix(tty.out.String(), "\n") {
		t.Errorf("got %q, want the cursor on a new line", tty.out.String())
	}
	if yes, err := at(newTTY(strings.NewReader("y\n"))).Confirm(ctx, "?"); yes || !errors.Is(err, context.Canceled) {
		t.Errorf("asked after the end: got %v, %v, want context.Canceled", yes, err)
	}
}

func TestAsk(t *testing.T) {
	t.Parallel()
	tests := []struct {
		typed, want string
		is          error
	}{
		{" my name \n", "my name", nil},
		{"\n", "", nil},
		{"", "", io.EOF},
	}
	for _, tt := range tests {
		got, err := at(newTTY(strings.NewReader(tt.typed))).Ask(t.Context(), "name?")
		if got != tt.want || !errors.Is(err, tt.is) {
			t.Errorf("%q: got %q, %v, want %q, %v", tt.typed, got, err, tt.want, tt.is)
		}
	}
	if got, err := at(newTTY(strings.NewReader(strings.Repeat("x", 5000)))).Ask(t.Context(), "name?"); got != "" || err == nil {
		t.Errorf("got %q, %v, want a refusal of an endless line", got, err)
	}
}

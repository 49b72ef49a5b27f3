package ui_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"seed/internal/ui"
)

// pair gives both ends of a terminal.
func pair(t *testing.T) (master *os.File, open func() (ui.Terminal, error)) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("open a pseudo-terminal: %v", err)
		}
		t.Skipf("no pseudo-terminal: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	return master, func() (ui.Terminal, error) {
		return os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
}

// echoes reports whether the terminal shows what is typed.
func echoes(t *testing.T, open func() (ui.Terminal, error)) bool {
	t.Helper()
	tty, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	state, err := unix.IoctlGetTermios(int(tty.(*os.File).Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	return state.Lflag&unix.ECHO != 0
}

// readUntil reads the screen until it ends with a text.
func readUntil(t *testing.T, screen *os.File, end string) string {
	t.Helper()
	var seen strings.Builder
	buf := make([]byte, 1)
	for !strings.HasSuffix(seen.String(), end) {
		if _, err := screen.Read(buf); err != nil {
			t.Fatalf("got %q, %v, want %q on the screen", seen.String(), err, end)
		}
		seen.Write(buf)
	}
	return seen.String()
}

func TestAskSecretShowsNothing(t *testing.T) {
	t.Parallel()
	master, open := pair(t)
	keep, err := open() // a terminal that nobody holds forgets its state
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	type answer struct {
		line []byte
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		line, err := (&ui.Streams{OpenTTY: open}).AskSecret(t.Context(), "passphrase\x1b[2J:")
		got <- answer{line, err}
	}()
	readUntil(t, master, `passphrase\x1b[2J: `)
	if echoes(t, open) {
		t.Error("the terminal echoes once the question is asked")
	}
	if _, err := master.WriteString(" correct horse \n"); err != nil {
		t.Fatal(err)
	}
	a := <-got
	if string(a.line) != " correct horse " || a.err != nil {
		t.Errorf("got %q, %v, want the line as it was typed", a.line, a.err)
	}
	if shown := readUntil(t, master, "\n"); shown != "\r\n" {
		t.Errorf("got %q on the screen, want the end of the line alone", shown)
	}
	if !echoes(t, open) {
		t.Error("the terminal does not echo any more")
	}
}

func TestAskSecretCancel(t *testing.T) {
	t.Parallel()
	master, open := pair(t)
	keep, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer keep.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	got := make(chan error, 1)
	go func() {
		_, err := (&ui.Streams{OpenTTY: open}).AskSecret(ctx, "?")
		got <- err
	}()
	readUntil(t, master, "? ")
	cancel()
	if err := <-got; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	if !echoes(t, open) {
		t.Error("the terminal does not echo any more")
	}
}

func TestAskSecretEnds(t *testing.T) {
	t.Parallel()
	if line, err := at(newTTY(strings.NewReader("half"))).AskSecret(t.Context(), "?"); len(line) > 0 || !errors.Is(err, io.EOF) {
		t.Errorf("got %q, %v, want io.EOF", line, err)
	}
	if line, err := at(newTTY(strings.NewReader("a\r\nb"))).AskSecret(t.Context(), "?"); string(line) != "a" || err != nil {
		t.Errorf("got %q, %v, want a", line, err)
	}
	none := &ui.Streams{In: strings.NewReader("x\n"), OpenTTY: func() (ui.Terminal, error) { return nil, errors.New("no such device") }}
	if line, err := none.AskSecret(t.Context(), "?"); len(line) > 0 || !errors.Is(err, ui.ErrNoTerminal) {
		t.Errorf("got %q, %v, want ErrNoTerminal", line, err)
	}
	// A device that cannot hide what is typed is not asked on.
	file, err := os.Create(t.TempDir() + "/tty")
	if err != nil {
		t.Fatal(err)
	}
	plain := &ui.Streams{OpenTTY: func() (ui.Terminal, error) { return file, nil }}
	if line, err := plain.AskSecret(t.Context(), "?"); len(line) > 0 || err == nil {
		t.Errorf("got %q, %v, want an error", line, err)
	}
}

package ui_test

import (
	"fmt"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/ui"
)

// openPTY gives a terminal of 100 columns that nobody looks at.
func openPTY(t *testing.T) *os.File {
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
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	if err := unix.IoctlSetWinsize(int(tty.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 100}); err != nil {
		t.Fatal(err)
	}
	return tty
}

func TestNewStreamsOnATerminal(t *testing.T) {
	t.Parallel()
	tty := openPTY(t)
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	tests := []struct {
		name                    string
		out, err                *os.File
		key, value              string
		color, errColor, redraw bool
	}{
		{"terminal", tty, tty, "TERM", "xterm", true, true, true},
		{"NO_COLOR", tty, tty, "NO_COLOR", "1", false, false, true},
		{"NO_COLOR is empty", tty, tty, "NO_COLOR", "", true, true, true},
		{"dumb", tty, tty, "TERM", "dumb", false, false, false},
		{"output in a pipe", null, tty, "", "", false, true, true},
		{"errors in a file", tty, null, "", "", true, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			env := func(key string) string {
				if key == tt.key {
					return tt.value
				}
				return ""
			}
			s := ui.NewStreams(null, tt.out, tt.err, env)
			if bool(s.Color) != tt.color || bool(s.ErrColor) != tt.errColor || s.Redraw != tt.redraw {
				t.Errorf("got colour %v, %v, redraw %v, want %v, %v, %v", s.Color, s.ErrColor, s.Redraw, tt.color, tt.errColor, tt.redraw)
			}
			if s.Columns() != 100 {
				t.Errorf("got %d columns, want 100", s.Columns())
			}
			if s.OutTTY != (tt.out == tty) || s.ErrTTY != (tt.err == tty) || s.InTTY {
				t.Errorf("got terminals %v %v %v", s.InTTY, s.OutTTY, s.ErrTTY)
			}
		})
	}
}

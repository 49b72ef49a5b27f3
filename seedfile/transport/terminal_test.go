//go:build linux

package transport_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"seed/seedfile/transport"
)

// terminal opens a pseudo-terminal: our end and that of the program under test.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	t.Cleanup(func() { _ = ours.Close() })
	must(t, unix.IoctlSetPointerInt(int(ours.Fd()), unix.TIOCSPTLCK, 0))
	n, err := unix.IoctlGetInt(int(ours.Fd()), unix.TIOCGPTN)
	must(t, err)
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = theirs.Close() })
	return ours, theirs
}

// converse runs a seed on a terminal, answers its question and returns what was
// on the screen and what went to standard output.
func converse(t *testing.T, r run, seed []byte, dest, answer string) (result, string) {
	t.Helper()
	ours, theirs := terminal(t)
	cmd := r.command(t.Context(), t, seed, dest)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.ExtraFiles = []*os.File{theirs}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	must(t, cmd.Start())
	screen := make(chan string)
	go func() {
		var seen bytes.Buffer
		buf := make([]byte, 4096)
		for {
			n, err := ours.Read(buf)
			before := bytes.Count(seen.Bytes(), []byte("[y/N]"))
			seen.Write(buf[:n])
			if bytes.Count(seen.Bytes(), []byte("[y/N]")) > before {
				_, _ = ours.WriteString(answer)
			}
			if err != nil { // the other end is closed
				screen <- seen.String()
				return
			}
		}
	}()
	_ = cmd.Wait()
	_ = theirs.Close()
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}, <-screen
}

// SP-GROW-06: a yes on the terminal is consent, after the script was shown, with
// a mark for every character that would not be seen.
func TestSP_GROW_06_Terminal(t *testing.T) {
	t.Parallel()
	seed := plain(transport.Full, script("exec", "echo ran # \x1b[2J\u009bcontrol \u202e\u2066\u200b.\n"))
	for _, sh := range shells(t) {
		for answer, runs := range map[string]bool{"y\n": true, "Y\n": true, "yes\n": true, "n\n": false, "\n": false, "yep\n": false, "\x04": false} {
			t.Run(fmt.Sprintf("%s/%q", sh.name, answer), func(t *testing.T) {
				t.Parallel()
				got, screen := converse(t, run{shell: sh}, seed, t.TempDir()+"/dest", answer)
				if (got.code == 0) != runs || (got.stdout == "ran\n") != runs {
					t.Errorf("got %v", got)
				}
				if !runs && !strings.Contains(got.stderr, "exec declined") {
					t.Errorf("got %v, want it declined", got)
				}
				shown, question := strings.Index(screen, "echo ran # ?[2J?control ???."), strings.Index(screen, "Allow? [y/N]")
				if shown < 0 || question < shown {
					t.Errorf("the script was not shown, cleaned, before the question: %q", screen)
				}
			})
		}
	}
}

// SP-DIR-01, SP-SEC-04: a terminal does not get control characters.
func TestSP_DIR_01_Terminal(t *testing.T) {
	t.Parallel()
	const document = "---\nseed: \"1.0\"\ngrow: show\n---\n\na\x1b[31mb\x07c\u009bd\x7fe\tf ä\n"
	for _, sh := range shells(t) {
		for _, p := range []transport.Profile{transport.Doc, transport.Tree} {
			ours, theirs := terminal(t)
			cmd := run{shell: sh}.command(t.Context(), t, plain(p, document), t.TempDir()+"/dest")
			cmd.Stdout = theirs
			must(t, cmd.Run())
			buf := make([]byte, 4096)
			n, err := ours.Read(buf)
			if got, want := string(buf[:n]), "a[31mbcde\tf ä\r\n"; got != want {
				t.Errorf("%s, %v: got %q, want %q (%v)", sh.name, p, got, want, err)
			}
		}
	}
}

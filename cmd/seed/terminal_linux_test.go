package main

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rogpeppe/go-internal/testscript"
)

// terminal [-when TEXT -send TEXT]... N COMMAND... runs a command with all three
// streams on a terminal of its own. Each -send is typed once the screen shows
// its -when, in order. What the screen showed becomes standard output.
func cmdTerminal(ts *testscript.TestScript, neg bool, args []string) {
	var when, send []string
	for len(args) >= 4 && args[0] == "-when" && args[2] == "-send" {
		when, send = append(when, args[1]), append(send, text(ts, args[3]))
		args = args[4:]
	}
	usage(ts, neg, len(args) >= 2, "terminal [-when TEXT -send TEXT]... N command [args...]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	master, tty, err := openTerminal()
	ts.Check(err)
	defer master.Close()

	path := ""
	for dir := range strings.SplitSeq(ts.Getenv("PATH"), ":") {
		if _, err := os.Stat(dir + "/" + args[1]); err == nil {
			path = dir + "/" + args[1]
			break
		}
	}
	if path == "" {
		ts.Fatalf("%s is not in PATH", args[1])
	}
	cmd := exec.Command(path, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TERM", "NO_COLOR", "TMPDIR", "GORACE", "SEED_BIN"} {
		if v := ts.Getenv(name); v != "" {
			cmd.Env = append(cmd.Env, name+"="+v)
		}
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(cmd.Start())
	tty.Close()
	limit := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer limit.Stop()

	var screen strings.Builder
	seen := 0
	buf := make([]byte, 4096)
	for {
		n, err := master.Read(buf)
		screen.Write(buf[:n])
		for len(when) > 0 {
			i := strings.Index(screen.String()[seen:], when[0])
			if i < 0 {
				break
			}
			seen += i + len(when[0])
			_, err := master.WriteString(send[0])
			ts.Check(err)
			when, send = when[1:], send[1:]
		}
		if err != nil {
			break // the last one to hold the terminal is gone
		}
	}
	err = cmd.Wait()
	fmt.Fprint(ts.Stdout(), screen.String())
	ts.Logf("[screen]\n%q", screen.String())
	if len(when) > 0 {
		ts.Fatalf("the screen never showed %q", when[0])
	}
	ts.Check(endedWith(err, want))
}

func openTerminal() (master, tty *os.File, err error) {
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetUint32(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, err
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: 200}); err != nil {
		return nil, nil, err
	}
	tty, err = os.OpenFile("/dev/pts/"+strconv.FormatUint(uint64(n), 10), os.O_RDWR|unix.O_NOCTTY, 0)
	return master, tty, err
}

// fifo PATH makes a named pipe.
func cmdFifo(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 1, "fifo PATH")
	ts.Check(unix.Mkfifo(ts.MkAbs(args[0]), 0o644))
}

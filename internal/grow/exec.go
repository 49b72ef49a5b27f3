package grow

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"seed/finding"
)

// grace is how long a script may clean up after a signal before it is killed.
const grace = 5 * time.Second

// hearing is how long after a script we may learn of the signal that ended both.
const hearing = 200 * time.Millisecond

// signalled is the number of the signal that ended a script, 0 for none.
func signalled(exit *exec.ExitError) int {
	if ws, ok := exit.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return int(ws.Signal())
	}
	return 0
}

// exec runs a script that was shown and agreed to: with sh, in the destination,
// with an empty standard input and a short environment (SP-GROW-02, SP-DIR-04).
func (p *Plan) exec(ctx context.Context, s *Step) error {
	dir, err := os.MkdirTemp("", "seed-exec-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file, err := filepath.Abs(filepath.Join(dir, "script")) // TMPDIR may be relative, and sh starts elsewhere
	if err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(s.Code), 0o600); err != nil {
		return err
	}
	sh, err := findShell()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, sh, file)
	cmd.Dir = p.Dest
	cmd.Env = append(keepEnv(os.Environ()), "TARGET="+p.Dest, "DEST="+p.Dest)
	cmd.Stdout, cmd.Stderr = p.o.Stdout, p.o.Stderr
	// On a terminal Ctrl-C reaches every program of the script by itself. Without
	// one the script gets a group of its own, so that a signal reaches all of it.
	ownGroup := p.o.CanAsk == nil || !p.o.CanAsk()
	if ownGroup {
		group(cmd)
	}
	cmd.Cancel = func() error { return interrupt(cmd, ownGroup) }
	cmd.WaitDelay = grace
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && signalled(exit) > 0 {
		// The script may have died of the signal that we are about to hear of.
		select {
		case <-ctx.Done():
		case <-time.After(hearing):
		}
	}
	if ctx.Err() != nil {
		if ownGroup {
			sweep(cmd)
		}
		return context.Cause(ctx)
	}
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // something it left running holds its output
		code := 0
		s.ExecExit = &code
		return nil
	case errors.As(err, &exit):
		code := exit.ExitCode()
		if sig := signalled(exit); sig > 0 {
			code = 128 + sig // as a shell would report it
		}
		s.ExecExit = &code
		e := ruleExec.Errorf(finding.Place{}, "%s failed: %s", what(s), exit.ProcessState)
		e.Err = ErrStep
		return e
	}
	return err
}

// findShell finds the sh that runs scripts. One in the current directory, where a
// PATH with a dot in it would find it, could be anybody's.
func findShell() (string, error) {
	sh, err := exec.LookPath("sh")
	if errors.Is(err, exec.ErrDot) {
		return "", ruleExec.Errorf(finding.Place{}, "PATH leads to an sh in the current directory").
			WithHint("take . and empty entries out of PATH")
	}
	if err != nil {
		return "", ruleExec.Errorf(finding.Place{}, "there is no sh on this machine to run the script")
	}
	return sh, nil
}

// keepEnv lets through what a script needs to find its way, and nothing that
// could carry a secret.
func keepEnv(env []string) []string {
	var kept []string
	for _, kv := range env {
		name, _, _ := strings.Cut(kv, "=")
		switch name {
		case "PATH", "HOME", "USER", "LOGNAME", "LANG", "TERM", "TMPDIR", "SHELL", "TZ":
		default:
			if !strings.HasPrefix(name, "LC_") {
				continue
			}
		}
		kept = append(kept, kv)
	}
	return kept
}

//go:build unix

package grow

import (
	"os/exec"
	"syscall"
)

// group gives the command a process group of its own.
func group(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// interrupt asks the command to end, and all that is in its group.
func interrupt(cmd *exec.Cmd, ownGroup bool) error {
	if ownGroup {
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT)
	}
	return cmd.Process.Signal(syscall.SIGINT)
}

// sweep ends what a shell has put in the background, where SIGINT is ignored.
func sweep(cmd *exec.Cmd) {
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) // mostly there is nothing left
}

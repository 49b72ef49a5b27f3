//go:build !unix

package grow

import "os/exec"

func group(*exec.Cmd) {}

// interrupt ends the command. Signals cannot be sent here.
func interrupt(cmd *exec.Cmd, _ bool) error { return cmd.Process.Kill() }

func sweep(*exec.Cmd) {}

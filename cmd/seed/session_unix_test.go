//go:build unix

package main

import "syscall"

// fixUmask makes the modes of grown files the same on every machine.
func fixUmask() { syscall.Umask(0o022) }

// leaveTerminal makes sure that a test never asks whoever runs the tests. It
// fails, as it should, where the script gave seed a terminal of its own.
func leaveTerminal() { _, _ = syscall.Setsid() }

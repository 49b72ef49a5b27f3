//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func cmdTerminal(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("terminal is for linux") }

func cmdFifo(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("fifo is for linux") }

//go:build !unix

package main

func fixUmask() {}

func leaveTerminal() {}

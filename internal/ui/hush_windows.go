package ui

import "golang.org/x/sys/windows"

// hush turns echo off. Lines are still edited and Ctrl-C still ends the program.
func hush(fd uintptr) (restore func(), err error) {
	var before uint32
	if err := windows.GetConsoleMode(windows.Handle(fd), &before); err != nil {
		return nil, err
	}
	quiet := before&^windows.ENABLE_ECHO_INPUT | windows.ENABLE_LINE_INPUT | windows.ENABLE_PROCESSED_INPUT
	if err := windows.SetConsoleMode(windows.Handle(fd), quiet); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(windows.Handle(fd), before) }, nil
}

//go:build unix

package ui

import "golang.org/x/sys/unix"

// hush turns echo off. Lines are still edited and Ctrl-C still ends the program;
// what was typed before stays to be read.
func hush(fd uintptr) (restore func(), err error) {
	before, err := unix.IoctlGetTermios(int(fd), ioctlGet)
	if err != nil {
		return nil, err
	}
	quiet := *before
	quiet.Lflag &^= unix.ECHO
	quiet.Lflag |= unix.ICANON | unix.ISIG
	quiet.Iflag |= unix.ICRNL
	if err := unix.IoctlSetTermios(int(fd), ioctlSet, &quiet); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(int(fd), ioctlSet, before) }, nil
}

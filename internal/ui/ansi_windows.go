package ui

import (
	"os"

	"golang.org/x/sys/windows"
)

// understandsANSI asks a console to follow escape sequences, which older ones
// print instead.
func understandsANSI(f *os.File) bool {
	h := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(h, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(h, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}

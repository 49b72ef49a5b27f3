//go:build unix

package ui

import "os"

func openTTY() (Terminal, error) { return os.OpenFile("/dev/tty", os.O_RDWR, 0) }

//go:build !windows

package ui

import "os"

func understandsANSI(*os.File) bool { return true }

//go:build unix

package config

import (
	"fmt"
	"os"
)

func closeToOthers(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at %s: %w", dir, err)
	}
	if fi.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("close %s to other users: %w", dir, err)
	}
	return nil
}

//go:build unix && !linux

package disk_test

import "os"

// exchange swaps two names.
func exchange(a, b string) {
	tmp := a + ".tmp"
	if os.Rename(a, tmp) == nil && os.Rename(b, a) == nil {
		os.Rename(tmp, b)
	}
}

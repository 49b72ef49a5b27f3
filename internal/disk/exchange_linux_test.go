package disk_test

import "golang.org/x/sys/unix"

// exchange swaps two names in one call, so that there is always something at both.
func exchange(a, b string) {
	unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}

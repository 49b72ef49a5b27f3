//go:build !windows

package disk

import "golang.org/x/sys/unix"

// lockHandle takes the advisory lock of an open file. It fails with errLocked
// when the lock is held and wait is false. Closing the file gives it back.
func lockHandle(fd uintptr, wait bool) error {
	how := unix.LOCK_EX
	if !wait {
		how |= unix.LOCK_NB
	}
	for {
		err := unix.Flock(int(fd), how)
		switch err {
		case unix.EINTR:
			continue
		case unix.EWOULDBLOCK:
			return errLocked
		}
		return err
	}
}

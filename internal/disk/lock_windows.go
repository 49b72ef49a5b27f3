package disk

import "golang.org/x/sys/windows"

// lockHandle takes the lock of an open file. It fails with errLocked when the
// lock is held and wait is false. Closing the file gives it back.
func lockHandle(handle uintptr, wait bool) error {
	flags := uint32(windows.LOCKFILE_EXCLUSIVE_LOCK)
	if !wait {
		flags |= windows.LOCKFILE_FAIL_IMMEDIATELY
	}
	// Locked ranges cannot be read by others, so the range lies beyond any content.
	beyond := &windows.Overlapped{OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(handle), flags, 0, 1, 0, beyond)
	if err == windows.ERROR_LOCK_VIOLATION {
		return errLocked
	}
	return err
}

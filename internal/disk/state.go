package disk

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Locked is a lock that is held.
type Locked struct{ f *file }

// ErrLocked is what [TryLock] gives when somebody else holds the lock.
var ErrLocked = errLocked

// Lock takes the lock file path, waiting for whoever holds it. The file and
// its directories are made where missing; the file stays, as removing it would
// let two holders in. The system gives the lock back when the process ends.
func Lock(path string) (*Locked, error) { return lock(path, true) }

// TryLock is [Lock] without waiting.
func TryLock(path string) (*Locked, error) { return lock(path, false) }

func lock(path string, wait bool) (*Locked, error) {
	in, base, err := openStateDir(path)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	defer in.close()
	f, _, err := in.openState(base, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if err := f.lock(wait); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Locked{f}, nil
}

// Unlock gives the lock back.
func (l *Locked) Unlock() error { return l.f.Close() }

func openStateDir(path string) (*dir, string, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, "", err
	}
	return openParent(path)
}

// Update changes the state file path under its lock: change gets the present
// content, nil when there is no file, and returns the new one. Nothing is
// written when change fails or returns what it got. Directories are made
// private where missing. A link in place of the file is refused.
func Update(path string, perm fs.FileMode, change func(old []byte) ([]byte, error)) error {
	l, err := Lock(path + ".lock")
	if err != nil {
		return err
	}
	defer l.Unlock()
	old, err := readState(path)
	if err != nil {
		return fmt.Errorf("update %s: %w", path, err)
	}
	now, err := change(old)
	if err != nil {
		return err
	}
	if bytes.Equal(now, old) && (old == nil) == (now == nil) {
		return nil
	}
	return WriteFile(path, perm, func(w io.Writer) error {
		_, err := w.Write(now)
		return err
	})
}

// readState gives the content of path, not nil when there is a file.
func readState(path string) ([]byte, error) {
	in, base, err := openParent(path)
	if err != nil {
		return nil, err
	}
	defer in.close()
	f, at, err := in.open(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	buf := bytes.NewBuffer(make([]byte, 0, at.size+bytes.MinRead))
	if _, err := buf.ReadFrom(f); err != nil {
		return nil, err
	}
	return buf.Bytes(), nil
}

// Append adds line and a newline to the state file path, under the same lock
// as [Update], and syncs it. A line that an earlier crash has cut is ended
// first; when the write fails, the file keeps its old length.
func Append(path string, perm fs.FileMode, line []byte) error {
	if bytes.IndexByte(line, '\n') >= 0 {
		return fmt.Errorf("append to %s: more than one line", path)
	}
	l, err := Lock(path + ".lock")
	if err != nil {
		return err
	}
	defer l.Unlock()
	in, base, err := openParent(path)
	if err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	defer in.close()
	f, _, err := in.openState(base, perm)
	if err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	defer f.Close()
	if err := appendLine(f, line); err != nil {
		return fmt.Errorf("append to %s: %w", path, err)
	}
	return in.sync()
}

func appendLine(f *file, line []byte) error {
	end, err := f.seekEnd()
	if err != nil {
		return err
	}
	full := make([]byte, 0, len(line)+2)
	if end > 0 {
		var last [1]byte
		if _, err := f.ReadAt(last[:], end-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			full = append(full, '\n')
		}
	}
	full = append(append(full, line...), '\n')
	if _, err := f.Write(full); err != nil {
		return errors.Join(err, f.truncate(end))
	}
	return f.sync()
}

package packer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/packer"
)

// unprivileged runs do as somebody to whom permission bits apply. The thread
// that lost its rights is thrown away.
func unprivileged(t *testing.T, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		do()
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		if err := unix.Setfsuid(65534); err != nil {
			t.Error(err)
			return
		}
		do()
	}()
	<-done
}

// What cannot be read is named by its whole path.
func TestUnreadableIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mode fs.FileMode
		want string
	}{
		{"sub/closed", 0, `"sub/closed"`},
		{"sub/list-only", 0o444, `"sub/list-only"`},
		{"sub/enter-only", 0o111, `"sub/enter-only"`},
	} {
		dir, err := os.MkdirTemp("", "denied")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		plant(t, dir, "a", "", c.name+"/f", "")
		if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Join(dir, c.name), c.mode)); err != nil {
			t.Fatal(err)
		}
		unprivileged(t, func() {
			src, err := packer.Open(dir, packer.Options{})
			if src != nil || !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %s named", c.name, err, c.want)
			} else if strings.Count(err.Error(), c.name) != 1 {
				t.Errorf("%s: got %v, want it named once, quoted", c.name, err)
			}
		})
		if err := os.Chmod(filepath.Join(dir, c.name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// A file that may not be read is found when it is opened, and named.
func TestUnreadableFileIsNamed(t *testing.T) {
	t.Parallel()
	dir, err := os.MkdirTemp("", "denied")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	plant(t, dir, "sub/f", "")
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(filepath.Join(dir, "sub/f"), 0)); err != nil {
		t.Fatal(err)
	}
	src := open(t, dir, packer.Options{})
	unprivileged(t, func() {
		f, err := src.FS.Open("sub/f")
		if f != nil || !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "sub/f") {
			t.Errorf("got %v, want sub/f named", err)
		}
	})
}

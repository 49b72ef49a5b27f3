//go:build unix

package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func childUnix(what, dest string) error {
	switch what {
	case "umask":
		unix.Umask(0o027)
		return childModes(dest)
	case "read-only":
		return childReadOnly(dest)
	case "file size":
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20}); err != nil {
			return err
		}
		return childFull(dest, syscall.EFBIG)
	case "full":
		return childFull(dest, syscall.ENOSPC)
	}
	return errors.New("unknown child " + what)
}

func becomeNobody() error {
	if err := syscall.Setgid(65534); err != nil {
		return err
	}
	return syscall.Setuid(65534)
}

func childModes(dest string) error {
	t, err := NewTree(dest)
	if err != nil {
		return err
	}
	defer t.Close()
	var files []File
	for _, m := range []fs.FileMode{0o644, 0o755, 0o600, 0o777, 0o444, 0, fs.ModeSetuid | 0o755} {
		files = append(files, File{
			Path: fmt.Sprintf("d/%o", uint32(m)), Mode: m, Open: func() io.Reader { return strings.NewReader("") },
		})
	}
	if err := t.Write(context.Background(), files); err != nil {
		return err
	}
	if _, err = t.Land(context.Background(), Options{}); err != nil {
		return err
	}
	for _, f := range files {
		fi, err := os.Lstat(filepath.Join(dest, f.Path))
		if err != nil {
			return err
		}
		if got, want := fi.Mode(), f.Mode.Perm()&^0o027; got != want {
			return fmt.Errorf("mode of %s: got %v, want %v", f.Path, got, want)
		}
	}
	for _, d := range []string{".", "d"} {
		fi, err := os.Lstat(filepath.Join(dest, d))
		if err != nil {
			return err
		}
		if got := fi.Mode().Perm(); got != 0o750 {
			return fmt.Errorf("mode of directory %s: got %o, want 750", d, got)
		}
	}
	return WriteFile(filepath.Join(dest, "w"), 0o666, func(io.Writer) error { return nil })
}

func TestSP_ARC_06_ModesAreSubjectToTheUmask(t *testing.T) {
	t.Parallel()
	dest := filepath.Join(scratch(t), "dest")
	run(t, "umask", dest, 0)
	fi, err := os.Stat(filepath.Join(dest, "w"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fi.Mode().Perm(); got != 0o640 {
		t.Errorf("mode of a single file: got %o, want 640", got)
	}
}

// childFull grows more than fits, fails with want and must leave nothing.
func childFull(dest string, want error) error {
	was, err := os.ReadDir(dest)
	if err != nil {
		return err
	}
	t, err := NewTree(dest)
	if err != nil {
		return err
	}
	defer t.Close()
	big := strings.Repeat("0123456789abcdef", 1<<18)
	files := append(crashFiles(), File{
		Path: "q/big", Mode: 0o644, Size: int64(len(big)), Open: func() io.Reader { return strings.NewReader(big) },
	})
	err = t.Write(context.Background(), files)
	if !errors.Is(err, want) {
		return fmt.Errorf("tree: got %v, want %v", err, want)
	}
	if err := t.Close(); err != nil {
		return err
	}
	err = WriteFile(filepath.Join(dest, "a"), 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, big)
		return err
	})
	if !errors.Is(err, want) {
		return fmt.Errorf("single file: got %v, want %v", err, want)
	}
	log := filepath.Join(dest, "a")
	if err := Append(log, 0o644, []byte(big)); !errors.Is(err, want) {
		return fmt.Errorf("append: got %v, want %v", err, want)
	}
	if err := os.Remove(log + ".lock"); err != nil {
		return err
	}
	now, err := os.ReadDir(dest)
	if err != nil || len(now) != len(was) {
		return fmt.Errorf("left behind: got %v, %v, want %v", now, err, was)
	}
	return nil
}

func TestNoSpaceLeavesTheOldState(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"full", "file size"} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			dir := scratch(t)
			if what == "full" {
				if os.Geteuid() != 0 {
					component(t, "needs to be root to mount a small file system")
				}
				if err := mountSmall(dir); err != nil {
					component(t, "mount a small file system (the limit of a file's size is tested instead): %v", err)
				}
				t.Cleanup(func() {
					if err := unmountSmall(dir); err != nil {
						t.Errorf("unmount: %v", err)
					}
				})
			}
			before(t, dir)
			was := contents(t, dir)
			run(t, what, dir, 0)
			if got := contents(t, dir); got != was {
				t.Errorf("got\n%swant\n%s", got, was)
			}
		})
	}
}

// childReadOnly grows into directories that may not be written.
func childReadOnly(dest string) error {
	err := childGrow(dest)
	if !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read-only destination: got %v, want %v", err, fs.ErrPermission)
	}
	open := filepath.Join(filepath.Dir(dest), "open")
	err = childGrow(open)
	if !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("read-only directory in the destination: got %v, want %v", err, fs.ErrPermission)
	}
	return nil
}

func TestReadOnlyDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		component(t, "needs to be root to become another user")
	}
	dir := scratch(t)
	for _, d := range []string{"dest", "open"} {
		before(t, filepath.Join(dir, d))
	}
	for p, mode := range map[string]fs.FileMode{".": 0o755, "dest": 0o555, "open": 0o777, "open/d": 0o555} {
		if err := os.Chmod(filepath.Join(dir, p), mode); err != nil {
			t.Fatal(err)
		}
	}
	was := contents(t, dir)
	run(t, "read-only", filepath.Join(dir, "dest"), 0, "DISK_TEST_USER=nobody")
	if got := contents(t, dir); got != was {
		t.Errorf("got\n%swant\n%s", got, was)
	}
}

package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"seed/internal/disk"
)

func TestUpdateLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "er", "count")
	var wg sync.WaitGroup
	const writers, times = 4, 10
	for range writers {
		wg.Go(func() {
			for range times {
				err := disk.Update(path, 0o600, func(old []byte) ([]byte, error) {
					n := 0
					if old != nil {
						n, _ = strconv.Atoi(string(old))
					}
					return strconv.AppendInt(nil, int64(n+1), 10), nil
				})
				if err != nil {
					t.Errorf("update: got %v, want nil", err)
				}
			}
		})
	}
	wg.Wait()
	if got := read(t, path); got != strconv.Itoa(writers*times) {
		t.Errorf("got %s, want %d", got, writers*times)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for p, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700, path + ".lock": 0o600} {
		fi, err := os.Stat(p)
		if err != nil {
			t.Fatal(err)
		}
		if fi.Mode().Perm() != want {
			t.Errorf("mode of %s: got %o, want %o", p, fi.Mode().Perm(), want)
		}
	}
}

func TestUpdateFailureChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"s": "old", "s.lock": ""})
	before := listing(t, dir)
	broken := errors.New("broken")
	err := disk.Update(filepath.Join(dir, "s"), 0o600, func([]byte) ([]byte, error) { return []byte("x"), broken })
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	wantListing(t, dir, before)
}

func TestStateFileLinkIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"target": "precious"})
	if err := os.Symlink("target", filepath.Join(dir, "s")); err != nil {
		component(t, "symlink: %v", err)
	}
	path := filepath.Join(dir, "s")
	if err := disk.Update(path, 0o600, func([]byte) ([]byte, error) { return []byte("x"), nil }); err == nil {
		t.Error("update: got nil, want an error")
	}
	if err := disk.Append(path, 0o600, []byte("x")); err == nil {
		t.Error("append: got nil, want an error")
	}
	if got := read(t, filepath.Join(dir, "target")); got != "precious" {
		t.Errorf("target: got %q, want it untouched", got)
	}
}

func TestAppend(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "log")
	var wg sync.WaitGroup
	var want []string
	for i := range 4 {
		for j := range 5 {
			want = append(want, fmt.Sprintf("%d-%d", i, j))
		}
		wg.Go(func() {
			for j := range 5 {
				if err := disk.Append(path, 0o600, fmt.Appendf(nil, "%d-%d", i, j)); err != nil {
					t.Errorf("append: got %v, want nil", err)
				}
			}
		})
	}
	wg.Wait()
	got := strings.Split(strings.TrimSuffix(read(t, path), "\n"), "\n")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAppendEndsACutLine(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"log": "whole\ncut"})
	path := filepath.Join(dir, "log")
	if err := disk.Append(path, 0o600, []byte("next")); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, path), "whole\ncut\nnext\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := disk.Append(path, 0o600, []byte("two\nlines")); err == nil {
		t.Error("two lines: got nil, want an error")
	}
}

func TestLock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a", "lock")
	l, err := disk.Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := disk.TryLock(path); !errors.Is(err, disk.ErrLocked) {
		t.Errorf("second: got %v, want %v", err, disk.ErrLocked)
	}
	if err := l.Unlock(); err != nil {
		t.Fatal(err)
	}
	again, err := disk.TryLock(path)
	if err != nil {
		t.Fatalf("after unlock: got %v, want nil", err)
	}
	again.Unlock()
}

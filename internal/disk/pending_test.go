package disk_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"seed/internal/disk"
)

func put(content string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, content)
		return err
	}
}

func TestWriteFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "a")
	for _, text := range []string{"one", "two", ""} {
		if err := disk.WriteFile(p, 0o600, put(text)); err != nil {
			t.Fatalf("write %q: got %v, want nil", text, err)
		}
		wantListing(t, dir, "a: "+text)
	}
}

func TestWriteFileFailureLeavesTheOldFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a": "old"})
	broken := errors.New("broken")
	err := disk.WriteFile(filepath.Join(dir, "a"), 0o644, func(w io.Writer) error {
		io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
	wantListing(t, dir, "a: old")
}

func TestWriteFileReplacesALink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"out/target": "precious", "in/": ""})
	p := filepath.Join(dir, "in", "a")
	if err := os.Symlink(filepath.Join(dir, "out", "target"), p); err != nil {
		component(t, "symlink: %v", err)
	}
	if err := disk.WriteFile(p, 0o644, put("new")); err != nil {
		t.Fatal(err)
	}
	wantListing(t, filepath.Join(dir, "in"), "a: new")
	if got := read(t, filepath.Join(dir, "out", "target")); got != "precious" {
		t.Errorf("link target: got %q, want it untouched", got)
	}
}

func TestWriteFileRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"d/": "", "f": "file"})
	before := listing(t, dir)
	for _, p := range []string{"d", "d/", "none/a", "f/a", "d/..", "d/."} {
		if err := disk.WriteFile(dir+"/"+p, 0o644, put("x")); err == nil {
			t.Errorf("write %q: got nil, want an error", p)
		}
	}
	if err := disk.WriteFile("", 0o644, put("x")); err == nil {
		t.Error("write to the empty path: got nil, want an error")
	}
	wantListing(t, dir, before)
}

func TestWriteNewHasOneWinner(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := filepath.Join(dir, "a")
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			err := disk.WriteNew(p, 0o644, put("content"))
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Errorf("loser: got %v, want %v", err, fs.ErrExist)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Errorf("got %d winners, want 1", won.Load())
	}
	wantListing(t, dir, "a: content")
}

func TestWriteNewLeavesALinkAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Symlink("nowhere", filepath.Join(dir, "a")); err != nil {
		component(t, "symlink: %v", err)
	}
	before := listing(t, dir)
	if err := disk.WriteNew(filepath.Join(dir, "a"), 0o644, put("x")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want %v", err, fs.ErrExist)
	}
	wantListing(t, dir, before)
}

func TestPendingIsReadBackBeforeCommit(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	p, err := disk.CreatePending(path, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Abort()
	if err := put("0123456789")(p); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.NewSectionReader(p, 3, 100))
	if err != nil || string(got) != "3456789" {
		t.Errorf("read back: got %q, %v, want %q", got, err, "3456789")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before commit: got %v, want no file", err)
	}
	if err := put("ab")(p); err != nil { // reading does not move the place of writing
		t.Fatal(err)
	}
	if err := p.Commit(); err != nil {
		t.Fatal(err)
	}
	p.Abort()
	wantListing(t, dir, "a: 0123456789ab")
}

func TestPendingAbort(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, err := disk.CreatePending(filepath.Join(dir, "a"), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	put("x")(p)
	p.Abort()
	p.Abort()
	wantListing(t, dir, "")
}

//go:build unix

package noun_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seed/internal/noun"
)

// A pipe without a writer would keep a plain open waiting for ever; that the
// test ends is half of what it shows.
func TestSpecialFilesAreNamedAndNotOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	sock := filepath.Join(dir, "s")
	l, err := net.Listen("unix", sock)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for path, want := range map[string]string{pipe: "is a pipe", sock: "is a socket", "/dev/null": "is a device"} {
		_, err := noun.Detect(path, noun.Options{})
		if !errors.Is(err, noun.ErrNotRegular) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "give -") {
			t.Errorf("%s: got %v, want %q", path, err, want)
		}
	}
}

func TestOpenRegular(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("abc"), 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	f, fi, err := noun.OpenRegular(link)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if fi.Size() != 3 {
		t.Errorf("got size %d, want 3", fi.Size())
	}
	if _, _, err := noun.OpenRegular(dir); !errors.Is(err, noun.ErrNotRegular) {
		t.Errorf("folder: got %v, want ErrNotRegular", err)
	}
	dangling := filepath.Join(dir, "dangling")
	if err := os.Symlink("gone", dangling); err != nil {
		t.Fatal(err)
	}
	_, err = noun.Detect(dangling, noun.Options{})
	if !errors.Is(err, noun.ErrNotFound) || !strings.Contains(err.Error(), "a symbolic link to nothing") {
		t.Errorf("got %v, want a link to nothing", err)
	}
}

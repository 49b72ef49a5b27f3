//go:build unix

package disk_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/disk"
)

// A pipe or device in the place of the file is not what anybody wants replaced.
func TestWriteFileRefusesAPipe(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	err := disk.WriteFile(path, 0o644, func(w io.Writer) error {
		_, err := io.WriteString(w, "text")
		return err
	})
	if err == nil {
		t.Error("got nil, want an error")
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("got %v, %v, want the pipe as it was", info, err)
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("got %v, want nothing but the pipe", left)
	}
}

package disk_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seed/internal/disk"
)

// memory is a file of mode 644 with that content.
func memory(path, content string) disk.File {
	b := []byte(content)
	return disk.File{
		Path: path, Mode: 0o644, Size: int64(len(b)),
		Open: func() io.Reader { return bytes.NewReader(b) },
	}
}

// plant makes files below dir; a path that ends in a slash is a directory.
func plant(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for p, content := range files {
		full := filepath.Join(dir, filepath.FromSlash(p))
		if strings.HasSuffix(p, "/") {
			if err := os.MkdirAll(full, 0o755); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// listing is everything below dir, a line each: "file: content", "dir/",
// "link -> target", or "(nothing)" when there is no dir.
func listing(t testing.TB, dir string) string {
	t.Helper()
	var lines []string
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == dir {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		line := filepath.ToSlash(rel)
		switch {
		case d.IsDir():
			line += "/"
		case d.Type().IsRegular():
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			line += ": " + string(text)
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(p)
			if err != nil {
				return err
			}
			line += " -> " + to
		default:
			line += " " + d.Type().String()
		}
		lines = append(lines, line)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "(nothing)"
	}
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func wantListing(t *testing.T, dir, want string) {
	t.Helper()
	if got := listing(t, dir); got != want {
		t.Errorf("%s: got\n%s\nwant\n%s", dir, got, want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// land stages files for dest and lands them.
func land(t *testing.T, dest string, files []disk.File, o disk.Options) (*disk.Landed, error) {
	t.Helper()
	tree, err := disk.NewTree(dest)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err := tree.Close(); err != nil {
			t.Errorf("close: got %v, want nil", err)
		}
	}()
	if err := tree.Write(t.Context(), files); err != nil {
		return nil, err
	}
	return tree.Land(t.Context(), o)
}

// component skips a test for want of something, or fails it where all is to be there.
func component(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// ramDir is a directory on a RAM disk where there is one, for tests that land
// hundreds of trees and would sync as often.
func ramDir(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "seed-disk-test-")
	if err != nil {
		return tb.TempDir()
	}
	tb.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

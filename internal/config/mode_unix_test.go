//go:build unix

package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/config"
)

func TestMakeDir(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	mode := func(dir string) os.FileMode {
		t.Helper()
		fi, err := os.Stat(dir)
		if err != nil {
			t.Fatal(err)
		}
		return fi.Mode().Perm()
	}
	dir := filepath.Join(root, "a", "seed")
	for range 2 {
		if err := config.MakeDir(dir); err != nil {
			t.Fatal(err)
		}
		for _, d := range []string{dir, filepath.Dir(dir)} {
			if got := mode(d); got != 0o700 {
				t.Errorf("%s: got mode %o, want 700", d, got)
			}
		}
	}
	open := filepath.Join(root, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := config.MakeDir(filepath.Join(open, "seed")); err != nil {
		t.Fatal(err)
	}
	if got := mode(open); got != 0o777 {
		t.Errorf("a parent that was there: got mode %o, want it untouched", got)
	}
	if err := config.MakeDir(open); err != nil {
		t.Fatal(err)
	}
	if got := mode(open); got != 0o700 {
		t.Errorf("an open place: got mode %o, want 700", got)
	}
	file := filepath.Join(root, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{file, filepath.Join(file, "seed"), "relative"} {
		if err := config.MakeDir(bad); err == nil || !strings.Contains(err.Error(), "create "+bad) {
			t.Errorf("%s: got %v, want an error that names it", bad, err)
		}
	}
}

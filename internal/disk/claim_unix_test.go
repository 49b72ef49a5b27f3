//go:build (linux || darwin) && !portable

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestClaim tests the way to rename without replacing that is taken on file
// systems that cannot do it in one call.
func TestClaim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, from, there string // a trailing slash makes a directory
		want              error
	}{
		{"file", "a", "", nil},
		{"directory", "a/x", "", nil},
		{"file on file", "a", "b", fs.ErrExist},
		{"file on empty directory", "a", "b/", fs.ErrExist},
		{"directory on file", "a/x", "b", fs.ErrExist},
		{"directory on empty directory", "a/x", "b/", fs.ErrExist},
		{"directory on full directory", "a/x", "b/y", fs.ErrExist},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, p := range []string{c.from, c.there} {
				full := filepath.Join(dir, p)
				if p == "b/" {
					os.Mkdir(full, 0o755)
				} else if p != "" {
					os.MkdirAll(filepath.Dir(full), 0o755)
					if err := os.WriteFile(full, []byte(p), 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
			was := contents(t, dir)
			d, err := openTop(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer d.close()
			err = d.claim("a", d, "b")
			if !errors.Is(err, c.want) {
				t.Errorf("got %v, want %v", err, c.want)
			}
			_, aerr := os.Lstat(filepath.Join(dir, "a"))
			_, berr := os.Lstat(filepath.Join(dir, "b"))
			if c.want == nil && (!errors.Is(aerr, fs.ErrNotExist) || berr != nil) {
				t.Errorf("got a: %v, b: %v, want only b", aerr, berr)
			}
			if now := contents(t, dir); c.want != nil && now != was {
				t.Errorf("got\n%swant\n%s", now, was)
			}
		})
	}
}

package packer_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seed/internal/packer"
	"seed/seedfile"
)

// plant makes a tree from pairs of path and content. A path that ends in "/" is
// a folder; content that begins with "-> " makes a link.
func plant(t testing.TB, dir string, files ...string) {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		path := filepath.Join(dir, filepath.FromSlash(files[i]))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		target, link := strings.CutPrefix(files[i+1], "-> ")
		switch {
		case err != nil:
		case strings.HasSuffix(files[i], "/"):
			err = os.MkdirAll(path, 0o755)
		case link:
			if err = os.Symlink(target, path); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
		default:
			err = os.WriteFile(path, []byte(files[i+1]), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func open(t testing.TB, dir string, o packer.Options) *packer.Source {
	t.Helper()
	src, err := packer.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
	return src
}

// paths lists the members, with a letter for what is no regular file.
func paths(src *packer.Source) []string {
	got := []string{}
	for _, m := range src.Members {
		s := m.Path
		switch {
		case m.Mode&fs.ModeSymlink != 0:
			s += " L"
		case !m.Mode.IsRegular():
			s += " S"
		}
		got = append(got, s)
	}
	return got
}

func left(src *packer.Source) []string {
	got := []string{}
	for _, l := range src.Left {
		got = append(got, l.Path+": "+l.Why)
	}
	return got
}

func equal(t testing.TB, what string, got, want []string) {
	t.Helper()
	if len(got)+len(want) > 0 && !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

func content(t testing.TB, fsys fs.FS, name string) string {
	t.Helper()
	f, err := fsys.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// refusals packs and returns what stood in the way as "path (rule)".
func refusals(t testing.TB, src *packer.Source, o seedfile.TreeOptions) []string {
	t.Helper()
	o.Base = "tree"
	_, err := seedfile.PackTree(src.FS, src.Members, o)
	var refused *seedfile.RefusedError
	if !errors.As(err, &refused) {
		t.Fatalf("got %v, want a refusal", err)
	}
	var got []string
	for _, r := range refused.Refused {
		got = append(got, r.Path+" ("+r.Rule.ID+")")
	}
	return got
}

package noun_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/noun"
)

const usageLine = "# Usage: curl -sSL https://registry.example/s/abc12 | bash -s <path>\n"

func write(t *testing.T, name, content string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDetectPaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "with", "SEED.md"), "# x\n")
	if err := os.MkdirAll(filepath.Join(dir, "odd", "SEED.md"), 0o755); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path string
		kind noun.Kind
		saw  string
	}{
		{write(t, filepath.Join(dir, "a.seed"), usageLine), noun.SeedFile, "a seed file"},
		{write(t, filepath.Join(dir, "a.capsule"), "PK\x03\x04"), noun.Capsule, "a capsule (ZIP archive)"},
		{write(t, filepath.Join(dir, "notes.txt"), "hello\n"), noun.File, "a text file, not a seed: its first line is not a usage line"},
		{write(t, filepath.Join(dir, "empty"), ""), noun.File, "an empty file"},
		{write(t, filepath.Join(dir, "fake.capsule"), "no zip"), noun.File, "a text file, not a seed: its first line is not a usage line"},
		{filepath.Join(dir, "with"), noun.SeedFolder, "a SEED folder"},
		{filepath.Join(dir, "odd"), noun.Folder, "a folder whose SEED.md is a folder"},
		{dir, noun.Folder, "a folder without SEED.md"},
	}
	for _, tt := range tests {
		t.Run(filepath.Base(tt.path), func(t *testing.T) {
			t.Parallel()
			got, err := noun.Detect(tt.path, noun.Options{})
			want := noun.Noun{Kind: tt.kind, Arg: tt.path, Path: tt.path, Saw: tt.saw}
			if err != nil || got != want {
				t.Errorf("got %+v, %v, want %+v", got, err, want)
			}
		})
	}
}

func TestDetectOther(t *testing.T) {
	t.Parallel()
	here := noun.Options{Registry: "https://registry.example"}
	tests := []struct {
		arg  string
		o    noun.Options
		want noun.Noun
	}{
		{"-", noun.Options{}, noun.Noun{Kind: noun.Stdin, Saw: "standard input"}},
		{"abc12", here, noun.Noun{Kind: noun.RegistryID, ID: "abc12", Saw: "a registry id"}},
		{"https://other.example/x", here, noun.Noun{Kind: noun.URL, Link: noun.Link{URL: "https://other.example/x"}, Saw: "a URL"}},
		{"https://registry.example/s/x", here, noun.Noun{Kind: noun.URL, Link: noun.Link{URL: "https://registry.example/s/x", Seed: true}, Saw: "a URL"}},
		{"seed+https://other.example/x", here, noun.Noun{Kind: noun.URL, Link: noun.Link{URL: "https://other.example/x", Seed: true}, Saw: "a URL"}},
	}
	for _, tt := range tests {
		t.Run(tt.arg, func(t *testing.T) {
			t.Parallel()
			tt.want.Arg = tt.arg
			if got, err := noun.Detect(tt.arg, tt.o); err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestDetectNamesWhatItSaw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, filepath.Join(dir, "file"), "x")
	here := noun.Options{Registry: "https://registry.example"}
	tests := []struct {
		arg  string
		o    noun.Options
		want string
		is   error
	}{
		{"", here, "the argument is empty", nil},
		{"a\x00b", here, "NUL byte", nil},
		{filepath.Join(dir, "gone"), here, "gone: no such file or folder", noun.ErrNotFound},
		{filepath.Join(file, "below"), here, "below", nil},
		{"abc12", noun.Options{}, "looks like a registry id, and no registry is configured", noun.ErrNoRegistry},
		{"abcd", here, "abcd: no such file or folder", noun.ErrNotFound},
		{"ABC12", here, "ABC12: no such file or folder", noun.ErrNotFound},
		{"missing.seed", here, "missing.seed: no such file or folder", noun.ErrNotFound},
		{"registry.example/s/abc12", here, "a URL begins with https://", noun.ErrNotFound},
		{"./abc12", here, "./abc12: no such file or folder", noun.ErrNotFound},
		{"http://h.example/", here, "http:// is used for localhost, 127.0.0.1 and [::1] only", noun.ErrNotHTTPS},
		{"ssh://h.example/", here, "got ssh://", noun.ErrNotHTTPS},
		{"file:///x", here, "for a local file give its path", noun.ErrURL},
		{"https://h.example/#x", here, "after #", noun.ErrURL},
	}
	for _, tt := range tests {
		t.Run(tt.arg, func(t *testing.T) {
			t.Parallel()
			n, err := noun.Detect(tt.arg, tt.o)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Fatalf("got %+v, %v, want %q in the error", n, err, tt.want)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("got %v, want it to be %v", err, tt.is)
			}
			if n.Kind != noun.Unknown {
				t.Errorf("got kind %v with an error, want none", n.Kind)
			}
		})
	}
}

func TestWant(t *testing.T) {
	t.Parallel()
	n := noun.Noun{Kind: noun.File, Arg: "notes.txt", Saw: "a text file, not a seed: its first line is not a usage line"}
	if err := n.Want("pack", noun.Folder, noun.File); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	tests := []struct {
		kinds []noun.Kind
		want  string
	}{
		{[]noun.Kind{noun.SeedFile}, "takes a seed file"},
		{[]noun.Kind{noun.SeedFile, noun.URL}, "takes a seed file or a URL"},
		{[]noun.Kind{noun.SeedFile, noun.URL, noun.Stdin}, "takes a seed file, a URL or standard input"},
	}
	for _, tt := range tests {
		want := "notes.txt is " + n.Saw + "; grow " + tt.want
		if err := n.Want("grow", tt.kinds...); err == nil || err.Error() != want {
			t.Errorf("got %v, want %v", err, want)
		}
	}
}

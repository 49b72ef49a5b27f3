package disk_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seed/internal/disk"
)

// some is a set of files of its own for each caller, as writing fills in sums.
func some() []disk.File {
	return []disk.File{
		memory("a", "alpha"),
		memory("d/b", "beta"),
		memory("d/e/c", ""),
		memory("-rf", "dash"),
		memory("sp ace/~$'`", "odd"),
	}
}

const someListing = "-rf: dash\na: alpha\nd/\nd/b: beta\nd/e/\nd/e/c: \nsp ace/\nsp ace/~$'`: odd"

func TestSP_GROW_05_NewDestination(t *testing.T) {
	t.Parallel()
	for _, to := range []string{"dest", "dest/", "x/y/dest", "./x/../dest"} {
		dir := t.TempDir()
		l, err := land(t, dir+"/"+to, some(), disk.Options{})
		if err != nil {
			t.Fatalf("%s: got %v, want nil", to, err)
		}
		wantListing(t, filepath.Join(dir, to), someListing)
		want := &disk.Landed{
			Created: []string{"-rf", "a", "d/b", "d/e/c", "sp ace/~$'`"},
			Dirs:    []string{".", "d", "d/e", "sp ace"},
		}
		if diff := cmp.Diff(want, l); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", to, diff)
		}
		top, _, _ := strings.Cut(filepath.ToSlash(filepath.Clean(to)), "/")
		left, err := os.ReadDir(dir)
		if err != nil || len(left) != 1 || left[0].Name() != top {
			t.Errorf("%s: beside the destination: got %v, %v, want only %s", to, left, err, top)
		}
	}
}

func TestNewDestinationIsNotSeenBeforeItIsComplete(t *testing.T) {
	t.Parallel()
	dest := filepath.Join(t.TempDir(), "p", "dest")
	tree, err := disk.NewTree(dest)
	if err != nil {
		t.Fatal(err)
	}
	if err := tree.Write(t.Context(), some()); err != nil {
		t.Fatal(err)
	}
	wantListing(t, filepath.Dir(dest), "(nothing)")
	if got := tree.Dest(); got != dest {
		t.Errorf("dest: got %s, want %s", got, dest)
	}
	for range 2 {
		if err := tree.Close(); err != nil {
			t.Errorf("close: got %v, want nil", err)
		}
	}
	wantListing(t, filepath.Dir(filepath.Dir(dest)), "")
	if _, err := tree.Land(t.Context(), disk.Options{}); err == nil {
		t.Error("land after close: got nil, want an error")
	}
}

func TestDestinationThatAppearsMeanwhileIsMergedInto(t *testing.T) {
	t.Parallel()
	for name, there := range map[string]map[string]string{
		"empty":     {"p/dest/": ""},
		"parent":    {"p/": ""},
		"with file": {"p/dest/other": "kept", "p/dest/d/b": "beta"},
	} {
		dir := t.TempDir()
		dest := filepath.Join(dir, "p", "dest")
		tree, err := disk.NewTree(dest)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		if err := tree.Write(t.Context(), some()); err != nil {
			t.Fatal(err)
		}
		plant(t, dir, there)
		if _, err := tree.Land(t.Context(), disk.Options{}); err != nil {
			t.Errorf("%s: got %v, want nil", name, err)
		}
		want := someListing
		if name == "with file" {
			want = strings.Replace(want, "\nsp ace/\n", "\nother: kept\nsp ace/\n", 1)
		}
		wantListing(t, dest, want)
	}
}

func TestSP_GROW_04_ExistingFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"a": "alpha", "d/b": "mine", "d/keep": "kept"})
	before := listing(t, dir)

	_, err := land(t, dir, some(), disk.Options{})
	if !errors.Is(err, disk.ErrExists) || errors.Is(err, disk.ErrUnsafe) || errors.Is(err, disk.ErrBlocked) {
		t.Errorf("without force: got %v, want only %v", err, disk.ErrExists)
	}
	if err == nil || !strings.Contains(err.Error(), `"d/b"`) || strings.Contains(err.Error(), `"a"`) {
		t.Errorf("without force: got %v, want it to name d/b alone", err)
	}
	wantListing(t, dir, before)

	old, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := land(t, dir, some(), disk.Options{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	want := &disk.Landed{
		Created: []string{"-rf", "d/e/c", "sp ace/~$'`"}, Replaced: []string{"d/b"}, Same: []string{"a"},
		Dirs: []string{"d/e", "sp ace"},
	}
	if diff := cmp.Diff(want, l); diff != "" {
		t.Errorf("with force: (-want +got)\n%s", diff)
	}
	wantListing(t, dir, strings.Replace(someListing, "\nsp ace/\n", "\nd/keep: kept\nsp ace/\n", 1))
	now, err := os.Stat(filepath.Join(dir, "a"))
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(old, now) || !old.ModTime().Equal(now.ModTime()) {
		t.Error("the identical file was touched")
	}
}

func TestSP_DIR_03_NoMkdir(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	o := disk.Options{NoMkdir: true}
	plant(t, dir, map[string]string{"dest/d/": ""})
	before := listing(t, dir)
	_, err := land(t, filepath.Join(dir, "dest"), some(), o)
	var c *disk.ConflictError
	if !errors.Is(err, disk.ErrBlocked) || !errors.As(err, &c) {
		t.Fatalf("missing directories: got %v, want %v", err, disk.ErrBlocked)
	}
	var at []string
	for _, ch := range c.Changes {
		at = append(at, ch.At)
	}
	if diff := cmp.Diff([]string{"d/e", "sp ace"}, at); diff != "" {
		t.Errorf("missing directories: (-want +got)\n%s", diff)
	}
	if _, err := land(t, filepath.Join(dir, "none"), some(), o); !errors.Is(err, disk.ErrBlocked) {
		t.Errorf("missing destination: got %v, want %v", err, disk.ErrBlocked)
	}
	if _, err := land(t, filepath.Join(dir, "none"), nil, o); !errors.Is(err, disk.ErrBlocked) {
		t.Errorf("missing destination, no files: got %v, want %v", err, disk.ErrBlocked)
	}
	wantListing(t, dir, before)
	plant(t, dir, map[string]string{"dest/d/e/": "", "dest/sp ace/": ""})
	if _, err := land(t, filepath.Join(dir, "dest"), some(), o); err != nil {
		t.Errorf("all there: got %v, want nil", err)
	}
	wantListing(t, filepath.Join(dir, "dest"), someListing)
}

func TestTreeWithoutFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 { // new, then existing
		if _, err := land(t, filepath.Join(dir, "x", "y"), nil, disk.Options{}); err != nil {
			t.Fatal(err)
		}
		wantListing(t, dir, "x/\nx/y/")
	}
}

func TestSP_PATH_01_PathsThatLeave(t *testing.T) {
	t.Parallel()
	stage := ".seed-" + strings.Repeat("0aF9", 8)
	for _, p := range []string{
		"", ".", "..", "/a", "../a", "a/../b", "a/..", "a/./b", "a//b", "a/", "./a", "a\\b", "a\x00b",
		stage, "d/" + stage + "/lock", strings.ToUpper(stage) + "/x",
	} {
		dir := t.TempDir()
		dest := filepath.Join(dir, "dest")
		if _, err := land(t, dest, []disk.File{memory("ok", "ok"), memory(p, "x")}, disk.Options{}); err == nil {
			t.Errorf("land %q: got nil, want an error", p)
		}
		if _, err := disk.Compare(t.Context(), dest, []disk.File{memory(p, "x")}, disk.Options{}); err == nil {
			t.Errorf("compare %q: got nil, want an error", p)
		}
		if _, err := disk.RemoveTracked(dir, []disk.Tracked{{Path: p}}); err == nil {
			t.Errorf("remove %q: got nil, want an error", p)
		}
		wantListing(t, dir, "")
	}
}

func TestPathsThatCollide(t *testing.T) {
	t.Parallel()
	for _, files := range [][]disk.File{
		{memory("a", "1"), memory("a", "1")},
		{memory("a", "1"), memory("a/b/c", "2")},
		{memory("a/b/c", "2"), memory("a/b", "1")},
	} {
		dir := t.TempDir()
		if _, err := land(t, filepath.Join(dir, "dest"), files, disk.Options{}); err == nil {
			t.Errorf("%s and %s: got nil, want an error", files[0].Path, files[1].Path)
		}
		wantListing(t, dir, "")
	}
}

func TestContentMustBeAsAnnounced(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for name, f := range map[string]disk.File{
		"short":  {Path: "a", Mode: 0o644, Size: 9, Open: func() io.Reader { return strings.NewReader("short") }},
		"long":   {Path: "a", Mode: 0o644, Size: 1, Open: func() io.Reader { return strings.NewReader("long") }},
		"broken": {Path: "a", Mode: 0o644, Size: 4, Open: func() io.Reader { return io.MultiReader(strings.NewReader("x"), failing{broken}) }},
	} {
		dir := t.TempDir()
		_, err := land(t, filepath.Join(dir, "dest"), []disk.File{memory("ok", "ok"), f}, disk.Options{})
		if err == nil || name == "broken" && !errors.Is(err, broken) {
			t.Errorf("%s: got %v, want an error", name, err)
		}
		wantListing(t, dir, "")
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestWriteTakesSums(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789abcdef", 1<<16)
	files := []disk.File{memory("a", big), memory("b", ""), memory("c", "x")}
	files = append(files, section(files[:1])...)
	files[3].Path = "d"
	dest := filepath.Join(t.TempDir(), "dest")
	if _, err := land(t, dest, files, disk.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if got, want := f.Sum, sha256.Sum256([]byte(read(t, filepath.Join(dest, f.Path)))); got != want {
			t.Errorf("sum of %s: got %x, want %x", f.Path, got, want)
		}
	}
	if files[0].Sum != sha256.Sum256([]byte(big)) {
		t.Error("the content on the disk is not the content given")
	}
}

func TestSP_GROW_05_CancelledAnywhere(t *testing.T) {
	t.Parallel()
	old := map[string]string{"a": "old", "d/b": "old", "d/keep": "kept"}
	for stop := 1; stop <= 12; stop++ {
		dir := t.TempDir()
		plant(t, dir, old)
		before := listing(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		files := make([]disk.File, len(some()))
		opened := 0
		for i, f := range some() {
			files[i] = f
			// One batch is the work of one goroutine, so counting needs no lock.
			files[i].Open = func() io.Reader {
				if opened++; opened == stop {
					cancel()
				}
				return f.Open()
			}
		}
		tree, err := disk.NewTree(dir)
		if err != nil {
			t.Fatal(err)
		}
		err = tree.Write(ctx, files)
		if err == nil {
			_, err = tree.Land(ctx, disk.Options{Force: true})
		}
		tree.Close()
		if ctx.Err() == nil {
			if err != nil || stop <= len(some()) {
				t.Errorf("stop %d: never cancelled: got %v", stop, err)
			}
			cancel()
			continue
		}
		cancel()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stop %d: got %v, want %v", stop, err, context.Canceled)
		}
		wantListing(t, dir, before)
	}
}

func TestDestinationForms(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, map[string]string{"cwd/in/": "", "file": "f", "real/": ""})
	t.Chdir(filepath.Join(dir, "cwd", "in"))
	link := func(to, at string) string {
		p := filepath.Join(dir, at)
		if err := os.Symlink(to, p); err != nil {
			component(t, "symlink: %v", err)
		}
		return p
	}
	one := []disk.File{memory("f", "x")}
	for _, c := range []struct{ dest, lands string }{
		{".", "cwd/in/f"},
		{"..", "cwd/f"},
		{"sub", "cwd/in/sub/f"},
		{"./sub2///", "cwd/in/sub2/f"},
		{"../../up", "up/f"},
		{link("real", "link"), "real/f"},
		{filepath.Join(dir, "link", "below"), "real/below/f"},
	} {
		if _, err := land(t, c.dest, one, disk.Options{}); err != nil {
			t.Errorf("%s: got %v, want nil", c.dest, err)
			continue
		}
		if got := read(t, filepath.Join(dir, c.lands)); got != "x" {
			t.Errorf("%s: got %q, want %q", c.dest, got, "x")
		}
	}
	before := listing(t, dir)
	dangling := link("nowhere", "dangling")
	for _, dest := range []string{dangling, filepath.Join(dangling, "x"), filepath.Join(dir, "file"), filepath.Join(dir, "file", "x", "y")} {
		if _, err := land(t, dest, one, disk.Options{}); !errors.Is(err, disk.ErrBlocked) {
			t.Errorf("land %s: got %v, want %v", dest, err, disk.ErrBlocked)
		}
		if _, err := disk.Compare(t.Context(), dest, one, disk.Options{}); !errors.Is(err, disk.ErrBlocked) {
			t.Errorf("compare %s: got %v, want %v", dest, err, disk.ErrBlocked)
		}
	}
	if _, err := land(t, "", one, disk.Options{}); err == nil {
		t.Error("empty destination: got nil, want an error")
	}
	os.Remove(dangling)
	wantListing(t, dir, before)
}

func TestRootAsDestination(t *testing.T) {
	t.Parallel()
	name := filepath.Base(t.TempDir()) + "-disk-test-none"
	ch, err := disk.Compare(t.Context(), string(filepath.Separator), []disk.File{memory(name+"/f", "x")}, disk.Options{})
	if err != nil || len(ch) != 1 || ch[0].Kind != disk.New {
		t.Errorf("got %v, %v, want one new file", ch, err)
	}
	if _, err := os.Lstat(string(filepath.Separator) + name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("compare wrote something: %v", err)
	}
}

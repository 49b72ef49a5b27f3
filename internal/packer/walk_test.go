package packer_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/internal/packer"
	"seed/seedfile"
)

// Members come in bytewise order of their paths, whatever the tree (SP-PACK-04).
func TestSP_PACK_04_OrderIsBytewise(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(base, "")
		if err != nil {
			rt.Fatal(err)
		}
		defer os.RemoveAll(dir)
		var want []string
		name := rapid.StringMatching(`[a-c][-./!a-c]{0,3}`)
		for range rapid.IntRange(0, 12).Draw(rt, "files") {
			path := filepath.ToSlash(filepath.Clean(name.Draw(rt, "path")))
			if strings.Contains(path, "..") {
				continue
			}
			full := filepath.Join(dir, filepath.FromSlash(path))
			// Names that are in the way of each other are left out of the tree.
			if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, []byte(path), 0o644) != nil {
				continue
			}
			want = append(want, path)
		}
		slices.Sort(want)
		want = slices.Compact(want)
		for _, follow := range []bool{false, true} {
			src, err := packer.Open(dir, packer.Options{Follow: follow})
			if err != nil {
				rt.Fatal(err)
			}
			got := paths(src)
			size := 0
			for _, p := range want {
				size += len(p)
			}
			if err := src.Close(); err != nil {
				rt.Fatal(err)
			}
			if len(got)+len(want) > 0 && !slices.Equal(got, want) || src.Bytes != int64(size) {
				rt.Fatalf("got %q and %d bytes, want %q and %d", got, src.Bytes, want, size)
			}
		}
	})
}

// The same tree gives the same seed, and the files in it their content and modes
// (SP-PACK-01, SP-PACK-04, SP-PACK-05).
func TestSP_PACK_01_FolderToSeed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "b/c.txt", "two\n", "a", "one\n", "b-x", "three\n", "run.sh", "#!/bin/sh\n")
	if err := os.Chmod(filepath.Join(dir, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	var seeds [2]bytes.Buffer
	for i := range seeds {
		src := open(t, dir, packer.Options{})
		packed, err := seedfile.PackTree(src.FS, src.Members, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree"}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := packed.WriteTo(&seeds[i]); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(seeds[0].Bytes(), seeds[1].Bytes()) {
		t.Error("got two different seeds of one tree")
	}
	f, err := seedfile.Open(bytes.NewReader(seeds[0].Bytes()), int64(seeds[0].Len()), seedfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range f.Archive.Files {
		got = append(got, e.Path)
	}
	equal(t, "files", got, []string{"a", "b-x", "b/c.txt", "run.sh"})
	if runtime.GOOS != "windows" && f.Archive.Files[3].Mode != 0o755 {
		t.Errorf("got mode %v, want 0755", f.Archive.Files[3].Mode)
	}
}

// Version control is left out by name, at any depth, and said so (SP-PACK-07).
func TestSP_PACK_07_VersionControl(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "a", "", ".git/config", "", "sub/.hg/x", "", "sub/b", "", "sub/.svn/y", "", "mod/.git", "gitdir: ../.git\n", ".gitattributes", "")
	src := open(t, dir, packer.Options{})
	equal(t, "members", paths(src), []string{".gitattributes", "a", "sub/b"})
	equal(t, "left", left(src), []string{
		".git: version control", "mod/.git: version control", "sub/.hg: version control", "sub/.svn: version control",
	})
}

// .seedignore counts in every folder; .gitignore only on request (SP-PACK-07).
func TestSP_PACK_07_IgnoreFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir,
		".seedignore", "*.log\n!keep.log\nbuild/\n/top\n",
		".gitignore", "*.tmp\n!c.log\n",
		"a.log", "", "keep.log", "", "b.tmp", "", "c.log", "", "top", "", "sub/top", "",
		"build/x", "", "sub/build/y", "", "sub/a.log", "", "build-x", "", "build.log", "",
		"sub/.seedignore", "!a.log\nnested\n", "sub/deep/nested", "", "nested", "",
		"sub/.gitignore", "*.md\n", "sub/x.md", "", "z/x.md", "",
	)
	src := open(t, dir, packer.Options{})
	equal(t, "members", paths(src), []string{
		".gitignore", ".seedignore", "b.tmp", "build-x", "keep.log", "nested",
		"sub/.gitignore", "sub/.seedignore", "sub/a.log", "sub/top", "sub/x.md", "z/x.md",
	})
	equal(t, "left", left(src), []string{
		"a.log: ignored by .seedignore:1", "build: ignored by .seedignore:3", "build.log: ignored by .seedignore:1", "c.log: ignored by .seedignore:1",
		"sub/build: ignored by .seedignore:3", "sub/deep/nested: ignored by sub/.seedignore:2", "top: ignored by .seedignore:4",
	})

	src = open(t, dir, packer.Options{GitIgnore: true})
	equal(t, "members with git", paths(src), []string{
		".gitignore", ".seedignore", "build-x", "keep.log", "nested", "sub/.gitignore", "sub/.seedignore", "sub/a.log", "sub/top", "z/x.md",
	})
	// Ours has the last word: what .gitignore takes back stays out.
	if got := left(src); !slices.Contains(got, "c.log: ignored by .seedignore:1") || !slices.Contains(got, "b.tmp: ignored by .gitignore:1") {
		t.Errorf("got %q, want c.log and b.tmp left out", got)
	}
}

// An ignore file that cannot be read stops the packing: going on without it
// could send away what it was written to keep (SP-PACK-07).
func TestSP_PACK_07_UnreadableIgnoreFile(t *testing.T) {
	t.Parallel()
	for name, file := range map[string][]string{
		"link":      {"sub/.seedignore", "-> ../rules", "rules", "secret\n"},
		"dangling":  {"sub/.seedignore", "-> nowhere"},
		"folder":    {"sub/.seedignore/", ""},
		"too large": {"sub/.seedignore", strings.Repeat("#"+strings.Repeat("x", 3999)+"\n", 300)},
		"long line": {"sub/.seedignore", strings.Repeat("x", 5000)},
	} {
		dir := t.TempDir()
		plant(t, dir, append(file, "sub/secret", "")...)
		src, err := packer.Open(dir, packer.Options{})
		if err == nil || src != nil || !strings.Contains(err.Error(), "sub/.seedignore") {
			t.Errorf("%s: got %v, want the file named", name, err)
		}
	}
	// A .gitignore that nobody asked for does not matter.
	dir := t.TempDir()
	plant(t, dir, ".gitignore/", "", "a", "")
	open(t, dir, packer.Options{})
	if _, err := packer.Open(dir, packer.Options{GitIgnore: true}); err == nil {
		t.Error("got a folder read as .gitignore")
	}
}

// The file that is being written is not packed, under none of its names.
func TestSP_PACK_04_OutputIsLeftOut(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "a", "", "out/x.seed", "old", "link", "-> out/x.seed")
	for _, follow := range []bool{false, true} {
		src := open(t, dir, packer.Options{Output: filepath.Join(dir, "out", "..", "out", "x.seed"), Follow: follow})
		want := []string{"a", "link L"}
		gone := []string{"out/x.seed: the file that is being written"}
		if follow {
			want = []string{"a"}
			gone = append([]string{"link: the file that is being written"}, gone...)
		}
		equal(t, "members", paths(src), want)
		equal(t, "left", left(src), gone)
	}
	src := open(t, dir, packer.Options{Output: filepath.Join(dir, "not-yet.seed")})
	equal(t, "members", paths(src), []string{"a", "link L", "out/x.seed"})
}

// Empty folders and set-id bits are not carried, and reported (SP-ARC-08).
func TestSP_ARC_08_Reported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "e/", "", "a/b/", "", "only-ignored/x", "", ".seedignore", "x\n", "suid", "", "plain", "")
	src := open(t, dir, packer.Options{})
	equal(t, "empty", src.Empty, []string{"a/b/", "e/"})
	if runtime.GOOS == "windows" {
		return
	}
	for name, bit := range map[string]fs.FileMode{"suid": fs.ModeSetuid, "plain": 0} {
		if err := os.Chmod(filepath.Join(dir, name), 0o755|bit); err != nil {
			t.Fatal(err)
		}
	}
	src = open(t, dir, packer.Options{})
	equal(t, "set-id", src.SetID, []string{"suid"})
	for _, m := range src.Members {
		if m.Mode&^0o777 != 0 {
			t.Errorf("%s: got mode %v, want permission bits only", m.Path, m.Mode)
		}
	}
}

func TestOpenNeedsAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "f", "")
	for _, name := range []string{"f", "missing"} {
		if src, err := packer.Open(filepath.Join(dir, name), packer.Options{}); err == nil || src != nil {
			t.Errorf("%s: got a source, want an error", name)
		}
	}
	src := open(t, t.TempDir(), packer.Options{})
	if len(src.Members)+len(src.Empty)+len(src.Left) != 0 {
		t.Errorf("got %+v, want nothing of an empty folder", src)
	}
}

func TestBase(t *testing.T) {
	t.Parallel()
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{".": filepath.Base(wd), "..": filepath.Base(filepath.Dir(wd)), "a/b/": "b", "x/../y": "y"} {
		if got, err := packer.Base(in); err != nil || got != want {
			t.Errorf("%q: got %q and %v, want %q", in, got, err, want)
		}
	}
}

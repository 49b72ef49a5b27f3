//go:build unix

package packer_test

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/packer"
	"seed/seedfile"
)

// Pipes and sockets are named, never opened: opening a pipe would wait for ever
// (SP-ARC-08).
func TestSP_ARC_08_SpecialFiles(t *testing.T) {
	t.Parallel()
	// A socket's path must be short.
	dir, err := os.MkdirTemp("", "sp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	plant(t, dir, "a", "text\n", "to-pipe", "-> pipe")
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", filepath.Join(dir, "sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	src := open(t, dir, packer.Options{Follow: true})
	equal(t, "members", paths(src), []string{"a", "pipe S", "sock S", "to-pipe S"})
	equal(t, "refused", refusals(t, src, seedfile.TreeOptions{}), []string{"pipe (SP-ARC-08)", "sock (SP-ARC-08)", "to-pipe (SP-ARC-08)"})
	packed, err := seedfile.PackTree(src.FS, src.Members, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree"}, Special: seedfile.Skip})
	if err != nil || len(packed.Files) != 1 || len(packed.Skipped) != 3 {
		t.Errorf("got %+v and %v, want one file and three left out", packed, err)
	}
	if src.Bytes != 5 {
		t.Errorf("got %d bytes, want those of regular files", src.Bytes)
	}
}

// A pipe called .seedignore is not opened either.
func TestSP_PACK_07_PipeAsIgnoreFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, ".seedignore"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := packer.Open(dir, packer.Options{}); err == nil {
		t.Error("got a pipe read as ignore file")
	}
}

// Names that the format cannot carry are all listed (SP-ARC-08).
func TestSP_ARC_08_Names(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := []string{"a\nb", `a"b`, `a\b`, "a\x01", "bad-\xff-utf8", "d\xfe/inner", "x-->y"}
	for i, name := range names {
		err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), nil, 0o644)
		}
		if err != nil {
			t.Skipf("%q: this file system takes no such name: %v", names[i], err)
		}
	}
	plant(t, dir, "fine", "")
	src := open(t, dir, packer.Options{})
	equal(t, "refused", refusals(t, src, seedfile.TreeOptions{}), []string{
		"a\x01 (SP-PATH-01)", "a\nb (SP-PATH-01)", "a\"b (SP-PATH-01)", "a\\b (SP-PATH-01)",
		"bad-\xff-utf8 (SP-PATH-01)", "d\xfe/inner (SP-PATH-01)", "x-->y (SP-PATH-02)",
	})
}

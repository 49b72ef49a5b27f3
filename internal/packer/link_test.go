package packer_test

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"seed/internal/packer"
	"seed/seedfile"
)

// linked is a tree with every sort of link in it, and something outside.
func linked(t *testing.T) string {
	t.Helper()
	top := t.TempDir()
	plant(
		t, top, "outside/secret", "outside\n", "tree/real", "inside\n", "tree/dir/x", "x\n", "tree/dir/sub/y", "y\n",
		"tree/to-file", "-> real", "tree/to-dir", "-> dir", "tree/to-dir-a", "after\n", "tree/dir/up", "-> ../real", "tree/dir/loop", "-> ..",
		"tree/self", "-> .", "tree/me", "-> me", "tree/out-file", "-> ../outside/secret", "tree/out-dir", "-> ../outside",
		"tree/abs", "-> "+filepath.Join(top, "outside", "secret"), "tree/nowhere", "-> missing", "tree/chain", "-> to-file",
		"tree/around", "-> ../tree/real",
	)
	return filepath.Join(top, "tree")
}

// Links are refused with the whole list, or left out (SP-ARC-08).
func TestSP_ARC_08_LinksAreRefused(t *testing.T) {
	t.Parallel()
	src := open(t, linked(t), packer.Options{})
	links := []string{"abs", "around", "chain", "dir/loop", "dir/up", "me", "nowhere", "out-dir", "out-file", "self", "to-dir", "to-file"}
	var want []string
	for _, l := range links {
		want = append(want, l+" (SP-ARC-08)")
	}
	equal(t, "refused", refusals(t, src, seedfile.TreeOptions{}), want)
	packed, err := seedfile.PackTree(src.FS, src.Members, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree"}, Symlinks: seedfile.Skip})
	if err != nil {
		t.Fatal(err)
	}
	if len(packed.Files) != 4 || len(packed.Skipped) != len(links) {
		t.Errorf("got %+v and %+v, want 4 files and %d links left out", packed.Files, packed.Skipped, len(links))
	}
}

// Followed links give their target's content; those that leave the tree, lead
// nowhere or lead back stay links, which are refused (SP-ARC-08).
func TestSP_ARC_08_LinksAreFollowedInside(t *testing.T) {
	t.Parallel()
	src := open(t, linked(t), packer.Options{Follow: true})
	equal(t, "members", paths(src), []string{
		"abs L", "around L", "chain", "dir/loop L", "dir/sub/y", "dir/up", "dir/x", "me L", "nowhere L", "out-dir L", "out-file L",
		"real", "self L", "to-dir-a", "to-dir/loop L", "to-dir/sub/y", "to-dir/up", "to-dir/x", "to-file",
	})
	for name, want := range map[string]string{"chain": "inside\n", "dir/up": "inside\n", "to-dir/up": "inside\n", "to-dir/sub/y": "y\n"} {
		if got := content(t, src.FS, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	for _, name := range []string{"abs", "around", "out-file", "out-dir/secret", "nowhere", "me", "../outside/secret", "/etc/hostname"} {
		if f, err := src.FS.Open(name); err == nil {
			_ = f.Close()
			t.Errorf("%s: got it opened, want it refused", name)
		}
	}
}

// Followed links cannot multiply a small tree without end.
func TestSP_ARC_08_FollowedLinksAreBounded(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("walks tens of thousands of folders")
	}
	dir := t.TempDir()
	// Every folder is reached by ten links of the one before: 10^8 paths.
	for i := range 8 {
		for j := range 10 {
			plant(t, dir, "d"+strconv.Itoa(i)+"/"+strconv.Itoa(j), "-> ../d"+strconv.Itoa(i+1))
		}
	}
	plant(t, dir, "d8/", "")
	_, err := packer.Open(dir, packer.Options{Follow: true})
	if err == nil || !strings.Contains(err.Error(), "behind symbolic links") {
		t.Errorf("got %.200v, want a limit", err)
	}
}

// A deep tree is walked to its end.
func TestDeepTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	deep := strings.Repeat("d/", 400) + "f"
	plant(t, dir, deep, "deep\n")
	src := open(t, dir, packer.Options{})
	equal(t, "members", paths(src), []string{deep})
	if got := content(t, src.FS, deep); got != "deep\n" {
		t.Errorf("got %q, want the content", got)
	}
}

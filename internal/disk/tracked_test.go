package disk_test

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seed/internal/disk"
)

func sumOf(content string) [32]byte { return sha256.Sum256([]byte(content)) }

// record is what an undo would be given for a landing of files.
func record(files []disk.File, l *disk.Landed) []disk.Tracked {
	var all []disk.Tracked
	for _, f := range files {
		all = append(all, disk.Tracked{Path: f.Path, Sum: f.Sum})
	}
	for _, d := range l.Dirs {
		all = append(all, disk.Tracked{Path: d, Dir: true})
	}
	return all
}

func TestRemoveTracked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dest := filepath.Join(dir, "dest")
	files := []disk.File{memory("-a", "a"), memory("d/b", "b"), memory("d/e/c", "c"), memory("g/h", "h"), memory("g/i", "i")}
	l, err := land(t, dest, files, disk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	plant(t, dest, map[string]string{"d/b": "edited", "g/mine": "user's"})
	os.Remove(filepath.Join(dest, "g", "h"))
	got, err := disk.RemoveTracked(dest, record(files, l))
	if err != nil {
		t.Fatal(err)
	}
	want := &disk.Removal{
		Removed: []string{"-a", "d/e/c", "g/i", "d/e"},
		Kept:    []string{"d/b", "g", "d", "."},
		Missing: []string{"g/h"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantListing(t, dest, "d/\nd/b: edited\ng/\ng/mine: user's")
}

func TestRemoveTrackedLeavesNothingOfAnUntouchedTree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	dest := filepath.Join(dir, "dest")
	files := some()
	l, err := land(t, dest, files, disk.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := record(files, l)
	got, err := disk.RemoveTracked(dest, all)
	if err != nil || len(got.Removed) != len(all) {
		t.Errorf("got %+v, %v, want all %d removed", got, err, len(all))
	}
	wantListing(t, dir, "")
	got, err = disk.RemoveTracked(dest, all)
	if err != nil || len(got.Missing) != len(all) {
		t.Errorf("again: got %+v, %v, want all %d missing", got, err, len(all))
	}
}

func TestRemoveTrackedFollowsNoLink(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, map[string]string{"out/a": "a", "dest/": ""})
	dest := filepath.Join(dir, "dest")
	for at, to := range map[string]string{"d": "../out", "l": "../out/a"} {
		if err := os.Symlink(to, filepath.Join(dest, at)); err != nil {
			component(t, "symlink: %v", err)
		}
	}
	before := listing(t, dir)
	got, err := disk.RemoveTracked(dest, []disk.Tracked{
		{Path: "d/a", Sum: sumOf("a")}, {Path: "l", Sum: sumOf("a")}, {Path: "d", Dir: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&disk.Removal{Kept: []string{"l", "d/a", "d"}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	wantListing(t, dir, before)
}

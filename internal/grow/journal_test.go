package grow_test

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seed/internal/disk"
	"seed/internal/grow"
)

func (w *world) ungrow() *grow.Undone {
	w.t.Helper()
	u, err := w.o.Journal.Ungrow(w.dest)
	if err != nil {
		w.t.Fatal(err)
	}
	return u
}

// undone compares the lists of u; each is written as words.
func undone(t *testing.T, u *grow.Undone, removed, kept, missing, links string) {
	t.Helper()
	for _, c := range []struct {
		what string
		got  []string
		want string
	}{{"removed", u.Removed, removed}, {"kept", u.Kept, kept}, {"missing", u.Missing, missing}, {"links", u.Links, links}} {
		got, want := slices.Sorted(slices.Values(c.got)), strings.Fields(c.want)
		slices.Sort(want)
		if !slices.Equal(got, want) || c.got == nil {
			t.Errorf("%s: got %q, want %q", c.what, c.got, want)
		}
	}
}

func tracked(path, content string) disk.Tracked {
	return disk.Tracked{Path: path, Sum: sha256.Sum256([]byte(content))}
}

func TestJournalMergesGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	j := w.o.Journal
	if _, err := j.Load(w.dest); !errors.Is(err, grow.ErrNoRecord) {
		t.Fatalf("got %v, want %v", err, grow.ErrNoRecord)
	}
	for _, add := range []struct {
		o       grow.Origin
		entries []disk.Tracked
		link    string
	}{
		{grow.Origin{Source: "one"}, []disk.Tracked{tracked("a", "1"), {Path: "d", Dir: true}}, ""},
		{grow.Origin{}, nil, "/bin/x"},
		{grow.Origin{Source: "two", Digest: "sha256:2"}, []disk.Tracked{tracked("b", "2"), tracked("a", "3"), tracked("d", "4")}, "/bin/y"},
	} {
		if err := j.Add(w.dest, add.o, add.entries, add.link); err != nil {
			t.Fatal(err)
		}
	}
	g, err := j.Load(w.dest)
	if err != nil {
		t.Fatal(err)
	}
	if want := []disk.Tracked{tracked("a", "3"), tracked("d", "4"), tracked("b", "2")}; !slices.Equal(g.Entries, want) {
		t.Errorf("got %+v, want %+v", g.Entries, want)
	}
	if want := []grow.Origin{{Source: "one"}, {Source: "two", Digest: "sha256:2"}}; !slices.Equal(g.Origins, want) {
		t.Errorf("got %+v, want %+v", g.Origins, want)
	}
	if !slices.Equal(g.Links, []string{"/bin/x", "/bin/y"}) || g.Dest != w.dest {
		t.Errorf("got %+v, want both links", g)
	}
}

// Records of several grows at once are all kept.
func TestJournalAddIsAtomic(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			j := &grow.Journal{Dir: w.at("state"), Now: time.Now}
			if err := j.Add(w.dest, grow.Origin{}, []disk.Tracked{tracked("f"+string(rune('a'+i)), "x")}, ""); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	g, err := w.o.Journal.Load(w.dest)
	if err != nil || len(g.Entries) != 20 {
		t.Errorf("got %+v and %v, want 20 entries", g, err)
	}
}

func TestUngrowTakesEverythingBack(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	w.mustGrow(archive(t, append(slices.Clone(tool), "d/e/f", "x\n"), "unfold", "install"))
	undone(t, w.ungrow(), "tool d/e/f d/e d .", "", "", w.at("bin/tool"))
	w.want(".", "bin/")
	if _, err := w.o.Journal.Ungrow(w.dest); !errors.Is(err, grow.ErrNoRecord) {
		t.Errorf("got %v, want %v", err, grow.ErrNoRecord)
	}
	if _, err := w.o.Journal.Ungrow(w.at("never")); !errors.Is(err, grow.ErrNoRecord) {
		t.Errorf("got %v, want %v", err, grow.ErrNoRecord)
	}
}

// Ungrow leaves alone what was there before, what was edited, and folders that
// hold something else.
func TestUngrowKeepsWhatIsNotOurs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("dest/a", "one\n", "dest/mine/x", "mine\n", "dest/empty/", "")
	w.mustGrow(archive(t, append(slices.Clone(tree), "mine/y", "y\n", "empty/z", "z\n", "gone", "g\n"), "unfold"))
	w.plant("dest/d/b", "edited\n", "dest/d/e/new", "mine\n")
	if err := os.Remove(w.at("dest/gone")); err != nil {
		t.Fatal(err)
	}
	undone(t, w.ungrow(), "d/e/c mine/y empty/z", "d d/b d/e", "gone", "")
	w.want("dest", "a=one\n", "d/", "d/b=edited\n", "d/e/", "d/e/new=mine\n", "empty/", "mine/", "mine/x=mine\n")
}

func TestUngrowAfterSeveralGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.o.Force = true
	w.mustGrow(archive(t, []string{"a", "1\n", "b", "1\n"}, "unfold"))
	w.mustGrow(archive(t, []string{"a", "2\n", "c", "2\n"}, "unfold"))
	undone(t, w.ungrow(), "a b c .", "", "", "")
	w.want(".")
}

// A destination that was deleted and grown again starts a new record, which
// still knows the link that is left from the first time.
func TestUngrowAfterDeletingAndGrowingAgain(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	w.mustGrow(archive(t, append(slices.Clone(tool), "old", "x\n"), "unfold", "install"))
	if err := os.RemoveAll(w.dest); err != nil {
		t.Fatal(err)
	}
	w.mustGrow(archive(t, tool, "unfold", "install"))
	undone(t, w.ungrow(), "tool .", "", "", w.at("bin/tool"))
	w.want(".", "bin/")
}

// What took the place of a grown path is kept, and no link is followed.
func TestUngrowFollowsNoLinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustGrow(archive(t, tree, "unfold"))
	w.plant("out/b", "two\n", "out/e/c", "three\n")
	if err := os.RemoveAll(w.at("dest/d")); err != nil {
		t.Fatal(err)
	}
	w.link("../out", "dest/d")
	undone(t, w.ungrow(), "a", ". d d/b d/e d/e/c", "", "")
	w.want(".", "dest/", "dest/d -> ../out", "out/", "out/b=two\n", "out/e/", "out/e/c=three\n")
}

func TestUngrowOfADeletedDestination(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustGrow(archive(t, []string{"a", "1\n"}, "unfold"))
	if err := os.RemoveAll(w.dest); err != nil {
		t.Fatal(err)
	}
	undone(t, w.ungrow(), "", "", ". a", "")
}

// The same destination by another path is the same destination, links made by
// install included.
func TestUngrowThroughASymlinkedParent(t *testing.T) {
	t.Parallel()
	for _, back := range []bool{false, true} {
		w := installWorld(t)
		w.plant("real/", "")
		w.link("real", "alias")
		paths := []string{w.at("alias/dest"), w.at("real/dest")}
		if back {
			slices.Reverse(paths)
		}
		w.dest = paths[0]
		w.mustGrow(archive(t, tool, "unfold", "install"))
		w.dest = paths[1]
		undone(t, w.ungrow(), "tool .", "", "", w.at("bin/tool"))
		w.want(".", "alias -> real", "bin/", "real/")
	}
}

// An install link goes only while it is ours.
func TestUngrowLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(w *world)
		kept   bool
		left   []string
	}{
		{"points elsewhere", func(w *world) { w.link("/nowhere", "bin/tool") }, true, []string{"tool -> /nowhere"}},
		{"points to another file there", func(w *world) { w.link(w.at("dest/other"), "bin/tool") }, true, nil},
		{"is a file", func(w *world) { w.plant("bin/tool", "mine\n") }, true, []string{"tool=mine\n"}},
		{"is a folder", func(w *world) { w.plant("bin/tool/", "") }, true, []string{"tool/"}},
		{"is gone", func(*world) {}, false, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := installWorld(t)
			w.mustGrow(archive(t, tool, "unfold", "install"))
			if err := os.Remove(w.at("bin/tool")); err != nil {
				t.Fatal(err)
			}
			c.change(w)
			if c.kept {
				undone(t, w.ungrow(), "tool .", w.at("bin/tool"), "", "")
			} else {
				undone(t, w.ungrow(), "tool .", "", w.at("bin/tool"), "")
			}
			if c.left != nil {
				w.want("bin", c.left...)
			} else if len(w.list("bin")) != 1 {
				t.Errorf("got %q, want the link kept", w.list("bin"))
			}
		})
	}
}

// A record that was damaged is named, with its line, and nothing is removed. A
// record cannot reach outside the destination.
func TestCorruptRecord(t *testing.T) {
	t.Parallel()
	sum := strings.Repeat("ab", 32)
	for _, line := range []string{
		"not json", "{}", "null", "[]", `{"file":"a"}`, `{"file":"a","sha256":"zz"}`, `{"file":"a","sha256":"ab"}`,
		`{"file":"a","sha256":"` + sum + sum + `"}`, `{"file":"../out/f","sha256":"` + sum + `"}`, `{"dir":"../out"}`, `{"dir":"/"}`,
		`{"sha256":"` + sum + `"}`, `{"file":"a","sha256":"` + sum[1:] + `"}`, `{"dir":"` + strings.Repeat("x", 2<<20) + `"}`, "\x00\x00",
	} {
		w := newWorld(t)
		w.plant("out/f", "outside\n")
		w.mustGrow(archive(t, []string{"a", "1\n"}, "unfold"))
		records, err := filepath.Glob(w.at("state/*.jsonl"))
		if err != nil || len(records) != 1 {
			t.Fatalf("got %q and %v, want one record", records, err)
		}
		data, err := os.ReadFile(records[0])
		if err != nil {
			t.Fatal(err)
		}
		w.plant("state/"+filepath.Base(records[0]), string(data)+line+"\n")
		before := w.list(".")
		if _, err := w.o.Journal.Ungrow(w.dest); err == nil {
			t.Errorf("%.60q: got no error", line)
		} else if strings.Contains(err.Error(), "record") && !strings.Contains(err.Error(), records[0]) {
			t.Errorf("%.60q: got %v, want the file named", line, err)
		}
		w.want(".", before...)
	}
}

// A damaged record is not written over, except when the destination is new and
// the record has nothing to say about it.
func TestCorruptRecordIsKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustGrow(archive(t, []string{"a", "1\n"}, "unfold"))
	records, err := filepath.Glob(w.at("state/*.jsonl"))
	if err != nil || len(records) != 1 {
		t.Fatalf("got %q and %v, want one record", records, err)
	}
	damaged := "state/" + filepath.Base(records[0])
	w.plant(damaged, "damaged\n")
	r, err := w.grow(archive(t, []string{"b", "2\n"}, "unfold"))
	if err != nil || r.RecordErr == nil || !strings.Contains(r.RecordErr.Error(), records[0]) {
		t.Errorf("got %v and %v, want it grown and the record named", err, r.RecordErr)
	}
	if data, err := os.ReadFile(records[0]); err != nil || string(data) != "damaged\n" {
		t.Errorf("got %q and %v, want it untouched", data, err)
	}
	if err := os.RemoveAll(w.dest); err != nil {
		t.Fatal(err)
	}
	w.mustGrow(archive(t, []string{"c", "3\n"}, "unfold"))
	undone(t, w.ungrow(), "c .", "", "", "")
}

// A record that cannot be written is told, and the files are in place.
func TestRecordError(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	w.plant("blocked", "a file\n")
	w.o.Journal.Dir = w.at("blocked/state")
	r, err := w.grow(archive(t, tool, "unfold", "install", "unfold"))
	if err != nil || r.RecordErr == nil {
		t.Errorf("got %v and record error %v, want only the latter", err, r.RecordErr)
	}
	w.want("dest", "tool="+tool[1])
}

// The record is private.
func TestRecordIsPrivate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustGrow(document(t, "x\n", "show"))
	info, err := os.Stat(w.at("state"))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Separator == '/' && info.Mode().Perm() != 0o700 {
		t.Errorf("got %v, want 0700", info.Mode())
	}
	records, _ := filepath.Glob(w.at("state/*.jsonl"))
	for _, r := range records {
		if info, err := os.Stat(r); err != nil || filepath.Separator == '/' && info.Mode().Perm() != 0o600 {
			t.Errorf("got %v and %v, want 0600", info.Mode(), err)
		}
	}
}

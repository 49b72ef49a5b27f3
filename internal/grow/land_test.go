package grow_test

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"seed/internal/disk"
	"seed/internal/grow"
	"seed/seedfile"
)

var tree = []string{"a", "one\n", "d/b*", "two\n", "d/e/c", "three\n"}

var grown = []string{"a=one\n", "d/", "d/b=two\n", "d/e/", "d/e/c=three\n"}

// A document seed leaves its document and nothing else; an archive that is
// unfolded or copied leaves its files and nothing else (SP-GROW-03, SP-GROW-07).
func TestSP_GROW_03_WhatIsLeft(t *testing.T) {
	t.Parallel()
	doc := meta("tool", "note", []string{"show"}) + "# Hello\n"
	shown := meta("archive", "tool", []string{"show"}) + "---\nseed: \"1.0\"\nmarker: a1b2c3\nroot: tree\nat: 1980-01-01T00:00:00Z\n---\n\n" +
		"<!--seed:a1b2c3@file path=\"a\"-->\none\n<!--seed:a1b2c3@end-->\n"
	for _, c := range []struct {
		name string
		seed *seedfile.File
		want []string
	}{
		{"document", document(t, "# Hello\n", "show"), []string{"note.md=" + doc}},
		{"archive that is only shown", archive(t, []string{"a", "one\n"}, "show"), []string{"note.md=" + shown}},
		{"unfold", archive(t, tree, "unfold"), grown},
		{"twice", archive(t, tree, "unfold", "unfold"), grown},
		{"unfold and copy", archive(t, tree, "unfold", "copy"), grown},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			r := w.mustGrow(c.seed)
			w.want("dest", c.want...)
			w.want(".", slices.Concat([]string{"dest/"}, prefixed("dest/", c.want))...) // no stage is left
			if r.Dest != w.dest || len(r.Replaced) > 0 {
				t.Errorf("got %+v, want new files at %s", r, w.dest)
			}
		})
	}
}

func prefixed(prefix string, list []string) []string {
	var out []string
	for _, s := range list {
		out = append(out, prefix+s)
	}
	return out
}

func TestSP_DIR_02_UnfoldKeepsModes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.mustGrow(archive(t, tree, "unfold"))
	for path, exec := range map[string]bool{"dest/a": false, "dest/d/b": true} {
		info, err := os.Stat(w.at(path))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode()&0o100 != 0; got != exec {
			t.Errorf("%s: got mode %v, want executable %v", path, info.Mode(), exec)
		}
	}
}

// Directives are done in the order they stand in (SP-GROW-01, SP-DIR-01).
func TestSP_GROW_01_Order(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		order []string
		want  bool // the file is there when the payload is shown
	}{
		{[]string{"show", "unfold"}, false},
		{[]string{"unfold", "show"}, true},
	} {
		w := newWorld(t)
		var there bool
		var told []string
		w.o.Show = func(r io.Reader) error {
			_, err := os.Lstat(w.at("dest/a"))
			there = err == nil
			_, err = io.Copy(&w.out, r)
			return err
		}
		w.o.Announce = func(s *grow.Step) { told = append(told, s.Directive) }
		f := archive(t, tree, c.order...)
		r := w.mustGrow(f)
		payload, _ := io.ReadAll(f.Payload())
		if w.out.String() != string(payload) {
			t.Errorf("%v: got %q shown, want the payload exactly", c.order, w.out.String())
		}
		if there != c.want || !slices.Equal(told, c.order) {
			t.Errorf("got file there %v and order %v, want %v and %v", there, told, c.want, c.order)
		}
		if got, want := statuses(r.Steps), []string{c.order[0] + " done", c.order[1] + " done"}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		w.want("dest", grown...)
	}
}

// The first failure stops the rest; what landed stays, and the message says so.
func TestSP_GROW_01_StopsAtTheFirstFailure(t *testing.T) {
	t.Parallel()
	full := errors.New("no space on standard output")
	for _, c := range []struct {
		name       string
		seed       *seedfile.File
		stays      bool
		statuses   []string
		below      []string
		noJournal  bool
		wantUngrow bool
	}{
		{
			name: "before landing", seed: archive(t, tree, "show", "unfold"),
			statuses: []string{"show failed", "unfold not run"},
		},
		{
			name: "after landing", seed: archive(t, tree, "unfold", "show", "unfold"), stays: true, wantUngrow: true,
			statuses: []string{"unfold done", "show failed", "unfold not run"}, below: grown,
		},
		{
			name: "no record", seed: archive(t, tree, "unfold", "show"), stays: true, noJournal: true,
			statuses: []string{"unfold done", "show failed"}, below: grown,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if c.noJournal {
				w.o.Journal = nil
			}
			w.o.Show = func(io.Reader) error { return full }
			r, err := w.grow(c.seed)
			if !errors.Is(err, full) || !errors.Is(err, grow.ErrStep) {
				t.Fatalf("got %v, want %v as a failed step", err, full)
			}
			if got := strings.Contains(err.Error(), w.dest+" before that stays"); got != c.stays {
				t.Errorf("got %q, want it to say that files stay: %v", err, c.stays)
			}
			if got := strings.Contains(err.Error(), "seed ungrow"); got != c.wantUngrow {
				t.Errorf("got %q, want it to name ungrow: %v", err, c.wantUngrow)
			}
			if got := statuses(r.Steps); !slices.Equal(got, c.statuses) {
				t.Errorf("got %q, want %q", got, c.statuses)
			}
			w.want("dest", c.below...)
		})
	}
}

// Copy makes no directory (SP-DIR-03).
func TestSP_DIR_03_Copy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		there []string
		rule  string
	}{
		{"missing destination", nil, "SP-DIR-03"},
		{"missing parent", []string{"dest/d/", ""}, "SP-DIR-03"},
		{"everything there", []string{"dest/d/e/", ""}, ""},
		{"same file there", []string{"dest/d/e/", "", "dest/a", "one\n"}, ""},
		{"other file there", []string{"dest/d/e/", "", "dest/a", "mine\n"}, "SP-GROW-04"},
		{"file for a parent", []string{"dest/d", "mine\n"}, "SP-GROW-04"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.plant(c.there...)
			f := archive(t, tree, "copy")
			if c.rule != "" {
				w.refused(f, c.rule, nil)
				return
			}
			w.mustGrow(f)
			w.want("dest", grown...)
		})
	}
}

// Existing files (SP-GROW-04).
func TestSP_GROW_04_Existing(t *testing.T) {
	t.Parallel()
	t.Run("same is left alone", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.plant("dest/a", "one\n", "dest/mine", "kept\n")
		before, err := os.Stat(w.at("dest/a"))
		if err != nil {
			t.Fatal(err)
		}
		r := w.mustGrow(archive(t, tree, "unfold"))
		after, err := os.Stat(w.at("dest/a"))
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("got another file (%v), want it untouched", err)
		}
		if !slices.Equal(r.Same, []string{"a"}) || len(r.Created) != 2 {
			t.Errorf("got %+v, want one file the same and two new", r)
		}
		w.want("dest", append(slices.Clone(grown), "mine=kept\n")...)
	})
	t.Run("again is no change", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		f := archive(t, tree, "unfold")
		w.mustGrow(f)
		r := w.mustGrow(f)
		if len(r.Same) != 3 || len(r.Created)+len(r.Replaced) != 0 {
			t.Errorf("got %+v, want everything the same", r)
		}
	})
	t.Run("different is refused, and force replaces", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.plant("dest/a", "mine\n", "dest/d/b", "mine too\n")
		f := archive(t, tree, "unfold")
		e := w.refused(f, "SP-GROW-04", disk.ErrExists)
		if e.At.Name != w.at("dest/a") || !strings.Contains(e.Msg, "1 path more") || !strings.Contains(e.Hint, "--force") {
			t.Errorf("got %v (%s), want the place, the count and the flag", e, e.Hint)
		}
		w.o.Force = true
		r := w.mustGrow(f)
		if want := []string{"a", "d/b"}; !slices.Equal(r.Replaced, want) {
			t.Errorf("got %q, want %q", r.Replaced, want)
		}
		w.want("dest", grown...)
	})
	t.Run("a document is held to it too", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.plant("dest/note.md", "mine\n")
		w.refused(document(t, "x\n", "show"), "SP-GROW-04", disk.ErrExists)
	})
}

// What is never gone through or replaced, not even by force (SP-GROW-04, SP-PATH-05).
func TestSP_PATH_05_InTheWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		plant func(w *world)
		rule  string
		cause error
		at    string
	}{
		{"link for a file", func(w *world) { w.link("../out/f", "dest/a") }, "SP-PATH-05", disk.ErrUnsafe, "dest/a"},
		{"dangling link for a file", func(w *world) { w.link("nowhere", "dest/a") }, "SP-PATH-05", disk.ErrUnsafe, "dest/a"},
		{"link to the same content", func(w *world) { w.plant("out/same", "one\n"); w.link("../out/same", "dest/a") }, "SP-PATH-05", disk.ErrUnsafe, "dest/a"},
		{"link for a folder", func(w *world) { w.link("../out", "dest/d") }, "SP-PATH-05", disk.ErrUnsafe, "dest/d"},
		{"link that stays inside", func(w *world) { w.plant("dest/real/", ""); w.link("real", "dest/d") }, "SP-PATH-05", disk.ErrUnsafe, "dest/d"},
		{"deep link", func(w *world) { w.plant("dest/d/", ""); w.link("../../out", "dest/d/e") }, "SP-PATH-05", disk.ErrUnsafe, "dest/d/e"},
		{"folder for a file", func(w *world) { w.plant("dest/a/", "") }, "SP-GROW-04", disk.ErrBlocked, "dest/a"},
		{"file for a folder", func(w *world) { w.plant("dest/d", "x") }, "SP-GROW-04", disk.ErrBlocked, "dest/d"},
		{"destination is a file", func(w *world) { w.plant("dest", "x") }, "SP-GROW-04", disk.ErrBlocked, "dest"},
		{"destination below a file", func(w *world) { w.plant("f", "x"); w.dest = w.at("f/g/h") }, "SP-GROW-04", disk.ErrBlocked, "f/g/h"},
		{"destination is a dangling link", func(w *world) { w.link("nowhere", "dest") }, "SP-GROW-04", disk.ErrBlocked, "dest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.plant("out/f", "outside\n")
			c.plant(w)
			for _, w.o.Force = range []bool{false, true} {
				e := w.refused(archive(t, tree, "unfold"), c.rule, c.cause)
				if e.At.Name != w.at(c.at) {
					t.Errorf("got %q named, want %q", e.At.Name, w.at(c.at))
				}
			}
		})
	}
}

// The destination itself may be a link: the user named it (SP-PATH-05).
func TestSP_PATH_05_DestinationMayBeALink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("real/", "")
	w.link("real", "dest")
	w.mustGrow(archive(t, tree, "unfold"))
	w.want("real", grown...)
}

// A link among many differences is what the message is about: force would not help.
func TestSP_PATH_05_LinkIsNamedFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("dest/a", "mine\n", "out/", "")
	w.link("../out", "dest/d")
	if e := w.refused(archive(t, tree, "unfold"), "SP-PATH-05", disk.ErrUnsafe); !strings.Contains(e.Msg, "more") {
		t.Errorf("got %v, want the others counted", e)
	}
}

// What appears between the check and the landing is still refused.
func TestSP_PATH_06_LinkPlantedAfterTheCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rule string
		plant      func(w *world)
	}{
		{"link", "SP-PATH-05", func(w *world) { w.link("../out", "dest/d") }},
		{"file", "SP-GROW-04", func(w *world) { w.plant("dest/a", "mine\n") }},
		{"destination is a file", "SP-GROW-04", func(w *world) { _ = os.Remove(w.at("dest")); w.plant("dest", "x") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.plant("out/f", "outside\n", "dest/", "")
			var before []string
			w.o.Announce = func(*grow.Step) { c.plant(w); before = w.list(".") }
			_, err := w.grow(archive(t, tree, "unfold"))
			breach(t, err, c.rule, nil)
			w.want(".", before...)
		})
	}
}

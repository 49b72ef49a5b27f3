package grow_test

import (
	"context"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"seed/internal/disk"
	"seed/internal/grow"
	"seed/seedfile"
)

var tool = []string{"tool*", "#!/bin/sh\necho tool\n"}

// installWorld has consent to install and a bin directory in PATH that does not
// exist yet.
func installWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.link("x", "can-link") // skips where there are no links
	if err := os.Remove(w.at("can-link")); err != nil {
		t.Fatal(err)
	}
	w.o.Yes = true
	return w
}

// Install links the file into the bin directory; again is no change (SP-DIR-05).
func TestSP_DIR_05_Install(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	f := archive(t, tool, "unfold", "install")
	want := []string{"bin/", "bin/tool -> " + w.at("dest/tool"), "dest/", "dest/tool=" + tool[1]}
	if r := w.mustGrow(f); r.Link != w.at("bin/tool") {
		t.Errorf("got link %q, want %q", r.Link, w.at("bin/tool"))
	}
	w.want(".", want...)
	if r := w.mustGrow(f); r.Link != "" || len(r.Same) != 1 {
		t.Errorf("got %+v, want nothing done the second time", r)
	}
	w.want(".", want...)
}

// What cannot be installed is known before anything is done (SP-DIR-05, SP-GROW-01).
func TestSP_DIR_05_RefusedBeforeAnyChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		files []string
		grow  []string
		setup func(w *world)
		cause error
		say   string
	}{
		{name: "no bin directory", setup: func(w *world) { w.o.BinDir = "" }, say: "bin directory"},
		{name: "relative bin directory", setup: func(w *world) { w.o.BinDir = "bin" }, say: "bin directory"},
		{name: "bin directory not in PATH", setup: func(w *world) { w.o.BinDir = w.at("bin2") }, say: "not in PATH"},
		{name: "empty PATH", setup: func(w *world) { w.o.Env = func(string) string { return "" } }, say: "not in PATH"},
		{name: "another file there", setup: func(w *world) { w.plant("bin/tool*", "mine\n") }, cause: disk.ErrExists, say: "something else"},
		{name: "folder there", setup: func(w *world) { w.plant("bin/tool/", "") }, cause: disk.ErrExists, say: "something else"},
		{name: "link to something else there", setup: func(w *world) { w.link(w.at("dest/other"), "bin/tool") }, cause: disk.ErrExists, say: "something else"},
		{name: "dangling link there", setup: func(w *world) { w.link("nowhere", "bin/tool") }, cause: disk.ErrExists, say: "something else"},
		{name: "not executable", files: []string{"tool", "x\n"}, say: "not executable"},
		{name: "no such file", files: []string{"other*", "x\n"}, say: "no executable"},
		{name: "installed before it is unfolded", grow: []string{"install", "unfold"}, say: "no executable"},
		{name: "same file there, not executable", setup: func(w *world) { w.plant("dest/tool", tool[1]) }, say: "no executable"},
		{
			name: "link in place of the file", files: []string{"other*", "x\n"}, say: "no executable",
			setup: func(w *world) { w.plant("real*", "x\n"); w.link("../real", "dest/tool") },
		},
		{name: "folder in place of the file", files: []string{"other*", "x\n"}, setup: func(w *world) { w.plant("dest/tool/", "") }, say: "no executable"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := installWorld(t)
			w.o.Force = true // never helps
			if c.setup != nil {
				c.setup(w)
			}
			if c.files == nil {
				c.files = tool
			}
			if c.grow == nil {
				c.grow = []string{"unfold", "install"}
			}
			f := archive(t, c.files, c.grow...)
			if _, err := grow.Prepare(t.Context(), f, w.dest, w.o); err == nil {
				t.Fatal("got a plan, want it refused before it could run")
			}
			e := w.refused(f, "SP-DIR-05", c.cause)
			if !strings.Contains(e.Msg, c.say) {
				t.Errorf("got %v, want it to say %q", e, c.say)
			}
		})
	}
}

// The name must be plain: the reader holds it to that (SP-DIR-05).
func TestSP_DIR_05_NameMustBePlain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"../evil", "a/b", ".hidden", "-rf"} {
		text := "# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>\n\ncat > \"$TARGET/note.md\" <<'SEED_70DD0AE2'\n" +
			meta("tool", name, []string{"install"}) + "x\nSEED_70DD0AE2\n"
		if _, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{}); err == nil {
			t.Errorf("%q: got a seed, want it refused", name)
		}
	}
}

// What an executable already at the destination, or a script, provides can be
// installed too.
func TestSP_DIR_05_FromElsewhere(t *testing.T) {
	t.Parallel()
	needShell(t)
	w := installWorld(t)
	w.plant("dest/note*", "#!/bin/sh\n")
	w.mustGrow(document(t, "x\n", "install"))
	if to, err := os.Readlink(w.at("bin/note")); err != nil || to != w.at("dest/note") {
		t.Errorf("got %q and %v, want the link", to, err)
	}

	w = installWorld(t)
	w.o.Allow["exec"] = true
	w.mustGrow(document(t, "echo '#!/bin/sh' > note; chmod +x note\n", "exec", "install"))
	if _, err := os.Stat(w.at("bin/note")); err != nil {
		t.Errorf("got %v, want the link", err)
	}

	w = installWorld(t)
	w.o.Allow["exec"] = true
	r, err := w.grow(document(t, "ln -s note.md note\n", "exec", "install"))
	breach(t, err, "SP-DIR-05", grow.ErrStep)
	if got := statuses(r.Steps); !slices.Equal(got, []string{"exec done", "install failed"}) {
		t.Errorf("got %q, want install failed", got)
	}
	if got := w.list("bin"); len(got) > 0 {
		t.Errorf("got %q, want no link to a link", got)
	}
}

// What comes up in the bin directory after the check is not replaced either.
func TestSP_DIR_05_LinkRace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		plant func(w *world)
		fails bool
	}{
		{"file", func(w *world) { w.plant("bin/tool", "mine\n") }, true},
		{"link elsewhere", func(w *world) { w.link("/nowhere", "bin/tool") }, true},
		{"the same link", func(w *world) { w.link(w.at("dest/tool"), "bin/tool") }, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := installWorld(t)
			var bin []string
			w.o.Announce = func(s *grow.Step) {
				if s.Directive == "install" {
					c.plant(w)
					bin = w.list("bin")
				}
			}
			r, err := w.grow(archive(t, tool, "unfold", "install"))
			if c.fails {
				if e := breach(t, err, "SP-DIR-05", grow.ErrStep); !strings.Contains(e.Hint, "stays") {
					t.Errorf("got hint %q, want it to say that files stay", e.Hint)
				}
			} else if err != nil {
				t.Errorf("got %v, want it done", err)
			}
			if r.Link != "" {
				t.Errorf("got link %q reported, want none made", r.Link)
			}
			w.want("bin", bin...)
		})
	}
}

// A bin directory that takes no link is a failure, not silence (SP-GROW-01).
func TestSP_DIR_05_BinDirectoryTakesNoLinks(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("needs a directory in which nobody can make a link, such as Linux's /proc")
	}
	w := installWorld(t)
	w.o.BinDir = "/proc"
	w.o.Env = func(string) string { return "/proc" }
	r, err := w.grow(archive(t, tool, "unfold", "install"))
	breach(t, err, "SP-DIR-05", grow.ErrStep)
	if r.Link != "" {
		t.Errorf("got link %q, want none", r.Link)
	}

	w = installWorld(t)
	w.plant("bin", "a file\n")
	if _, err := w.grow(archive(t, tool, "unfold", "install")); err == nil {
		t.Error("got it installed into a file")
	}
}

// The answer to install names both ends of the link.
func TestSP_GROW_06_InstallQuestion(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	w.o.Yes = false
	w.terminal(always(true))
	w.mustGrow(archive(t, tool, "unfold", "install"))
	want := []grow.Question{{Kind: "install", Text: "Link " + w.at("dest/tool") + " into " + w.at("bin") + "?"}}
	if !slices.Equal(w.asked, want) {
		t.Errorf("got %+v, want %+v", w.asked, want)
	}
}

// A cancelled context stops before install.
func TestSP_GROW_05_CancelBeforeInstall(t *testing.T) {
	t.Parallel()
	w := installWorld(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	w.o.Announce = func(s *grow.Step) {
		if s.Directive == "install" {
			cancel()
		}
	}
	p, err := grow.Prepare(ctx, archive(t, tool, "unfold", "install"), w.dest, w.o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(ctx); err == nil {
		t.Error("got it installed, want it stopped")
	}
	w.want("bin")
}

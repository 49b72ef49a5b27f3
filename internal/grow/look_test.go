package grow_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"seed/internal/disk"
	"seed/internal/grow"
)

// Looking says what each step would do and changes nothing, even where growing
// would be refused.
func TestLookJudgesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("dest/a", "other\n")
	p, err := grow.Look(t.Context(), archive(t, []string{"a", "one\n", "b/c", "two\n"}, "unfold", "install", script), w.dest, w.o)
	if err != nil {
		t.Fatal(err)
	}
	var needs []string
	for _, s := range p.Steps {
		needs = append(needs, s.Needs)
		if s.Does == "" {
			t.Errorf("%s: got no words for what it does", s.Directive)
		}
	}
	if want := []string{"", "install", "url"}; !slices.Equal(needs, want) {
		t.Errorf("got %q, want %q", needs, want)
	}
	if p.Fresh || len(p.Changes) != 2 || p.Changes[0].Kind != disk.Differs || p.Changes[1].Kind != disk.New {
		t.Errorf("got fresh %v and %+v, want a file that differs and a new one", p.Fresh, p.Changes)
	}
	breach(t, p.Conflicts(), "SP-GROW-04", disk.ErrExists)
	if len(w.fetched) > 0 {
		t.Errorf("got %q fetched, want nothing", w.fetched)
	}
	if err := p.Fetch(t.Context()); err != nil || p.Steps[2].Code == "" {
		t.Errorf("got code %q and %v, want the script", p.Steps[2].Code, err)
	}
	w.want(".", "dest/", "dest/a=other\n")
}

func TestLookWithoutDestination(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, err := grow.Look(t.Context(), document(t, "echo hi\n", "exec"), "", w.o)
	if err != nil {
		t.Fatal(err)
	}
	if !p.Fresh || p.Changes != nil || p.Steps[0].Code != "echo hi\n" || p.Steps[0].Script == nil {
		t.Errorf("got %+v, want a plan without a place and the script read", p)
	}
}

// An empty destination is no place at all, certainly not ./PATH.
func TestSP_GROW_02_EmptyDestinationIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.dest = ""
	if _, err := w.grow(document(t, "x\n", "show")); err == nil || !strings.Contains(err.Error(), "empty") {
		t.Errorf("got %v, want it refused", err)
	}
}

// A script that nobody could read on a terminal is not offered.
func TestSP_DIR_04_HugeScriptIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.o.Allow["exec"] = true
	w.refused(document(t, strings.Repeat("#\n", 8<<20)+"#\n", "exec"), "SP-DIR-04", nil)
}

func TestSP_SEC_03_StartupFilesAreNoted(t *testing.T) {
	t.Parallel()
	noted := []string{
		".bashrc", "home/.profile", ".ssh/authorized_keys", "x/.git/hooks/pre-commit", ".GIT/config", ".envrc", ".zshenv",
		".vscode/tasks.json", ".config/autostart/x.desktop", "CLAUDE.md", "sub/AGENTS.md", ".claude/settings.json", ".cursor/rules/a.mdc",
		".github/workflows/ci.yml", "Library/LaunchAgents/x.plist", ".gitconfig", ".vimrc", ".mcp.json",
	}
	quiet := []string{"bashrc", "a.ssh/x", "docs/profile", "git/hooks/x", "envrc", "README.md", "x.bashrc", "ssh/authorized_keys", ".gitignore"}
	var files []string
	for _, path := range slices.Concat(noted, quiet) {
		files = append(files, path, "x\n")
	}
	w := newWorld(t)
	p, err := grow.Look(t.Context(), archive(t, files, "unfold"), "", w.o)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, n := range p.Notes {
		if n.Rule.ID != "SP-SEC-03" || n.Msg == "" {
			t.Errorf("got %v, want a note of SP-SEC-03", n)
		}
		got = append(got, n.At.Name)
	}
	slices.Sort(got)
	slices.Sort(noted)
	if !slices.Equal(got, noted) {
		t.Errorf("got %q, want %q", got, noted)
	}
}

// SP-PATH-01: names that Windows keeps for itself are refused there before any
// change, and are ordinary names everywhere else.
func TestSP_PATH_01_WindowsNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"C:x", "a/NUL", "b:stream", "com1.txt", "dir./x", "what?"} {
		w := newWorld(t)
		w.o.OS = "windows"
		f := archive(t, []string{"first", "1\n", name, "2\n"}, "unfold")
		_, err := grow.Prepare(t.Context(), f, w.dest, w.o)
		if !errors.Is(err, disk.ErrUnsafe) || !strings.Contains(err.Error(), "SP-PATH-01") {
			t.Errorf("%q: got %v, want it refused", name, err)
		}
		w.o.OS = "linux"
		if _, err := grow.Prepare(t.Context(), f, w.dest, w.o); err != nil {
			t.Errorf("%q: got %v elsewhere, want nil", name, err)
		}
	}
}

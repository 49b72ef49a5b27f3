package grow_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"seed/internal/grow"
	"seed/seedfile"
)

// consented builds a seed with one directive that the table judges.
func consented(t *testing.T, directive string) *seedfile.File {
	t.Helper()
	switch directive {
	case "show", "exec":
		return document(t, "echo ran > ran\n", directive)
	case "install":
		return archive(t, []string{"tool*", "#!/bin/sh\n"}, "unfold", "install")
	case "unfold", "copy":
		return archive(t, []string{"a", "one\n"}, directive)
	}
	return document(t, "text\n", script+directive)
}

// Every row and column of the consent table (SP-GROW-06).
func TestSP_GROW_06_ConsentTable(t *testing.T) {
	t.Parallel()
	needShell(t)
	const (
		runs    = "runs"
		refuses = "refuses"
	)
	pin := "#sha256=" + strings.Repeat("ab", 32)
	columns := []struct {
		name     string
		yes      bool
		allow    []string
		terminal func(grow.Question) (bool, error)
	}{
		{name: "nothing"},
		{name: "yes", yes: true},
		{name: "allow exec", allow: []string{"exec"}},
		{name: "allow url", allow: []string{"url"}},
		{name: "allow install", allow: []string{"install"}},
		{name: "allow any", allow: []string{"any", "", "all", "*"}},
		{name: "says yes", terminal: always(true)},
		{name: "says no", terminal: always(false)},
		{name: "yes, says no", yes: true, terminal: always(false)},
	}
	rows := []struct {
		directive string
		want      []string // in the order of the columns
	}{
		{"show", []string{runs, runs, runs, runs, runs, runs, runs, runs, runs}},
		{"unfold", []string{runs, runs, runs, runs, runs, runs, runs, runs, runs}},
		{"copy", []string{runs, runs, runs, runs, runs, runs, runs, runs, runs}},
		{"install", []string{refuses, runs, refuses, refuses, runs, refuses, runs, refuses, runs}},
		{"exec", []string{refuses, refuses, runs, refuses, refuses, refuses, runs, refuses, refuses}},
		{"", []string{refuses, refuses, refuses, runs, refuses, refuses, runs, refuses, refuses}},
		// A pin proves intact. It is never consent.
		{pin, []string{refuses, refuses, refuses, runs, refuses, refuses, runs, refuses, refuses}},
	}
	for _, row := range rows {
		for i, col := range columns {
			t.Run(row.directive+"/"+col.name, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				if row.directive == "copy" {
					w.plant("dest/", "")
				}
				w.o.Yes = col.yes
				for _, a := range col.allow {
					w.o.Allow[a] = true
				}
				if col.terminal != nil {
					w.terminal(col.terminal)
				}
				f := consented(t, row.directive)
				if row.want[i] == refuses {
					e := w.refused(f, "SP-GROW-06", grow.ErrConsent)
					if col.terminal == nil && !strings.Contains(e.Hint, "--allow ") {
						t.Errorf("got hint %q, want the flag that helps", e.Hint)
					}
					return
				}
				w.mustGrow(f)
				if harmless := slices.Contains([]string{"show", "unfold", "copy"}, row.directive); harmless && len(w.asked) > 0 {
					t.Errorf("asked %v, want nothing asked", w.asked)
				}
			})
		}
	}
}

// Without a terminal the refusal comes before anything is fetched.
func TestSP_GROW_06_NoTerminalNothingFetched(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.refused(document(t, "x\n", script), "SP-GROW-06", grow.ErrConsent)
	w.terminal(always(true))
	w.o.CanAsk = func() bool { return false }
	w.refused(document(t, "x\n", script), "SP-GROW-06", grow.ErrConsent)
	if len(w.fetched)+len(w.asked) > 0 {
		t.Errorf("got fetched %q, asked %v; want neither", w.fetched, w.asked)
	}
}

// What is asked comes with the script that would run, and it is that script
// that runs: the URL is read once.
func TestSP_GROW_06_ScriptIsShownAndIsTheOneThatRuns(t *testing.T) {
	t.Parallel()
	needShell(t)
	w := newWorld(t)
	n := 0
	w.o.Fetch = func(context.Context, string) ([]byte, error) {
		n++
		return []byte("echo answer " + strings.Repeat("x", n) + " > fetched\n"), nil
	}
	w.terminal(func(grow.Question) (bool, error) {
		if got := w.list("."); len(got) > 0 {
			t.Errorf("asked after a change: %q", got)
		}
		return true, nil
	})
	w.mustGrow(document(t, "echo mine > mine\n", "exec", script))
	want := []grow.Question{
		{Kind: "exec", Text: "Run this script in " + w.dest + "?", Script: "echo mine > mine\n"},
		{Kind: "url", Text: "Run this script from " + script + " in " + w.dest + "?", Script: "echo answer x > fetched\n"},
	}
	if !slices.Equal(w.asked, want) {
		t.Errorf("got %+v, want %+v", w.asked, want)
	}
	if got := w.list("dest"); !slices.Contains(got, "fetched=answer x\n") || !slices.Contains(got, "mine=mine\n") {
		t.Errorf("got %q, want what was shown to have run", got)
	}
}

// A no to the last question, or a question that fails, prevents all of it.
func TestSP_GROW_06_LateNoPreventsEverything(t *testing.T) {
	t.Parallel()
	broken := errors.New("terminal is gone")
	for _, failure := range []error{nil, broken} {
		w := newWorld(t)
		w.terminal(func(q grow.Question) (bool, error) { return q.Kind == "exec", failure })
		_, err := w.grow(document(t, "touch ran\n", "show", "exec", script))
		if failure != nil && !errors.Is(err, broken) {
			t.Errorf("got %v, want %v", err, broken)
		}
		if failure == nil {
			breach(t, err, "SP-GROW-06", grow.ErrConsent)
		}
		w.want(".")
		if w.out.Len() > 0 {
			t.Errorf("got %q shown, want nothing", w.out.String())
		}
	}
}

// A late directive that cannot run here prevents the earlier ones (SP-GROW-01).
func TestSP_GROW_01_LatePreconditionPreventsEarlierSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.refused(archive(t, []string{"a", "x\n"}, "show", "unfold", script), "SP-GROW-06", grow.ErrConsent)

	// Consent for some is not enough.
	w.o.Allow["exec"] = true
	w.refused(document(t, "touch ran\n", "show", "exec", script), "SP-GROW-06", grow.ErrConsent)

	// The answer of the server is known before anything is done (SP-DIR-06).
	w.o.Allow["url"] = true
	gone := errors.New("404 Not Found")
	w.o.Fetch = func(context.Context, string) ([]byte, error) { return nil, gone }
	e := w.refused(document(t, "touch ran\n", "show", "exec", script), "SP-DIR-06", gone)
	if !strings.Contains(e.Error(), "scripts.example") {
		t.Errorf("got %v, want the URL named", e)
	}

	w.o.Allow["install"] = true
	w.o.BinDir = w.at("elsewhere")
	w.refused(archive(t, []string{"tool*", "x\n"}, "show", "unfold", "install"), "SP-DIR-05", nil)
}

// The reader lets no unknown directive through, wherever it stands.
func TestSP_GROW_01_UnknownDirectiveIsNoSeed(t *testing.T) {
	t.Parallel()
	for _, d := range []string{"sow", "http://scripts.example/x", "ftp://x.example/y", "EXEC", "exec --force"} {
		doc := meta("tool", "note", []string{"show", d}) + "x\n"
		text := "# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>\n\n" +
			"cat > \"$TARGET/note.md\" <<'SEED_70DD0AE2'\n" + doc + "SEED_70DD0AE2\n"
		f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{})
		if err == nil || f != nil {
			t.Errorf("%q: got a seed, want it refused", d)
		}
	}
}

// A plan that was only looked at cannot be run: nobody judged it.
func TestSP_GROW_06_LookIsNotConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.o.Allow["exec"] = true
	p, err := grow.Look(t.Context(), document(t, "touch ran\n", "exec"), w.dest, w.o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Run(t.Context()); err == nil {
		t.Error("got it run, want it refused")
	}
	w.want(".")
}

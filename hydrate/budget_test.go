package hydrate_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/hydrate"
)

// capsule is the shape of real context: the newest event has the lowest rank of
// the events.
func capsule(events int) []hydrate.Part {
	parts := []hydrate.Part{
		{Kind: "verdict", Trusted: true, Text: "valid, no trusted signer\n", Rank: -1},
		{Kind: "program", Title: "program.md", Why: "no trusted signer", Text: "# Program\n" + strings.Repeat("Do one thing after the other.\n", 10), Rank: 0},
		{Kind: "agents", Title: "agents.md", Why: "no trusted signer", Text: "Agents read this.\n", Rank: 1},
	}
	for i := range events {
		parts = append(parts, hydrate.Part{
			Kind: "event", Title: fmt.Sprintf("evt_%03d", i+1), Why: "no trusted signer",
			Text: "A summary of what happened, with a number.", Rank: 2 + events - i,
		})
	}
	return append(parts,
		hydrate.Part{Kind: "skill", Title: "skills/a/SKILL.md", Why: "unsigned skill", Text: "Use it.\n", Rank: 100},
		hydrate.Part{Kind: "payload-index", Trusted: true, Text: "payload/a 12 bytes\n", Rank: 101})
}

// checkBudget renders and checks everything that holds for every budget.
func checkBudget(t interface {
	Helper()
	Fatalf(string, ...any)
}, preface string, parts []hydrate.Part, most int, out string, report hydrate.Report,
) []shownPart {
	t.Helper()
	got, _, err := readContext(out, preface)
	if err != nil {
		t.Fatalf("budget %d: %v", most, err)
	}
	if report.Tokens != hydrate.Tokens(out) {
		t.Fatalf("budget %d: reported %d tokens, has %d", most, report.Tokens, hydrate.Tokens(out))
	}
	if most >= hydrate.Tokens(preface)+hydrate.Least && report.Tokens > most {
		t.Fatalf("budget %d: %d tokens", most, report.Tokens)
	}
	next, omitted, cut := 0, 0, false
	for i, g := range got {
		if g.gap {
			var n, limit int
			var noun string
			if _, err := fmt.Sscanf(g.note, "%d %s omitted to stay within %d tokens", &n, &noun, &limit); err != nil || limit != most || n < 1 {
				t.Fatalf("budget %d: gap %q", most, g.note)
			}
			if i > 0 && got[i-1].gap {
				t.Fatalf("budget %d: two gaps in a row", most)
			}
			next += n
			omitted += n
			continue
		}
		if next >= len(parts) {
			t.Fatalf("budget %d: more parts than there are", most)
		}
		p := parts[next]
		next++
		if g.text == p.Text {
			if g.note != "" {
				t.Fatalf("budget %d: whole part with note %q", most, g.note)
			}
			continue
		}
		cut = true
		want := fmt.Sprintf("CUT: the first %d of %d bytes are shown, to stay within %d tokens", len(g.text), len(p.Text), most)
		if p.Rank > hydrate.Essential || !strings.HasPrefix(p.Text, g.text) || !strings.HasSuffix(g.text, "\n") || g.note != want {
			t.Fatalf("budget %d: part %d cut to %q, note %q", most, next-1, g.text, g.note)
		}
	}
	if next != len(parts) || omitted != report.Omitted || cut != report.Cut {
		t.Fatalf("budget %d: %d of %d parts, %d omitted, cut %v, report %+v", most, next, len(parts), omitted, cut, report)
	}
	return got
}

func TestCAP_HYD_04_everyBudget(t *testing.T) {
	t.Parallel()
	const preface = "# Context\n"
	parts := capsule(9)
	whole := 0
	for most := range 2001 {
		out, report := render(t, preface, parts, hydrate.Options{MaxTokens: most})
		got := checkBudget(t, preface, parts, most, out, report)
		if most == 0 && report.Omitted > 0 {
			t.Fatalf("no budget: got %+v", report)
		}
		if most == 0 {
			continue
		}
		first := got[0]
		if report.Omitted > 0 && report.Tokens > 400 && first.kind != "verdict" {
			t.Fatalf("budget %d: the first part is %+v", most, first)
		}
		// Of the events the newest are shown, without holes: they are equally long.
		var shown []string
		for _, g := range got {
			if g.kind == "event" {
				shown = append(shown, g.title)
			}
		}
		for i, title := range shown {
			if want := fmt.Sprintf("evt_%03d", 9-len(shown)+i+1); title != want {
				t.Fatalf("budget %d: got %s, want %s", most, title, want)
			}
		}
		if report.Omitted == 0 && !report.Cut {
			whole++
		}
	}
	if whole == 0 || whole > 1000 {
		t.Errorf("%d of 2000 budgets hold everything: the test shows little", whole)
	}
}

func TestCAP_HYD_04_omittedLines(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("word ", 1000)
	for _, c := range []struct {
		kinds string // those in capitals are kept
		want  string
	}{
		{"event", "1 event"},
		{"event event event", "3 events"},
		{"event skill", "2 parts"},
		{"agents", "1 part"},
		{"payload-index payload-index", "2 parts"},
		{"event KEPT event event", "1 event, 2 events"},
		{"KEPT event", "1 event"},
		{"event KEPT KEPT skill event KEPT", "1 event, 2 parts"},
	} {
		var parts []hydrate.Part
		for kind := range strings.FieldsSeq(c.kinds) {
			p := hydrate.Part{Kind: kind, Text: big, Rank: 1}
			if kind == "KEPT" {
				p.Text = "small"
			}
			parts = append(parts, p)
		}
		out, report := render(t, "", parts, hydrate.Options{MaxTokens: 900})
		var lines []string
		for _, g := range checkBudget(t, "", parts, 900, out, report) {
			if g.gap {
				lines = append(lines, strings.TrimSuffix(g.note, " omitted to stay within 900 tokens"))
			}
		}
		if got := strings.Join(lines, ", "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.kinds, got, c.want)
		}
	}
}

// A program that is too long is cut at a line end; anything else is left out.
func TestCAP_HYD_04_cut(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("one line of the program\n", 500)
	for _, c := range []struct {
		name string
		rank int
		text string
		cut  bool
	}{
		{"essential", hydrate.Essential, long, true},
		{"other", hydrate.Essential + 1, long, false},
		{"one line", hydrate.Essential, strings.Repeat("word ", 1000), false},
	} {
		parts := []hydrate.Part{
			{Kind: "verdict", Trusted: true, Text: "valid\n", Rank: -1},
			{Kind: "program", Trusted: true, Text: c.text, Rank: c.rank},
		}
		out, report := render(t, "", parts, hydrate.Options{MaxTokens: 600})
		got := checkBudget(t, "", parts, 600, out, report)
		if report.Cut != c.cut || (report.Omitted == 1) == c.cut || got[0].text != "valid\n" {
			t.Errorf("%s: got %+v", c.name, report)
		}
		if c.cut && report.Tokens < 570 {
			t.Errorf("%s: only %d tokens of 600 used", c.name, report.Tokens)
		}
	}
}

// Lower ranks first, equal ranks in order; a part that does not fit keeps out the
// later ones of its kind, and no others.
func TestCAP_HYD_04_ranks(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("word ", 100)
	parts := []hydrate.Part{
		{Kind: "a", Text: text, Rank: 7},
		{Kind: "b", Text: text, Rank: 5},
		{Kind: "c", Text: strings.Repeat(text, 20), Rank: 1},
		{Kind: "d", Text: text, Rank: 5},
		{Kind: "e", Text: text, Rank: 2},
		{Kind: "c", Text: "small", Rank: 3},
	}
	for _, c := range []struct {
		most int
		want string
	}{{400, "e"}, {650, "b e"}, {850, "b d e"}, {1100, "a b d e"}, {5000, "a b c d e c"}} {
		out, report := render(t, "", parts, hydrate.Options{MaxTokens: c.most})
		var kinds []string
		for _, g := range checkBudget(t, "", parts, c.most, out, report) {
			if !g.gap {
				kinds = append(kinds, g.kind)
			}
		}
		if got := strings.Join(kinds, " "); got != c.want {
			t.Errorf("budget %d: got %q, want %q", c.most, got, c.want)
		}
	}
}

func TestCAP_HYD_04_randomBudgets(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Custom(func(t *rapid.T) hydrate.Part {
			return hydrate.Part{
				Kind:    rapid.SampledFrom([]string{"event", "program", "agents", "", "Odd kind"}).Draw(t, "kind"),
				Title:   rapid.SampledFrom([]string{"", "title", "a\"b\n", strings.Repeat("長", 99)}).Draw(t, "title"),
				Trusted: rapid.Bool().Draw(t, "trusted"),
				Why:     rapid.SampledFrom([]string{"", "unsigned skill"}).Draw(t, "why"),
				Text:    strings.Repeat(rapid.SampledFrom([]string{"a", "line\n", "漢字", "\n", "A9z", "\xff", " "}).Draw(t, "unit"), rapid.IntRange(0, 400).Draw(t, "n")),
				Rank:    rapid.IntRange(-1, 3).Draw(t, "rank"),
			}
		})
		parts := rapid.SliceOfN(part, 1, 12).Draw(t, "parts")
		preface := rapid.SampledFrom([]string{"", "Preface", "Two\nlines\n"}).Draw(t, "preface")
		most := rapid.IntRange(1, 3000).Draw(t, "budget")
		var out strings.Builder
		report, err := hydrate.Markdown(&out, preface, parts, hydrate.Options{MaxTokens: most})
		if err != nil {
			t.Fatal(err)
		}
		checkBudget(t, preface, parts, most, out.String(), report)
		pieces, selected := hydrate.Select(parts, hydrate.Options{MaxTokens: most})
		if most >= hydrate.Least && selected.Tokens > most {
			t.Fatalf("Select: budget %d: %d tokens", most, selected.Tokens)
		}
		if selected.Omitted > 0 && len(pieces) == 0 {
			t.Fatalf("Select: nothing says that %d parts are left out", selected.Omitted)
		}
	})
}

package hydrate_test

import (
	"strings"
	"testing"

	"seed/hydrate"
)

// FuzzMarkdown: whatever the texts and labels are, a reader that goes by the frames
// finds exactly the parts.
func FuzzMarkdown(f *testing.F) {
	for i, s := range hostile() {
		f.Add(s, "one\ntwo\n", s, "no trusted signer", "event", "# Context\n", i*40, byte(i))
	}
	f.Add(strings.Repeat("line\n", 300), "x", "", "", "", "", 400, byte(7))
	f.Fuzz(func(t *testing.T, a, b, title, why, kind, preface string, most int, bits byte) {
		if len(preface) > 1000 {
			return
		}
		parts := []hydrate.Part{
			{Kind: "verdict", Trusted: true, Text: b, Rank: -1},
			{Kind: kind, Title: title, Why: why, Trusted: bits&1 != 0, Text: a, Rank: int(bits >> 4 & 3)},
			{Kind: "event", Title: b, Why: a, Trusted: bits&2 != 0, Text: title + why, Rank: int(bits >> 6)},
			{Kind: a, Title: a, Text: a + b, Rank: int(bits >> 2 & 3)},
		}
		most %= 4000
		out, report := render(t, preface, parts, hydrate.Options{MaxTokens: most})
		if most <= 0 {
			got, _, err := readContext(out, preface)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != len(parts) || report.Omitted != 0 || report.Cut {
				t.Fatalf("got %d parts, %+v", len(got), report)
			}
			for i, p := range parts {
				if got[i].text != p.Text || got[i].trusted != p.Trusted {
					t.Fatalf("part %d: got %+v, want %+v", i, got[i], p)
				}
			}
			return
		}
		checkBudget(t, preface, parts, most, out, report)
	})
}

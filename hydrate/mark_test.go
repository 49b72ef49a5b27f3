package hydrate

import (
	"math"
	"strings"
	"testing"
)

// No input is known that contains its own mark, so the second look is tested with
// made-up candidates.
func TestCAP_HYD_03_usedMarksArePassedOver(t *testing.T) {
	t.Parallel()
	candidates := []string{"aa", "bb", "cc", "dd", "ee", "ff"}
	parts := []Part{
		{Kind: "xbbx", Title: "plain", Text: "text"},
		{Kind: "event", Title: "\u00cc \u009dd", Why: "ee", Text: "--cc--"},
	}
	preface := "preface aa"
	got := unusedMark(preface, parts, func(n uint64) string { return candidates[n] })
	if got != "ff" { // dd is spelled by the escape of U+009D and the d behind it
		t.Errorf("got %s, want ff", got)
	}
}

// Least must cover the legend and one gap, whatever the digits of the mark, the
// number of parts and the budget are.
func TestLeastIsEnough(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{strings.Repeat("a1", 16), strings.Repeat("0", 32), strings.Repeat("f", 32), strings.Repeat("a1b", 10) + "ff"} {
		r := renderer{mark: mark}
		p := planner{r: &r, most: math.MaxInt}
		gap := Tokens(r.line(p.gapNote(math.MaxInt, strings.Repeat("k", maxKind))))
		if most := blankLine + Tokens(r.legend()) + blankLine + gap; most > Least {
			t.Errorf("mark %s: needs %d, Least is %d", mark, most, Least)
		} else {
			t.Logf("mark %s: needs %d of %d", mark, most, Least)
		}
	}
}

// TestCAP_HYD_03_salt: the mark of a text cannot be known beforehand by its author
// when there is a salt, and the same salt gives the same text.
func TestCAP_HYD_03_salt(t *testing.T) {
	t.Parallel()
	parts := []Part{{Kind: "program", Title: "program.md", Text: "text\n"}}
	plain, first, other := newMark("", "", parts), newMark("one", "", parts), newMark("two", "", parts)
	if plain == first || first == other || first != newMark("one", "", parts) {
		t.Errorf("got marks %s, %s and %s, want three different ones that can be repeated", plain, first, other)
	}
}

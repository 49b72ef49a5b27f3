package hydrate_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/hydrate"
)

func TestTokensByRule(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		want int
	}{
		{"", 0},
		{"word", 1},
		{"sevenxx", 1},
		{"eightxxx", 2},
		{"tenletters", 2},
		{"elevenlette", 3},
		{"two words", 2},
		{"camelCase", 2},
		{"HTTP", 2},
		{"I", 1},
		{"sha256", 3},
		{"1234", 2},
		{"a 12", 3}, // the blank before digits counts
		{"a  b", 3}, // two blanks are a token
		{"a\n\nb", 3},
		{`{"a":1}`, 5},
		{"Größe", 4},
		{"漢字", 3},
		{"слово", 3},
		{"λόγος", 5},
		{"🙂", 3},
		{"—", 2},
		{"\xff\xfe", 2},
		{"\x00\x1b", 1},
		{"a1B2c3D4e5F6g7H8", 16},
		{"ABCDEFGHabcdefg1", 12}, // three quarters of sixteen
	} {
		if got := hydrate.Tokens(c.in); got != c.want {
			t.Errorf("%q: got %d, want %d", c.in, got, c.want)
		}
	}
}

// The samples were counted with real tokenizers; the estimate must not fall below
// the larger count, nor go far beyond it.
func TestTokensOfRealText(t *testing.T) {
	t.Parallel()
	for _, c := range samples {
		got, counted := hydrate.Tokens(c.text), max(c.cl100k, c.o200k)
		if got < counted || got > 2*counted {
			t.Errorf("%s: got %d, counted %d", c.name, got, counted)
		}
	}
}

// Budgets are added up line by line, so a whole must never cost more than its lines.
func TestTokensOfLinesAddUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]string{
			"word", "Word", "WORD", "9", "12", " ", "  ", "\t", "\n", "\n", "\r", ".", "{\"", "é", "漢", "я", "λ", "🙂", "\xff", "a1B2c3D4", "x",
		}), 0, 40)
		a := strings.Join(text.Draw(t, "a"), "") + "\n"
		b := strings.Join(text.Draw(t, "b"), "")
		if whole, sum := hydrate.Tokens(a+b), hydrate.Tokens(a)+hydrate.Tokens(b); whole > sum {
			t.Fatalf("%q + %q: got %d, more than %d", a, b, whole, sum)
		}
	})
}

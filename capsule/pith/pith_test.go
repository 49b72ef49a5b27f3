package pith_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"seed/capsule/pith"
)

// The vectors are those of the reference; half a pair can only be given as units.
func TestCAP_PTH_01_vectors(t *testing.T) {
	t.Parallel()
	name := filepath.Join("..", "..", "..", "shared", "vectors", "capsule", "pith-vectors.json")
	src, err := os.ReadFile(name)
	if err != nil {
		t.Skipf("the vectors are not beside the checkout: %v", err)
	}
	var file struct {
		Meta    struct{ Count int }
		Vectors []struct {
			Name    string
			Input   string
			Options struct{ MaxChars, MaxSentences float64 }
			July    string
			Units   string `json:"july_utf16_hex"`
			Newer   string
		}
	}
	if err := json.Unmarshal(src, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Vectors) == 0 || len(file.Vectors) != file.Meta.Count {
		t.Fatalf("got %d vectors, want %d", len(file.Vectors), file.Meta.Count)
	}
	for _, v := range file.Vectors {
		// Options are integers here; other numbers mean the default.
		whole := func(f float64) int {
			if f != float64(int(f)) {
				return 0
			}
			return int(f)
		}
		o := pith.Options{MaxChars: whole(v.Options.MaxChars), MaxSentences: whole(v.Options.MaxSentences)}
		if got := pith.Text(v.Input, o); got != v.Newer {
			t.Errorf("%s: newer: got %q, want %q", v.Name, got, v.Newer)
		}
		o.Variant = pith.July
		got := pith.Text(v.Input, o)
		if v.Units == "" {
			if got != v.July {
				t.Errorf("%s: july: got %q, want %q", v.Name, got, v.July)
			}
			continue
		}
		if hex := hexUnits(units(got)); hex != strings.ToLower(strings.ReplaceAll(v.Units, " ", "")) {
			t.Errorf("%s: july: got %s, want %s", v.Name, hex, v.Units)
		}
	}
}

func hexUnits(u []uint16) string {
	var out strings.Builder
	for _, c := range u {
		s := strconv.FormatUint(uint64(c), 16)
		out.WriteString("0000"[len(s):] + s)
	}
	return out.String()
}

func TestCAP_PTH_01_defaults(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for _, o := range []pith.Options{{}, {MaxChars: 0}, {MaxChars: -5}, {MaxChars: 280}} {
		if got := len(units(pith.Text(long, o))); got != 280 {
			t.Errorf("%+v: got %d units, want 280", o, got)
		}
	}
	for _, o := range []pith.Options{{}, {MaxSentences: -1}, {MaxSentences: 3}} {
		if got, want := pith.Text("A1. B1. C1. D1.", o), "A1. B1. C1."; got != want {
			t.Errorf("%+v: got %q, want %q", o, got, want)
		}
	}
	if got, want := pith.Text("A1. B1. C1.", pith.Options{MaxSentences: 1}), "A1."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

type textCase struct{ in, want string }

func checkText(t *testing.T, o pith.Options, cases []textCase) {
	t.Helper()
	for _, c := range cases {
		if got := pith.Text(c.in, o); got != c.want {
			t.Errorf("%+v: %q: got %q, want %q", o, c.in, got, c.want)
		}
	}
}

func TestCAP_PTH_02_whitespace(t *testing.T) {
	t.Parallel()
	for _, v := range []pith.Variant{pith.Newer, pith.July} {
		checkText(t, pith.Options{Variant: v}, []textCase{
			{"", ""},
			{" \t\r\n\r \u00a0\ufeff", ""},
			{"a\r\nb\rc\nd\n\n\ne", "a b c d e"},
			{"a \t \t b", "a b"},
			{"\ufeffa\u00a0\n\u3000b\u2028", "a b"},
			{"a\u00a0\u00a0b", "a\u00a0\u00a0b"}, // inside it stays
			{"a \u00a0 \t\u00a0b", "a \u00a0 \u00a0b"},
			{"a\u2028b", "a\u2028b"},           // no line break here
			{"\u0085a\u180e", "\u0085a\u180e"}, // no whitespace to ECMAScript
			{"a\v\fb\v", "a\v\fb"},
		})
	}
}

func TestCAP_PTH_03_julySentences(t *testing.T) {
	t.Parallel()
	checkText(t, pith.Options{Variant: pith.July, MaxSentences: 2}, []textCase{
		{"rows 12.4k. Done.", "rows 12. 4k."},
		{"One. Two", "One. Two"},
		{"One.Two.", "One.Two."}, // not cut, not touched
		{"One.Two.Three", "One. Two."},
		{"...One. Two. Three", "One. Two."},
		{"...One. Two...", "...One. Two..."},
		{"?!.", "?!."},
		{"One?! Two!? .. . Three", "One?! Two!?"},
	})
}

func TestCAP_PTH_04_newerSentences(t *testing.T) {
	t.Parallel()
	checkText(t, pith.Options{MaxSentences: 1}, []textCase{
		{"rows 12.4k. Done.", "rows 12.4k."},
		{"See a.b.c?x=1. Then.", "See a.b.c?x=1."},
		{"Wait... what? Yes.", "Wait... what?"},
		{"Go. now. Stop.", "Go. now."},
		{"Go. élan. Stop.", "Go. élan."},
		{"Go. 𝐚bc. Stop.", "Go. 𝐚bc."}, // category Ll beyond the first plane
		{"Go. ªbc. Stop.", "Go."},      // a letter, but not Ll
		{"Go. 1 more.", "Go."},
		{`He said "stop." She left.`, `He said "stop."`},
		{"(Yes.) No.", "(Yes.)"},
		{"Yes.’” »No.", "Yes.’”"},
		{"J. Smith came. He left.", "J. Smith came."},
		{"(“J. Smith came. He left.", "(“J. Smith came."},
		{"É. Smith came.", "É."},
		{"J! Smith came.", "J!"},
		{"J.. Smith came.", "J.."},
		{"Use e.g. Foo. Bar.", "Use e.g. Foo."},
		{"Use E.G. Foo. Bar.", "Use E.G. Foo."},
		{"See [Fig. 3. Bar.", "See [Fig. 3."},
		{"Approx. 3. Bar.", "Approx. 3."},
		{"İ.e. Foo.", "İ.e."}, // lower case of the first letter is two characters
		{"nope. Bar.", "nope."},
		{"第一句。第二句！", "第一句。"},
		{"第一句。！”」二", "第一句。！”"},
		{"a。b. C", "a。"},
		{"Why?。 So.", "Why?。"},
		{"One.\u00a0Two.", "One."},
		{"!!! Alert.", "!!!"},
		{"No end at all", "No end at all"},
		{"One. Two", "One."},
	})
}

// For every list word: the full stop after it ends nothing, after a word like it
// it does.
func TestCAP_PTH_04_shortWords(t *testing.T) {
	t.Parallel()
	words := strings.Fields("e.g i.e eg ie etc vs cf ca al approx no nr fig figs eq sec ver rev resp dr mr mrs ms prof st jr sr dept inc ltd co")
	for _, w := range words {
		for _, w := range []string{w, strings.ToUpper(w), "([" + w} {
			in := "It " + w + ". Two came. Three."
			if got, want := pith.Text(in, pith.Options{MaxSentences: 1}), "It "+w+". Two came."; got != want {
				t.Errorf("%q: got %q, want %q", in, got, want)
			}
		}
		in := "It x" + w + ". Two came."
		if got, want := pith.Text(in, pith.Options{MaxSentences: 1}), "It x"+w+"."; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestCAP_PTH_05_length(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"abcdef", 6, "abcdef"},
		{"abcdef", 5, "abcd…"},
		{"abcdef", 1, "…"},
		{"a", 1, "a"},
		{"abcdef ghi", 8, "abcdef…"},   // cut behind a blank
		{"abcdef ghi", 9, "abcdef…"},   // the blank is past six tenths
		{"ab cdefghi", 9, "ab cdefg…"}, // the blank is before them
		{"abcd - efghijkl", 9, "abcd…"},
		{"........x", 4, "...…"}, // nothing left: the dots stay
		{"🙂🙂", 2, "…"},
		{"🙂🙂", 3, "🙂…"},
		{"🙂🙂", 4, "🙂🙂"},
		{"a🙂🙂", 3, "a…"},
	} {
		if got := pith.Text(c.in, pith.Options{MaxChars: c.most, MaxSentences: 99}); got != c.want {
			t.Errorf("%q to %d: got %q, want %q", c.in, c.most, got, c.want)
		}
	}
}

// Half a pair: July makes it, newer does not, and what is given with one loses it.
func TestCAP_PTH_05_surrogates(t *testing.T) {
	t.Parallel()
	july := pith.Options{MaxChars: 3, Variant: pith.July}
	got := pith.Text("a🙂🙂", july)
	if want := "a\xed\xa0\xbd…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if utf8.ValidString(got) {
		t.Errorf("%q is UTF-8", got)
	}
	if again := pith.Text(got, july); again != got {
		t.Errorf("again: got %q, want %q", again, got)
	}
	if got, want := pith.Text("a\xed\xa0\xbdbc", pith.Options{MaxChars: 3}), "a…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// letters make texts in which something happens.
func letters() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"a", "B", "word", "Ünder", "🙂", "𝐚", ".", ".", "!", "?", "。", "｡", " ", " ", " ", "\t", "\n", "\r\n", "\u00a0",
			"\u2028", "\ufeff", `"`, "(", "’", "»", "etc", "No", "e.g", "J", "-", ",", ";", "12.4k", "…", "\ufffd",
		}), 0, 60).Draw(t, "words"), "")
	})
}

func options() *rapid.Generator[pith.Options] {
	return rapid.Custom(func(t *rapid.T) pith.Options {
		return pith.Options{
			MaxChars:     rapid.IntRange(-1, 60).Draw(t, "chars"),
			MaxSentences: rapid.IntRange(-1, 6).Draw(t, "sentences"),
			Variant:      rapid.SampledFrom([]pith.Variant{pith.Newer, pith.July}).Draw(t, "variant"),
		}
	})
}

func TestTextIsTheModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, o := letters().Draw(t, "text"), options().Draw(t, "options")
		if got, want := units(pith.Text(s, o)), model(s, o); !slices.Equal(got, want) {
			t.Fatalf("%q %+v: got %04x, want %04x", s, o, got, want)
		}
	})
}

// A quadratic step would not come back before the test's deadline.
func TestTextIsLinear(t *testing.T) {
	t.Parallel()
	const n = 1 << 20
	for _, unit := range []string{
		"a", " ", ". ", "x. ", "x. y ", "(", ".)", ".) ", "\n", "\u00a0", "e.g. ", "。", "a.", "!\u00a0", "🙂", "\xff", "\xed\xa0\xbd", `."' `, "-",
	} {
		s := "a" + strings.Repeat(unit, n/len(unit)) + "z"
		for _, o := range []pith.Options{
			{},
			{MaxChars: n / 2, MaxSentences: n},
			{Variant: pith.July},
			{MaxChars: n / 2, MaxSentences: n, Variant: pith.July},
		} {
			if got := pith.Text(s, o); got == "" {
				t.Errorf("%q…: got nothing", unit)
			}
		}
	}
}

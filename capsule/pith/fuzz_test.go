package pith_test

import (
	"slices"
	"testing"
	"unicode/utf8"

	"seed/capsule/pith"
)

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"", "One. Two. Three. Four.", "a\r\n\t b", "a🙂🙂🙂", "第一句。第二句！", `He said "stop." She left.`, "J. Smith e.g. (etc. No. 1).",
		"\xff\xfe. \xed\xa0\xbd", "...", "12.4k", "x-,;:", "\u00a0. 𝐚",
	} {
		f.Add(s, 8, 2, false)
		f.Add(s, 0, 0, true)
	}
	f.Fuzz(func(t *testing.T, s string, chars, sentences int, july bool) {
		o := pith.Options{MaxChars: chars, MaxSentences: sentences}
		if july {
			o.Variant = pith.July
		}
		got := pith.Text(s, o)
		most := chars
		if most <= 0 {
			most = pith.DefaultChars
		}
		u := units(got)
		if len(u) > most {
			t.Fatalf("%q %+v: %q has %d units", s, o, got, len(u))
		}
		if again := pith.Text(got, o); again != got {
			t.Fatalf("%q %+v: %q, and again %q", s, o, got, again)
		}
		if !utf8.ValidString(s) {
			return
		}
		if !july && !utf8.ValidString(got) {
			t.Fatalf("%q %+v: %q is not UTF-8", s, o, got)
		}
		if want := model(s, o); !slices.Equal(u, want) {
			t.Fatalf("%q %+v: got %04x, want %04x", s, o, u, want)
		}
	})
}

package visible_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"seed/internal/visible"
)

func TestSP_SEC_04_TextEscapesWhatIsHidden(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"ascii", `a plain line, C:\dir`, `a plain line, C:\dir`},
		{"letters", "Grüße, Ελλάδα, привет, 日本語, שלום, हिन्दी", "Grüße, Ελλάδα, привет, 日本語, שלום, हिन्दी"},
		{"spaces of any width", "a\u00a0b\u3000c\u2003d", "a\u00a0b\u3000c\u2003d"},
		{"newline and tab", "a\nb\tc\r", `a\nb\tc\r`},
		{"colour", "\x1b[31mred", `\x1b[31mred`},
		{"title", "\x1b]0;owned\x07", `\x1b]0;owned\x07`},
		{"null and delete", "\x00\x7f", `\x00\x7f`},
		{"c1 as a character", "\u009b31m\u0085", `\u009b31m\u0085`},
		{"c1 as a byte", "\x9b31m", `\x9b31m`},
		{"override", "safe\u202etxt.exe", `safe\u202etxt.exe`},
		{"isolates", "\u2066a\u2069", `\u2066a\u2069`},
		{"marks", "\u200e\u200f\u061c", `\u200e\u200f\u061c`},
		{"zero width", "pass\u200bword\u200c\u2060\ufeff", `pass\u200bword\u200c\u2060\ufeff`},
		{"soft hyphen", "so\u00adft", `so\u00adft`},
		{"joiner between letters", "a\u200db", `a\u200db`},
		{"line separators", "\u2028\u2029", `\u2028\u2029`},
		{"deprecated format", "\u206a\u206f\u180e", `\u206a\u206f\u180e`},
		{"annotation", "\ufff9x\ufffb", `\ufff9x\ufffb`},
		{"tags", "x\U000e0041\U000e007f", `x\U000e0041\U000e007f`},
		{"selectors", "x\ufe00\U000e0100", `x\ufe00\U000e0100`},
		{"hangul filler", "x\u3164\u115f", `x\u3164\u115f`},
		{"braille blank", "\u2800⠿", `\u2800⠿`},
		{"private use", "\ue000\U000f0000", `\ue000\U000f0000`},
		{"unassigned", "\u0378\uffff", `\u0378\uffff`},
		{"broken bytes", "a\xff\xc3(\xe2\x82", `a\xff\xc3(\xe2\x82`},
		{"overlong and surrogate", "\xc0\x80\xed\xa0\x80", `\xc0\x80\xed\xa0\x80`},
		{"the replacement character itself", "\ufffd", "\ufffd"},
		{"emoji", "👨‍💻 ❤️ 1️⃣ ☎︎ 👍🏽‍x", "👨‍💻 ❤️ 1️⃣ ☎︎ 👍🏽‍x"},
		{"selector after a letter", "a\ufe0f", `a\ufe0f`},
		{"selector at the start", "\ufe0f", `\ufe0f`},
		{"second selector", "❤\ufe0f\ufe0f", "❤\ufe0f" + `\ufe0f`},
		{"second joiner", "❤\u200d\u200d", "❤\u200d" + `\u200d`},
		{"joiner after a digit", "1\u200d", `1\u200d`},
		{"arabic number sign", "\u0600", "\u0600"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := visible.Text(c.in); got != c.want {
				t.Errorf("Text(%+q) = %+q, want %+q", c.in, got, c.want)
			}
		})
	}
}

func TestBlockKeepsLines(t *testing.T) {
	t.Parallel()
	cases := []struct{ in, want string }{
		{"a\n\tb\r\nc\n", "a\n\tb\r\nc\n"},
		{"over\rwritten\r\r\n", `over\rwritten\r` + "\r\n"},
		{"end\r", `end\r`},
		{"\x1b[2J\n", `\x1b[2J` + "\n"},
	}
	for _, c := range cases {
		if got := visible.Block(c.in); got != c.want {
			t.Errorf("Block(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestLineCutsToColumns(t *testing.T) {
	t.Parallel()
	cases := []struct {
		in   string
		max  int
		want string
	}{
		{"", 5, ""},
		{"hello", 5, "hello"},
		{"hello!", 5, "hell…"},
		{"hello", 0, ""},
		{"hello", -1, ""},
		{"hello", 1, "…"},
		{"h", 1, "h"},
		{"a\x1bb", 6, `a\x1bb`},
		{"a\x1bb", 5, `a\x1b`[:4] + "…"},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"e\u0301e\u0301e\u0301", 3, "e\u0301e\u0301e\u0301"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"a" + strings.Repeat("\u0301", 1000), 4, "a" + strings.Repeat("\u0301", 4) + "…"},
	}
	for _, c := range cases {
		if got := visible.Line(c.in, c.max); got != c.want {
			t.Errorf("Line(%+q, %d) = %+q, want %+q", c.in, c.max, got, c.want)
		}
	}
}

// A text that is cut must show the cut, whatever takes up its bytes.
func TestLineOfEndlessText(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"x", "\x1b", "\u0301", "a\u0301\u0301", "𝐀\U0001e130\U0001e130", "日", "\xff", "\u202e",
		"❤\ufe0f\u200d", "\U000e0041", "\n",
	} {
		in := strings.Repeat(unit, 1<<20)
		for _, max := range []int{1, 2, 3, 7, 80} {
			got := visible.Line(in, max)
			if !strings.HasSuffix(got, "…") {
				t.Errorf("Line(%+q..., %d) = %+q, want it to end in an ellipsis", unit, max, got)
			}
			if len(got) > 12*max+16 || !utf8.ValidString(got) {
				t.Errorf("Line(%+q..., %d) gave %d bytes, want a few times the columns", unit, max, len(got))
			}
		}
	}
}

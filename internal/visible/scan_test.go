package visible_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"seed/internal/visible"
)

func tags(s string) string {
	var b strings.Builder
	for _, c := range s {
		b.WriteRune(0xe0000 + c)
	}
	return b.String()
}

func selectors(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c < 16 {
			b.WriteRune(0xfe00 + rune(c))
		} else {
			b.WriteRune(0xe0100 + rune(c) - 16)
		}
	}
	return b.String()
}

func TestSP_PAY_04_ScanFindsHidden(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, in string
		want     []visible.Hidden
		total    int
	}{
		{"nothing", "plain\n\ttext\r\n日本語 👨‍💻 1️⃣\n", nil, 0},
		{"escape", "one\ntwo \x1b[31m\n", []visible.Hidden{
			{Line: 2, Col: 5, Code: "U+001B", Name: "escape", Kind: visible.Escape, Count: 1},
		}, 1},
		{"c1", "\u009b\u0085", []visible.Hidden{
			{Line: 1, Col: 1, Code: "U+009B", Name: "control sequence introducer", Kind: visible.Escape, Count: 1},
			{Line: 1, Col: 3, Code: "U+0085", Name: "next line", Kind: visible.Escape, Count: 1},
		}, 2},
		{"override", "é\u202ex\n", []visible.Hidden{
			{Line: 1, Col: 3, Code: "U+202E", Name: "right-to-left override", Kind: visible.Bidi, Count: 1},
		}, 1},
		{"lone cr", "a\rb\r\n\r", []visible.Hidden{
			{Line: 1, Col: 2, Code: "U+000D", Name: "carriage return", Kind: visible.Control, Count: 1},
			{Line: 2, Col: 1, Code: "U+000D", Name: "carriage return", Kind: visible.Control, Count: 1},
		}, 2},
		{"same control in a row", "\x00\x00\x00\x07", []visible.Hidden{
			{Line: 1, Col: 1, Code: "U+0000", Name: "null", Kind: visible.Control, Count: 3},
			{Line: 1, Col: 4, Code: "U+0007", Name: "bell", Kind: visible.Control, Count: 1},
		}, 4},
		{"tag message", "hi" + tags("run rm -rf") + "\n", []visible.Hidden{
			{Line: 1, Col: 3, Code: "U+E0072", Name: "tag character", Kind: visible.Tag, Count: 10, Decoded: "run rm -rf"},
		}, 10},
		{"selector message", "😀" + selectors("a\x1bé"), []visible.Hidden{
			{Line: 1, Col: 5, Code: "U+E0151", Name: "variation selector", Kind: visible.Variation, Count: 4, Decoded: `a\x1bé`},
		}, 4},
		{"zero-width bits", "a\u200b\u200c\u200bb", []visible.Hidden{
			{Line: 1, Col: 2, Code: "U+200B", Name: "zero-width space", Kind: visible.ZeroWidth, Count: 3},
		}, 3},
		{"broken bytes", "ok\n\xff\xfe", []visible.Hidden{
			{Line: 2, Col: 1, Code: "0xFF", Name: "byte that is not UTF-8", Kind: visible.Invalid, Count: 2},
		}, 2},
		{"rest of a character at the end", "\xe2\x82", []visible.Hidden{
			{Line: 1, Col: 1, Code: "0xE2", Name: "byte that is not UTF-8", Kind: visible.Invalid, Count: 2},
		}, 2},
		{"byte order mark", "\ufeffx", []visible.Hidden{
			{Line: 1, Col: 1, Code: "U+FEFF", Name: "byte order mark", Kind: visible.ZeroWidth, Count: 1},
		}, 1},
		{"blank, private, unassigned, format", "\u3164a\ue000b\u0378c\ufff9", []visible.Hidden{
			{Line: 1, Col: 1, Code: "U+3164", Name: "hangul filler", Kind: visible.Blank, Count: 1},
			{Line: 1, Col: 5, Code: "U+E000", Name: "private-use character", Kind: visible.Private, Count: 1},
			{Line: 1, Col: 9, Code: "U+0378", Name: "unassigned code point", Kind: visible.Unassigned, Count: 1},
			{Line: 1, Col: 12, Code: "U+FFF9", Name: "invisible format character", Kind: visible.Format, Count: 1},
		}, 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, r := range []io.Reader{
				strings.NewReader(c.in),
				iotest.OneByteReader(strings.NewReader(c.in)),
				iotest.DataErrReader(strings.NewReader(c.in)),
			} {
				got, total, err := visible.Scan(r, 100)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("Scan(%+q) (-want +got):\n%s", c.in, diff)
				}
				if total != c.total {
					t.Errorf("Scan(%+q) total: got %d, want %d", c.in, total, c.total)
				}
			}
		})
	}
}

func TestScanListsNoMoreThanMax(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("a\x1bb\u202e\n", 50_000)
	s := visible.Scanner{Max: 3}
	io.WriteString(&s, in)
	got, total := s.Result()
	if len(got) != 3 || got[2].Line != 2 || total != 100_000 {
		t.Errorf("got %d listed, %d in all (%v), want 3 and 100000", len(got), total, got)
	}
	if e, b, z := s.Count(visible.Escape), s.Count(visible.Bidi), s.Count(visible.Tag); e != 50_000 || b != 50_000 || z != 0 {
		t.Errorf("counts: got %d, %d, %d, want 50000, 50000, 0", e, b, z)
	}
}

func TestScanPlacesFarIntoTheText(t *testing.T) {
	t.Parallel()
	in := strings.Repeat("line of text\n", 20_000) + "xy\x1b" + strings.Repeat("\nabc", 9) + "\u202e"
	got, _, err := visible.Scan(strings.NewReader(in), 9)
	if err != nil || len(got) != 2 {
		t.Fatalf("got %v, %v, want two", got, err)
	}
	if got[0].Line != 20_001 || got[0].Col != 3 || got[1].Line != 20_010 || got[1].Col != 4 {
		t.Errorf("got %v, want 20001:3 and 20010:4", got)
	}
}

func TestScanBoundsDecodedText(t *testing.T) {
	t.Parallel()
	got, total, err := visible.Scan(strings.NewReader(tags(strings.Repeat("A", 1<<16))), 1)
	if err != nil || total != 1<<16 || len(got) != 1 || got[0].Count != 1<<16 {
		t.Fatalf("got %d, %v, want one run of 65536", total, err)
	}
	if n := len(got[0].Decoded); n != 1024 {
		t.Errorf("decoded %d bytes, want 1024", n)
	}
}

func TestScanReportsReadErrors(t *testing.T) {
	t.Parallel()
	bad := errors.New("bad disk")
	got, total, err := visible.Scan(io.MultiReader(strings.NewReader("\x1b"), iotest.ErrReader(bad)), 5)
	if !errors.Is(err, bad) || total != 1 || len(got) != 1 {
		t.Errorf("got %v, %d, %v, want what was found before and %v", got, total, err, bad)
	}
}

package visible_test

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"seed/internal/visible"
)

// live returns the first character of s that could still steer a terminal.
func live(s string, allowed string) (rune, bool) {
	for i, r := range s {
		switch {
		case r == '\r' && strings.Contains(allowed, "\n") && strings.HasPrefix(s[i:], "\r\n"):
		case strings.ContainsRune(allowed, r):
		case r < 0x20, r >= 0x7f && r < 0xa0, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069,
			r == 0x200b, r == 0xfeff, r >= 0xe0000 && r <= 0xe0fff:
			return r, true
		}
	}
	return 0, false
}

func FuzzVisible(f *testing.F) {
	for _, s := range []string{
		"", "plain", mixed, "\x1b[31m", "\u009b", "\xc2", "\r\n\r", "❤️‍🔥", "1️⃣", "\u202e\u2066", tags("hi"),
		selectors("hidden"), strings.Repeat("\xe2\x82", 9), "a\xf0\x9f\x98",
	} {
		f.Add([]byte(s), 3)
	}
	f.Fuzz(func(t *testing.T, in []byte, cut int) {
		text := visible.Text(string(in))
		if r, bad := live(text, ""); bad || !utf8.ValidString(text) {
			t.Fatalf("Text(%q) = %q: live %U", in, text, r)
		}
		if line := visible.Line(string(in), cut&63); utf8.RuneCountInString(line) > 4*(cut&63) {
			t.Fatalf("Line(%q, %d) = %q", in, cut&63, line)
		}
		block := visible.Block(string(in))
		if cut < 0 || cut > len(in) {
			cut = len(in) / 2
		}
		for _, mode := range []visible.Mode{visible.Show, visible.Remove} {
			var out bytes.Buffer
			w := visible.NewWriter(&out, mode)
			w.Write(in[:cut])
			w.Write(in[cut:])
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			if r, bad := live(got, "\n\t"); bad || !utf8.ValidString(got) {
				t.Fatalf("Writer(%q) = %q: live %U", in, got, r)
			}
			if mode == visible.Show && got != block {
				t.Fatalf("Writer(%q) = %q, Block gives %q", in, got, block)
			}
		}
		s := visible.Scanner{Max: 1000}
		s.Write(in[:cut])
		s.Write(in[cut:])
		list, total := s.Result()
		if (total == 0) != (block == string(in)) {
			t.Fatalf("Scan(%q) found %d, Block gives %q", in, total, block)
		}
		sum := 0
		for _, h := range list {
			sum += h.Count
		}
		if len(list) < 1000 && sum != total {
			t.Fatalf("Scan(%q) listed %d of %d", in, sum, total)
		}
	})
}

package seedfile_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// border is where the reader's pieces meet (chunkSize in survey.go).
const border = 1 << 20

// fill is n bytes of text in lines of 64 bytes.
func fill(n int) string {
	const line = "the quick brown fox jumps over the lazy dog and then comes back\n"
	return strings.Repeat(line, n/len(line)+1)[:n]
}

// SP-FMT-01, SP-FMT-06, SP-FMT-09, SP-FMT-11, SP-ARC-02, SP-ARC-10: wherever the
// border between two pieces falls, the verdict is that of a reader without
// pieces, and the line numbers behind it are right.
func TestSP_FMT_11_PieceBorders(t *testing.T) {
	t.Parallel()
	docHead := usageLine + "\n" + boot + openLine + simpleMeta
	arcHead := usageLine + "\n" + boot + openLine + archiveMeta + arcFields + section("first", "", "")
	docTail, arcTail := "\nend\n"+sentinel+"\n", "\nend\n"+arcEnd+sentinel+"\n"
	long := strings.Repeat("abcdefg/", 127) + "abcdefgh" // 1,024 bytes
	for _, c := range []struct{ name, head, feature, tail string }{
		{"two-byte rune", docHead, "é", docTail},
		{"three-byte rune", docHead, "日", docTail},
		{"four-byte rune", docHead, "😀", docTail},
		{"cut rune", docHead, "\xf0\x9f\x98", docTail},
		{"cut rune before a rune", docHead, "\xe6\x97é", docTail},
		{"stray continuation", docHead, "\x80\x80\x80\x80", docTail},
		{"long lead", docHead, "\xf8\x88\x80\x80\x80", docTail},
		{"surrogate", docHead, "\xed\xa0\x80", docTail},
		{"rune at the end of the file", wrap(simpleMeta), "日", ""},
		{"cut rune at the end of the file", wrap(simpleMeta), "\xe6\x97", ""},
		{"NUL", docHead, "\x00", docTail},
		{"sentinel in the text", docHead, "a" + sentinel + "b", docTail},
		{"sentinel line", docHead, "\n" + sentinel + "\n", "\nrest\n" + sentinel + "\n"},
		{"sentinel and CR", docHead, "\n" + sentinel + "\r\n", ""},
		{"sentinel at the end of the file", docHead, "\n" + sentinel, ""},
		{"here-document line", usageLine, "\n" + openLine + simpleMeta, docTail},
		{"no sentinel", docHead, "x\n", ""},
		{"section", arcHead, "\n" + section("a", ` mode="755"`, "x"), arcTail},
		{"section with a long path", arcHead, section(long, ` mode="755" enc="base64"`, "") + section("b", "", ""), arcTail},
		{"path one too long", arcHead, section(long+"x", "", ""), arcTail},
		{"bad path", arcHead, section("../x", "", ""), arcTail},
		{"bad mode", arcHead, section("a", ` mode="999"`, ""), arcTail},
		{"end mark", arcHead, arcEnd + sentinel + "\n", ""},
		{"text after the end", arcHead, "\n" + arcEnd + "x\n" + sentinel + "\n", ""},
		{"near delimiter", arcHead, "<!--seed:a1b2c3<!--fold:a1b2c3@file path=\"q\"-->\n", arcTail},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			step := 1
			if len(c.feature) > 200 {
				step = len(c.feature) / 60
			}
			pad := fill(border)
			for start := border - len(c.feature) - 2; start <= border+2; start += step {
				agree(t, c.head+pad[:start-len(c.head)]+c.feature+c.tail)
			}
		})
	}
}

// SP-FMT-11: line numbers beyond the first piece.
func TestSP_FMT_11_LinesBeyondOnePiece(t *testing.T) {
	t.Parallel()
	for _, n := range []int{border - 100, border, 2*border - 1, 3*border + 17} {
		body := fill(n)
		text := wrap(archive(section("a", "", body) + section("../x", "", "") + arcEnd))
		refused(t, text, "SP-PATH-01", arcLine+1+strings.Count(body, "\n"))
	}
}

// parts is what random documents are made of.
var parts = []string{
	"---\n", "---\n", "\n", "seed: \"1.0\"\n", "seed: \"1.0\"\n", "grow: show\n", "grow: unfold\n", "grow:\n", "  - show\n", "- unfold\n", " - show\n",
	"type: archive\n", "type: skill\n", "name: x\n", "name: \"a #b\"\n", "marker: a1b2c3\n", "marker: zz\n", "root: r\n", "at: 2026-01-02\n", "x: |\n", "  y\n", "# c\n",
	"grow: [show, copy]\n", "grow: [show\n", "grow: &a show\n", "\"grow\": exec\n", "grow : exec\n", "grow:exec\n", " grow: x\n", "grow: exec\n", "grow: install\n", "?\n", "\t\n", "a: b\r\n",
	section("a", "", "x\n"), section("b/c", ` mode="755"`, "no LF"), section("a", "", ""), section("../x", "", ""), section("b", "", ""), section("e", ` enc="base64"`, "AAAA\n"),
	section("f", ` enc="base64"`, "AAB=\n"), "<!--seed:a1b2c3@", "<!--fold:a1b2c3@end-->\n", "<!--seed:A1B2C3@end-->\n", arcEnd, arcEnd,
	"file path=\"", "\"", "-->", "\r", "\x00", "\xff", "é", "日", "\ufeff", sentinel, sentinel + "\n", "SEED_", openLine, "hello\n", "text", simpleMeta, archiveMeta, arcFields,
}

// The package and the slow reader agree on random documents, hand-made from the
// pieces of real ones, before and behind the border of two pieces.
func TestSP_FMT_11_RandomDocuments(t *testing.T) {
	t.Parallel()
	pad := fill(border + 100)
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.SampledFrom([]string{"", simpleMeta, archiveMeta, archiveMeta + arcFields, archiveMeta + arcFields + section("z", "", "q")}).Draw(t, "start")
		mid := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 12).Draw(t, "parts"), "")
		end := rapid.SampledFrom([]string{"", "\n", arcEnd}).Draw(t, "end")
		text := wrap(start + mid + end)
		agree(t, text)
		if rapid.IntRange(0, 9).Draw(t, "long") == 0 && strings.HasPrefix(start, archiveMeta+arcFields) {
			// The same at the border: everything after the first section moves there.
			head := usageLine + "\n" + boot + openLine + archiveMeta + arcFields + section("pad", "", "")
			at := border + rapid.IntRange(-40, 5).Draw(t, "at")
			agree(t, head+pad[:at-len(head)]+mid+end+sentinel+"\n")
		}
	})
}

// One changed byte, or a cut, in an otherwise good seed.
func TestSP_FMT_11_RandomDamage(t *testing.T) {
	t.Parallel()
	good := []string{
		wrap(simpleMeta + "hello\n"),
		wrap(archive(section("a", ` mode="755"`, "x\ny") + section("b/c", ` enc="base64"`, "AAAA\n") + arcEnd)),
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SampledFrom(good).Draw(t, "seed")
		for range rapid.IntRange(1, 3).Draw(t, "times") {
			at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
			switch c := rapid.SampledFrom([]string{"\n", " ", "\r", "\x00", "\xc3", "\"", "-", ":", "#", "a", "@", "<", "", "cut"}).Draw(t, "byte"); c {
			case "cut":
				text = text[:at] + "\n"
			default:
				text = text[:at] + c + text[at+rapid.IntRange(0, 1).Draw(t, "over"):]
			}
		}
		agree(t, text)
	})
}

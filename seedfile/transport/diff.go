package transport

import "strings"

// DiffLine is one line in which a custom transport differs from the nearest
// canonical one.
type DiffLine struct {
	Part    Part
	Line    int    // 1-based within the part; of a missing line: where it should be
	Missing bool   // the canonical transport has this line, the seed does not
	Text    string // without its line feed, cut to 200 bytes; may be any bytes
}

// Part is a side of the document.
type Part int

const (
	Before Part = iota // the head: line 1 is line 1 of the file
	After              // the tail: line 1 is the sentinel's line
)

func (p Part) String() string {
	if p == Before {
		return "head"
	}
	return "tail"
}

const (
	maxDiff     = 50       // lines reported
	maxDiffText = 200      // bytes of each
	maxLines    = 600      // lines of a part that are looked at
	maxBytes    = 64 << 10 // bytes of a part that are looked at
)

// compare finds the nearest profile and fills in Profile, Diff and Cut.
func (c *Class) compare(head, tail []byte) {
	want := c.Params
	if want.URL == "" {
		want.URL = Unplanted
	}
	if want.File == "" {
		want.File = "seed.md"
	}
	if want.Sum == "" {
		want.Sum = "CRC SIZE"
	}
	if want.Sentinel == "" {
		want.Sentinel = "SEED_XXXXXXXX"
	}
	got, cut := lines(tail)
	var nearest []DiffLine
	for p := range Profile(profiles) {
		canonical, _ := lines(p.Tail(want.Sentinel))
		if d := diff(After, got, canonical); p == 0 || len(d) < len(nearest) {
			c.Profile, nearest = p, d
		}
	}
	c.Cut = cut
	got, cut = lines(head)
	canonical, _ := lines(c.Profile.Head(want))
	c.Cut = c.Cut || cut
	c.Diff = append(diff(Before, got, canonical), nearest...)
	if len(c.Diff) > maxDiff {
		c.Diff, c.Cut = c.Diff[:maxDiff:maxDiff], true
	}
	for i := range c.Diff {
		if t := c.Diff[i].Text; len(t) > maxDiffText {
			c.Diff[i].Text = t[:maxDiffText]
		}
	}
}

// lines splits the part of b that is looked at, and reports whether b has more.
// A last line without a line feed is told apart by a note in the text.
func lines(b []byte) (out []string, cut bool) {
	if len(b) > maxBytes {
		b, cut = b[:maxBytes], true
	}
	for line := range strings.Lines(string(b)) {
		if len(out) == maxLines {
			return out, true
		}
		text, whole := strings.CutSuffix(line, "\n")
		if !whole && !cut {
			text += " (no line feed at the end)"
		}
		out = append(out, text)
	}
	return out, cut
}

// diff lists the lines that must be taken from got and added to it to make it
// want, by a longest common subsequence.
func diff(part Part, got, want []string) []DiffLine {
	// common[i][j] is the length for got[i:] and want[j:].
	common := make([][]uint16, len(got)+1)
	for i := range common {
		common[i] = make([]uint16, len(want)+1)
	}
	for i := len(got) - 1; i >= 0; i-- {
		for j := len(want) - 1; j >= 0; j-- {
			if got[i] == want[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var out []DiffLine
	i, j := 0, 0
	for i < len(got) || j < len(want) {
		switch {
		case i < len(got) && j < len(want) && got[i] == want[j]:
			i++
			j++
		case j == len(want) || i < len(got) && common[i+1][j] >= common[i][j+1]:
			out = append(out, DiffLine{Part: part, Line: i + 1, Text: got[i]})
			i++
		default:
			out = append(out, DiffLine{Part: part, Line: i + 1, Missing: true, Text: want[j]})
			j++
		}
	}
	return out
}

package visible

import "unicode"

// width counts the terminal columns of characters that are not hidden. It is an
// estimate: terminals differ, and a line may come out shorter, never much
// longer, than counted.
type width struct {
	marks int // combining marks since the last base
}

// freeMarks is how many marks on one base cost no column. Real scripts stack
// two; a text that stacks hundreds pays for them, so that it can be cut.
const freeMarks = 2

func (w *width) of(r rune) int {
	if r < 0x300 {
		w.marks = 0
		return 1
	}
	if r == zwj || r == vsText || r == vsEmoji || unicode.In(r, unicode.Mn, unicode.Me) {
		w.marks++
		if w.marks <= freeMarks {
			return 0
		}
		return 1
	}
	w.marks = 0
	if wide(r) {
		return 2
	}
	return 1
}

func wide(r rune) bool {
	switch {
	case r < 0x1100:
		return false
	case r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf, r >= 0xac00 && r <= 0xd7a3,
		r >= 0xf900 && r <= 0xfaff, r >= 0xfe30 && r <= 0xfe6f,
		r >= 0xff01 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6:
		return true
	}
	return r >= 0x16fe0 && r <= 0x18cff || r >= 0x1b000 && r <= 0x1b2ff ||
		r >= 0x1f000 && r <= 0x1faff || r >= 0x20000 && r <= 0x3fffd
}

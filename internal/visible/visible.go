// Package visible makes text from outside safe to show in a terminal, and finds
// the characters in it that a reader would not see.
//
// A character is hidden when it is a control character, a bidirectional or
// other invisible format character, a tag, a variation selector, a blank
// letter, a private-use or unassigned code point, or a byte that is no UTF-8.
// [Text] and [Writer] turn each into an escape that stands for it:
//
//	\x1b  \r  \x7f     C0 controls and DEL
//	\u009b  \u202e     other characters of the first plane
//	\U000e0041         characters beyond it
//	\xff               a byte that is no UTF-8
//
// Everything else stays as it is, spaces of any width and letters of any script
// included. The escapes are for eyes: a backslash in the text is not doubled, so
// they cannot be turned back.
//
// Three invisible characters are part of ordinary emoji and are kept where they
// belong: U+FE0E or U+FE0F directly after a symbol, digit, # or *, and U+200D
// directly after a symbol or its selector. Anywhere else, or repeated, they are
// hidden characters like the others. Persian and Indic texts use U+200C and
// U+200D between letters; there they are shown as escapes.
//
// The package knows nothing of seeds and judges nothing: a hidden character is
// a fact, not a breach.
package visible

import "unicode/utf8"

// Text returns s with every hidden character escaped, newline and tab too, so
// that the result is one line that cannot steer a terminal.
func Text(s string) string {
	if plainLine(s) {
		return s
	}
	var f filter
	out, _ := f.append(make([]byte, 0, len(s)+16), []byte(s), true)
	return string(out)
}

// Block is [Text] for text of several lines: LF, TAB and the CR of CRLF stay.
func Block(s string) string {
	if plainLine(s) {
		return s
	}
	f := filter{lines: true}
	out, _ := f.append(make([]byte, 0, len(s)+16), []byte(s), true)
	return string(out)
}

// Line is [Text] cut to at most max terminal columns; a cut result ends in "…",
// which is counted. No more of s is read than can be shown.
func Line(s string, max int) string {
	if max <= 0 {
		return ""
	}
	// A column takes at most a character and two marks, of four bytes each; with
	// some room more, the text left still overflows and is cut below.
	if most := 12*max + 32; len(s) > most {
		s = s[:most]
	}
	s = Text(s)
	var w width
	cols, fits := 0, 0 // fits: the longest prefix that leaves a column for "…"
	for i, r := range s {
		cols += w.of(r)
		if cols > max {
			return s[:fits] + "…"
		}
		if cols < max {
			fits = i + utf8.RuneLen(r)
		}
	}
	return s
}

// plainLine reports whether s is printable ASCII, the usual case, which needs
// no copy.
func plainLine(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

package pith

import (
	"strings"
	"unicode/utf8"
)

// next returns the first character of s, its bytes and its UTF-16 units. Half a
// surrogate pair in the form that [Text] writes is one unit.
func next(s string) (r rune, size, units int) {
	if s[0] < utf8.RuneSelf {
		return rune(s[0]), 1, 1
	}
	r, size = utf8.DecodeRuneInString(s)
	switch {
	case r >= 0x10000:
		return r, size, 2
	case size == 1 && len(s) >= 3 && s[0] == 0xed && s[1]&0xe0 == 0xa0 && s[2]&0xc0 == 0x80:
		return 0xd000 | rune(s[1]&0x3f)<<6 | rune(s[2]&0x3f), 3, 1
	}
	return r, size, 1
}

// appendHigh adds the first half of the surrogate pair of r.
func appendHigh(s string, r rune) string {
	h := 0xd800 + (r-0x10000)>>10
	return s + string([]byte{0xed, 0x80 | byte(h>>6&0x3f), 0x80 | byte(h&0x3f)})
}

// endsHigh reports whether s ends in the first half of a surrogate pair.
func endsHigh(s string) bool {
	n := len(s)
	return n >= 3 && s[n-3] == 0xed && s[n-2]&0xf0 == 0xa0 && s[n-1]&0xc0 == 0x80
}

// isSpace is whitespace as ECMAScript has it: with U+FEFF, without U+0085.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff:
		return true
	}
	return r >= 0x2000 && r <= 0x200a
}

func trim(s string) string      { return strings.TrimFunc(s, isSpace) }
func trimRight(s string) string { return strings.TrimRightFunc(s, isSpace) }

package pith

import "strings"

const ellipsis = "…"

// shorten is the length step (CAP-PTH-05).
func shorten(s string, most int, v Variant) string {
	prefix, whole := firstUnits(s, most, v)
	switch {
	case whole:
		return s
	case most == 1:
		return ellipsis
	}
	limit := most - 1
	t := trimRight(prefix)
	b := t
	if len(t) == len(prefix) {
		// The cut may be inside a word: go back to the blank before it, unless
		// that loses too much.
		if sp := strings.LastIndexByte(t, ' '); sp >= 0 && length(t[:sp]) >= limit*3/5 {
			b = t[:sp]
		}
	}
	b = strings.TrimRightFunc(b, func(r rune) bool {
		return isSpace(r) || r < 0x80 && strings.IndexByte(",;:.!?-", byte(r)) >= 0
	})
	if b == "" {
		b = t
	}
	return b + ellipsis
}

// firstUnits returns the first most-1 units of s, behind which the ellipsis would
// stand, and whether there is no need: s has no more than most units.
func firstUnits(s string, most int, v Variant) (prefix string, whole bool) {
	i, at := 0, 0
	var r rune
	for i < len(s) {
		var size, units int
		r, size, units = next(s[i:])
		if at+units > most-1 {
			break
		}
		i += size
		at += units
	}
	if fits(s[i:], most-at) {
		return s, true
	}
	prefix = s[:i]
	switch {
	case v == July && at < most-1: // the limit lies between the halves of r
		prefix = appendHigh(prefix, r)
	case v == Newer && endsHigh(prefix):
		prefix = prefix[:len(prefix)-3]
	}
	return prefix, false
}

// fits reports whether s has at most n units, reading no more than that.
func fits(s string, n int) bool {
	for s != "" {
		_, size, units := next(s)
		if n -= units; n < 0 {
			return false
		}
		s = s[size:]
	}
	return true
}

// length counts the UTF-16 units of s.
func length(s string) int {
	n := 0
	for s != "" {
		_, size, units := next(s)
		n += units
		s = s[size:]
	}
	return n
}

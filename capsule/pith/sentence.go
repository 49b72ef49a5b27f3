package pith

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// firstSentences is the newer sentence step (CAP-PTH-04). The text that is kept
// is identical to the input.
func firstSentences(s string, most int) string {
	for i, found := 0, 0; i < len(s); {
		end, ok := sentenceEnd(s, i)
		if ok {
			found++
			if found == most {
				// s is trimmed: whatever follows is one more sentence at least. An
				// end stands behind a terminator or closer, so there is nothing to trim.
				return s[:end]
			}
		}
		i = end
	}
	return s
}

// sentenceEnd looks at the character of s at i. It returns where to go on, and
// whether that is the end of a sentence.
func sentenceEnd(s string, i int) (int, bool) {
	r, size := utf8.DecodeRuneInString(s[i:])
	switch {
	case isFullStop(r):
		return i + prefix(s[i:], func(r rune) bool { return isFullStop(r) || isCloser(r) }), true
	case !isTerminator(r):
		return i + size, false
	}
	run := i + prefix(s[i:], isTerminator)
	end := run + prefix(s[run:], isCloser)
	if end == len(s) {
		return end, true
	}
	blank := prefix(s[end:], isSpace)
	if blank == 0 {
		return run, false // inside a token: 12.4k, ledger.entry
	}
	if after, _ := utf8.DecodeRuneInString(s[end+blank:]); unicode.Is(unicode.Ll, after) {
		return run, false
	}
	if s[i:run] == "." && isShort(token(s[:i])) {
		return run, false
	}
	return end, true
}

// prefix returns how many bytes at the start of s are characters of the kind.
func prefix(s string, kind func(rune) bool) int {
	for i, r := range s {
		if !kind(r) {
			return i
		}
	}
	return len(s)
}

// token returns the last word of s without opening quotes and brackets. It reads
// back to the nearest blank only, and is asked once for each.
func token(s string) string {
	if at := strings.LastIndexFunc(s, isSpace); at >= 0 {
		_, size := utf8.DecodeRuneInString(s[at:])
		s = s[at+size:]
	}
	return strings.TrimLeftFunc(s, isOpener)
}

// isShort reports whether a full stop after the word is part of it.
func isShort(word string) bool {
	const longest = len("approx")
	if len(word) > longest {
		return false
	}
	if len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' {
		return true // the initial of a name
	}
	var lower [longest]byte
	for i := range len(word) {
		c := word[i]
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	switch string(lower[:len(word)]) {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "ca", "al", "approx", "no", "nr", "fig", "figs", "eq", "sec", "ver",
		"rev", "resp", "dr", "mr", "mrs", "ms", "prof", "st", "jr", "sr", "dept", "inc", "ltd", "co":
		return true
	}
	return false
}

func isTerminator(r rune) bool { return r == '.' || r == '!' || r == '?' }

// isFullStop reports whether r ends a sentence wherever it stands.
func isFullStop(r rune) bool {
	switch r {
	case '。', '！', '？', '｡':
		return true
	}
	return false
}

func isCloser(r rune) bool {
	switch r {
	case '"', '\'', ')', ']', '}', '»', '’', '”':
		return true
	}
	return false
}

func isOpener(r rune) bool {
	switch r {
	case '"', '\'', '(', '[', '{', '«', '‘', '“':
		return true
	}
	return false
}

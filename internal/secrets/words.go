package secrets

import (
	"bytes"
	"strings"
)

// follows lists for each letter the letters that come after it in words: the
// 313 pairs that make up 96 % of those in the words of four letters and more
// that are frequent in the source and documentation of Go, Python and Debian.
// A random pair is among them less than half of the time.
var follows = [26]string{
	"abcdefgiklmnprstuvxy", "abcdeilorsuy", "abcdefhiklmoprstuy", "abcdefilorsuy", "abcdefgilmnopqrstuvwxy", // a to e
	"abcdefiloprstu", "aceghilnorsu", "aeiortu", "abcdefglmnoprstvxz", "", // f to j
	"aeils", "acdeilopstuy", "abeilmopsu", "abcdefgiklmnoprstuv", "abcdfgiklmnoprstuvw", // k to o
	"acdehiloprstuy", "u", "acdefgiklmnoprstuvy", "aceghiklmnopstuwy", "acdefhilmoprstuy", // p to t
	"abcdefgilmnprst", "aeio", "aehinors", "abcdefipt", "imnpst", "aei", // u to z
}

// inWords counts the letters of text that are part of words: runs of four
// letters and more, a capital only at the front, that read like one. A text
// without small letters is read as if it had no others.
func inWords(text []byte) int {
	if !bytes.ContainsFunc(text, func(c rune) bool { return 'a' <= c && c <= 'z' }) {
		text = bytes.ToLower(text)
	}
	sum, run, strange := 0, 0, 0
	vowel := false
	end := func() {
		// A long word may have one strange pair.
		if vowel && (run >= 4 && strange == 0 || run >= 7 && strange == 1) {
			sum += run
		}
		run, strange, vowel = 0, 0, false
	}
	for i, c := range text {
		switch {
		case isUpper(c):
			end()
		case !isLower(c):
			end()
			continue
		case run > 0 && strings.IndexByte(follows[text[i-1]|0x20-'a'], c) < 0:
			strange++
		}
		run++
		vowel = vowel || strings.IndexByte("aeiou", c|0x20) >= 0
	}
	end()
	return sum
}

// isPhrase reports whether text is words and small numbers between separators:
// updated-key-456, ec2_custom_key. What is random has pieces that mix the two.
func isPhrase(text []byte) bool {
	letters, digits := 0, 0
	for i := 0; i <= len(text); i++ {
		switch {
		case i < len(text) && isDigit(text[i]):
			digits++
		case i < len(text) && (isLower(text[i]) || isUpper(text[i])):
			if letters++; digits > 0 {
				return false
			}
		default:
			if letters > 0 && digits > 2 || digits > 4 || letters > 12 {
				return false
			}
			letters, digits = 0, 0
			if i < len(text) && strings.IndexByte("-_.:/", text[i]) < 0 {
				return false
			}
		}
	}
	return true
}

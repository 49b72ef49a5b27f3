package secrets

import (
	"bytes"
	"math"
	"strings"
)

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isWord(c byte) bool  { return isDigit(c) || isLower(c) || isUpper(c) || c == '_' }

// lower folds ASCII only, so that offsets stay what they are.
func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if isUpper(c) {
			b[i] = c | 0x20
		}
	}
	return string(b)
}

// entropy is the Shannon entropy of the bytes of b, in bits a byte. Random hex
// comes near 4, random base64 of 40 bytes near 4.9, words lie around 3.
func entropy(b []byte) float64 {
	if len(b) == 0 {
		return 0
	}
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	n, sum := float64(len(b)), 0.0
	for _, k := range count {
		if k > 0 {
			p := float64(k) / n
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// isLowerOnly reports whether text has neither digits nor capitals: somebody
// wrote words after a prefix that is known.
func isLowerOnly(text []byte) bool {
	return !bytes.ContainsFunc(text, func(c rune) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' })
}

// shortest is the length below which nothing is guessed to be a secret.
const shortest = 10

// looksRandom reports whether a value of unknown shape was made by a machine:
// printable, without blanks, letters and digits mixed, and not mostly words.
func looksRandom(text []byte, quoted bool) bool {
	least := shortest
	if !quoted {
		least += 2
	}
	if len(text) < least || len(text) > 300 || isPhrase(text) {
		return false
	}
	var digits, letters, capitals, hex, odd int
	for _, c := range text {
		switch {
		case c <= ' ' || c >= 0x7f:
			return false
		case isDigit(c):
			digits++
		case isLower(c) || isUpper(c):
			letters++
			if isUpper(c) {
				capitals++
			}
			if c|0x20 <= 'f' {
				hex++
			}
		case strings.IndexByte("+/=_-.~", c) < 0:
			odd++
		}
	}
	if bytes.IndexByte(text, '[') >= 0 && bytes.IndexByte(text, ']') >= 0 {
		return false // an expression such as Jobs[-1].JobId
	}
	if letters == 0 || odd > len(text)/3 {
		return false
	}
	words := inWords(text)
	// One random text of twenty has no digit; a name has none either, but words.
	if digits == 0 && (words > 0 || len(text) < 16 || 4*capitals < letters || 4*capitals > 3*letters) {
		return false
	}
	if hex == letters && len(text) >= 16 && odd == 0 {
		return entropy(text) >= 2.8 // sixteen digits carry at most 4, and spell few words
	}
	// A short text cannot reach the entropy of a long one.
	return 2*words <= len(text) && entropy(text) >= math.Min(3.5, 0.8*math.Log2(float64(len(text))))
}

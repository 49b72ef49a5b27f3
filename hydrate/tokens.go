package hydrate

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a model needs for s, by the rule of the
// package comment. It is linear, needs no table of a tokenizer, and
// Tokens(a+b) <= Tokens(a)+Tokens(b) whenever a ends in a newline.
func Tokens(s string) int {
	var m meter
	m.add(s)
	return m.sum()
}

// class says how a character is counted.
type class uint8

const (
	none    class = iota // counted by itself
	word                 // Latin letters
	digit                // 0 to 9
	punct                // other ASCII, controls among it
	blank                // space and tab
	newline              // LF and CR
	wide                 // ideographs, kana, Hangul and their punctuation
	slavic               // Cyrillic
)

// meter counts the tokens of a text that comes in pieces. A character must not
// be split over two pieces.
type meter struct {
	tokens int // of the runs that are complete

	// The run that is open: n characters of one class.
	class   class
	n       int
	caps    int  // capitals among them, for words
	accents int  // letters beyond ASCII among them, for words
	upper   bool // the last one is a capital
	after   class

	// The open stretch of letters and digits without anything between them.
	stretch struct{ n, digits, caps, small, tokens int }
}

// add counts one more piece.
func (m *meter) add(s string) {
	for i := 0; i < len(s); {
		if b := s[i]; b < utf8.RuneSelf {
			m.next(classOfASCII(b), b >= 'A' && b <= 'Z', false)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		if c := classOf(r); c != none {
			m.next(c, false, true)
			continue
		}
		m.end(none)
		m.class = none
		// Most tokenizers start from bytes: two bytes of a letter or sign that
		// is not ASCII are seldom less than one token.
		m.tokens += max(1, size-1)
	}
}

// sum returns the count as if the text ended here.
func (m *meter) sum() int {
	c := *m
	c.end(none)
	return c.tokens
}

// next counts one character of class c.
func (m *meter) next(c class, capital, foreign bool) {
	if c != m.class || c == word && capital && !m.upper {
		m.end(c)
		m.class = c
	}
	m.n++
	m.upper = capital
	switch {
	case capital:
		m.caps++
	case foreign && c == word:
		m.accents++
	}
}

// end closes the open run; follow is the class of what comes next.
func (m *meter) end(follow class) {
	t := m.cost(follow)
	m.tokens += t
	if m.class == word || m.class == digit {
		s := &m.stretch
		s.n += m.n
		s.tokens += t
		if m.class == digit {
			s.digits += m.n
		} else {
			s.caps += m.caps
			s.small += m.n - m.caps
		}
	}
	if s := &m.stretch; s.n > 0 && follow != word && follow != digit {
		// Base64 and its kin: letters that spell nothing.
		if s.n >= 16 && s.digits > 0 && s.caps > 0 && s.small > 0 {
			m.tokens += max(0, ceil(3*s.n, 4)-s.tokens)
		}
		m.stretch = struct{ n, digits, caps, small, tokens int }{}
	}
	m.after = m.class
	m.n, m.caps, m.accents, m.upper = 0, 0, 0, false
}

// cost is what the open run costs when follow comes next.
func (m *meter) cost(follow class) int {
	n := m.n
	switch m.class {
	case word:
		switch {
		case m.accents > 0:
			return ceil(n+3*m.accents, 3)
		case m.after == digit || follow == digit:
			return ceil(n, 2)
		case n > 1 && m.caps == n:
			return ceil(n, 3)
		case n > 7:
			return 1 + ceil(n-7, 3)
		}
		return min(n, 1)
	case digit:
		return ceil(n, 3)
	case blank:
		if n == 1 && (follow == word || follow == punct || follow == slavic) {
			return 0 // the blank is part of the token after it
		}
		return ceil(n, 16)
	case wide:
		return ceil(5*n, 4)
	case punct, newline, slavic:
		return ceil(n, 2)
	}
	return 0
}

func ceil(n, by int) int { return (n + by - 1) / by }

func classOfASCII(b byte) class {
	switch {
	case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
		return word
	case b >= '0' && b <= '9':
		return digit
	case b == ' ' || b == '\t':
		return blank
	case b == '\n' || b == '\r':
		return newline
	}
	return punct
}

func classOf(r rune) class {
	switch {
	case r < 0x250 || r >= 0x1e00 && r < 0x1f00:
		if unicode.IsLetter(r) {
			return word
		}
	case r >= 0x400 && r < 0x530:
		return slavic
	case r >= 0x2e80 && r < 0xa000, r >= 0xac00 && r < 0xd800, r >= 0xf900 && r < 0xfb00, r >= 0xff00 && r < 0xfff0:
		return wide
	}
	return none
}

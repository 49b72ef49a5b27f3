package ignore

import "strings"

// token is one step of a compiled pattern.
type token struct {
	kind kind
	char byte
	set  *charset
}

type kind uint8

const (
	literal kind = iota
	one          // ?: any byte but a slash
	class        // [...]: a byte of the set, never a slash
	star         // *: any run without a slash
	deep         // **: any run
	maybe        // before a deep and a slash: both may be passed over
	never        // a malformed class: matches nothing
)

// charset is a set of bytes.
type charset [4]uint64

func (s *charset) add(c byte)      { s[c>>6] |= 1 << (c & 63) }
func (s *charset) has(c byte) bool { return s[c>>6]>>(c&63)&1 != 0 }

func (s *charset) addRange(from, to byte) {
	for c := int(from); c <= int(to); c++ {
		s.add(byte(c))
	}
}

// compile turns the part of a pattern from its first wildcard on into tokens.
func compile(s string) []token {
	tokens := make([]token, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '*':
			n := i
			for n < len(s) && s[n] == '*' {
				n++
			}
			k := stars(s, i, n)
			if k == deep && n < len(s) && s[n] == '/' {
				tokens = append(tokens, token{kind: maybe})
			}
			tokens = append(tokens, token{kind: k})
			i = n - 1
		case '?':
			tokens = append(tokens, token{kind: one})
		case '[':
			set, end, ok := parseClass(s, i)
			if !ok {
				return append(tokens, token{kind: never})
			}
			tokens = append(tokens, token{kind: class, set: set})
			i = end
		case '\\':
			if i++; i == len(s) {
				return append(tokens, token{kind: never})
			}
			tokens = append(tokens, token{kind: literal, char: s[i]})
		default:
			tokens = append(tokens, token{kind: literal, char: c})
		}
	}
	return tokens
}

// stars says what the run of stars s[i:n] means: two or more are special only
// as a whole path element.
func stars(s string, i, n int) kind {
	if n-i < 2 || i > 0 && s[i-1] != '/' {
		return star
	}
	if rest := s[n:]; rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`) {
		return deep
	}
	return star
}

// run reports whether the tokens match all of name. It follows all ways at
// once, so that no pattern takes exponential time.
func run(tokens []token, name string) bool {
	n := len(tokens)
	var small [2][64]bool
	now, next := small[0][:], small[1][:]
	if n+1 > len(now) {
		now, next = make([]bool, n+1), make([]bool, n+1)
	}
	now[0] = true
	expand(tokens, now)
	for i := range len(name) {
		c := name[i]
		alive := false
		clear(next)
		for j, t := range tokens {
			if !now[j] {
				continue
			}
			switch {
			case t.kind == deep || t.kind == star && c != '/':
				next[j], alive = true, true
			case t.kind == literal && c == t.char || t.kind == one && c != '/' || t.kind == class && c != '/' && t.set.has(c):
				next[j+1], alive = true, true
			}
		}
		if !alive {
			return false
		}
		expand(tokens, next)
		now, next = next, now
	}
	return now[n]
}

// expand adds the states reached without reading a byte. They lie ahead, so
// one pass does.
func expand(tokens []token, set []bool) {
	for j, t := range tokens {
		if !set[j] {
			continue
		}
		switch t.kind {
		case star, deep:
			set[j+1] = true
		case maybe:
			set[j+1], set[j+3] = true, true
		}
	}
}

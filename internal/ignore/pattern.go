package ignore

import "strings"

// pattern is one line: a literal prefix, then tokens. git takes the prefix off
// before it looks at wildcards, which decides what "a**/b" means: the stars
// count as standing at the start.
type pattern struct {
	line     int
	negate   bool
	dirOnly  bool
	baseOnly bool // no slash: matches the last name of a path, at any depth

	prefix string
	suffix string // of a pattern that is one star and a literal
	tokens []token
	ends   bool // tokens stand for "*" + suffix
}

// parseLine reads one line without its line end.
func parseLine(s string) (pattern, bool) {
	var p pattern
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i] // git's lines end there
	}
	if s == "" || s[0] == '#' {
		return p, false
	}
	s = trimBlanks(s)
	s, p.negate = strings.CutPrefix(s, "!")
	s, p.dirOnly = strings.CutSuffix(s, "/")
	p.baseOnly = !strings.Contains(s, "/")
	s = strings.TrimPrefix(s, "/")
	if s == "" {
		return p, false
	}
	n := strings.IndexAny(s, `*?[\`)
	if n < 0 {
		p.prefix = s
		return p, true
	}
	p.prefix = s[:n]
	if p.baseOnly && s[n] == '*' && !strings.ContainsAny(s[n+1:], `*?[\`) {
		p.suffix, p.ends = s[n+1:], true
		return p, true
	}
	p.tokens = compile(s[n:])
	return p, true
}

// trimBlanks takes off trailing spaces up to one that a backslash protects.
func trimBlanks(s string) string {
	end := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			continue
		case '\\':
			if i++; i == len(s) {
				return s
			}
		}
		end = i + 1
	}
	return s[:end]
}

func (p *pattern) match(name string) bool {
	rest, ok := strings.CutPrefix(name, p.prefix)
	switch {
	case !ok:
		return false
	case p.ends:
		return strings.HasSuffix(rest, p.suffix)
	case p.tokens == nil:
		return rest == ""
	}
	return run(p.tokens, rest)
}

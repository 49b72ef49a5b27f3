package ignore

import "strings"

// parseClass reads the bracket expression at s[i]; end is the index of its
// closing bracket. It fails where git gives up on the whole pattern.
func parseClass(s string, i int) (set *charset, end int, ok bool) {
	set = new(charset)
	i++
	negated := i < len(s) && (s[i] == '!' || s[i] == '^')
	if negated {
		i++
	}
	var prev byte // the byte a range may begin with; 0 when it may not
	for first := true; ; first = false {
		if i >= len(s) {
			return nil, 0, false
		}
		c := s[i]
		switch {
		case c == ']' && !first:
			if negated {
				for j := range set {
					set[j] = ^set[j]
				}
			}
			return set, i, true
		case c == '\\':
			if i++; i == len(s) {
				return nil, 0, false
			}
			set.add(s[i])
			prev = s[i]
		case c == '-' && prev != 0 && i+1 < len(s) && s[i+1] != ']':
			i++
			if s[i] == '\\' {
				if i++; i == len(s) {
					return nil, 0, false
				}
			}
			set.addRange(prev, s[i])
			prev = 0
		case c == '[' && i+1 < len(s) && s[i+1] == ':':
			n := strings.IndexByte(s[i+2:], ']')
			if n < 0 {
				return nil, 0, false
			}
			name, closed := strings.CutSuffix(s[i+2:i+2+n], ":")
			if !closed {
				set.add('[') // an ordinary bracket after all
				prev = '['
				break
			}
			if !set.addNamed(name) {
				return nil, 0, false
			}
			i += 2 + n
			prev = 0
		default:
			set.add(c)
			prev = c
		}
		i++
	}
}

// addNamed adds the ASCII bytes of a named class such as alpha. git's idea of
// space has no vertical tab and no form feed.
func (s *charset) addNamed(name string) bool {
	switch name {
	case "alnum":
		s.addRange('0', '9')
		s.addRange('A', 'Z')
		s.addRange('a', 'z')
	case "alpha":
		s.addRange('A', 'Z')
		s.addRange('a', 'z')
	case "blank":
		s.add(' ')
		s.add('\t')
	case "cntrl":
		s.addRange(0, 0x1f)
		s.add(0x7f)
	case "digit":
		s.addRange('0', '9')
	case "graph":
		s.addRange(0x21, 0x7e)
	case "lower":
		s.addRange('a', 'z')
	case "print":
		s.addRange(0x20, 0x7e)
	case "punct":
		s.addRange('!', '/')
		s.addRange(':', '@')
		s.addRange('[', '`')
		s.addRange('{', '~')
	case "space":
		for _, c := range []byte(" \t\n\r") {
			s.add(c)
		}
	case "upper":
		s.addRange('A', 'Z')
	case "xdigit":
		s.addRange('0', '9')
		s.addRange('A', 'F')
		s.addRange('a', 'f')
	default:
		return false
	}
	return true
}

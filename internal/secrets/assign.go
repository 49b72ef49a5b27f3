package secrets

// assigned is the value that a name is given, b[start:end] of the window; empty
// when there is none.
type assigned struct {
	start, end int
	nameEnd    int
	quoted     bool
}

func (a assigned) secret() secret { return secret{start: a.start, end: a.end} }

// Longest parts of an assignment that are read.
const (
	maxSuffix = 40 // of the name after the keyword
	maxGap    = 64 // of blanks
)

// assignment reads the value of the name in which the keyword of v stands:
//
//	name = value    name: value    "name": "value"    name => 'value'
//	name := "value"    [name]="value"    <name>value</name>
//
// It is written by hand because the names are common words, and most of the
// time goes into seeing that nothing is assigned.
func assignment(v *view) assigned {
	var a, none assigned
	b, i := v.b, v.end
	for n := 0; i < len(b) && (isWord(b[i]) || b[i] == '-'); i++ {
		if n++; n > maxSuffix {
			return none
		}
	}
	a.nameEnd = i
	i = skipQuote(b, i)
	if i < len(b) && b[i] == ']' {
		i++
	}
	gap := i
	i = skipBlank(b, i)
	if i >= len(b) || i-gap > maxGap {
		return none
	}
	switch b[i] {
	case '=':
		i++
		if i < len(b) && b[i] == '>' {
			i++
		} else if i < len(b) && (b[i] == '=' || b[i] == '~') {
			return none // a comparison
		}
	case ':':
		i++
		if i < len(b) && b[i] == '=' {
			i++
		} else if i < len(b) && b[i] == ':' {
			return none
		}
	case '>':
		if i != gap || !opensTag(b, v.at) {
			return none
		}
		i++
		a.start = i
		for i < len(b) && b[i] != '<' && b[i] > ' ' {
			i++
		}
		a.end, a.quoted = i, true
		if i == len(b) || b[i] != '<' {
			return none
		}
		return a
	default:
		return none
	}
	gap = i
	i = skipBlank(b, i)
	if i-gap > maxGap || i >= len(b) {
		return none
	}
	return a.take(b, i)
}

// take reads the value that begins at b[i]. A value that runs into the end of
// the window is cut there.
func (a assigned) take(b []byte, i int) assigned {
	open := i
	i = skipQuote(b, i)
	a.start, a.quoted = i, i > open
	if !a.quoted {
		for i < len(b) && b[i] > ' ' && !endsBare[b[i]] {
			i++
		}
		a.end = i
		return a
	}
	quote := b[open] // a backslash when the quotes themselves are escaped
	for i < len(b) && b[i] != quote {
		if b[i] == '\n' {
			return assigned{}
		}
		i++
	}
	a.end = i
	return a
}

// endsBare are the bytes that a value without quotes does not hold.
var endsBare = [256]bool{
	',': true, ';': true, '"': true, '\'': true, '`': true, '<': true, '>': true, '(': true, ')': true,
	'[': true, ']': true, '{': true, '}': true, '|': true,
}

func opensTag(b []byte, at int) bool {
	for at > 0 && (isWord(b[at-1]) || b[at-1] == '-' || b[at-1] == '.' || b[at-1] == ':') {
		at--
	}
	return at > 0 && b[at-1] == '<'
}

// skipQuote passes one quote, which may itself be escaped.
func skipQuote(b []byte, i int) int {
	if i+1 < len(b) && b[i] == '\\' && (b[i+1] == '"' || b[i+1] == '\'') {
		return i + 2
	}
	if i < len(b) && (b[i] == '"' || b[i] == '\'' || b[i] == '`') {
		return i + 1
	}
	return i
}

func skipBlank(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t') {
		i++
	}
	return i
}

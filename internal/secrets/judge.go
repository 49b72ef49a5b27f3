package secrets

import (
	"bytes"
	"strings"
)

// view is the window around a keyword, which stands at b[at:end].
type view struct {
	b       []byte
	at, end int

	given  assigned // the value of the name with the keyword, once it was read
	isRead bool
}

func (v *view) assigned() assigned {
	if !v.isRead {
		v.given, v.isRead = assignment(v), true
	}
	return v.given
}

// judge applies one rule to a window.
func (f *File) judge(r *Rule, v *view) (secret, bool) {
	if r.files != "" && !listed(r.files, base(f.path)) {
		return secret{}, false
	}
	switch r.kind {
	case token:
		return r.judgeToken(v)
	case value, guess:
		a := v.assigned()
		if a.start == a.end || r.kind == guess && (a.end-a.start < shortest || !f.bare && !a.quoted || !a.named(v)) {
			return secret{}, false
		}
		return r.judgeValue(v, a)
	case login:
		return r.judgeLogin(v)
	}
	return secret{}, false
}

func (r *Rule) judgeToken(v *view) (secret, bool) {
	start, ok := r.begin(v)
	if !ok {
		return secret{}, false
	}
	m := r.compiled().FindSubmatchIndex(v.b[start:])
	if m == nil {
		return secret{}, false
	}
	s := secret{start: start + m[0], end: start + m[1], known: r.back == ""}
	switch {
	case r.body != nil:
		from, to := r.body(v.b[s.end:])
		if from == to {
			return secret{}, false
		}
		s = secret{start: s.end + from, end: s.end + to}
	case len(m) > 2:
		s = secret{start: start + m[2], end: start + m[3]}
	}
	if s.end < len(v.b) && isWord(v.b[s.end]) && isWord(v.b[s.end-1]) {
		return secret{}, false // part of something longer
	}
	text := v.b[s.start:s.end]
	// The body of a key is long and begins with a fixed header, in which a run of
	// one letter is nothing unusual.
	if r.body == nil && (isSample(text) || s.known && isLowerOnly(text)) || entropy(text) < r.entropy || r.check != nil && !r.check(text) {
		return secret{}, false
	}
	return s, true
}

// begin returns where the expression of a token rule applies.
func (r *Rule) begin(v *view) (int, bool) {
	start := v.at
	switch r.back {
	case "":
	case backThree:
		start -= 3
	case backURL64, backDigits:
		for start > 0 && (isDigit(v.b[start-1]) || r.back == backURL64 && (isWord(v.b[start-1]) || v.b[start-1] == '-')) {
			start--
		}
	default:
		start = bytes.LastIndex(v.b[:v.at], []byte(r.back))
		if start < 0 || v.at-start > 64 {
			return 0, false
		}
	}
	if start < 0 {
		return 0, false
	}
	// Digits are told from the word before them: bot12345678:AA...
	apart := r.back == backDigits || !isWord(v.b[start]) || !joined(v.b[:start])
	return start, apart
}

// joined reports whether a token cannot begin after b because a word goes on.
// The letter of an escape (\n, %3D) belongs to no word.
func joined(b []byte) bool {
	n := len(b)
	if n == 0 || !isWord(b[n-1]) {
		return false
	}
	escape := n >= 2 && b[n-2] == '\\' || n >= 3 && b[n-3] == '%'
	return !escape
}

func (r *Rule) judgeValue(v *view, a assigned) (secret, bool) {
	text := v.b[a.start:a.end]
	if r.kind == guess {
		if bytes.HasPrefix(text, []byte("eyJ")) && bytes.Contains(text, []byte(".eyJ")) {
			return secret{}, false // a JSON web token, which has a rule of its own
		}
		return a.secret(), looksRandom(text, a.quoted) && !isPlaceholder(text) && !encodesWords(text)
	}
	m := r.compiled().FindIndex(text)
	ok := m != nil && m[1] == len(text) && !isSample(text) &&
		entropy(text) >= r.entropy && (r.check == nil || r.check(text))
	return a.secret(), ok
}

// encodesWords reports whether text is the base64 of something that would be no
// secret by itself. JSON may well hold one, unless it is the head of a token.
func encodesWords(text []byte) bool {
	plain, ok := plainText(text)
	switch {
	case !ok:
		return false
	case plain[0] == '{':
		return bytes.Contains(plain, []byte(`"alg"`))
	}
	return !looksRandom(plain, true) || isPlaceholder(plain)
}

// judgeLogin looks for user:password@host after "://".
func (r *Rule) judgeLogin(v *view) (secret, bool) {
	rest := v.b[v.end:]
	colon := -1
	for i, c := range rest {
		switch {
		case c == '@':
			if colon < 0 || i-colon < 2 || i+1 >= len(rest) || !isWord(rest[i+1]) && rest[i+1] != '[' {
				return secret{}, false
			}
			s := secret{start: v.end + colon + 1, end: v.end + i}
			return s, r.schemeFits(v) && realPassword(rest[:colon], rest[colon+1:i], rest[i+1:])
		case c == ':' && colon < 0:
			colon = i
		case c <= ' ' || c >= 0x7f || i > 200 || strings.IndexByte("/\"'`<>\\(){}[]|,;", c) >= 0:
			return secret{}, false
		}
	}
	return secret{}, false
}

func (r *Rule) schemeFits(v *view) bool {
	i := v.at
	for i > 0 && (isWord(v.b[i-1]) || v.b[i-1] == '+' || v.b[i-1] == '-') {
		i--
	}
	return r.compiled().Match(bytes.ToLower(v.b[i:v.at]))
}

func listed(list, name string) bool {
	for s := range strings.FieldsSeq(list) {
		if s == name {
			return true
		}
	}
	return false
}

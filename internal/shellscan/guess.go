package shellscan

import (
	"bytes"
	"path"
	"strings"
)

// guess reads a script that does not parse word by word: addresses, and the
// first word of whatever looks like a command. It errs on the side of showing.
func guess(src []byte, d Dialect, problem *SyntaxError) *Script {
	s := newScanner(d, nil)
	s.out.Unparsed, s.out.Partial, s.out.Problem = true, true, problem
	line := 0
	for text := range bytes.Lines(src) {
		line++
		s.guessLine(string(text), line)
	}
	return s.result()
}

// maxGuess is how much of one line is split into words; addresses are searched
// in all of it.
const maxGuess = 64 << 10

func (s *scanner) guessLine(text string, line int) {
	s.addresses(word{text: text, line: line})
	text = strings.TrimSpace(text[:min(len(text), maxGuess)])
	if strings.HasPrefix(text, "#") {
		return
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(";|&(){}`", r) }) {
		var words []word
		for f := range strings.FieldsSeq(part) {
			if len(words) == 0 && (isSetting(f) || hasWord("if then else elif do while until ! time exec", f)) {
				continue
			}
			words = append(words, word{text: strings.Trim(f, `"'`), line: line})
			if len(words) > maxArgs {
				break
			}
		}
		if len(words) == 0 || !plainName(words[0].text) {
			continue
		}
		s.record(words, "")
		s.asksRights(invocation{name: path.Base(words[0].text), args: words[1:], words: words, line: line})
	}
}

func plainName(name string) bool {
	for i := range len(name) {
		if c := name[i]; !isSchemeByte(c) && c != '/' && c != '_' && c != '~' {
			return false
		}
	}
	return strings.Trim(name, "-+./0123456789") != ""
}

package pith_test

import (
	"math"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf16"

	"seed/capsule/pith"
)

// model is section 15 written down step by step, over UTF-16 units and without
// regard to cost. It is what Text is compared with.
func model(s string, o pith.Options) []uint16 {
	chars, sentences := 280, 3
	if o.MaxChars > 0 {
		chars = o.MaxChars
	}
	if o.MaxSentences > 0 {
		sentences = o.MaxSentences
	}
	s = modelFold(s)
	if o.Variant == pith.July {
		var pieces []string
		for _, m := range regexp.MustCompile(`[^.!?]+(?:[.!?]+|$)`).FindAllString(s, -1) {
			if m = strings.TrimFunc(m, space); m != "" {
				pieces = append(pieces, m)
			}
		}
		if len(pieces) > sentences {
			s = strings.Join(pieces[:sentences], " ")
		}
	} else if ends := modelEnds([]rune(s)); len(ends) > sentences {
		s = strings.TrimRightFunc(string([]rune(s)[:ends[sentences-1]]), space)
	}
	return modelShorten(utf16.Encode([]rune(s)), chars, o.Variant)
}

// space is whitespace by the list of ECMA-262: five controls of a line, the
// separators of Unicode, and U+FEFF.
func space(r rune) bool {
	return strings.ContainsRune("\t\n\v\f\r\u2028\u2029\ufeff", r) || unicode.Is(unicode.Zs, r)
}

func modelFold(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		line = regexp.MustCompile(`[\t ]+`).ReplaceAllString(line, " ")
		if line = strings.TrimFunc(line, space); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

func modelEnds(s []rune) (ends []int) {
	in := func(set string, i int) bool { return i < len(s) && strings.ContainsRune(set, s[i]) }
	const cjk, stop, closers = "。！？｡", ".!?", `"')]}»’”`
	for i := 0; i < len(s); {
		switch {
		case in(cjk, i):
			for in(cjk+closers, i) {
				i++
			}
			ends = append(ends, i)
		case in(stop, i):
			run := i
			for in(stop, run) {
				run++
			}
			end := run
			for in(closers, end) {
				end++
			}
			from := i
			i = run
			if end < len(s) {
				if !space(s[end]) {
					continue
				}
				after := end
				for after < len(s) && space(s[after]) {
					after++
				}
				if after < len(s) && unicode.Is(unicode.Ll, s[after]) {
					continue
				}
				if run-from == 1 && s[from] == '.' && modelShort(s[:from]) {
					continue
				}
			}
			i = end
			ends = append(ends, end)
		default:
			i++
		}
	}
	if len(s) > 0 && (len(ends) == 0 || ends[len(ends)-1] < len(s)) {
		ends = append(ends, len(s))
	}
	return ends
}

func modelShort(before []rune) bool {
	at := len(before)
	for at > 0 && !space(before[at-1]) {
		at--
	}
	word := strings.TrimLeft(string(before[at:]), `"'([{«‘“`)
	if regexp.MustCompile(`^[A-Z]$`).MatchString(word) {
		return true
	}
	const list = " e.g i.e eg ie etc vs cf ca al approx no nr fig figs eq sec ver rev resp dr mr mrs ms prof st jr sr dept inc ltd co "
	ascii := strings.IndexFunc(word, func(r rune) bool { return r >= 0x80 }) < 0
	return word != "" && ascii && strings.Contains(list, " "+strings.ToLower(word)+" ")
}

func modelShorten(u []uint16, most int, v pith.Variant) []uint16 {
	if len(u) <= most {
		return u
	}
	if most == 1 {
		return []uint16{0x2026}
	}
	limit := most - 1
	prefix := u[:limit]
	if last := prefix[limit-1]; v == pith.Newer && last >= 0xd800 && last < 0xdc00 {
		prefix = prefix[:limit-1]
	}
	t := prefix
	for len(t) > 0 && space(rune(t[len(t)-1])) {
		t = t[:len(t)-1]
	}
	b := t
	if len(prefix) == len(t) {
		sp := len(t) - 1
		for sp >= 0 && t[sp] != ' ' {
			sp--
		}
		part := 0.6
		if sp >= int(math.Floor(part*float64(limit))) {
			b = t[:sp]
		}
	}
	for len(b) > 0 && (space(rune(b[len(b)-1])) || strings.ContainsRune(",;:.!?-", rune(b[len(b)-1]))) {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		b = t
	}
	return append(append([]uint16{}, b...), 0x2026)
}

// units is the UTF-16 form of a result of Text, in which half a pair has the
// form of a character of three bytes.
func units(s string) []uint16 {
	var out []uint16
	for s != "" {
		if len(s) >= 3 && s[0] == 0xed && s[1] >= 0xa0 && s[1] <= 0xbf && s[2] >= 0x80 && s[2] <= 0xbf {
			out = append(out, 0xd000|uint16(s[1]&0x3f)<<6|uint16(s[2]&0x3f))
			s = s[3:]
			continue
		}
		for i, r := range s {
			out = utf16.AppendRune(out, r)
			if next := i + len(string(r)); r != unicode.ReplacementChar || strings.HasPrefix(s, "\ufffd") {
				s = s[next:]
			} else {
				s = s[1:]
			}
			break
		}
	}
	return out
}

package shellscan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxArg  = 240 // bytes kept of one argument
	maxArgs = 40  // arguments kept of one command
	maxText = 160 // bytes kept of a command as text
)

// word is a shell word after quote removal.
type word struct {
	text    string // expansions as written, command substitutions as $(…)
	dynamic bool   // holds an expansion
	pattern bool   // holds an unquoted glob or brace list
	line    int
	node    *syntax.Word // nil for words that came out of a string
}

// word renders w. src is the text w was parsed from.
func (s *scanner) word(w *syntax.Word) word {
	r := renderer{src: s.unit.src}
	r.parts(w.Parts, false)
	return word{
		text: r.b.String(), dynamic: r.dynamic, pattern: r.pattern,
		line: s.line(w), node: w,
	}
}

// code renders w as source that can be parsed again: what the expansions in it
// will give is unknown, so each command substitution becomes "$_".
func (s *scanner) code(w *syntax.Word) string {
	r := renderer{src: s.unit.src, forCode: true}
	r.parts(w.Parts, false)
	if !r.static {
		return ""
	}
	return r.b.String()
}

type renderer struct {
	src     []byte
	forCode bool
	b       strings.Builder
	dynamic bool
	pattern bool
	static  bool // some text was written down
}

func (r *renderer) parts(parts []syntax.WordPart, quoted bool) {
	for _, p := range parts {
		switch p := p.(type) {
		case *syntax.Lit:
			r.lit(p.Value, quoted)
		case *syntax.SglQuoted:
			v := p.Value
			if p.Dollar {
				v = ansiC(v)
			}
			r.write(v)
		case *syntax.DblQuoted:
			r.parts(p.Parts, true)
		case *syntax.ParamExp:
			r.expansion(r.param(p))
		case *syntax.CmdSubst:
			r.expansion("$(…)")
		case *syntax.ProcSubst:
			r.expansion(p.Op.String() + "…)")
		case *syntax.ArithmExp:
			r.expansion("$((…))")
		case *syntax.ExtGlob:
			r.pattern = true
			r.write(p.Op.String() + p.Pattern.Value + ")")
		default:
			r.expansion("$…")
		}
	}
}

func (r *renderer) write(text string) {
	r.static = r.static || strings.TrimSpace(text) != ""
	r.b.WriteString(text)
}

func (r *renderer) expansion(shown string) {
	r.dynamic = true
	if r.forCode && strings.Contains(shown, "…") {
		shown = "$_"
	}
	r.b.WriteString(shown)
}

func (r *renderer) param(p *syntax.ParamExp) string {
	if p.Param == nil {
		return "${…}"
	}
	if r.forCode {
		return "${" + p.Param.Value + "}"
	}
	from, to := int(p.Pos().Offset()), int(p.End().Offset())
	if from < to && to <= len(r.src) && to-from <= 80 {
		return string(r.src[from:to])
	}
	return "${" + p.Param.Value + "…}"
}

// lit adds literal text without the backslashes that quote in it.
func (r *renderer) lit(v string, quoted bool) {
	if !quoted && strings.ContainsAny(v, "*?[{") {
		r.pattern = true
	}
	if !strings.Contains(v, `\`) {
		r.write(v)
		return
	}
	var b strings.Builder
	for i := 0; i < len(v); i++ {
		if v[i] == '\\' && i+1 < len(v) && (!quoted || strings.IndexByte("$`\"\\\n", v[i+1]) >= 0) {
			i++
			if v[i] == '\n' {
				continue
			}
		}
		b.WriteByte(v[i])
	}
	r.write(b.String())
}

// ansiC decodes the escapes of $'…', a favourite hiding place.
func ansiC(v string) string {
	var b []byte
	for i := 0; i < len(v); i++ {
		if v[i] != '\\' || i+1 == len(v) {
			b = append(b, v[i])
			continue
		}
		i++
		if j := strings.IndexByte("abeEfnrtv", v[i]); j >= 0 {
			b = append(b, "\a\b\x1b\x1b\f\n\r\t\v"[j])
			continue
		}
		base, digits, from := 16, 0, i+1
		switch v[i] {
		case 'x':
			digits = 2
		case 'u':
			digits = 4
		case 'U':
			digits = 8
		case '0', '1', '2', '3', '4', '5', '6', '7':
			base, digits, from = 8, 3, i
		default:
			b = append(b, v[i])
			continue
		}
		to := from
		for to < len(v) && to < from+digits && isDigit(v[to], base) {
			to++
		}
		n, err := strconv.ParseUint(v[from:to], base, 32)
		switch {
		case err != nil:
			b = append(b, '\\', v[i])
		case digits <= 3:
			b = append(b, byte(n))
		default:
			b = utf8.AppendRune(b, rune(n))
		}
		i = max(i, to-1)
	}
	return string(b)
}

func isDigit(c byte, base int) bool {
	if base == 8 {
		return c >= '0' && c <= '7'
	}
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// cut shortens text to at most n bytes and a sign that it was longer.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

// join writes words as one line of text.
func join(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
		if b.Len() > maxText {
			break
		}
	}
	return cut(b.String(), maxText)
}

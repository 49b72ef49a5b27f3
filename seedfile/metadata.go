package seedfile

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"seed/finding"
)

// Metadata is a seed's frontmatter, kept as the bytes it was written in: what is
// not edited is never re-ordered, re-quoted or re-serialised (SP-META-06).
//
// It is read by a line profile instead of a YAML library, so that a shell, this
// package and a registry cannot disagree about what it says (SP-META-02).
type Metadata struct {
	Grow []string // directives in order
	Type string   // "" when absent
	Name string   // "" when absent

	lines []metaLine
}

// metaLine is one line without its LF. Continuations carry the key of the field
// they belong to, so a field can be found, replaced or removed as a whole.
type metaLine struct {
	text string
	key  string // "" for comments and blank lines outside a field
	head bool   // the line that names the key
}

// known fields are the ones that mean something to a receiver.
func knownField(key string) bool {
	switch key {
	case "seed", "grow", "type", "name":
		return true
	}
	return false
}

// ParseMetadata reads the lines between the two "---" lines. The report holds
// every breach; the line numbers in it count from first. A nil Metadata comes
// with a breach.
func ParseMetadata(raw []byte, first int) (*Metadata, *finding.Report) {
	p := metaParser{meta: &Metadata{}, seen: map[string]string{}}
	for i, line := range splitLines(raw) {
		p.at = finding.Place{Line: first + i}
		p.line(string(line))
	}
	p.finish(first)
	if p.rep.Err() != nil {
		return nil, &p.rep
	}
	return p.meta, &p.rep
}

type metaParser struct {
	meta *Metadata
	rep  finding.Report
	at   finding.Place
	cur  string            // key of the field that the last line belonged to
	seen map[string]string // known field → its value
	grow finding.Place
	item int  // column of the items under grow, 0 before the first
	full bool // there are too many directives
}

func (p *metaParser) breach(r finding.Rule, format string, args ...any) {
	if len(p.rep.Findings) < MaxFindings {
		p.rep.Add(r.Errorf(p.at, format, args...).Finding)
	}
}

func (p *metaParser) line(s string) {
	switch {
	case strings.ContainsRune(s, '\r'):
		p.breach(ruleEncoding, "carriage return in the metadata")
		return
	case strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s):
		p.breach(ruleEncoding, "metadata line with a NUL byte or not in UTF-8")
		return
	}
	key, value, isField := cutField(s)
	switch {
	case isField && knownField(key):
		p.known(key, value)
		p.add(s, key, true)
	case p.cur == "grow" && p.seen["grow"] == "" && isItem(s):
		p.growItem(s)
		p.add(s, "grow", false)
	case isCommentOrBlank(s):
		p.add(s, "", false)
	case p.cur != "" && !knownField(p.cur) && isContinuation(s):
		p.claim()
		p.add(s, p.cur, false)
	case isField && plainKey(key):
		p.cur = key
		p.add(s, key, true)
	default:
		p.unknown(s)
	}
}

func (p *metaParser) add(text, key string, head bool) {
	p.meta.lines = append(p.meta.lines, metaLine{text, key, head})
}

// claim gives blank and comment lines to the field that goes on after them: in a
// block scalar they are its text.
func (p *metaParser) claim() {
	for i := len(p.meta.lines) - 1; i >= 0 && p.meta.lines[i].key == ""; i-- {
		p.meta.lines[i].key = p.cur
	}
}

// unknown names the nearest mistake for a line outside the profile.
func (p *metaParser) unknown(s string) {
	raw, _, colon := strings.Cut(s, ":")
	key := strings.Trim(raw, " \t\"'")
	switch {
	case colon && knownField(key) && raw == key:
		p.breach(ruleLines, "field %q has no blank after its colon: %s", key, finding.Quote(s))
	case colon && knownField(key) && !isBlank(s[0]):
		p.breach(ruleOnce, "field %q is not in its plain form: %s", key, finding.Quote(s))
	default:
		p.breach(ruleLines, "metadata line not understood: %s", finding.Quote(s))
	}
}

func (p *metaParser) known(key, value string) {
	p.cur = key
	if _, dup := p.seen[key]; dup {
		p.breach(ruleOnce, "field %q stands in the metadata twice", key)
		return
	}
	value = trimValue(value)
	p.seen[key] = value
	inner, isFlow := cutFlow(value)
	switch {
	case value != "" && strings.IndexByte("&*!", value[0]) >= 0:
		p.breach(ruleOnce, "field %q carries a YAML anchor, alias or tag", key)
		return
	case !plainValue(value) && (key != "grow" || !isFlow):
		p.breach(ruleLines, "the value of %q is not plain text: %s", key, finding.Quote(value))
		return
	}
	switch key {
	case "seed":
		p.version(value)
	case "type":
		p.meta.Type = unquote(value)
	case "name":
		p.meta.Name = unquote(value)
	case "grow":
		p.grow = p.at
		switch {
		case value == "" || isFlow && strings.Trim(inner, " \t") == "":
		case isFlow:
			for d := range strings.SplitSeq(inner, ",") {
				p.directive(d)
			}
		default:
			p.directive(value)
		}
	}
}

// version holds the seed field to its one form. Libraries read 1.0 without
// quotes as a number, so a right version in the wrong form has a rule of its own.
func (p *metaParser) version(value string) {
	switch {
	case value == `"1.0"`:
	case value == "" || value[0] == '"':
		p.breach(ruleFields, "the version is %s, not 1.0", finding.Quote(unquote(value)))
	default:
		p.breach(ruleVersion, `the version is written %s, not "1.0" in double quotes`, finding.Quote(value))
	}
}

// growItem reads an item under a bare grow. YAML readers take items in different
// columns for something else than a list, so all of them stand in one.
func (p *metaParser) growItem(s string) {
	dash := strings.IndexByte(s, '-')
	switch indent := s[:dash]; {
	case indent != "" && indent != "  ":
		p.breach(ruleGrow, "a directive is indented by two blanks or not at all: %s", finding.Quote(s))
	case p.item != 0 && p.item != dash+1:
		p.breach(ruleGrow, "the directives do not stand in one column: %s", finding.Quote(s))
	default:
		p.item = dash + 1
		p.directive(s[dash+1:])
	}
}

func (p *metaParser) directive(s string) {
	d := unquote(trimValue(s))
	if why := checkDirective(d); why != "" {
		rule := ruleDirective
		if strings.Contains(d, "://") {
			rule = ruleRemote
		}
		p.breach(rule, "%s: %s", why, finding.Quote(d))
		return
	}
	if len(p.meta.Grow) == MaxGrow {
		if !p.full {
			p.breach(ruleGrow, "more than %d directives", MaxGrow)
			p.full = true
		}
		return
	}
	p.meta.Grow = append(p.meta.Grow, d)
}

// finish checks what only the whole block can tell.
func (p *metaParser) finish(first int) {
	bad := p.rep.Err() != nil
	p.at = finding.Place{Line: first}
	if _, ok := p.seen["seed"]; !ok && !bad {
		p.breach(ruleFields, `metadata has no "seed" field`)
	}
	if _, ok := p.seen["grow"]; !ok && !bad {
		p.breach(ruleFields, `metadata has no "grow" field`)
	} else if len(p.meta.Grow) == 0 && !bad {
		p.at = p.grow
		p.breach(ruleFields, `the "grow" field names no directive`)
	}
	p.at = p.grow
	for _, d := range p.meta.Grow {
		if rule, why := p.meta.precondition(d); why != "" {
			p.breach(rule, "%s", why)
		}
	}
	p.advise()
}

// advise adds what a careful author would want to know (verify --strict).
func (p *metaParser) advise() {
	warn := func(r finding.Rule, msg string) {
		p.rep.Add(finding.Finding{Rule: r, Severity: finding.Warning, At: p.at, Msg: msg})
	}
	m := p.meta
	if _, ok := p.seen["type"]; !ok {
		warn(ruleType, `metadata has no "type" field`)
	} else if !validType(m.Type) {
		warn(ruleType, fmt.Sprintf("type %s is not skill, tool, context, data or archive; it is read as a document", finding.Quote(m.Type)))
	}
	if _, ok := p.seen["name"]; !ok {
		warn(ruleFields, `metadata has no "name" field`)
	} else if !PlainName(m.Name) {
		warn(ruleFields, fmt.Sprintf("name %s is not a plain name", finding.Quote(m.Name)))
	}
}

// precondition says why the metadata itself rules a directive out, or "".
func (m *Metadata) precondition(directive string) (rule finding.Rule, why string) {
	switch {
	case directive == "unfold" && m.Type != "archive":
		return ruleUnfold, "unfold needs type: archive"
	case directive == "copy" && m.Type != "archive":
		return ruleCopy, "copy needs type: archive"
	case directive == "exec" && m.Type == "archive":
		return ruleExec, "exec cannot run an archive"
	case directive == "install" && !PlainName(m.Name):
		return ruleInstall, "install needs a plain name field"
	}
	return rule, ""
}

// Raw returns the block as it stands between the "---" lines.
func (m *Metadata) Raw() []byte {
	var b bytes.Buffer
	for _, l := range m.lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// Field returns the lines of a field exactly as written, LF included, or "".
func (m *Metadata) Field(key string) string {
	var b strings.Builder
	for _, l := range m.lines {
		if l.key == key {
			b.WriteString(l.text)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Value returns the scalar on a field's own line, unquoted and without comment.
func (m *Metadata) Value(key string) (value string, ok bool) {
	for _, l := range m.lines {
		if l.key == key && l.head {
			_, v, _ := cutField(l.text)
			return unquote(trimValue(v)), true
		}
	}
	return "", false
}

// Keys returns the names of all fields in the order they stand.
func (m *Metadata) Keys() []string {
	var keys []string
	for _, l := range m.lines {
		if l.head {
			keys = append(keys, l.key)
		}
	}
	return keys
}

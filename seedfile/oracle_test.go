package seedfile_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"seed/finding"
	"seed/seedfile"
)

// verdict is what a reader says of a seed with a custom transport.
type verdict struct {
	rule string // "" when it conforms
	line int    // 0: any
	meta string
	text string   // payload
	tree []string // members: path, mode, content
}

func broken(rule string, line int) verdict { return verdict{rule: rule, line: line} }

var (
	reUsage  = regexp.MustCompile(`^# Usage: curl -sSL (.*) \| bash -s <path>$`)
	reURL    = regexp.MustCompile(`^(https://[A-Za-z0-9][-._~/:%@+,=A-Za-z0-9]*|http://(localhost|127\.0\.0\.1|\[::1\])(:[0-9]*)?(/[-._~/:%@+,=A-Za-z0-9]*)?)$`)
	reOpen   = regexp.MustCompile(`^cat > "\$TARGET/([A-Za-z0-9_][A-Za-z0-9._-]{0,99})" <<'((SEED|XDOWN)_[0-9A-F]{8})'\n$`)
	reNear   = regexp.MustCompile(`^cat > "\$TARGET/`)
	reNamed  = regexp.MustCompile(`^cat > "\$TARGET/[A-Za-z0-9_][A-Za-z0-9._-]{0,99}("|$)`)
	reMode   = regexp.MustCompile(`^ mode="[0-7][0-7][0-7]"`)
	reMarker = regexp.MustCompile(`^[0-9A-Fa-f]{6}$`)
	reTime   = regexp.MustCompile(`^[0-9]{4}-[01][0-9]-[0-3][0-9](T[0-2][0-9]:[0-5][0-9](:[0-6][0-9]([.][0-9]+)?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?)?$`)
	reBadWay = regexp.MustCompile(`(^|/)\.{0,2}(/|$)|[\x00-\x1f\x7f\\]`)
)

// oracle reads a seed the slow and obvious way: the whole text in memory, one
// rule after the other. It shares no code with the package.
func oracle(text string) verdict {
	lineOf := func(off int) int { return 1 + strings.Count(text[:off], "\n") }
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && n == 1 {
			return broken("SP-FMT-01", lineOf(i))
		}
		i += n
	}
	if i := strings.IndexByte(text, 0); i >= 0 {
		return broken("SP-FMT-01", lineOf(i))
	}
	if strings.HasPrefix(text, "\ufeff") {
		return broken("SP-FMT-01", 1)
	}
	lines := strings.SplitAfter(text, "\n")
	first := strings.TrimSuffix(lines[0], "\n")
	usage := reUsage.FindStringSubmatch(first)
	switch {
	case strings.HasSuffix(first, "\r"):
		return broken("SP-FMT-01", 1)
	case usage == nil || len(lines[0]) > seedfile.MaxUsage:
		return broken("SP-FMT-02", 1)
	case !reURL.MatchString(usage[1]):
		return broken("SP-FMT-03", 1)
	}
	near := broken("SP-FMT-06", lineOf(len(text)))
	off := len(lines[0])
	for i, l := range lines[1:] {
		off += len(l)
		if m := reOpen.FindStringSubmatch(l); m != nil {
			if i == 0 {
				return broken("SP-FMT-05", 2)
			}
			return oracleDocument(text, off, m[2])
		}
		switch line := i + 2; {
		case !reNear.MatchString(l) || !strings.HasSuffix(l, "\n"):
		case strings.HasSuffix(l, "\r\n"):
			near = broken("SP-FMT-01", line)
		case !reNamed.MatchString(strings.TrimSuffix(l, "\n")):
			near = broken("SP-FMT-07", line)
		default:
			near = broken("SP-FMT-08", line)
		}
	}
	return near
}

func oracleDocument(text string, from int, sentinel string) verdict {
	lineOf := func(off int) int { return 1 + strings.Count(text[:off], "\n") }
	at := strings.Index(text[from:], sentinel)
	if at < 0 {
		return broken("SP-FMT-06", lineOf(len(text)))
	}
	at += from
	after := text[at+len(sentinel):]
	switch {
	case text[at-1] != '\n':
		return broken("SP-FMT-09", lineOf(at))
	case strings.HasPrefix(after, "\r"):
		return broken("SP-FMT-01", lineOf(at))
	case after != "" && after[0] != '\n':
		return broken("SP-FMT-09", lineOf(at))
	}
	doc := text[from:at]
	meta, rest, bad := oracleBlock(doc, lineOf(from), "SP-META-02")
	if bad.rule != "" {
		return bad
	}
	typ, bad := oracleMetadata(meta, lineOf(from)+1)
	if bad.rule != "" {
		return bad
	}
	v := verdict{meta: meta, text: rest}
	if typ == "archive" {
		line := lineOf(at - len(rest))
		files, bad := oracleArchive(rest, line)
		if bad.rule != "" {
			return bad
		}
		v.tree = files
	}
	return v
}

// oracleBlock cuts the lines between two --- lines and one blank line off doc.
func oracleBlock(doc string, line int, rule string) (block, rest string, bad verdict) {
	switch {
	case strings.HasPrefix(doc, "\ufeff---"), strings.HasPrefix(doc, "---\r\n"):
		return "", "", broken("SP-FMT-01", line)
	case !strings.HasPrefix(doc, "---\n"):
		return "", "", broken(rule, line)
	}
	var b strings.Builder
	for i, l := range strings.SplitAfter(doc, "\n")[1:] {
		if l == "---\n" {
			rest = doc[4+b.Len()+4:]
			return b.String(), strings.TrimPrefix(rest, "\n"), verdict{}
		}
		if l == "---\r\n" && bad.rule == "" {
			bad = broken("SP-FMT-01", line+1+i)
		}
		b.WriteString(l)
	}
	if bad.rule == "" {
		bad = broken(rule, line)
	}
	return "", "", bad
}

func oracleArchive(payload string, line int) (files []string, bad verdict) {
	head, rest, bad := oracleBlock(payload, line, "SP-ARC-01")
	if bad.rule != "" {
		return nil, bad
	}
	fields := map[string]string{}
	for i, l := range strings.Split(strings.TrimSuffix(head, "\n"), "\n") {
		if strings.Contains(l, "\r") {
			return nil, broken("SP-FMT-01", line+1+i)
		}
		m := regexp.MustCompile(`^(seed|marker|root|at):([ \t].*)?$`).FindStringSubmatch(l)
		if m == nil {
			continue
		}
		if _, dup := fields[m[1]]; dup {
			return nil, broken("SP-ARC-01", line+1+i)
		}
		fields[m[1]] = oracleTrim(m[2])
	}
	marker := oracleBare(fields["marker"])
	if fields["seed"] != `"1.0"` || !reMarker.MatchString(marker) || oracleBare(fields["root"]) == "" || !reTime.MatchString(oracleBare(fields["at"])) {
		return nil, broken("SP-ARC-01", line+1)
	}
	return oracleSections(rest, marker, line+strings.Count(payload[:len(payload)-len(rest)], "\n"))
}

func oracleSections(rest, marker string, line int) (files []string, bad verdict) {
	delim := regexp.MustCompile(`<!--(seed|fold):` + marker + `@`)
	seen := map[string]string{} // path → "file" or "dir"
	var header, encoded string
	for n := 0; ; n++ {
		at := delim.FindStringIndex(rest)
		if at == nil {
			if n == 0 {
				return nil, broken("SP-ARC-10", line)
			}
			return nil, broken("SP-ARC-10", line+strings.Count(rest, "\n"))
		}
		body := rest[:at[0]]
		if n == 0 && body != "" {
			return nil, broken("SP-ARC-10", line)
		}
		line += strings.Count(body, "\n")
		if n > 0 {
			if header[len(header)-1] == 'e' {
				raw, err := base64.StdEncoding.Strict().DecodeString(strings.ReplaceAll(body, "\n", ""))
				if (err != nil || canonicalBase64(raw) != body) && encoded == "" {
					encoded = "SP-ARC-09"
				}
				body = string(raw)
			}
			files = append(files, header[:len(header)-1]+" "+body)
		}
		var after string
		l := rest[at[1]:]
		l, after, _ = strings.Cut(l, "\n")
		if l == "end-->" {
			switch {
			case n == 0:
				return nil, broken("SP-ARC-10", line)
			case after != "":
				return nil, broken("SP-ARC-10", line+1)
			}
			return files, broken(encoded, 0)
		}
		if header, bad = oracleHeader(l, line, seen); bad.rule != "" {
			return nil, bad
		}
		rest, line = after, line+1
	}
}

// oracleHeader gives path and mode, and "e" or "-" for the encoding.
func oracleHeader(l string, line int, seen map[string]string) (string, verdict) {
	const open = `file path="`
	if l == "end-->\r" {
		return "", broken("SP-FMT-01", line)
	}
	if !strings.HasPrefix(l, open) {
		return "", broken("SP-ARC-10", line)
	}
	path, attrs, closed := strings.Cut(l[len(open):], `"`)
	switch {
	case len(path) > 1024:
		return "", broken("SP-PATH-01", line)
	case !closed:
		return "", broken("SP-ARC-10", line)
	}
	mode, enc := "644", "-"
	if strings.HasPrefix(attrs, ` mode="`) {
		if !reMode.MatchString(attrs) {
			return "", broken("SP-ARC-06", line)
		}
		mode, attrs = attrs[7:10], attrs[11:]
	}
	if strings.HasPrefix(attrs, ` enc="base64"`) {
		enc, attrs = "e", attrs[13:]
	}
	switch {
	case attrs == "-->\r":
		return "", broken("SP-FMT-01", line)
	case attrs != "-->":
		return "", broken("SP-ARC-10", line)
	case reBadWay.MatchString(path):
		return "", broken("SP-PATH-01", line)
	}
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if len(p) > 255 {
			return "", broken("SP-PATH-01", line)
		}
		if dir := strings.Join(parts[:i], "/"); i > 0 {
			if seen[dir] == "file" {
				return "", broken("SP-ARC-10", line)
			}
			seen[dir] = "dir"
		}
	}
	if seen[path] != "" {
		return "", broken("SP-ARC-10", line)
	}
	seen[path] = "file"
	return path + " " + mode + enc, verdict{}
}

// agree compares the package with the oracle on one text.
func agree(t interface {
	Helper()
	Fatalf(string, ...any)
}, text string,
) {
	t.Helper()
	want := oracle(text)
	f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{})
	if err != nil {
		t.Fatalf("got the error %v", err)
	}
	got := verdict{}
	if broke, ok := rep.Err().(*finding.Error); ok {
		got.rule, got.line = broke.Rule.ID, broke.At.Line
		if want.line == 0 {
			got.line = 0
		}
	} else {
		got = seen(f)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		show := text
		if len(show) > 3000 {
			show = show[:300] + " ... " + show[len(show)-2500:]
		}
		t.Fatalf("got %.500q (%v), want %.500q:\n%q", fmt.Sprint(got), rep.Err(), fmt.Sprint(want), show)
	}
}

// seen is the verdict of the package on a seed that conforms.
func seen(f *seedfile.File) verdict {
	v := verdict{meta: string(f.Meta.Raw())}
	all, _ := io.ReadAll(f.Payload())
	v.text = string(all)
	if f.Archive == nil {
		return v
	}
	for i := range f.Archive.Files {
		e := &f.Archive.Files[i]
		body, _ := io.ReadAll(f.Archive.Open(e))
		v.tree = append(v.tree, fmt.Sprintf("%s %03o %s", e.Path, int(e.Mode), body))
	}
	return v
}

// The oracle must be able to fail: it knows a good seed from bad ones.
func TestOracle(t *testing.T) {
	t.Parallel()
	if v := oracle(wrap(archive(section("a", "", "x") + arcEnd))); v.rule != "" || fmt.Sprint(v.tree) != "[a 644 x]" {
		t.Errorf("got %+v, want one file", v)
	}
	for _, bad := range []string{"", "x", wrap("x\n"), wrap(archive("")), wrap(archive(section("..", "", "") + arcEnd))} {
		if v := oracle(bad); v.rule == "" {
			t.Errorf("%q: got no breach, want one", bad)
		}
	}
}

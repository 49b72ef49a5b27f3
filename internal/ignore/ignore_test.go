package ignore_test

import (
	"strings"
	"testing"
	"time"

	"seed/internal/ignore"
)

func parse(t *testing.T, text string) *ignore.List {
	t.Helper()
	l, err := ignore.Parse([]byte(text))
	if err != nil {
		t.Fatalf("parse %q: got %v, want no error", text, err)
	}
	return l
}

func TestMatch(t *testing.T) {
	t.Parallel()
	const none, out, keep = ignore.None, ignore.Ignore, ignore.Keep
	for _, c := range []struct {
		text, path string // a path that ends in a slash is a directory
		want       ignore.Verdict
		line       int
	}{
		{"", "a", none, 0},
		{"# a\n\n", "a", none, 0},
		{"#a", "#a", none, 0},
		{`\#a`, "#a", out, 1},
		{`\!a`, "!a", out, 1},
		{"a", "a", out, 1},
		{"a", "x/y/a", out, 1},
		{"a", "ab", none, 0},
		{"a\n!a", "a", keep, 2},
		{"!a\na", "a", out, 2},
		{"*.log\n!keep.log", "x/keep.log", keep, 2},
		{"*.log\n!keep.log", "x/other.log", out, 1},
		{"/a", "a", out, 1},
		{"/a", "x/a", none, 0},
		{"x/a", "x/a", out, 1},
		{"x/a", "y/x/a", none, 0},
		{"a/", "a/", out, 1},
		{"a/", "a", none, 0},
		{"a/", "x/a/", out, 1},
		{"x/a/", "x/a/", out, 1},
		{"x/a/", "y/x/a/", none, 0},
		{"*", "a", out, 1},
		{"*.c", "x/a.c", out, 1},
		{"/*.c", "x/a.c", none, 0},
		{"x/*", "x/a", out, 1},
		{"x/*", "x/y/a", none, 0},
		{"x/*/a", "x/y/a", out, 1},
		{"x/*/a", "x/y/z/a", none, 0},
		{"a?c", "abc", out, 1},
		{"x?y", "x/y", none, 0},
		{"x[/]y", "x/y", none, 0},
		{"[a-c]", "b", out, 1},
		{"[!a-c]", "b", none, 0},
		{"[^a-c]", "d", out, 1},
		{"[]]", "]", out, 1},
		{"[]-]", "-", out, 1},
		{`[\]]`, "]", out, 1},
		{"[[:digit:]]", "7", out, 1},
		{"[[:digits:]]", "7", none, 0},
		{"[ab", "[ab", none, 0},
		{"**/a", "a", out, 1},
		{"**/a", "x/y/a", out, 1},
		{"**/x/a", "y/x/a", out, 1},
		{"x/**", "x/y/a", out, 1},
		{"x/**", "x/", none, 0},
		{"x/**/a", "x/a", out, 1},
		{"x/**/a", "x/y/z/a", out, 1},
		{"x/**/a", "x/ya", none, 0},
		{"**", "x/y", out, 1},
		{"/**/a", ".a", none, 0},
		{"a  ", "a", out, 1},
		{`a\ `, "a ", out, 1},
		{`a\  `, "a ", out, 1},
		{"a\t", "a", none, 0},
		{"  a", "  a", out, 1},
		{"a\r\nb\r\n", "b", out, 2},
		{"a\r", "a", out, 1},
		{"\xef\xbb\xbfa", "a", out, 1},
		{`a\`, `a\`, none, 0},
		{`a\`, "a", none, 0},
		{"/", "a/", none, 0},
		{"!", "a", none, 0},
		{"   ", "a", none, 0},
		{"ä*", "äb", out, 1},
		{"a\x00b", "a", out, 1},
	} {
		path, dir := strings.CutSuffix(c.path, "/")
		if got, line := parse(t, c.text).Match(path, dir); got != c.want || line != c.line {
			t.Errorf("%q on %q: got %v in line %d, want %v in line %d", c.text, c.path, got, line, c.want, c.line)
		}
	}
}

// The same questions to git, where its tree has the paths.
func TestKnownCasesAgainstGit(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	for _, files := range []map[string]string{
		{"": "*\n!*/\n!*.o\n"},
		{"": "d/\n!d/a\n"},
		{"": "d/*\n!d/e/\nd/e/*\n!d/e/a\n"},
		{"": "/a\n/d/e/\n"},
		{"": "a**/b\n"},
		{"": "a**/*\n"},
		{"": "**/a/**\n!**/b\n"},
		{"": "*\n", "d": "!*\n", "d/e": "a\n"},
		{"": "ab\n", "d": "!ab\n", "d/e": "/ab\n!/abc\n"},
		{"d": "/e/a\ne/f/\n"},
		{"": "a\\ \na b\n", "a.d": "/a/a\n"},
		{"": "x[[]1]\n\\#a\n\\!a\na\\\\b\n"},
		{"": "[[:upper:]]*\n[!a-z]\n"},
		{"": "d/e\r\n!d/e\r\n"},
	} {
		r.compare(t, files, func(path, got, want string) {
			t.Errorf("%q with %q: got %s, want %s", path, files, got, want)
		})
	}
}

func TestStack(t *testing.T) {
	t.Parallel()
	var s ignore.Stack
	if out, by := s.Ignored("a", false); out || by != "" {
		t.Errorf("empty stack: got %t by %q, want false", out, by)
	}
	s.Push("", ".gitignore", parse(t, "*.log\nout/\n"))
	s.Push("", ".seedignore", parse(t, "!a.log\n"))
	ask := func(path string, dir, want bool, wantBy string) {
		t.Helper()
		if got, by := s.Ignored(path, dir); got != want || by != wantBy {
			t.Errorf("%s: got %t by %q, want %t by %q", path, got, by, want, wantBy)
		}
	}
	ask("b.log", false, true, ".gitignore:1")
	ask("a.log", false, false, ".seedignore:1")
	ask("out", true, true, ".gitignore:2")
	ask("out/a.log", false, true, ".gitignore:2") // no way back from inside
	ask("docs/b.log", false, true, ".gitignore:1")
	s.Push("docs", ".seedignore", parse(t, "!*.log\n/x\n"))
	ask("docs/b.log", false, false, "docs/.seedignore:1")
	ask("docs/x", false, true, "docs/.seedignore:2")
	ask("docs/x/y", false, true, "docs/.seedignore:2")
	ask("docs2/b.log", false, true, ".gitignore:1")
	s.Push("docs2", ".seedignore", parse(t, "y\n"))
	ask("docs2/y", false, true, "docs2/.seedignore:1")
	ask("docs/b.log", false, true, ".gitignore:1") // the walk has left docs
}

// A matcher that tries one way after another needs years for these.
func TestNoBlowUp(t *testing.T) {
	t.Parallel()
	name := strings.Repeat("a", 250)
	for _, text := range []string{
		strings.Repeat("*a", 100) + "b",
		"**/" + strings.Repeat("*a", 100) + "b",
		strings.Repeat("**/", 100) + "b",
		strings.Repeat("a*/**/", 60) + "b",
	} {
		l := parse(t, text)
		start := time.Now()
		if v, _ := l.Match(strings.Repeat(name+"/", 10)+name, false); v != ignore.None {
			t.Errorf("%.20q: got %v, want none", text, v)
		}
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%.20q: got %v, want milliseconds", text, took)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"size":  strings.Repeat("#"+strings.Repeat("x", 1022)+"\n", ignore.MaxSize/1024+1),
		"lines": strings.Repeat("a\n", ignore.MaxLines+1),
		"line":  strings.Repeat("a", ignore.MaxLine+1),
	} {
		if _, err := ignore.Parse([]byte(text)); err == nil {
			t.Errorf("%s: got no error, want one", name)
		}
	}
	parse(t, strings.Repeat("a\n", ignore.MaxLines))
	parse(t, strings.Repeat("a", ignore.MaxLine))
}

func TestVerdictNames(t *testing.T) {
	t.Parallel()
	for v, want := range map[ignore.Verdict]string{
		ignore.None: "none", ignore.Ignore: "ignore", ignore.Keep: "keep", 9: "verdict(9)",
	} {
		if got := v.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func BenchmarkIgnored(b *testing.B) {
	l, err := ignore.Parse([]byte("*.log\n*.tmp\n/out/\nnode_modules/\n*.py[co]\ndocs/**/*.bak\n!keep.log\n.DS_Store\n*~\nbuild-*/\n"))
	if err != nil {
		b.Fatal(err)
	}
	var s ignore.Stack
	s.Push("", ".gitignore", l)
	for b.Loop() {
		s.Ignored("src/net/http/internal/testcert/testcert.go", false)
	}
}

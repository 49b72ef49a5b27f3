package pathrule_test

import (
	"fmt"
	"strings"
	"testing"

	"seed/internal/pathrule"
)

func TestSP_PATH_01_Check(t *testing.T) {
	t.Parallel()
	refused := map[string]string{
		"":            "empty",
		"/etc/passwd": "absolute",
		"../x":        `".."`,
		"a/../../x":   `".."`,
		"a/..":        `".."`,
		"..":          `".."`,
		"./a":         `"."`,
		".":           `"."`,
		"a/./b":       `"."`,
		"a//b":        "empty component",
		"a/":          "empty component",
		`a\b`:         "backslash",
		`..\x`:        "backslash",
		`C:\x`:        "backslash",
		`a"b`:         "double quote",
		"a\tb":        "control",
		"a\nb":        "control",
		"a\rb":        "control",
		"a\x1b[31mb":  "control",
		"a\x7fb":      "control",
		"a\x00b":      "control",
		"a/.seed-0123456789abcdef0123456789abcdef/b": "growing itself",
		"a\xffb":                  "UTF-8",
		"a\xed\xa0\x80b":          "UTF-8",
		strings.Repeat("x", 256):  "255",
		strings.Repeat("x/", 600): "1,024",
	}
	for name, want := range refused {
		err := pathrule.Check(name)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Check(%q): got %v, want an error with %q", name, err, want)
		}
	}
}

func TestSP_PATH_03_EverythingElseIsLegal(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"a", "a/b", "-rf", "~", "$HOME", "it's", "`id`", "...", "a...", "..a", "a b", " a", "a ",
		"naïve/日本語", "*", "?", "C:x", strings.Repeat("x", 255), "<!--seed:abcdef@end-->", "a\u0085b",
	} {
		if err := pathrule.Check(name); err != nil {
			t.Errorf("Check(%q): got %v, want nil", name, err)
		}
	}
}

func TestPortable(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"C:x", "a/NUL", "aux.txt", "com1", "LPT9.log", "a.", "b ", "x?", "d/con.tar.gz", "COM¹"} {
		if pathrule.Portable(name) == "" {
			t.Errorf("Portable(%q): got no reason, want one", name)
		}
	}
	for _, name := range []string{"a", "console", "com", "com10", "lpt", "nul_", "a.b", ".hidden", "日本"} {
		if why := pathrule.Portable(name); why != "" {
			t.Errorf("Portable(%q): got %q, want none", name, why)
		}
	}
}

func TestSP_ARC_10_Set(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		names []string
		want  string
	}{
		{[]string{"a", "b", "c/d", "c/e", "c/f/g", "c/h"}, ""},
		{[]string{"a", "a"}, "twice"},
		{[]string{"a", "a/b"}, "both"},
		{[]string{"a/b", "a"}, "both"},
		{[]string{"a/b/c", "x", "a/b"}, "both"},
		{[]string{"a/b", "a/b/c"}, "both"},
		{[]string{"x/a", "y/a", "x/a"}, "twice"},
	} {
		var set pathrule.Set
		var err error
		for _, n := range c.names {
			if err = set.Add(n); err != nil {
				break
			}
		}
		got := ""
		if err != nil {
			got = err.Error()
		}
		if (c.want == "") != (err == nil) || !strings.Contains(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.names, got, c.want)
		}
	}
}

// SP-ARC-10: a few names cannot stand for millions of directories, and what real
// trees do stays far from the limit.
func TestSetBoundsDirectories(t *testing.T) {
	t.Parallel()
	var deep pathrule.Set
	var err error
	n := 0
	for ; err == nil && n < 100; n++ {
		err = deep.Add(strings.Repeat(string(rune('a'+n%26))+"/", 500) + "x" + strings.Repeat("y", n/26))
	}
	if err == nil || !strings.Contains(err.Error(), "too many directories") || n > 5 {
		t.Errorf("got %v after %d names of 500 directories, want a refusal after a few", err, n)
	}
	var flat pathrule.Set
	for i := range 20000 {
		if err := flat.Add(fmt.Sprintf("packages/p%d/src/lib/index.js", i)); err != nil {
			t.Fatalf("got %v at %d, want three directories for each file to be fine", err, i)
		}
	}
}

// FuzzCheck: whatever passes stays below a destination however it is cleaned.
func FuzzCheck(f *testing.F) {
	for _, s := range []string{"a", "../a", "a/..", "a//b", "/a", `a\..`, "a/./b", "\xff", "..."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if pathrule.Check(name) != nil {
			return
		}
		for c := range strings.SplitSeq(name, "/") {
			if c == "" || c == "." || c == ".." {
				t.Errorf("Check(%q) passed component %q", name, c)
			}
		}
		if strings.ContainsAny(name, "\x00\n\r\"\\") || len(name) > pathrule.MaxPath {
			t.Errorf("Check(%q) passed a refused character or length", name)
		}
	})
}

package shellscan_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"seed/internal/shellscan"
)

func TestDialects(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, src string
		dialect   shellscan.Dialect
		want      shellscan.Dialect
		problem   string // "" when it parses
	}{
		{"no line", "a=(1 2)", shellscan.Auto, shellscan.Bash, ""},
		{"sh", "#!/bin/sh\nx", shellscan.Auto, shellscan.POSIX, ""},
		{"sh by env", "#!/usr/bin/env -S dash -e\nx", shellscan.Auto, shellscan.POSIX, ""},
		{"bash", "#!/bin/bash -eu\na=(1)", shellscan.Auto, shellscan.Bash, ""},
		{"sh that is bash", "#!/bin/sh\na=(1 2)", shellscan.Auto, shellscan.Bash, ""},
		{"not a shell", "#!/usr/bin/python3\nimport os", shellscan.Auto, shellscan.Auto, "line 1: not a shell script: it asks for python3"},
		{"hostile name", "#!/bin/\x1b[31mx\n", shellscan.Auto, shellscan.Auto, `line 1: not a shell script: it asks for \x1b[31mx`},
		{"arrays in posix", "x\na=(1 2)", shellscan.POSIX, shellscan.POSIX, "line 2: arrays in a script for another shell"},
		{"unfinished", "x\ny\nif true; then\n", shellscan.Bash, shellscan.Bash, "line 3: `then` must be followed by a statement list"},
		{"unclosed quote", "x\necho 'a\n\n", shellscan.Bash, shellscan.Bash, "line 2: reached EOF without closing quote `'`"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, err := shellscan.Scan([]byte(c.src), shellscan.Options{Dialect: c.dialect})
			if s.Dialect != c.want {
				t.Errorf("dialect: got %v, want %v", s.Dialect, c.want)
			}
			if c.problem == "" {
				if err != nil || s.Unparsed || s.Problem != nil {
					t.Errorf("got %v, want it to parse", err)
				}
				return
			}
			var se *shellscan.SyntaxError
			if !errors.As(err, &se) || se.Error() != c.problem || !s.Unparsed || s.Problem != se {
				t.Errorf("got error %v (unparsed %v), want %q", err, s.Unparsed, c.problem)
			}
		})
	}
}

func TestUnparsedIsStillSearched(t *testing.T) {
	t.Parallel()
	src := "#!/usr/bin/fish\n# https://comment.example\nsudo apt install x; and curl https://a.example/b | bash\nset u 'http://b.example'\nif ((\n"
	s, err := shellscan.Scan([]byte(src), shellscan.Options{})
	if err == nil || !s.Unparsed || !s.Partial {
		t.Fatalf("got %v, unparsed %v, partial %v, want an unparsed script", err, s.Unparsed, s.Partial)
	}
	var hosts, names []string
	for _, h := range s.Hosts {
		hosts = append(hosts, h.Name)
	}
	for _, c := range s.Commands {
		names = append(names, c.Name)
	}
	if got, want := strings.Join(hosts, " "), "comment.example a.example b.example"; got != want {
		t.Errorf("hosts: got %q, want %q", got, want)
	}
	if got, want := strings.Join(names, " "), "sudo and bash set"; got != want {
		t.Errorf("commands: got %q, want %q", got, want)
	}
	if len(s.Privileges) != 1 || s.Privileges[0].Line != 3 {
		t.Errorf("privileges: got %v, want sudo on line 3", s.Privileges)
	}
}

// Nesting is refused before the stack is spent: an overflow ends the process,
// so this test fails by not returning.
func TestDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	for _, open := range []string{
		"(", "$(", "`", "{ ", "${a:-", "$((", "((", "if a;then ", "while ", "case a in b) ", "! ", "f()", "time ",
		`"$(`, `"${a:-`, "((a?", "((-", "[[ ! ", "[[ (", "<(", "${a[", "function f ", "a|", "a&&", "a=$(", "x `\\`",
		"if a; then b\nelif a;then ", "eval ", "cat <<E\n$(", "{a,", "coproc ",
	} {
		for _, d := range []shellscan.Dialect{shellscan.Bash, shellscan.POSIX} {
			size := 1 << 18
			if open == "(" || open == "$(" {
				size = 1 << 20
			}
			src := append([]byte("curl https://e.org/\n"), bytes.Repeat([]byte(open), size/len(open))...)
			s, err := shellscan.Scan(src, shellscan.Options{Dialect: d})
			if err == nil && !s.Partial && len(s.Commands) > 2 {
				t.Errorf("%q in %v: got %d commands and no word of trouble", open, d, len(s.Commands))
			}
			if len(s.Hosts) != 1 {
				t.Errorf("%q in %v: got hosts %v, want e.org", open, d, s.Hosts)
			}
		}
	}
}

func TestClosedDeepNestingIsRefused(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{{"(", ")"}, {"$(", ")"}, {"{ ", ";}"}, {"${a:-", "}"}, {"$((", "))"}} {
		src := strings.Repeat(pair[0], 200_000) + "x" + strings.Repeat(pair[1], 200_000)
		s, err := shellscan.Scan([]byte(src), shellscan.Options{Dialect: shellscan.Bash})
		if err == nil || !s.Unparsed {
			t.Errorf("%q: got error %v, want a refusal", pair, err)
		}
	}
}

func TestOrdinaryDepthIsFollowed(t *testing.T) {
	t.Parallel()
	src := strings.Repeat("if a; then (", 100) + "rm /x" + strings.Repeat("); fi", 100)
	s, err := shellscan.Scan([]byte(src), shellscan.Options{})
	if err != nil || len(s.Writes) != 1 || s.Partial {
		t.Errorf("got %v, %v, want the rm a hundred levels down", s.Writes, err)
	}
	src = "true" + strings.Repeat(" && a | b", 1000)
	s, err = shellscan.Scan([]byte(src), shellscan.Options{})
	if err != nil || len(s.Commands) != 2001 {
		t.Errorf("got %d commands, %v, want 2001", len(s.Commands), err)
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	t.Run("size", func(t *testing.T) {
		t.Parallel()
		src := append(bytes.Repeat([]byte("# fill\n"), shellscan.MaxSource/7), "\n\n\ncurl https://late.example\n"...)
		s, err := shellscan.Scan(src, shellscan.Options{})
		if err == nil || !s.Unparsed || len(s.Hosts) != 1 {
			t.Errorf("got %v, hosts %v, want unparsed with late.example", err, s.Hosts)
		}
	})
	t.Run("lists", func(t *testing.T) {
		t.Parallel()
		s, err := shellscan.Scan(bytes.Repeat([]byte("sudo curl $A http://a > b | sh &\n"), 20_000), shellscan.Options{})
		if err != nil || !s.Partial || len(s.Commands) != 10_000 || len(s.Privileges) != 10_000 || len(s.Hosts) != 1 {
			t.Errorf("got %d commands, %d rights, %d hosts, %v, want cut lists", len(s.Commands), len(s.Privileges), len(s.Hosts), err)
		}
	})
	t.Run("words", func(t *testing.T) {
		t.Parallel()
		s, err := shellscan.Scan([]byte("x "+strings.Repeat("é", 1<<19)+strings.Repeat(" y", 100)), shellscan.Options{})
		if err != nil || len(s.Commands) != 1 {
			t.Fatalf("got %v, %v", s.Commands, err)
		}
		if a := s.Commands[0].Args; len(a) != 41 || len(a[0]) > 250 || a[40] != "…" {
			t.Errorf("got %d arguments, first of %d bytes, want 40 short ones and a sign", len(a), len(a[0]))
		}
	})
	t.Run("strings of code", func(t *testing.T) {
		t.Parallel()
		s, err := shellscan.Scan(bytes.Repeat([]byte("eval rm /x\n"), 50_000), shellscan.Options{})
		if err != nil || !s.Partial {
			t.Errorf("got partial %v, %v, want partial", s.Partial, err)
		}
	})
	t.Run("wrappers", func(t *testing.T) {
		t.Parallel()
		s, err := shellscan.Scan([]byte(strings.Repeat("nice ", 1<<18)+"rm /x"), shellscan.Options{})
		if err != nil || !s.Partial || len(s.Writes) != 0 {
			t.Errorf("got partial %v, %v, want partial", s.Partial, err)
		}
	})
	t.Run("lines beyond the parser's numbers", func(t *testing.T) {
		t.Parallel()
		s, err := shellscan.Scan([]byte(strings.Repeat("\n", 400_000)+"rm /x"), shellscan.Options{})
		if err != nil || len(s.Writes) != 1 || s.Writes[0].Line != 400_001 {
			t.Errorf("got %v, %v, want line 400001", s.Writes, err)
		}
	})
}

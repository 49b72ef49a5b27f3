package shellscan

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxHops bounds how many commands may run one another: sudo env nice …
const maxHops = 12

// invocation is a command whose name is known.
type invocation struct {
	name  string // without directory
	args  []word
	words []word // with the name
	line  int
}

func (c invocation) text() string { return join(c.words) }

// call walks a simple command.
func (s *scanner) call(c *syntax.CallExpr) {
	scope := ""
	if len(c.Args) > 0 {
		scope = "command"
	}
	for _, a := range c.Assigns {
		s.assignment(a, scope)
	}
	words := make([]word, 0, len(c.Args))
	for _, w := range c.Args {
		s.inspect(w)
		words = append(words, s.word(w))
	}
	s.simple(words, s.unit.via)
}

// simple records a command and, where it runs another one, that too.
func (s *scanner) simple(words []word, via string) {
	for hops := 0; len(words) > 0; hops++ {
		if hops == maxHops {
			s.out.Partial = true
			return
		}
		s.record(words, via)
		first := words[0]
		if first.dynamic {
			via = first.text
			words = s.throughVariable(words)
			continue
		}
		c := invocation{name: path.Base(first.text), args: words[1:], words: words, line: first.line}
		if s.funcs[first.text] {
			return
		}
		s.effects(c)
		via = c.name
		words = inner(c)
	}
}

// throughVariable replaces a name that is one variable by what the script sets
// that variable to, if it does.
func (s *scanner) throughVariable(words []word) []word {
	name := strings.Trim(words[0].text, "${}")
	vals := s.known[name]
	if len(vals) == 0 || words[0].text != "$"+name && words[0].text != "${"+name+"}" {
		return nil
	}
	var out []word
	for _, f := range strings.Fields(vals[0]) {
		out = append(out, word{text: f, line: words[0].line})
	}
	if len(out) == 0 {
		return nil
	}
	return append(out, words[1:]...)
}

func (s *scanner) record(words []word, via string) {
	if len(s.out.Commands) >= maxItems {
		s.out.Partial = true
		return
	}
	first := words[0]
	c := Command{
		Line: first.line, Name: cut(first.text, maxArg), Via: cut(via, maxArg),
		Dynamic:  first.dynamic || first.pattern && first.text != "[",
		Function: s.funcs[first.text],
	}
	c.Builtin = !c.Function && !c.Dynamic && builtin(first.text)
	for i, w := range words[1:] {
		if i == maxArgs {
			c.Args = append(c.Args, "…")
			break
		}
		c.Args = append(c.Args, cut(w.text, maxArg))
	}
	s.out.Commands = append(s.out.Commands, c)
}

func (s *scanner) effects(c invocation) {
	s.runsCode(c)
	s.touchesEnv(c)
	s.touchesFiles(c)
	s.asksRights(c)
	s.staysBehind(c)
	s.installs(c)
	s.talksTo(c)
}

// touchesEnv knows the commands that set or show variables.
func (s *scanner) touchesEnv(c invocation) {
	switch c.name {
	case "read":
		for _, w := range positionals(c.args, "dinNptu", "") {
			s.assign(w.text, c.line, false)
		}
	case "mapfile", "readarray":
		for _, w := range positionals(c.args, "dnOsuCc", "") {
			s.assign(w.text, c.line, false)
		}
	case "getopts":
		if len(c.args) > 1 {
			s.assign(c.args[1].text, c.line, false)
		}
	case "printf":
		if len(c.args) > 1 && c.args[0].text == "-v" {
			s.assign(c.args[1].text, c.line, false)
		}
	case "export", "readonly", "local": // POSIX: no clauses of their own
		for _, w := range positionals(c.args, "", "") {
			if name, _, ok := strings.Cut(w.text, "="); ok {
				s.assign(name, c.line, c.name == "export")
			} else if c.name == "export" && syntax.ValidName(name) {
				s.setEnv(name, c.line, true)
			}
		}
	case "printenv":
		for _, w := range c.args {
			s.read(w.text, c.line)
		}
		if len(c.args) == 0 {
			s.read("*", c.line)
		}
	case "env":
		if len(positionals(c.args, "uSC", "unset split-string chdir")) == 0 {
			s.read("*", c.line)
		}
	}
}

// builtin reports whether shells do name themselves.
func builtin(name string) bool {
	switch name {
	case ":", ".", "[", "alias", "bg", "break", "builtin", "caller", "cd", "command", "compgen", "complete",
		"continue", "declare", "dirs", "disown", "echo", "enable", "eval", "exec", "exit", "export", "false",
		"fg", "getopts", "hash", "help", "history", "jobs", "kill", "let", "local", "mapfile", "popd",
		"printf", "pushd", "pwd", "read", "readarray", "readonly", "return", "set", "shift", "shopt",
		"source", "suspend", "test", "times", "trap", "true", "type", "typeset", "ulimit", "umask",
		"unalias", "unset", "wait":
		return true
	}
	return false
}

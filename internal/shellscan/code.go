package shellscan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func isShell(name string) bool {
	switch name {
	case "sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "yash", "posh", "rbash", "ksh93":
		return true
	}
	return false
}

func isInterpreter(name string) bool {
	if strings.HasPrefix(name, "python") {
		return true
	}
	switch name {
	case "perl", "ruby", "node", "php", "lua", "osascript", "pwsh", "deno", "bun", "tclsh", "fish":
		return true
	}
	return false
}

// runsCode follows the code that c is given to run.
func (s *scanner) runsCode(c invocation) {
	switch {
	case isShell(c.name):
		s.runsShell(c)
	case isInterpreter(c.name):
		s.runsInterpreter(c)
	}
	switch c.name {
	case "eval":
		s.runsEval(c)
	case "source", ".":
		if len(c.args) > 0 {
			s.runsFile(c, c.args[0])
		}
	case "trap":
		if len(c.args) > 1 && c.args[0].text != "-" {
			s.runsWord(c, c.args[0], "trap")
		}
	case "su":
		if w, ok := flagValue(c.args, 'c', "command"); ok {
			s.runsWord(c, w, "su -c")
		} else {
			s.fed(c)
		}
	case "env":
		if w, ok := flagValue(c.args, 'S', "split-string"); ok {
			s.runsWord(c, w, "env -S")
		}
	case "ssh":
		s.runsRemote(c)
	}
}

func (s *scanner) runsShell(c invocation) {
	for i, w := range c.args {
		if !isCluster(w.text) && !strings.HasPrefix(w.text, "--") {
			break
		}
		if isCluster(w.text) && strings.Contains(w.text, "c") && i+1 < len(c.args) {
			s.runsWord(c, c.args[i+1], c.name+" -c")
			return
		}
	}
	rest := skipFlags(c.args, "oO", "rcfile init-file")
	if len(rest) == 0 || hasFlag(c.args, 's', "") {
		s.fed(c)
		return
	}
	s.runsFile(c, rest[0])
}

// runsFile handles a script given by name, which may be a pipe in disguise.
func (s *scanner) runsFile(c invocation, w word) {
	switch {
	case w.text == "-" || w.text == "/dev/stdin" || w.text == "/dev/fd/0":
		s.fed(c)
	case w.node != nil && hasSubstitution(w.node) && strings.HasPrefix(w.text, "<("):
		s.shellPipe(c.line, c.name, s.makes(w.node), s.text(w.node))
	}
}

func (s *scanner) runsInterpreter(c invocation) {
	for _, w := range c.args {
		if w.node == nil || !hasSubstitution(w.node) {
			continue
		}
		if kind := s.makes(w.node); kind != dynamic || strings.HasPrefix(w.text, "<(") {
			s.shellPipe(c.line, c.name, kind, s.text(w.node))
		}
	}
	if len(c.args) == 0 || c.args[0].text == "-" || c.args[0].text == "/dev/stdin" {
		s.fed(c)
	}
}

// runsWord follows one word of code.
func (s *scanner) runsWord(c invocation, w word, via string) {
	if w.node == nil {
		s.codeText(w.text, w.line, via)
		return
	}
	code := s.code(w.node)
	kind := dynamic
	if hasSubstitution(w.node) {
		kind = s.makes(w.node)
	}
	if kind != dynamic || w.dynamic && code == "" {
		s.shellPipe(c.line, via, kind, s.text(w.node))
	}
	s.codeText(code, w.line, via)
}

func (s *scanner) runsEval(c invocation) {
	var b strings.Builder
	made, kind := false, dynamic
	for _, w := range c.args {
		made = made || w.dynamic
		if w.node == nil {
			b.WriteString(w.text + " ")
			continue
		}
		if hasSubstitution(w.node) {
			kind = stronger(kind, s.makes(w.node))
		}
		if code := s.code(w.node); code != "" {
			b.WriteString(code + " ")
		} else {
			b.WriteString("$_ ")
		}
	}
	if made {
		from := join(c.args)
		if first, last := c.args[0].node, c.args[len(c.args)-1].node; first != nil && last != nil {
			from = s.between(first.Pos(), last.End())
		}
		s.shellPipe(c.line, "eval", kind, from)
	}
	if code := b.String(); strings.Trim(code, "$_ ") != "" {
		s.codeText(code, c.line, "eval")
	}
}

// runsRemote follows the command that ssh runs on the other side.
func (s *scanner) runsRemote(c invocation) {
	rest := skipFlags(c.args, sshValued, "")
	if len(rest) < 2 {
		return
	}
	if len(rest) == 2 {
		s.runsWord(c, rest[1], "ssh")
		return
	}
	s.simple(skipFlags(rest[1:], sshValued, ""), "ssh")
}

const sshValued = "bcDEeFIiJLlmOopQRSWw"

func hasSubstitution(n syntax.Node) bool {
	found := false
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			found = true
		}
		return !found
	})
	return found
}

// redirect notes what a redirection writes, and what it feeds to the command.
func (s *scanner) redirect(r *syntax.Redirect) {
	s.inspect(r.Word)
	if r.Hdoc != nil {
		s.inspect(r.Hdoc)
	}
	w := s.word(r.Word)
	switch r.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrInOut:
		s.touch(w, Create, "redirect")
	case syntax.AppOut, syntax.AppAll:
		s.touch(w, Append, "redirect")
	case syntax.DplOut:
		if strings.Trim(w.text, "0123456789-") != "" && !w.dynamic {
			s.touch(w, Create, "redirect")
		}
	case syntax.RdrIn:
		s.pipe = nil
		if hasSubstitution(r.Word) {
			s.pipe = &source{made: []syntax.Node{r.Word}, text: s.text(r.Word)}
		}
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc != nil {
			s.pipe = &source{made: []syntax.Node{r.Hdoc}, code: r, text: "here-document"}
		}
	case syntax.WordHdoc:
		s.pipe = &source{made: []syntax.Node{r.Word}, code: r, text: s.text(r.Word)}
	}
}

// hdoc returns the text of a here-document as code.
func (s *scanner) hdoc(r *syntax.Redirect) string {
	raw := false
	for _, p := range r.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		raw = raw || !ok || strings.Contains(lit.Value, `\`)
	}
	if !raw {
		rd := renderer{src: s.unit.src, forCode: true}
		rd.parts(r.Hdoc.Parts, true)
		return rd.b.String()
	}
	var b strings.Builder
	for _, p := range r.Hdoc.Parts {
		if lit, ok := p.(*syntax.Lit); ok {
			b.WriteString(lit.Value)
		}
	}
	return b.String()
}

package shellscan

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// environment finds out which variables a script takes from outside. Order
// matters: PREFIX=${PREFIX:-/usr} reads, the same read one line later does not.
type environment struct {
	clock int
	first map[string]int // name → time of its first assignment
	last  map[string]int // name → time of its last assignment
	reads []read
	funcs []int // the end of each function
}

type read struct {
	name     string
	line, at int
	fn       int // index+1 of the function it is in
}

func (e *environment) openFunc() int {
	e.funcs = append(e.funcs, 0)
	return len(e.funcs)
}

func (e *environment) closeFunc(fn int) {
	e.clock++
	e.funcs[fn-1] = e.clock
}

// outside reports whether r gets its value from the environment. A function
// runs later than it is written: what the script sets after the function counts
// as set before it runs.
func (e *environment) outside(r read) bool {
	first, set := e.first[r.name]
	if !set {
		return true
	}
	return first > r.at && (r.fn == 0 || e.last[r.name] < e.funcs[r.fn-1])
}

func (s *scanner) read(name string, line int) {
	if !syntax.ValidName(name) && name != "*" || shellVariable(name) {
		return
	}
	s.env.clock++
	if len(s.env.reads) >= 10*maxItems {
		s.out.Partial = true
		return
	}
	s.env.reads = append(s.env.reads, read{name: name, line: line, at: s.env.clock, fn: s.inFunc})
}

// assign notes that the script itself gives name a value.
func (s *scanner) assign(name string, line int, exported bool) {
	if !syntax.ValidName(name) {
		return
	}
	e := &s.env
	e.clock++
	if e.first == nil {
		e.first, e.last = make(map[string]int), make(map[string]int)
	}
	if _, set := e.first[name]; !set {
		e.first[name] = e.clock
	}
	e.last[name] = e.clock
	s.setEnv(name, line, exported)
}

func (s *scanner) setEnv(name string, line int, exported bool) {
	v := Variable{Name: name, Line: line, Exported: exported}
	if old, known := single(s, &s.out.EnvSets, v, "set "+name); known && exported {
		old.Exported = true
	}
}

func (s *scanner) settleReads() {
	for _, r := range s.env.reads {
		if s.env.outside(r) {
			single(s, &s.out.EnvReads, Variable{Name: r.name, Line: r.line}, "read "+r.name)
		}
	}
}

// param notes a variable in ${…}.
func (s *scanner) param(p *syntax.ParamExp) {
	if p.Param == nil {
		return
	}
	name, line := p.Param.Value, s.line(p)
	s.read(name, line)
	if p.Exp != nil && (p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull) {
		s.assign(name, line, false)
	}
}

// assignment walks NAME=value. scope is "" for one that lasts, "export" for an
// exported one and "command" for one that only the command it precedes sees.
func (s *scanner) assignment(a *syntax.Assign, scope string) {
	if a.Value != nil {
		s.inspect(a.Value)
	}
	if a.Array != nil {
		s.inspect(a.Array)
	}
	if a.Index != nil {
		s.inspect(a.Index)
	}
	if a.Name == nil {
		return
	}
	name, line := a.Name.Value, s.line(a)
	switch {
	case scope == "command":
		s.setEnv(name, line, true)
	case a.Append:
		s.read(name, line)
		s.assign(name, line, scope == "export")
	default:
		s.assign(name, line, scope == "export")
	}
}

// declare walks export, readonly, local, declare and their like.
func (s *scanner) declare(d *syntax.DeclClause) {
	scope := ""
	if d.Variant.Value == "export" {
		scope = "export"
	}
	words := []word{{text: d.Variant.Value, line: s.line(d)}}
	for _, a := range d.Args {
		if a.Name == nil && a.Value != nil {
			w := s.word(a.Value)
			words = append(words, w)
			if strings.HasPrefix(w.text, "-") && strings.Contains(w.text, "x") {
				scope = "export"
			}
		} else if a.Name != nil {
			words = append(words, word{text: cut(s.text(a), maxArg), line: s.line(a)})
		}
		if a.Naked && a.Name != nil && scope == "export" {
			// "export PATH" passes on what is there.
			s.setEnv(a.Name.Value, s.line(a), true)
			continue
		}
		if a.Naked && a.Name != nil && d.Variant.Value == "readonly" {
			continue
		}
		s.assignment(a, scope)
	}
	if len(words) == 1 || words[1].text == "-p" || words[1].text == "-x" && len(words) == 2 {
		s.read("*", s.line(d))
	}
	s.record(words, s.unit.via)
}

// learn remembers constants, so that $SUDO and $CURL can be followed.
func (s *scanner) learn(a *syntax.Assign) {
	if a.Name == nil || a.Value == nil || a.Append || a.Index != nil {
		return
	}
	w := s.word(a.Value)
	if vals := s.known[a.Name.Value]; !w.dynamic && w.text != "" && len(vals) < 4 {
		s.known[a.Name.Value] = append(vals, w.text)
	}
}

// shellVariable reports whether the shell itself provides name.
func shellVariable(name string) bool {
	switch name {
	case "_", "IFS", "OPTARG", "OPTIND", "OPTERR", "PWD", "OLDPWD", "RANDOM", "SRANDOM", "SECONDS", "LINENO",
		"PPID", "UID", "EUID", "REPLY", "FUNCNAME", "PIPESTATUS", "GROUPS", "HOSTNAME", "HOSTTYPE", "MACHTYPE",
		"OSTYPE", "SHLVL", "SHELLOPTS", "BASHOPTS", "BASH", "BASHPID", "DIRSTACK", "EPOCHSECONDS",
		"EPOCHREALTIME", "MAPFILE", "COPROC", "PS4":
		return true
	}
	return strings.HasPrefix(name, "BASH_") && name != "BASH_ENV"
}

package shellscan

import (
	"fmt"
	"sort"

	"mvdan.cc/sh/v3/syntax"
)

const (
	maxItems = 10_000        // entries kept in one list
	maxCode  = 6             // strings of code within strings of code
	maxSpent = 4 * MaxSource // bytes of code in strings, all together
	maxTexts = 10_000        // strings of code, all together
)

// unit is one piece of source: the script, or a string of code in it.
type unit struct {
	src   []byte
	lines []int  // offsets of the line starts
	base  int    // lines before its first
	via   string // what runs it, "" for the script
	depth int
}

// scanner collects while it walks one script.
type scanner struct {
	out    *Script
	unit   unit
	pipe   *source // what standard input of the current command is fed by
	funcs  map[string]bool
	env    environment
	known  map[string][]string // variables and what the script sets them to
	seen   map[any]int         // where in its list an entry is that stays single
	spent  int                 // bytes of code in strings
	texts  int                 // strings of code
	looks  int                 // nodes visited by makes
	stack  []uintptr           // for the parser's guard
	inFunc int                 // index+1 into env.funcs, 0 at top level
}

func newScanner(d Dialect, stack []uintptr) *scanner {
	return &scanner{
		stack: stack,
		out:   &Script{Dialect: d},
		funcs: make(map[string]bool),
		known: make(map[string][]string),
		seen:  make(map[any]int),
	}
}

// run walks the whole script. Trees out of the parser are regular, but they
// come from hostile text: a surprise is an error, not a crash.
func (s *scanner) run(src []byte, file *syntax.File) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("read syntax tree: %v", r)
		}
	}()
	s.enter(unit{src: src}, file)
	s.settleReads()
	return nil
}

func (s *scanner) enter(u unit, file *syntax.File) {
	u.lines = lineStarts(u.src)
	outer := s.unit
	s.unit = u
	// Functions and constants first: a script uses them before it has shown them.
	syntax.Walk(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.FuncDecl:
			if n.Name != nil {
				s.funcs[n.Name.Value] = true
			}
		case *syntax.Assign:
			s.learn(n)
		}
		return true
	})
	s.stmts(file.Stmts)
	s.unit = outer
}

// codeText follows code that is written as a string: text begins on line.
func (s *scanner) codeText(text string, line int, via string) {
	if text == "" {
		return
	}
	s.spent += len(text)
	s.texts++
	if s.unit.depth >= maxCode || s.spent > maxSpent || s.texts > maxTexts {
		s.out.Partial = true
		return
	}
	file, err := parse([]byte(text), s.out.Dialect, s.stack)
	if err != nil {
		s.out.Partial = true
		return
	}
	pipe := s.pipe
	s.pipe = nil
	s.enter(unit{src: []byte(text), base: line - 1, via: via, depth: s.unit.depth + 1}, file)
	s.pipe = pipe
}

func lineStarts(src []byte) []int {
	starts := []int{0}
	for i, c := range src {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (s *scanner) line(n syntax.Node) int { return s.lineOf(n.Pos()) }

func (s *scanner) lineOf(p syntax.Pos) int {
	return s.unit.base + sort.SearchInts(s.unit.lines, int(p.Offset())+1)
}

// text returns the source of n, cut, in one line.
func (s *scanner) text(n syntax.Node) string { return s.between(n.Pos(), n.End()) }

func (s *scanner) between(from, to syntax.Pos) string {
	i, j := int(from.Offset()), int(to.Offset())
	if i > j || j > len(s.unit.src) {
		return ""
	}
	return cut(oneLine(string(s.unit.src[i:min(j, i+4*maxText)])), maxText)
}

func (s *scanner) stmts(list []*syntax.Stmt) {
	for _, st := range list {
		s.stmt(st)
	}
}

func (s *scanner) stmt(st *syntax.Stmt) {
	if st.Background || st.Coprocess || st.Disown {
		s.background("&", s.lineOf(st.Position), s.text(st))
	}
	outer := s.pipe
	for _, r := range st.Redirs {
		s.redirect(r)
	}
	if call, ok := st.Cmd.(*syntax.CallExpr); ok {
		s.call(call)
	} else if st.Cmd != nil {
		s.command(st.Cmd)
	}
	s.pipe = outer
}

// command walks a compound command.
func (s *scanner) command(c syntax.Command) {
	switch c := c.(type) {
	case *syntax.BinaryCmd:
		s.binary(c)
	case *syntax.Block:
		s.stmts(c.Stmts)
	case *syntax.Subshell:
		s.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			s.stmts(c.Cond)
			s.stmts(c.Then)
		}
	case *syntax.WhileClause:
		s.stmts(c.Cond)
		s.stmts(c.Do)
	case *syntax.ForClause:
		s.loop(c.Loop)
		s.stmts(c.Do)
	case *syntax.CaseClause:
		s.inspect(c.Word)
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				s.inspect(p)
			}
			s.stmts(item.Stmts)
		}
	case *syntax.FuncDecl:
		s.function(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			s.stmt(c.Stmt)
		}
	case *syntax.CoprocClause:
		s.background("coproc", s.line(c), s.text(c))
		s.stmt(c.Stmt)
	case *syntax.DeclClause:
		s.declare(c)
	case *syntax.TestClause, *syntax.ArithmCmd, *syntax.LetClause:
		s.inspect(c)
	default:
		s.out.Partial = true
	}
}

func (s *scanner) loop(l syntax.Loop) {
	switch l := l.(type) {
	case *syntax.WordIter:
		for _, w := range l.Items {
			s.inspect(w)
		}
		s.assign(l.Name.Value, s.line(l), false)
	case *syntax.CStyleLoop:
		s.inspect(l)
	}
}

func (s *scanner) function(f *syntax.FuncDecl) {
	pipe := s.pipe
	s.pipe = nil
	if s.inFunc == 0 {
		s.inFunc = s.env.openFunc()
		s.stmt(f.Body)
		s.env.closeFunc(s.inFunc)
		s.inFunc = 0
	} else {
		s.stmt(f.Body)
	}
	s.pipe = pipe
}

// binary walks a list or pipeline. Both lean to the left, so the left arms are
// collected first.
func (s *scanner) binary(c *syntax.BinaryCmd) {
	var right []*syntax.BinaryCmd
	first := c.X
	for right = append(right, c); ; {
		b, ok := first.Cmd.(*syntax.BinaryCmd)
		if !ok || len(first.Redirs) > 0 || first.Background {
			break
		}
		right = append(right, b)
		first = b.X
	}
	outer := s.pipe
	s.stmt(first)
	stages := []*syntax.Stmt{first}
	made := []syntax.Node{first}
	for i := len(right) - 1; i >= 0; i-- {
		b := right[i]
		if b.Op == syntax.Pipe || b.Op == syntax.PipeAll {
			s.pipe = &source{made: made, stages: stages, text: s.between(stages[0].Position, b.OpPos)}
			s.stmt(b.Y)
			stages, made = append(stages, b.Y), append(made, b.Y)
			continue
		}
		s.pipe = outer
		s.stmt(b.Y)
		stages, made = []*syntax.Stmt{b.Y}, []syntax.Node{b.Y}
	}
	s.pipe = outer
}

package shellscan

import "mvdan.cc/sh/v3/syntax"

// inspect looks into the words below n: addresses, variables, and the commands
// of substitutions.
func (s *scanner) inspect(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.Word:
			s.addresses(s.word(n))
		case *syntax.CmdSubst:
			s.nested(n.Stmts)
			return false
		case *syntax.ProcSubst:
			s.nested(n.Stmts)
			return false
		case *syntax.ParamExp:
			s.param(n)
		case *syntax.UnaryTest:
			if w, ok := n.X.(*syntax.Word); ok && n.Op == syntax.TsVarSet {
				s.read(w.Lit(), s.line(n))
			}
		case *syntax.ArithmExp:
			s.operand(n.X)
		case *syntax.ArithmCmd:
			s.operand(n.X)
		case *syntax.ParenArithm:
			s.operand(n.X)
		case *syntax.LetClause:
			for _, e := range n.Exprs {
				s.operand(e)
			}
		case *syntax.CStyleLoop:
			s.operand(n.Init)
			s.operand(n.Cond)
			s.operand(n.Post)
		case *syntax.UnaryArithm:
			s.operand(n.X)
		case *syntax.BinaryArithm:
			s.arithmetic(n)
		}
		return true
	})
}

func (s *scanner) nested(list []*syntax.Stmt) {
	pipe := s.pipe
	s.pipe = nil
	s.stmts(list)
	s.pipe = pipe
}

// operand reads a bare name in arithmetic, which is a variable there.
func (s *scanner) operand(e syntax.ArithmExpr) {
	if name := bareName(e); name != "" {
		s.read(name, s.line(e))
	}
}

func (s *scanner) arithmetic(b *syntax.BinaryArithm) {
	s.operand(b.Y)
	name := bareName(b.X)
	if name == "" {
		return
	}
	if b.Op != syntax.Assgn {
		s.read(name, s.lineOf(b.OpPos))
	}
	if assigns(b.Op) {
		s.assign(name, s.lineOf(b.OpPos), false)
	}
}

func assigns(op syntax.BinAritOperator) bool {
	switch op {
	case syntax.Assgn, syntax.AddAssgn, syntax.SubAssgn, syntax.MulAssgn, syntax.QuoAssgn, syntax.RemAssgn,
		syntax.AndAssgn, syntax.OrAssgn, syntax.XorAssgn, syntax.ShlAssgn, syntax.ShrAssgn:
		return true
	}
	return false
}

func bareName(e syntax.ArithmExpr) string {
	w, ok := e.(*syntax.Word)
	if !ok || w == nil {
		return ""
	}
	if name := w.Lit(); syntax.ValidName(name) {
		return name
	}
	return ""
}

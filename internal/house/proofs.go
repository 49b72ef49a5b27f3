package house

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Proof is a test that names a rule.
type Proof struct {
	Where string // "seedfile: TestParse", or the path of a script or vector
	place
}

// place says how near to a rule a proof is, and where it stands.
type place struct {
	rank  int
	rules int // how many rules a vector is about: the fewer, the nearer to each
	file  string
	at    int // offset in file
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.rank, q.rank), cmp.Compare(p.rules, q.rules), cmp.Compare(p.file, q.file), cmp.Compare(p.at, q.at))
}

// How a test names a rule, best first.
const (
	byName    = iota // in the name of the test function
	byScript         // in the leading comment of a script of the whole binary
	byVector         // in the header of a vector, as the rule it is about
	byBase           // in the header of a good vector that others vary: it breaks no rule itself
	byMention        // in the comment or body of a test, or further down in a script
	byTable          // in a table or function of the test files that a test uses
)

// Proofs finds, for every rule id, the tests that name it, the nearest first. It
// reads source text only, so it works on a tree that does not compile.
func Proofs(root string) (map[string][]Proof, error) {
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	best := make(map[string]map[string]place) // id -> where -> place
	add := func(id, where string, at place) {
		if best[id] == nil {
			best[id] = make(map[string]place)
		}
		if old, ok := best[id][where]; !ok || at.compare(old) < 0 {
			best[id][where] = at
		}
	}
	tests := make(map[string][]string) // package directory -> its test files
	for _, name := range files {
		switch {
		case strings.HasPrefix(name, "finding/"):
			// Its tests need some id, no matter which: they show none of them.
		case strings.HasPrefix(name, "internal/house/"):
			// Its tests speak of made-up rules; those that show a real one are in docs_test.go.
			if strings.HasSuffix(name, "/docs_test.go") {
				tests[path.Dir(name)] = append(tests[path.Dir(name)], name)
			}
		case strings.HasSuffix(name, "_test.go") && !fixture(name):
			tests[path.Dir(name)] = append(tests[path.Dir(name)], name)
		case strings.HasSuffix(name, ".txtar"), strings.HasPrefix(name, "testkit/") && fixture(name):
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			scanData(name, string(text), add)
		}
	}
	for dir, names := range tests {
		if err := scanTests(root, dir, names, add); err != nil {
			return nil, err
		}
	}
	out := make(map[string][]Proof)
	for id, wheres := range best {
		for where, at := range wheres {
			out[id] = append(out[id], Proof{where, at})
		}
		slices.SortFunc(out[id], func(a, b Proof) int { return a.compare(b.place) })
	}
	return out, nil
}

// scanData reads a script or a vector. Of a vector only the header counts: a rule
// named in its body is payload.
func scanData(name, text string, add func(id, where string, at place)) {
	if !strings.HasSuffix(name, ".txtar") {
		header, _, _ := strings.Cut(text, "\n\n")
		for line := range strings.SplitSeq(header, "\n") {
			if rule, ok := strings.CutPrefix(line, "rule:"); ok {
				rank, ids := byVector, mentioned(rule)
				if path.Base(path.Dir(name)) == "base" {
					rank = byBase
				}
				for _, id := range ids {
					add(id, name, place{rank: rank, rules: len(ids), file: name})
				}
			}
		}
		return
	}
	for _, id := range mentioned(text) {
		add(id, name, place{rank: byMention, file: name})
	}
	for line := range strings.SplitSeq(text, "\n") {
		if !strings.HasPrefix(line, "#") {
			break
		}
		for _, id := range mentioned(line) {
			add(id, name, place{rank: byScript, file: name})
		}
	}
}

// decl is a top-level declaration of a test file.
type decl struct {
	text string // source; with its comments if it is a test or a table
	uses map[string]bool
	test bool
	file string
	at   int
}

func scanTests(root, dir string, names []string, add func(id, where string, at place)) error {
	decls := make(map[string]*decl)
	for _, name := range names {
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return fmt.Errorf("parse %s: %w", name, err)
		}
		for _, d := range f.Decls {
			text := source(fset, src, f, d)
			for _, n := range declared(d) {
				one := decls[n]
				if one == nil {
					one = &decl{uses: make(map[string]bool), file: name, at: fset.Position(d.Pos()).Offset}
					decls[n] = one
				}
				one.text += text
				one.test = one.test || isTest(d)
				ast.Inspect(d, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						one.uses[id.Name] = true
					}
					return true
				})
			}
		}
	}
	for name, d := range decls {
		if !d.test {
			continue
		}
		where := dir + ": " + name
		for _, id := range mentioned(name) {
			add(id, where, place{rank: byName, file: d.file, at: d.at})
		}
		for _, id := range mentioned(d.text) {
			add(id, where, place{rank: byMention, file: d.file, at: d.at})
		}
		for used := range reach(decls, name) {
			for _, id := range mentioned(decls[used].text) {
				add(id, where, place{rank: byTable, file: d.file, at: d.at})
			}
		}
	}
	return nil
}

// source returns the text of a declaration. Comments count in tests, which say
// there what they show, and in tables, whose rows do; what a helper says of itself
// would make every test that calls it a proof.
func source(fset *token.FileSet, src []byte, f *ast.File, d ast.Decl) string {
	from, doc, comments := d.Pos(), (*ast.CommentGroup)(nil), isTest(d)
	switch d := d.(type) {
	case *ast.FuncDecl:
		doc = d.Doc
	case *ast.GenDecl:
		doc, comments = d.Doc, d.Tok == token.VAR || d.Tok == token.CONST
	}
	if comments && doc != nil {
		from = doc.Pos()
	}
	offset := func(p token.Pos) int { return fset.Position(p).Offset }
	if comments {
		return string(src[offset(from):offset(d.End())])
	}
	var out strings.Builder
	for _, c := range f.Comments {
		if c.Pos() >= from && c.End() <= d.End() {
			out.Write(src[offset(from):offset(c.Pos())])
			from = c.End()
		}
	}
	out.Write(src[offset(from):offset(d.End())])
	return out.String()
}

// reach returns the declarations that name uses, directly or through others,
// other tests excepted.
func reach(decls map[string]*decl, name string) map[string]bool {
	out := make(map[string]bool)
	todo := []string{name}
	for len(todo) > 0 {
		last := decls[todo[len(todo)-1]]
		todo = todo[:len(todo)-1]
		for used := range last.uses {
			if d := decls[used]; d != nil && !d.test && !out[used] {
				out[used] = true
				todo = append(todo, used)
			}
		}
	}
	return out
}

// declared returns the names that a declaration introduces. Methods go by their
// own name: what matters is that a use finds them.
func declared(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}
	case *ast.GenDecl:
		var names []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, n := range s.Names {
					names = append(names, n.Name)
				}
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			}
		}
		return names
	}
	return nil
}

func isTest(d ast.Decl) bool {
	f, ok := d.(*ast.FuncDecl)
	if !ok || f.Recv != nil {
		return false
	}
	for _, kind := range []string{"Test", "Fuzz", "Example"} {
		if strings.HasPrefix(f.Name.Name, kind) && f.Name.Name != "TestMain" {
			return true
		}
	}
	return false
}

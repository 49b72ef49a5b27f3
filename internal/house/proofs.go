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
	"unicode/utf8"
)

// Proof is a test that names a rule.
type Proof struct {
	Where string // "seedfile: TestParse", or the path of a script or vector
	rank  int    // the smaller, the closer the test is to the rule
}

// How a test names a rule, best first.
const (
	byName   = iota // in the name of the test function
	byBody          // in its comment or body, or in a script of the whole binary
	byHelper        // in a table or function of the test files that it uses
	byVector        // in a data file
)

// Proofs finds, for every rule id, the tests that name it. It reads source text
// only, so it works on a tree that does not compile.
func Proofs(root string) (map[string][]Proof, error) {
	files, err := Files(root)
	if err != nil {
		return nil, err
	}
	best := make(map[string]map[string]int) // id -> where -> rank
	add := func(id, where string, rank int) {
		if best[id] == nil {
			best[id] = make(map[string]int)
		}
		if old, ok := best[id][where]; !ok || rank < old {
			best[id][where] = rank
		}
	}
	tests := make(map[string][]string) // package directory -> its test files
	for _, name := range files {
		switch {
		case strings.HasPrefix(name, "internal/house/"):
			// Its tests speak of made-up rules; those that show a real one are in docs_test.go.
			if strings.HasSuffix(name, "/docs_test.go") {
				tests[path.Dir(name)] = append(tests[path.Dir(name)], name)
			}
		case strings.HasSuffix(name, "_test.go") && !fixture(name):
			tests[path.Dir(name)] = append(tests[path.Dir(name)], name)
		case strings.HasSuffix(name, ".go"):
		case strings.HasSuffix(name, ".txtar"), fixture(name):
			text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return nil, err
			}
			rank := byVector
			if strings.HasSuffix(name, ".txtar") {
				rank = byBody
			}
			for _, id := range vectorIDs(name, text) {
				add(id, name, rank)
			}
		}
	}
	for dir, names := range tests {
		if err := scanTests(root, dir, names, add); err != nil {
			return nil, err
		}
	}
	out := make(map[string][]Proof)
	for id, wheres := range best {
		for where, rank := range wheres {
			out[id] = append(out[id], Proof{where, rank})
		}
		slices.SortFunc(out[id], func(a, b Proof) int {
			return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.Where, b.Where))
		})
	}
	return out, nil
}

// vectorIDs looks at the name and the head of a data file: a rule named deep in
// a payload says nothing about what the file is for.
func vectorIDs(name string, text []byte) []string {
	const head = 4 << 10
	if strings.HasSuffix(name, ".txtar") {
		return mentioned(name + "\n" + string(text))
	}
	if !utf8.Valid(text) {
		return mentioned(name)
	}
	return mentioned(name + "\n" + string(text[:min(len(text), head)]))
}

// decl is a top-level declaration of a test file.
type decl struct {
	text string // source with its comments
	uses map[string]bool
	test bool
}

func scanTests(root, dir string, names []string, add func(id, where string, rank int)) error {
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
			from := d.Pos()
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
			case *ast.GenDecl:
				if d.Doc != nil {
					from = d.Doc.Pos()
				}
			}
			text := string(src[fset.Position(from).Offset:fset.Position(d.End()).Offset])
			for _, n := range declared(d) {
				one := decls[n]
				if one == nil {
					one = &decl{uses: make(map[string]bool)}
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
			add(id, where, byName)
		}
		for _, id := range mentioned(d.text) {
			add(id, where, byBody)
		}
		for used := range reach(decls, name) {
			for _, id := range mentioned(decls[used].text) {
				add(id, where, byHelper)
			}
		}
	}
	return nil
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

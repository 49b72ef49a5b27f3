package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// ownGoFiles returns the project's Go files that are not tests.
func ownGoFiles(t *testing.T) []string {
	t.Helper()
	files, err := Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(goFiles(files), func(name string) bool { return strings.HasSuffix(name, "_test.go") })
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestFilesStaySmall(t *testing.T) {
	t.Parallel()
	const (
		look     = 400 // time to look for the second noun
		mostCode = 600
		mostTest = 700 // tables are long
		mostMain = 40  // main only joins streams, signals and the exit code
	)
	files, err := Files(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range goFiles(files) {
		lines := strings.Count(read(t, name), "\n")
		most := mostCode
		switch {
		case name == "cmd/seed/main.go":
			most = mostMain
		case strings.HasSuffix(name, "_test.go"):
			most = mostTest
		}
		switch {
		case lines > most:
			t.Errorf("%s: %d lines, want at most %d: it holds more than one thing", name, lines, most)
		case lines > look:
			t.Logf("%s: %d lines: look for the second noun", name, lines)
		}
	}
}

func TestPackagesAreNouns(t *testing.T) {
	t.Parallel()
	for _, name := range ownGoFiles(t) {
		for word := range strings.SplitSeq(path.Dir(name), "/") {
			if slices.Contains([]string{"util", "utils", "common", "helper", "helpers", "types", "models", "misc", "shared", "pkg"}, word) {
				t.Errorf("%s: a package called %q says nothing about what is in it", name, word)
			}
		}
	}
}

func TestPackagesSayWhatTheyAre(t *testing.T) {
	t.Parallel()
	documented := make(map[string]bool)
	for _, name := range ownGoFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), name, read(t, name), parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(name)
		documented[dir] = documented[dir] || f.Doc != nil
	}
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no package comment", dir)
		}
	}
}

// Start-up is paid by every call of the binary, so nothing is computed before
// main: no init, and package variables that cost nothing.
func TestNothingRunsBeforeMain(t *testing.T) {
	t.Parallel()
	for _, name := range ownGoFiles(t) {
		for _, breach := range earlyWork(t, name, read(t, name)) {
			t.Error(breach)
		}
	}
}

func TestEarlyWorkIsSeen(t *testing.T) {
	t.Parallel()
	const head = "package p\nimport (\"errors\"; \"regexp\"; \"sync\"; \"io\")\ntype kind int\ntype iface interface{}\n"
	for _, c := range []struct {
		decl string
		ok   bool
	}{
		{`var errGone = errors.New("gone")`, true},
		{`var re = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("x") })`, true},
		{`var b, k = []byte("x"), kind(3)`, true},
		{`var _ io.Reader = (*r)(nil)`, true},
		{`var rule = struct{ ID string }{"SP-AA-01"}`, true},
		{`var f = func() int { return build() }`, true},
		{`var re = regexp.MustCompile("x")`, false},
		{`var x = build()`, false},
		{`var x = func() int { return 1 }()`, false},
		{`var xs = []int{build()}`, false},
		{`func init() {}`, false},
		{`var m = map[string]int{` + strings.Repeat(`"a": 1, `, 40) + `}`, false},
	} {
		got := earlyWork(t, "p.go", head+c.decl)
		if (len(got) == 0) != c.ok {
			t.Errorf("%s: got %q, want allowed=%v", c.decl, got, c.ok)
		}
	}
}

// earlyWork returns what a file does at program start.
func earlyWork(t *testing.T, name, src string) []string {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	types := make(map[string]bool)
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
			for _, s := range g.Specs {
				types[s.(*ast.TypeSpec).Name.Name] = true
			}
		}
	}
	var out []string
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == "init" {
				out = append(out, fset.Position(d.Pos()).String()+": init function")
			}
		case *ast.GenDecl:
			if d.Tok != token.VAR {
				continue
			}
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false // runs when it is called, and calls are looked at
				case *ast.CallExpr:
					if lit, ok := n.Fun.(*ast.FuncLit); ok {
						out = append(out, fset.Position(lit.Pos()).String()+": function called at program start")
					} else if !cheap(n.Fun, types) {
						out = append(out, fset.Position(n.Pos()).String()+": call at program start: use sync.OnceValue")
					}
				case *ast.CompositeLit:
					if _, ok := n.Type.(*ast.MapType); ok && len(n.Elts) > 16 {
						out = append(out, fset.Position(n.Pos()).String()+": large map built at program start: use a switch or sync.OnceValue")
					}
				}
				return true
			})
		}
	}
	return out
}

// cheap reports whether calling fun at program start costs next to nothing: a
// conversion, a built-in, or one of a few functions of the standard library.
func cheap(fun ast.Expr, types map[string]bool) bool {
	switch fun := fun.(type) {
	case *ast.ArrayType, *ast.MapType, *ast.InterfaceType, *ast.ParenExpr, *ast.StarExpr:
		return true
	case *ast.IndexExpr: // a generic function or type with one argument
		return cheap(fun.X, types)
	case *ast.Ident:
		return types[fun.Name] || slices.Contains([]string{
			"string", "int", "int64", "uint32", "uint64", "byte", "rune", "float64", "len", "new", "make",
		}, fun.Name)
	case *ast.SelectorExpr:
		pkg, ok := fun.X.(*ast.Ident)
		return ok && slices.Contains([]string{
			"errors.New", "sync.OnceValue", "sync.OnceValues", "sync.OnceFunc", "time.Duration",
		}, pkg.Name+"."+fun.Sel.Name)
	}
	return false
}

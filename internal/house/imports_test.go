package house

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// listed is what the test needs of one `go list` entry. Files left out by build
// constraints count as well: the rule holds on every platform.
type listed struct {
	Dir            string
	ImportPath     string
	GoFiles        []string
	IgnoredGoFiles []string
}

func (l listed) dir() string {
	return strings.TrimPrefix(strings.TrimPrefix(l.ImportPath, Module), "/")
}

// files returns the package's own Go files, tests not included.
func (l listed) files() []string {
	var out []string
	for _, f := range slices.Concat(l.GoFiles, l.IgnoredGoFiles) {
		if !strings.HasSuffix(f, "_test.go") {
			out = append(out, filepath.Join(l.Dir, f))
		}
	}
	return out
}

func list(t *testing.T) []listed {
	t.Helper()
	cmd := exec.Command("go", "list", "-e", "-json=Dir,ImportPath,GoFiles,IgnoredGoFiles", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatalf("read go list: %v", err)
		}
		all = append(all, l)
	}
}

func root(t *testing.T) string {
	t.Helper()
	dir, err := Root()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func rows() map[string]Package {
	m := make(map[string]Package)
	for _, p := range Packages() {
		m[p.Dir] = p
	}
	return m
}

func TestEveryPackageHasItsRow(t *testing.T) {
	t.Parallel()
	table := rows()
	found := make(map[string]bool)
	for _, l := range list(t) {
		found[l.dir()] = true
		if _, ok := table[l.dir()]; !ok {
			t.Errorf("package %s is in no class: add it to the table in internal/house/layers.go and to docs/layout.md", l.dir())
		}
	}
	for dir := range table {
		if !found[dir] {
			t.Errorf("table of packages names %s, which does not exist", dir)
		}
	}
}

func TestImportsPointDown(t *testing.T) {
	t.Parallel()
	table := rows()
	for _, l := range list(t) {
		from, ok := table[l.dir()]
		if !ok {
			continue
		}
		for _, file := range l.files() {
			for path := range imports(t, file) {
				for _, breach := range breaches(table, from, path) {
					t.Errorf("%s: %s", filepath.Base(file), breach)
				}
			}
		}
	}
}

// breaches says what is wrong with package from importing path.
func breaches(table map[string]Package, from Package, path string) []string {
	own, isOwn := strings.CutPrefix(path, Module+"/")
	first, _, _ := strings.Cut(path, "/")
	switch {
	case isOwn:
		to, ok := table[own]
		if ok && !mayImport(from, to) {
			return []string{from.Dir + " (" + from.Class.String() + ") may not import " + to.Dir + " (" + to.Class.String() + ")"}
		}
	case !from.Class.Pure():
	case strings.Contains(first, "."):
		if !allowedInPure(path) {
			return []string{from.Dir + " is pure and may not import " + path}
		}
	case forbiddenInPure(path):
		return []string{from.Dir + " is pure and may not import " + path}
	}
	return nil
}

func imports(t *testing.T, file string) map[string]bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatalf("parse %s: %v", file, err)
	}
	paths := make(map[string]bool)
	for _, spec := range f.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatalf("%s: import %s: %v", file, spec.Path.Value, err)
		}
		paths[path] = true
	}
	return paths
}

// The table test of the rule itself: each line must be refused or accepted, so
// that a slip in layers.go cannot quietly allow everything.
func TestImportRule(t *testing.T) {
	t.Parallel()
	table := map[string]Package{}
	for _, p := range []Package{
		{Dir: "finding", Class: Shared},
		{Dir: "internal/pathrule", Class: Shared},
		{Dir: "seedfile", Class: Core, Protocol: "seed"},
		{Dir: "seedfile/transport", Class: Core, Protocol: "seed"},
		{Dir: "capsule", Class: Core, Protocol: "capsule"},
		{Dir: "internal/disk", Class: Edge},
		{Dir: "internal/grow", Class: Edge},
		{Dir: "internal/cli", Class: CLI},
		{Dir: "cmd/seed", Class: Cmd},
		{Dir: "testkit", Class: Tool},
	} {
		table[p.Dir] = p
	}
	for _, c := range []struct {
		from, path string
		ok         bool
	}{
		{"seedfile", "bytes", true},
		{"seedfile", "net/url", true},
		{"seedfile", "os", false},
		{"seedfile", "os/exec", false},
		{"seedfile", "log/slog", false},
		{"seedfile", "math/rand/v2", false},
		{"seedfile", "syscall", false},
		{"seedfile", "net/http", false},
		{"seedfile", "github.com/spf13/cobra", false},
		{"seedfile", "mvdan.cc/sh/v3/syntax", true},
		{"seedfile", "mvdan.cc/sh/v3/interp", false},
		{"seedfile", "seed/finding", true},
		{"seedfile", "seed/seedfile/transport", true},
		{"seedfile", "seed/capsule", false},
		{"seedfile", "seed/internal/disk", false},
		{"seedfile", "seed/testkit", false},
		{"internal/pathrule", "seed/finding", true},
		{"internal/pathrule", "seed/seedfile", false},
		{"internal/disk", "os", true},
		{"internal/disk", "seed/seedfile", true},
		{"internal/disk", "seed/internal/cli", false},
		{"internal/grow", "seed/internal/disk", true},
		{"internal/cli", "seed/internal/disk", true},
		{"internal/cli", "seed/cmd/seed", false},
		{"cmd/seed", "seed/internal/cli", true},
	} {
		got := breaches(table, table[c.from], c.path)
		if (len(got) == 0) != c.ok {
			t.Errorf("%s importing %s: got %q, want allowed=%v", c.from, c.path, got, c.ok)
		}
	}
}

func TestPurePackagesHaveNoClock(t *testing.T) {
	t.Parallel()
	table := rows()
	for _, l := range list(t) {
		if !table[l.dir()].Class.Pure() {
			continue
		}
		for _, file := range l.files() {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatalf("parse %s: %v", file, err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				sel, ok := n.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				pkg, ok := sel.X.(*ast.Ident)
				if ok && pkg.Name == "time" && slices.Contains([]string{
					"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
				}, sel.Sel.Name) {
					t.Errorf("%s: time.%s in a pure package: take the time as an argument", fset.Position(sel.Pos()), sel.Sel.Name)
				}
				return true
			})
		}
	}
}

package house

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestConformancePages(t *testing.T) {
	t.Parallel()
	proofs, err := Proofs(root(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Protocols() {
		rules, err := p.Rules()
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(root(t), filepath.FromSlash(p.Page())))
		if err != nil {
			t.Fatal(err)
		}
		// The page is made from the tests as they are, so a row cannot name a
		// test that is gone or that does not mention the rule.
		if want := Update(string(text), rules, proofs); want != string(text) {
			t.Errorf("%s is not up to date: run make conformance (first difference: %s)", p.Page(), firstDifference(string(text), want))
		}
		for _, problem := range Problems(Update(string(text), rules, proofs), rules) {
			t.Errorf("%s: %s", p.Page(), problem)
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "has " + g[i] + ", wants " + w[i]
		}
	}
	return "number of lines"
}

// Where the protocol's text lies beside the checkout, the list of rules must be
// the one it has.
func TestRulesAreThoseOfTheText(t *testing.T) {
	t.Parallel()
	for _, p := range Protocols() {
		text, err := os.ReadFile(filepath.Join(root(t), "..", "shared", "spec", p.Name+".md"))
		if err != nil {
			t.Skipf("the text of the protocol is not beside the checkout: %v", err)
		}
		var want []string
		for _, id := range mentioned(string(text)) {
			if strings.HasPrefix(id, p.Prefix+"-") {
				want = append(want, id)
			}
		}
		rules, err := p.Rules()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rules {
			got = append(got, r.ID)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("rules of %s: got %v, want %v", p.Name, got, want)
		}
	}
}

func TestCodeNamesOnlyRealRules(t *testing.T) {
	t.Parallel()
	known := make(map[string]bool)
	for _, p := range Protocols() {
		rules, err := p.Rules()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rules {
			known[r.ID] = true
		}
	}
	for _, name := range ownGoFiles(t) {
		if strings.HasPrefix(name, "internal/house/") {
			continue // explains itself with made-up ids
		}
		for _, id := range mentioned(read(t, name)) {
			if !known[id] {
				t.Errorf("%s: %s is no rule of any protocol listed in internal/house/rules", name, id)
			}
		}
	}
}

func TestParseRules(t *testing.T) {
	t.Parallel()
	got, err := parseRules("# all of them\nSP-AA-01..03\nSP-BB-01 later the moon # not yet\nSP-CC-01 as SP-AA-01 SP-AA-02\n")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"SP-AA-01", "SP-AA-02", "SP-AA-03", "SP-BB-01", "SP-CC-01"}
	var ids []string
	for _, r := range got {
		ids = append(ids, r.ID)
	}
	if !slices.Equal(ids, want) {
		t.Errorf("got %v, want %v", ids, want)
	}
	if got[3].Later != "the moon" || !slices.Equal(got[4].As, []string{"SP-AA-01", "SP-AA-02"}) {
		t.Errorf("got %+v", got[3:])
	}
	for _, bad := range []string{"SP-AA-1", "SP-AA-05..02", "SP-AA-01 perhaps", "SP-AA-01\nSP-AA-01..02", "SP-AA-01 as SP-ZZ-09"} {
		if rules, err := parseRules(bad); err == nil {
			t.Errorf("%q: got %v, want an error", bad, rules)
		}
	}
}

func TestUpdateKeepsWordsAndFindsGaps(t *testing.T) {
	t.Parallel()
	rules := []Listed{
		{ID: "SP-AA-01"},
		{ID: "SP-AA-02"},
		{ID: "SP-AA-03", Later: "the moon"},
		{ID: "SP-AA-04", As: []string{"SP-AA-01"}},
		{ID: "SP-AA-05", As: []string{"SP-AA-02"}},
	}
	proofs := map[string][]Proof{"SP-AA-01": {{Where: "x: TestOne"}}}
	page := strings.Join([]string{
		"# Title", "",
		"| rule | asks | tests |", "|---|---|---|",
		`| SP-AA-01 | a \| b | stale |`,
		"| SP-AA-02 | two | `x: TestGone` |",
		"| SP-AA-03 | three | |",
		"| SP-AA-04 | four | |",
		"| SP-AA-05 | five | |",
		"| SP-AA-99 | nothing | |",
		"",
	}, "\n")
	want := strings.Join([]string{
		"# Title", "",
		"| rule | asks | tests |", "|---|---|---|",
		"| SP-AA-01 | a \\| b | `x: TestOne` |",
		"| SP-AA-02 | two | " + noProof + " |",
		"| SP-AA-03 | three | comes with the moon |",
		"| SP-AA-04 | four | as SP-AA-01 |",
		"| SP-AA-05 | five | " + noProof + " |",
		"| SP-AA-99 | nothing | " + noProof + " |",
		"",
	}, "\n")
	got := Update(page, rules, proofs)
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	problems := strings.Join(Problems(got, append(rules, Listed{ID: "SP-AA-06"})), "\n")
	for _, id := range []string{"SP-AA-02: no test", "SP-AA-05: no test", "SP-AA-99: in no list", "SP-AA-06: no row"} {
		if !strings.Contains(problems, id) {
			t.Errorf("got %q, want %q in it", problems, id)
		}
	}
	if again := Update(got, rules, proofs); again != got {
		t.Errorf("second update differs:\n%s", again)
	}
}

func TestProofsFollowTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("p/p_test.go", `package p
import "testing"
var cases = []string{"SP-AA-01"}
func helper() { _ = cases }
func TestTable(t *testing.T) { helper() }
func TestSP_AA_02_Named(t *testing.T) {}
// TestDoc shows SP-AA-03.
func TestDoc(t *testing.T) {}
func unused() string { return "SP-AA-04" }
`)
	write("p/p.go", "package p // SP-AA-05\n")
	write("testdata/script/pack/x.txtar", "# SP-AA-06\n")
	proofs, err := Proofs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"SP-AA-01": "p: TestTable",
		"SP-AA-02": "p: TestSP_AA_02_Named",
		"SP-AA-03": "p: TestDoc",
		"SP-AA-04": "",
		"SP-AA-05": "",
		"SP-AA-06": "testdata/script/pack/x.txtar",
	} {
		var got string
		if len(proofs[id]) > 0 {
			got = proofs[id][0].Where
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

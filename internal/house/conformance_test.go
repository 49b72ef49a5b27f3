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

func TestProofsRank(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"finding/f_test.go": "package finding\nfunc TestSP_AA_02_Sample() {}\n",
		"a/a_test.go": `package a
var cases = []string{
	"SP-AA-01", // and SP-AA-07
}
// helper is for SP-AA-08.
func helper() {
	_ = cases // SP-AA-08
	_ = "SP-AA-09"
}
func TestTable() { helper() }
func TestBody() { _ = "SP-AA-01 SP-AA-02" }
// TestDoc shows SP-AA-03.
func TestDoc() {}
func unused() string { return "SP-AA-04" }
`,
		"a/a.go":                  "package a // SP-AA-05\n",
		"b/b_test.go":             "package b\nfunc TestSP_AA_02_Z() {}\nfunc TestSP_AA_02_A() {}\n",
		"b/testdata/x.txt":        "rule: SP-AA-05\n",
		"testdata/script/x.txtar": "# Shows\n# SP-AA-02.\nexec true\n# SP-AA-06\n",
		"testdata/script/y.txtar": "exec true\n! stderr SP-AA-02\n",
		"testkit/v.txt":           "expect: ok\nrule: SP-AA-02\nnote: not SP-AA-05\n\nrule: SP-AA-05\n",
		"testkit/a/two.txt":       "rule: SP-AA-02 SP-AA-10\n",
		"testkit/a/three.txt":     "rule: SP-AA-02 SP-AA-10 SP-AA-11\n",
		"testkit/base/plain.txt":  "rule: SP-AA-10\nrule: SP-AA-02\n", // good, so last of the vectors
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	proofs, err := Proofs(dir)
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string][]string{
		"SP-AA-01": {"a: TestBody", "a: TestTable"},
		"SP-AA-02": {
			"b: TestSP_AA_02_Z", "b: TestSP_AA_02_A", "testdata/script/x.txtar",
			"testkit/v.txt", "testkit/a/two.txt", "testkit/a/three.txt", "testkit/base/plain.txt",
			"a: TestBody", "testdata/script/y.txtar",
		},
		"SP-AA-03": {"a: TestDoc"},
		"SP-AA-04": nil, // used by no test
		"SP-AA-05": nil, // code, other data, the body of a vector
		"SP-AA-06": {"testdata/script/x.txtar"},
		"SP-AA-07": {"a: TestTable"},
		"SP-AA-08": nil, // only in what a helper says of itself
		"SP-AA-09": {"a: TestTable"},
		"SP-AA-10": {"testkit/a/two.txt", "testkit/a/three.txt", "testkit/base/plain.txt"},
	} {
		var got []string
		for _, p := range proofs[id] {
			got = append(got, p.Where)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", id, got, want)
		}
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	const n, s, v, m = byName, byScript, byVector, byMention
	for _, c := range []struct{ ranks, want []int }{
		{[]int{n, s}, []int{0, 1}},
		{[]int{n, n, n, n, n}, []int{0, 1, 2, 3}},
		{[]int{n, n, n, n, n, s, s, m}, []int{0, 1, 2, 5}},
		{[]int{n, n, n, s, s}, []int{0, 1, 2, 3}},
		{[]int{n, n, n, n, v}, []int{0, 1, 2, 3}},
		{[]int{s, s, s, s, s, v}, []int{0, 1, 2, 3}},
	} {
		var proofs []Proof
		for i, rank := range c.ranks {
			proofs = append(proofs, Proof{place: place{rank: rank, at: i}})
		}
		var got []int
		for _, p := range shown(proofs) {
			got = append(got, p.at)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("ranks %v: got %v, want %v", c.ranks, got, c.want)
		}
	}
}

package house

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// noProof stands in the tests column of a rule that nothing shows.
const noProof = "**none yet**"

// mostProofs is how many tests a row names: enough to start reading.
const mostProofs = 4

// row is one line of a conformance page.
type row struct{ id, asks, tests string }

// parseRow reads "| SP-FMT-01 | what it asks | tests |".
func parseRow(line string) (row, bool) {
	cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
	if len(cells) != 5 || strings.TrimSpace(cells[0]) != "" {
		return row{}, false
	}
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(c), "\x00", `\|`)
	}
	if ids := mentioned(cells[1]); len(ids) != 1 || ids[0] != cells[1] {
		return row{}, false
	}
	return row{cells[1], cells[2], cells[3]}, true
}

func (r row) String() string { return "| " + r.id + " | " + r.asks + " | " + r.tests + " |" }

// Update returns the page with its tests column rewritten from proofs. The rest
// of the page, the words of the second column among it, is kept as it is: people
// write that. Rules without a row get one at the end.
func Update(page string, rules []Listed, proofs map[string][]Proof) string {
	byID := make(map[string]Listed)
	for _, r := range rules {
		byID[r.ID] = r
	}
	lines := strings.Split(strings.TrimRight(page, "\n"), "\n")
	have := make(map[string]bool)
	for i, line := range lines {
		if r, ok := parseRow(line); ok {
			have[r.id] = true
			r.tests = testsCell(byID[r.id], proofs)
			lines[i] = r.String()
		}
	}
	for _, rule := range rules {
		if !have[rule.ID] {
			lines = append(lines, row{rule.ID, "", testsCell(rule, proofs)}.String())
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

// testsCell says what shows a rule: its own tests, else what it waits for, else
// the rules it comes down to.
func testsCell(rule Listed, proofs map[string][]Proof) string {
	if own := proofs[rule.ID]; len(own) > 0 {
		own = shown(own)
		cells := make([]string, len(own))
		for i, p := range own {
			cells[i] = "`" + p.Where + "`"
		}
		return strings.Join(cells, ", ")
	}
	if rule.Later != "" {
		return "comes with " + rule.Later
	}
	for _, id := range rule.As {
		if len(proofs[id]) == 0 {
			return noProof
		}
	}
	if len(rule.As) > 0 {
		return "as " + strings.Join(rule.As, ", ")
	}
	return noProof
}

// shown returns the proofs that a row names: the nearest, and with tests named for
// the rule always a script if there is one, since the two look at it from the
// inside and from the outside.
func shown(proofs []Proof) []Proof {
	if len(proofs) <= mostProofs {
		return proofs
	}
	out := slices.Clone(proofs[:mostProofs])
	script := slices.IndexFunc(proofs, func(p Proof) bool { return p.rank == byScript })
	if script >= mostProofs {
		out[mostProofs-1] = proofs[script] // before it stand only tests named for the rule
	}
	return out
}

// Problems says what is wrong with a page: rows without words, rules without a
// row or a test, rows for rules that do not exist.
func Problems(page string, rules []Listed) []string {
	listed := make(map[string]bool)
	for _, r := range rules {
		listed[r.ID] = true
	}
	var problems []string
	have := make(map[string]bool)
	for line := range strings.SplitSeq(page, "\n") {
		r, ok := parseRow(line)
		if !ok {
			continue
		}
		switch {
		case !listed[r.id]:
			problems = append(problems, r.id+": in no list of rules")
		case have[r.id]:
			problems = append(problems, r.id+": two rows")
		case r.asks == "":
			problems = append(problems, r.id+": the row does not say what the rule asks")
		case r.tests == noProof:
			problems = append(problems, r.id+": no test names this rule")
		}
		have[r.id] = true
	}
	for _, r := range rules {
		if !have[r.ID] {
			problems = append(problems, r.ID+": no row")
		}
	}
	return problems
}

// WritePages brings every conformance page up to date.
func WritePages(root string) error {
	proofs, err := Proofs(root)
	if err != nil {
		return err
	}
	for _, p := range Protocols() {
		rules, err := p.Rules()
		if err != nil {
			return err
		}
		name := filepath.Join(root, filepath.FromSlash(p.Page()))
		old, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("read conformance page: %w", err)
		}
		if err := os.WriteFile(name, []byte(Update(string(old), rules, proofs)), 0o644); err != nil {
			return fmt.Errorf("write conformance page: %w", err)
		}
	}
	return nil
}

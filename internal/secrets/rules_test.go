package secrets_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"seed/internal/secrets"
)

// example shows one rule. A broken bar in a text is taken out before it is
// judged: the examples must not look like secrets where they are written.
type example struct {
	rule, path    string
	match, reject []string
}

func examples() []example {
	return slices.Concat(keyExamples, cloudExamples, codeExamples, serviceExamples, plainExamples)
}

func plain(s string) string { return strings.ReplaceAll(s, "¦", "") }

func has(res secrets.Result, id string) bool {
	return slices.ContainsFunc(res.Matches, func(m secrets.Match) bool { return m.Rule.ID == id })
}

func TestRulesMatchTheirExamples(t *testing.T) {
	t.Parallel()
	for _, e := range examples() {
		t.Run(strings.ReplaceAll(e.rule, "-", "_"), func(t *testing.T) {
			t.Parallel()
			for _, text := range e.match {
				text = plain(text)
				// A prefix of each parity: the filter looks at every second byte.
				for _, lead := range []string{"", "\n", "# \n", "  x\n"} {
					if res := secrets.ScanBytes(e.path, []byte(lead+text)); !has(res, e.rule) {
						t.Errorf("%s: got %v, want a match in %q", e.path, res.Matches, lead+text)
					}
				}
			}
			for _, text := range e.reject {
				text = plain(text)
				if res := secrets.ScanBytes(e.path, []byte(text)); has(res, e.rule) {
					t.Errorf("%s: got a match, want none in %q", e.path, text)
				}
			}
		})
	}
}

func TestEveryRuleHasExamples(t *testing.T) {
	t.Parallel()
	id := regexp.MustCompile(`^SEC(-[A-Z0-9]+)+$`)
	seen := map[string]bool{}
	for _, r := range secrets.Rules() {
		if !id.MatchString(r.ID) || seen[r.ID] {
			t.Errorf("rule id %q: got a malformed or repeated id", r.ID)
		}
		seen[r.ID] = true
		if r.Title == "" {
			t.Errorf("%s: got no title", r.ID)
		}
		if !slices.ContainsFunc(examples(), func(e example) bool {
			return e.rule == r.ID && len(e.match) > 0 && len(e.reject) > 0
		}) {
			t.Errorf("%s: got no examples, want some that match and some that do not", r.ID)
		}
	}
}

// Each secret is one match, by the rule that knows most about it.
func TestOneMatchForEachSecret(t *testing.T) {
	t.Parallel()
	for _, e := range examples() {
		for _, text := range e.match {
			res := secrets.ScanBytes(e.path, []byte(plain(text)))
			whole := 0
			for _, m := range res.Matches {
				if m.Line == 0 {
					whole++
				}
			}
			if got := len(res.Matches) - whole; got > 1 {
				t.Errorf("%s: got %d matches in %q, want 1: %v", e.rule, got, text, res.Matches)
			}
			if len(res.Matches) > whole && res.Matches[len(res.Matches)-1].Rule.ID != e.rule {
				t.Errorf("%q: got rule %s, want %s", text, res.Matches[len(res.Matches)-1].Rule.ID, e.rule)
			}
		}
	}
}

// The rules' own source and examples must not be secrets to ourselves.
func TestExamplesAreNoSecretsWhereTheyStand(t *testing.T) {
	t.Parallel()
	for _, e := range examples() {
		for _, text := range slices.Concat(e.match, e.reject) {
			if strings.Contains(text, "¦") {
				if res := secrets.ScanBytes("a_test.go", []byte(text)); len(res.Matches) > 0 {
					t.Errorf("%s: got %s in %q, want the bar to hide it", e.rule, res.Matches[0].Rule.ID, text)
				}
			}
		}
	}
}

// Real keys are longer than the window in which a rule looks.
func TestLongValues(t *testing.T) {
	t.Parallel()
	line := "Zq8Lk2Vx9Rt4Bn7Mw3Ys6Hd1Pf5Gj0Cx/Ua+Ei8To2Kz7Qv4Wb9Nm3Sl6Yd1Rh5"
	for rule, text := range map[string]string{
		"SEC-GCP-ACCOUNT": `"private_¦key": "-----BEGIN PRI¦VATE KEY-----\n` + strings.Repeat(line+`\n`, 26) + `"`,
		"SEC-KUBE-KEY":    "client-key-¦data: " + strings.Repeat(line, 40) + "\n",
		"SEC-PRIVATE-KEY": "-----BEGIN PRI¦VATE KEY-----\n" + strings.Repeat(line+"\n", 50),
	} {
		res := secrets.ScanBytes("a.yaml", []byte(plain(text)))
		if len(res.Matches) != 1 || res.Matches[0].Rule.ID != rule {
			t.Errorf("got %v, want one match of %s", res.Matches, rule)
		}
	}
}

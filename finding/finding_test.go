package finding_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"seed/finding"
)

var rule = finding.Rule{ID: "SP-META-01", Want: "metadata with the fields seed and grow"}

func TestFinding_String(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    finding.Finding
		want string
	}{
		{finding.Finding{Rule: rule, At: finding.Place{Name: "my.seed", Line: 14}, Msg: "no grow"}, "my.seed:14: no grow (SP-META-01)"},
		{finding.Finding{Rule: rule, At: finding.Place{Name: "my.seed", Line: 14, Col: 3}, Msg: "no grow"}, "my.seed:14:3: no grow (SP-META-01)"},
		{finding.Finding{Rule: rule, At: finding.Place{Line: 14}, Msg: "no grow"}, "line 14: no grow (SP-META-01)"},
		{finding.Finding{Rule: rule, At: finding.Place{Name: "my.seed", Col: 3}, Msg: "no grow"}, "my.seed: no grow (SP-META-01)"},
		{finding.Finding{Rule: rule}, "want metadata with the fields seed and grow (SP-META-01)"},
		{finding.Finding{Msg: "odd"}, "odd"},
	} {
		if got := c.f.String(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestErrorf(t *testing.T) {
	t.Parallel()
	err := rule.Errorf(finding.Place{Name: "x", Line: 2}, "open %s: %w", "y", fs.ErrNotExist)
	if got, want := err.Error(), "x:2: open y: file does not exist (SP-META-01)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	wrapped := fmt.Errorf("read: %w", err)
	var broken *finding.Error
	if !errors.Is(wrapped, fs.ErrNotExist) || !errors.As(wrapped, &broken) || broken.Rule != rule {
		t.Errorf("got %v, want the cause and the rule in it", wrapped)
	}
	if err.Severity != finding.Breach || err.Hint != "" {
		t.Errorf("got severity %v, hint %q, want a breach without", err.Severity, err.Hint)
	}
	if got := err.WithHint("do it again").Hint; got != "do it again" {
		t.Errorf("got hint %q", got)
	}
	if plain := rule.Errorf(finding.Place{}, "no cause"); errors.Unwrap(plain) != nil {
		t.Errorf("got the cause %v, want none", errors.Unwrap(plain))
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	var r finding.Report
	if r.Err() != nil {
		t.Errorf("empty report: got %v, want nil", r.Err())
	}
	r.Add(finding.Finding{Severity: finding.Warning, Msg: "w"})
	r.Add(finding.Finding{Severity: finding.Note, Msg: "n"})
	if r.Err() != nil {
		t.Errorf("warning and note: got %v, want nil", r.Err())
	}
	r.Add(finding.Finding{Rule: rule, Msg: "first"})
	r.Add(finding.Finding{Rule: rule, Msg: "second"})
	if err := r.Err(); err == nil || err.Error() != "first (SP-META-01)" {
		t.Errorf("got %v, want the first breach", err)
	}
	if b, w, n := r.Count(finding.Breach), r.Count(finding.Warning), r.Count(finding.Note); b != 2 || w != 1 || n != 1 {
		t.Errorf("got %d %d %d, want 2 1 1", b, w, n)
	}
}

func TestSeverity(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal([]finding.Severity{finding.Breach, finding.Warning, finding.Note, 7})
	if want := `["error","warning","note","severity(7)"]`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

// Text from outside can neither steer nor flood a terminal.
func TestQuote(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain":                  `"plain"`,
		"a\n\x1b[31m\x00":        `"a\n\x1b[31m\x00"`,
		"\u202egnp":              `"\u202egnp"`,
		"日":                      `"\u65e5"`,
		"\xff":                   `"\xff"`,
		strings.Repeat("x", 80):  `"` + strings.Repeat("x", 80) + `"`,
		strings.Repeat("x", 81):  `"` + strings.Repeat("x", 80) + `"...`,
		strings.Repeat("é", 100): `"` + strings.Repeat(`\u00e9`, 40) + `"...`,
	} {
		if got := finding.Quote(in); got != want {
			t.Errorf("%q: got %s, want %s", in, got, want)
		}
	}
}

func ExampleRule_Errorf() {
	rule := finding.Rule{ID: "SP-META-01", Want: "metadata with the fields seed and grow"}
	err := rule.Errorf(finding.Place{Name: "my.seed", Line: 14}, "metadata has no %q field", "grow")
	fmt.Println(err)
	// Output: my.seed:14: metadata has no "grow" field (SP-META-01)
}

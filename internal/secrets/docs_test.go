package secrets_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seed/internal/secrets"
)

// The page lists the rules as they are, in their order.
func TestPageListsEveryRule(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "secrets.md"))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, r := range secrets.Rules() {
		want = append(want, "| `"+r.ID+"` | "+r.Title+" |")
	}
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "| `SEC-") {
			got = append(got, strings.TrimSpace(line))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/secrets.md has another table than the rules, which give:\n%s", strings.Join(want, "\n"))
	}
}

// The page's own text is packed with the rest and must pass.
func TestPageHoldsNoSecret(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "secrets.md"))
	if err != nil {
		t.Fatal(err)
	}
	if res := secrets.ScanBytes("docs/secrets.md", page); len(res.Matches) > 0 {
		t.Errorf("got %v, want nothing", res.Matches)
	}
}

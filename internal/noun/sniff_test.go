package noun_test

import (
	"strings"
	"testing"

	"seed/internal/noun"
)

func TestSniff(t *testing.T) {
	t.Parallel()
	usage := "# Usage: curl -sSL https://registry.example/s/abc12 | bash -s <path>\n"
	tests := []struct {
		name, head string
		want       noun.Kind
		words      string
	}{
		{"seed", usage, noun.SeedFile, "a seed file"},
		{"seed cut in its first line", "# Usage: curl -sSL ", noun.SeedFile, "a seed file"},
		{"prefix cut", "# Usage: curl -sSL", noun.File, "first line is not a usage line"},
		{"other case", "# usage: curl -sSL https://", noun.File, "first line is not a usage line"},
		{"byte-order mark", "\xef\xbb\xbf" + usage, noun.File, "byte-order mark"},
		{"blank line first", "\n" + usage, noun.File, "first line is not a usage line"},
		{"zip", "PK\x03\x04rest", noun.Capsule, "a capsule"},
		{"empty zip", "PK\x05\x06rest", noun.Capsule, "a capsule"},
		{"zip, spanned", "PK\x07\x08", noun.File, "a text file"},
		{"empty", "", noun.File, "an empty file"},
		{"page", "\n<!DOCTYPE html>\n", noun.File, "an HTML page"},
		{"gzip", "\x1f\x8b\x08", noun.File, "a gzip file"},
		{"NUL", "abc\x00", noun.File, "a binary file"},
		{"not UTF-8", "abc\xff\xff\xff\xff def", noun.File, "a binary file"},
		{"rune cut at the end", strings.Repeat("a", 510) + "\xe2\x82", noun.File, "a text file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := noun.Sniff([]byte(tt.head)); got != tt.want {
				t.Errorf("Sniff(%q): got %v, want %v", tt.head, got, tt.want)
			}
			if got := noun.Describe([]byte(tt.head)); !strings.Contains(got, tt.words) {
				t.Errorf("Describe(%q): got %q, want %q in it", tt.head, got, tt.words)
			}
		})
	}
}

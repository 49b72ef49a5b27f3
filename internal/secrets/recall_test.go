package secrets_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"seed/internal/secrets"
)

const (
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
	upperLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits       = "0123456789"
)

// What machines draw at random is found in an assignment however it is written,
// though no rule knows its shape. The figures are those of docs/secrets.md.
func TestRandomValuesAreFound(t *testing.T) {
	t.Parallel()
	const tries = 2000
	for _, c := range []struct {
		name, alphabet string
		length         int
		least          float64
	}{
		{"hex", digits + "abcdef", 32, 0.99},
		{"hex", digits + "abcdef", 64, 0.99},
		{"letters and digits", lowerLetters + upperLetters + digits, 16, 0.97},
		{"letters and digits", lowerLetters + upperLetters + digits, 24, 0.98},
		{"letters and digits", lowerLetters + upperLetters + digits, 40, 0.99},
		{"base64", lowerLetters + upperLetters + digits + "+/", 44, 0.98},
		{"small letters and digits", lowerLetters + digits, 16, 0.95},
		{"small letters and digits", lowerLetters + digits, 24, 0.98},
		{"small letters and digits", lowerLetters + digits, 32, 0.98},
		{"with signs", lowerLetters + upperLetters + digits + "!#%&*+-=?@^_", 12, 0.75},
		{"with signs", lowerLetters + upperLetters + digits + "!#%&*+-=?@^_", 20, 0.92},
	} {
		draw := rand.New(rand.NewPCG(1, uint64(c.length)))
		found := 0
		for range tries {
			value := make([]byte, c.length)
			for i := range value {
				value[i] = c.alphabet[draw.IntN(len(c.alphabet))]
			}
			text := fmt.Sprintf("api_key: %q\n", value)
			if res := secrets.ScanBytes("a.yaml", []byte(text)); len(res.Matches) > 0 {
				found++
			}
		}
		share := float64(found) / tries
		t.Logf("%s, %d: %.1f %%", c.name, c.length, 100*share)
		if share < c.least {
			t.Errorf("%s of %d bytes: got %.3f found, want at least %.3f", c.name, c.length, share, c.least)
		}
	}
}

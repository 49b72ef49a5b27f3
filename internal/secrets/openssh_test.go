package secrets_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/secrets"
)

// SP-PACK-07: real keys in the form that ssh-keygen writes, under a name that
// says nothing, as they are, with CRLF, indented and inside a string.
func TestOpenSSHKeysAreFound(t *testing.T) {
	t.Parallel()
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, kind := range []string{"ed25519", "rsa", "ecdsa"} {
		file := filepath.Join(t.TempDir(), "key")
		if out, err := exec.Command(keygen, "-q", "-t", kind, "-N", "", "-f", file).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		key, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(key)
		for form, data := range map[string]string{
			"plain":    text,
			"CRLF":     strings.ReplaceAll(text, "\n", "\r\n"),
			"indented": "key: |\n  " + strings.ReplaceAll(text, "\n", "\n  "),
			"string":   `k = "` + strings.ReplaceAll(text, "\n", `\n`) + `"`,
		} {
			got := secrets.ScanBytes("notes.md", []byte(data))
			if len(got.Matches) == 0 || got.Matches[0].Rule.ID != "SEC-PRIVATE-KEY" {
				t.Errorf("%s, %s: got %v, want a private key", kind, form, got.Matches)
			}
		}
		public, err := os.ReadFile(file + ".pub")
		if err != nil {
			t.Fatal(err)
		}
		if got := secrets.ScanBytes("notes.md", bytes.TrimSpace(public)); len(got.Matches) > 0 {
			t.Errorf("%s: got %v for the public key, want nothing", kind, got.Matches)
		}
	}
}

package capsule_test

import (
	"crypto/ecdh"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"seed/capsule"
)

// sharedFile reads one of the vectors that lie beside the project, or skips.
func sharedFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "shared", "vectors", "capsule", filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the shared vectors are not there: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func sharedJSON[T any](t *testing.T, name string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(sharedFile(t, name), &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// TestCAP_VER_18_SharedTamperVectors holds the verifier to what the list of the
// reference expects: ok or not, and every failing area. Encrypted ones must answer
// the same with the recipient's key, at L3.
func TestCAP_VER_18_SharedTamperVectors(t *testing.T) {
	t.Parallel()
	const dir = "tamper-detection/"
	list := sharedJSON[struct {
		KeysFile string `json:"keys_file"`
		Vectors  []struct {
			Name     string
			File     string `json:"capsule_file"`
			Expected struct {
				OK      bool
				Failing []capsule.Area
			}
		}
	}](t, dir+"vectors.json")
	keys := sharedJSON[map[string]struct{ PublicKey, PrivateKey string }](t, dir+list.KeysFile)
	secret, err := hex.DecodeString(keys["recipient"].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	recipient, err := ecdh.X25519().NewPrivateKey(secret)
	if err != nil || hex.EncodeToString(recipient.PublicKey().Bytes()) != keys["recipient"].PublicKey {
		t.Fatalf("the recipient's keys do not fit one another: %v", err)
	}
	var good, bad, deep int
	for _, v := range list.Vectors {
		data := sharedFile(t, dir+v.File)
		check := func(o capsule.Options, level string) {
			t.Helper()
			res := judgeFile(t, data, o)
			consistent(t, res)
			if res.OK != v.Expected.OK || res.IntegrityOK != v.Expected.OK || res.Level != level {
				t.Errorf("%s: got ok %v at %s, want %v at %s: %v", v.Name, res.OK, res.Level, v.Expected.OK, level, res.Errors)
			}
			for _, area := range v.Expected.Failing {
				if !slices.ContainsFunc(res.Problems, func(p capsule.Problem) bool { return p.Area == area }) {
					t.Errorf("%s: got the problems %v, want one of the area %s", v.Name, reasons(res), area)
				}
			}
			// The writer of these files binds no signer set.
			if v.Expected.OK && !res.Has(capsule.SignerSetUnbound) {
				t.Errorf("%s: got the qualifiers %v, want %s among them", v.Name, res.Qualifiers, capsule.SignerSetUnbound)
			}
			if trusted := res.TrustedSignerCount > 0; v.Expected.OK && trusted != (o.Allowlist != nil) {
				t.Errorf("%s: got %d trusted signers with the allowlist %v", v.Name, res.TrustedSignerCount, o.Allowlist)
			}
		}
		originator := []string{keys["originator"].PublicKey}
		check(capsule.Options{}, "L2")
		check(capsule.Options{Allowlist: originator}, "L2")
		if v.Expected.OK {
			good++
		} else {
			bad++
		}
		if !openFile(t, data).Encrypted() {
			continue
		}
		deep++
		check(capsule.Options{Recipient: recipient, Allowlist: originator}, "L3")
		if res := judgeFile(t, data, capsule.Options{Recipient: readerKey(t, "rita")}); res.OK || res.Decryption == nil {
			t.Errorf("%s: got ok %v and %v with the key of somebody else", v.Name, res.OK, res.Decryption)
		}
	}
	if good == 0 || bad == 0 || deep == 0 {
		t.Errorf("got %d good, %d bad and %d encrypted vectors, want some of each", good, bad, deep)
	}
}

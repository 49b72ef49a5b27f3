package edstrict_test

import (
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seed/internal/edstrict"
)

// loadVectors reads third-party vectors that lie beside the checkout.
func loadVectors(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", "crypto", filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the vectors are not beside the checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func TestCAP_ED_03_wycheproof(t *testing.T) {
	t.Parallel()
	var file struct {
		TestGroups []struct {
			PublicKey struct{ PK string }
			Tests     []struct {
				TcID                      int
				Comment, Msg, Sig, Result string
			}
		}
	}
	loadVectors(t, "wycheproof/ed25519_test.json", &file)
	count := make(map[string]int)
	for _, g := range file.TestGroups {
		pub := unhex(t, g.PublicKey.PK)
		for _, c := range g.Tests {
			err := edstrict.Verify(pub, unhex(t, c.Msg), unhex(t, c.Sig))
			if (err == nil) != (c.Result == "valid") {
				t.Errorf("case %d (%s): got %v, want %s", c.TcID, c.Comment, err, c.Result)
			}
			if strings.Contains(c.Comment, "s < L") && reasonOf(t, err) != edstrict.NonReducedS {
				t.Errorf("case %d (%s): got %v, want %s", c.TcID, c.Comment, err, edstrict.NonReducedS)
			}
			count[c.Result]++
		}
	}
	if count["valid"] == 0 || count["invalid"] == 0 || len(count) != 2 {
		t.Errorf("got %v cases, want valid and invalid ones", count)
	}
}

// policy is the table of the package comment: which reasons the flags of a
// CCTV case allow, and for what. None means that the signature is accepted.
func policy(flags []string) []edstrict.Reason {
	has := func(f string) bool { return slices.Contains(flags, f) }
	pick := func(small, strange bool, ifSmall, ifStrange edstrict.Reason) []edstrict.Reason {
		var r []edstrict.Reason
		if small {
			r = append(r, ifSmall)
		}
		if strange {
			r = append(r, ifStrange)
		}
		return r
	}
	switch {
	case has("low_order_A"), has("non_canonical_A"):
		return pick(has("low_order_A"), has("non_canonical_A"), edstrict.SmallOrderKey, edstrict.NonCanonicalKey)
	case has("low_order_R"), has("non_canonical_R"):
		return pick(has("low_order_R"), has("non_canonical_R"), edstrict.SmallOrderR, edstrict.NonCanonicalR)
	case has("low_order_residue"), has("reencoded_k"):
		return []edstrict.Reason{edstrict.BadSignature}
	}
	return nil
}

func TestCAP_ED_04_cctvPolicy(t *testing.T) {
	t.Parallel()
	known := []string{
		"low_order_A", "low_order_R", "low_order_component_A", "low_order_component_R",
		"low_order_residue", "non_canonical_A", "non_canonical_R", "reencoded_k",
	}
	var cases []struct {
		Number        int
		Key, Msg, Sig string
		Flags         []string
	}
	loadVectors(t, "cctv/ed25519vectors.json", &cases)
	verdicts := make(map[edstrict.Reason]int)
	combinations := make(map[string]bool)
	guarded := 0
	for _, c := range cases {
		for _, f := range c.Flags {
			if !slices.Contains(known, f) {
				t.Errorf("case %d: the policy does not know the flag %q", c.Number, f)
			}
		}
		pub, sig := unhex(t, c.Key), unhex(t, c.Sig)
		got := reasonOf(t, edstrict.Verify(pub, []byte(c.Msg), sig))
		want := policy(c.Flags)
		if len(want) == 0 && got != "" || len(want) > 0 && !slices.Contains(want, got) {
			t.Errorf("case %d %v: got %q, want one of %q", c.Number, c.Flags, got, want)
		}
		if got != "" && ed25519.Verify(pub, []byte(c.Msg), sig) {
			guarded++
		}
		verdicts[got]++
		slices.Sort(c.Flags)
		combinations[strings.Join(c.Flags, " ")] = true
	}
	for _, r := range []edstrict.Reason{
		"", edstrict.SmallOrderKey, edstrict.NonCanonicalKey, edstrict.SmallOrderR, edstrict.NonCanonicalR, edstrict.BadSignature,
	} {
		if verdicts[r] == 0 {
			t.Errorf("no case got the verdict %q", r)
		}
	}
	if guarded == 0 {
		t.Error("crypto/ed25519 alone refuses all of them: the guards show nothing")
	}
	t.Logf("%d cases, %d flag combinations, %d refused by the guards alone: %v", len(cases), len(combinations), guarded, verdicts)
}

package build_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// encryptFor encrypts a capsule that ana sealed as it is.
func encryptFor(t *testing.T, data []byte, reader string) ([]byte, error) {
	t.Helper()
	res, c := verify(t, data, capsule.Options{})
	_, key := recipient(t, reader)
	var out memory
	_, err := build.Encrypt(&out, c, res, bytes.Clone(data), build.EncryptOptions{
		Signers: []build.Signer{{Role: "originator", Key: signing("ana")}}, Recipients: [][32]byte{key}, Rand: constant(1),
	})
	return out.Bytes(), err
}

// TestCAP_RWP_01_EncryptedAndInvalid: the override is for what can be read.
func TestCAP_RWP_01_EncryptedAndInvalid(t *testing.T) {
	t.Parallel()
	outer, _ := write(t, secret(t))
	bad := reseal(t, outer, func(m map[string]any) { m["id"] = strings.Repeat("0", 64) })
	for _, override := range []bool{false, true} {
		if _, err := rewrap(t, bad, takeover(), override); !errors.Is(err, build.ErrEncrypted) {
			t.Errorf("override %t: got %v, want ErrEncrypted", override, err)
		}
	}
}

// TestCAP_LIN_01_ExtensionsOfAnEntryAreKept by sealing again and by encrypting.
func TestCAP_LIN_01_ExtensionsOfAnEntryAreKept(t *testing.T) {
	t.Parallel()
	data, _ := write(t, draft(t))
	next, err := rewrap(t, data, takeover(), false)
	if err != nil {
		t.Fatal(err)
	}
	next.Signers = []build.Signer{{Role: "originator", Key: signing("ana")}}
	out, _ := write(t, next)
	odd := reseal(t, out, func(m map[string]any) { m["predecessors"].([]any)[0].(map[string]any)["x-acme-note"] = "kept" })
	again, _ := write(t, resume(t, odd))
	entry := opened(t, again).Manifest.Value.Member("predecessors")
	for _, e := range entry.Elements() {
		if e.Member("x-acme-note").Str() != "kept" {
			t.Errorf("CAP-JSON-09: got %s", entry.Raw())
		}
	}
	if _, err := encryptFor(t, odd, "rita"); err != nil {
		t.Errorf("CAP-LIN-05: %v", err)
	}
}

// TestCAP_ENC_05_WithoutCreatedAt: the member is advisory and may be absent.
func TestCAP_ENC_05_WithoutCreatedAt(t *testing.T) {
	t.Parallel()
	data, _ := write(t, draft(t))
	odd := reseal(t, data, func(m map[string]any) { delete(m, "created_at") })
	outer, err := encryptFor(t, odd, "rita")
	if err != nil {
		t.Fatal(err)
	}
	if c := opened(t, outer); c.Manifest.Value.Member("created_at").Exists() {
		t.Errorf("outside stands what inside does not: %s", c.Manifest.CreatedAt)
	}
}

package build_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// memory is a file in memory to build into.
type memory struct{ build.Memory }

// shared reads a file of the shared vectors, or skips.
func shared(t *testing.T, name string) []byte {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "vectors", "capsule", name)
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("no shared vectors: %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCAP_ZIP_06_RebuildReference: from the content and the key of a capsule of
// the reference comes the same file, byte for byte (CAP-CHN-10, CAP-BLD-01).
func TestCAP_ZIP_06_RebuildReference(t *testing.T) {
	t.Parallel()
	want := shared(t, "tamper-detection/output/clean.capsule")
	var keys map[string]struct{ PrivateKey string }
	if err := json.Unmarshal(shared(t, "tamper-detection/output/keys.json"), &keys); err != nil {
		t.Fatal(err)
	}
	seed, err := hex.DecodeString(keys["originator"].PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	res, c, err := capsule.VerifyOpen(bytes.NewReader(want), int64(len(want)), capsule.Options{})
	if err != nil || res.Verdict != capsule.Valid {
		t.Fatalf("got %v, %v", res, err)
	}
	d, err := build.Resume(c, res)
	if err != nil {
		t.Fatal(err)
	}
	d.SignedAt = c.Envelope.SignedAt
	d.Signers = []build.Signer{{Role: "originator", Key: ed25519.NewKeyFromSeed(seed)}}
	var out memory
	sealed, err := build.Write(&out, &d)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Errorf("got other bytes than the reference wrote: %d, want %d", out.Len(), len(want))
	}
	if sealed.CapsuleID != res.CapsuleID || sealed.ManifestHash != res.ManifestHash || sealed.Size != int64(len(want)) {
		t.Errorf("got %+v, want the facts of %+v", sealed, res)
	}
}

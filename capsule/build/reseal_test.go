package build_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"

	"seed/capsule"
	"seed/internal/zipstore"
	"seed/jcs"
)

// reseal rewrites the manifest of a capsule that ana alone sealed and signs it
// again, by the words of the format and not by the package under test: so come
// capsules that other writers could have made.
func reseal(t tb, data []byte, change func(manifest map[string]any)) []byte {
	t.Helper()
	c, err := capsule.Open(bytes.NewReader(data), int64(len(data)), capsule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var manifest, envelope map[string]any
	for path, v := range map[string]*map[string]any{"manifest.json": &manifest, "provenance/envelope.json": &envelope} {
		if err := json.Unmarshal([]byte(content(t, c, path)), v); err != nil {
			t.Fatal(err)
		}
	}
	change(manifest)
	canonical := func(v any) []byte {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out, err := jcs.Canonical(raw)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	stored := canonical(manifest)
	sum := sha256.Sum256(stored)
	version := manifest["format"].(map[string]any)["version"].(string)
	envelope["manifest_hash"], envelope["version"] = hex.EncodeToString(sum[:]), version
	delete(envelope, "signers")
	input := append([]byte("capsule-provenance-v"+version+":originator\x00"), canonical(envelope)...)
	envelope["signers"] = []any{map[string]any{
		"role": "originator", "public_key": public("ana"), "signature": hex.EncodeToString(ed25519.Sign(signing("ana"), input)),
	}}
	var files []zipstore.File
	for _, e := range c.Entries() {
		body := []byte(content(t, c, e.Path))
		switch e.Path {
		case "manifest.json":
			body = stored
		case "provenance/envelope.json":
			body = canonical(envelope)
		}
		files = append(files, zipstore.File{Name: e.Path, Size: int64(len(body)), CRC32: crc32.ChecksumIEEE(body), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(body)), nil
		}})
	}
	var out bytes.Buffer
	if _, err := zipstore.Write(&out, files, zipstore.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

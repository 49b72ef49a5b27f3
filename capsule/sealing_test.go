package capsule_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"
	"slices"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/capsule/crypt"
	"seed/internal/zipstore"
	"seed/jcs"
)

const (
	sealedNoon  = "2026-05-21T12:00:00Z"
	sealedLater = "2026-05-22T08:30:00Z"
)

func signerKey(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("signer " + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func signerHex(name string) string { return hex.EncodeToString(signerKey(name)[32:]) }

func readerKey(t testing.TB, name string) *ecdh.PrivateKey {
	t.Helper()
	seed := sha256.Sum256([]byte("reader " + name))
	key, err := ecdh.X25519().NewPrivateKey(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// repeating is randomness that tests can repeat.
type repeating byte

func (c repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(c) + byte(i)
	}
	return len(p), nil
}

// memoryFile is a file in memory to build into.
type memoryFile struct{ build.Memory }

// sampleDraft is sealed by ana, with a skill of each shape.
func sampleDraft(t testing.TB) build.Draft {
	t.Helper()
	var log chain.Log
	var events []byte
	for _, action := range []string{"began", "went on"} {
		line, err := log.Append(chain.Draft{Actor: "human:ana", Action: action, Timestamp: sealedNoon, Payload: []byte(`{"summary":"s"}`)})
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, line...)
	}
	return build.Draft{
		Label: "Ana", CreatedAt: sealedNoon, SignedAt: sealedLater,
		Participants: []build.Participant{{ActorID: "human:ana"}},
		Files: []build.File{
			build.Text("program.md", "# Plan\n"), build.Text("payload/data.txt", "data"),
			build.Text("skills/both/skill.json", "{}"), build.Text("skills/both/SKILL.md", "# Both\n"),
			build.Text("skills/code/skill.json", "{}"), build.Text("skills/text/SKILL.md", "# Text\n"), build.Text("skills/none/README.md", "x"),
		},
		Chain:   build.Bytes(chain.Path, events),
		Signers: []build.Signer{{Role: "originator", Key: signerKey("ana")}},
	}
}

func sealFile(t testing.TB, change func(d *build.Draft)) []byte {
	t.Helper()
	d := sampleDraft(t)
	if change != nil {
		change(&d)
	}
	var out memoryFile
	if _, err := build.Write(&out, &d); err != nil {
		t.Fatalf("Write: %v", err)
	}
	return out.Bytes()
}

// sealFor is the sample encrypted to the named readers.
func sealFor(t testing.TB, readers ...string) []byte {
	t.Helper()
	return sealFile(t, func(d *build.Draft) {
		d.Rand = repeating(1)
		for _, name := range readers {
			d.Recipients = append(d.Recipients, [32]byte(readerKey(t, name).PublicKey().Bytes()))
		}
	})
}

func judgeFile(t testing.TB, data []byte, o capsule.Options) *capsule.Result {
	t.Helper()
	res, err := capsule.Verify(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func openFile(t testing.TB, data []byte) *capsule.Capsule {
	t.Helper()
	c, err := capsule.Open(bytes.NewReader(data), int64(len(data)), capsule.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// parts is a capsule taken apart.
type parts struct {
	manifest, envelope map[string]any
	files              map[string][]byte // but the two documents
	signers            [][2]string       // role and name of the key
	reindex            bool              // make the index anew
}

// reseal takes a capsule apart, lets change have its way and seals it again by
// the words of the format: so come files that no writer of ours would make.
func reseal(t testing.TB, data []byte, change func(p *parts)) []byte {
	t.Helper()
	c := openFile(t, data)
	p := &parts{files: make(map[string][]byte), signers: [][2]string{{"originator", "ana"}}}
	for _, e := range c.Entries() {
		body, err := c.ReadFile(e.Path, 1<<24)
		if err != nil {
			t.Fatal(err)
		}
		switch e.Path {
		case "manifest.json":
			err = json.Unmarshal(body, &p.manifest)
		case "provenance/envelope.json":
			err = json.Unmarshal(body, &p.envelope)
		default:
			p.files[e.Path] = body
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	delete(p.envelope, "signers")
	change(p)
	if p.reindex {
		var index []capsule.IndexEntry
		for path, body := range p.files {
			if path != "content.enc" {
				index = append(index, capsule.IndexEntry{Path: path, SHA256: hexSum(body)})
			}
		}
		capsule.SortIndex(index)
		listed := capsule.AppendIndex(nil, index)
		p.envelope["content_index_hash"] = hexSum(listed)
		p.manifest["content_index"] = map[string]any{"files": json.RawMessage(listed), "index_hash": hexSum(listed)}
	}
	if blob, ok := p.files["content.enc"]; ok {
		p.envelope["encrypted_blob_hash"] = hexSum(blob)
	}
	manifest := canonicalJSON(t, p.manifest)
	p.envelope["manifest_hash"] = hexSum(manifest)
	version, _ := p.envelope["version"].(string)
	payload := canonicalJSON(t, p.envelope)
	var rows []any
	for _, s := range p.signers {
		sig := ed25519.Sign(signerKey(s[1]), append([]byte("capsule-provenance-v"+version+":"+s[0]+"\x00"), payload...))
		rows = append(rows, map[string]any{"role": s[0], "public_key": signerHex(s[1]), "signature": hex.EncodeToString(sig)})
	}
	p.envelope["signers"] = rows
	p.files["manifest.json"], p.files["provenance/envelope.json"] = manifest, canonicalJSON(t, p.envelope)
	return packFiles(t, p.files)
}

func packFiles(t testing.TB, bodies map[string][]byte) []byte {
	t.Helper()
	var files []zipstore.File
	for name, body := range bodies {
		files = append(files, zipstore.File{Name: name, Size: int64(len(body)), CRC32: crc32.ChecksumIEEE(body), Open: func() (io.ReadCloser, error) {
			return io.NopCloser(bytes.NewReader(body)), nil
		}})
	}
	var out bytes.Buffer
	if _, err := zipstore.Write(&out, files, zipstore.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func canonicalJSON(t testing.TB, v any) []byte {
	t.Helper()
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

// rewrite puts other content into an encrypted capsule for reader: the same
// keys, a tag that fits, an outer seal that fits.
func rewrite(t testing.TB, outer []byte, reader string, inner []byte) []byte {
	t.Helper()
	c := openFile(t, outer)
	meta, err := c.Recipients()
	if err != nil {
		t.Fatal(err)
	}
	key, err := meta.Unwrap(c.Envelope.Version, readerKey(t, reader))
	if err != nil {
		t.Fatal(err)
	}
	blob, err := crypt.Seal(bytes.Clone(inner), key, meta.ContentNonce, crypt.Context{
		Version: c.Envelope.Version, CapsuleID: c.Envelope.CapsuleID, FirstEventHash: c.Envelope.FirstEventHash,
		OriginatorKey: c.Manifest.OriginatorKey, Cipher: crypt.Cipher,
	}.AAD())
	if err != nil {
		t.Fatal(err)
	}
	return reseal(t, outer, func(p *parts) { p.files["content.enc"] = blob })
}

// reasons lists what a result holds against a file, as "area/reason", sorted.
func reasons(res *capsule.Result) []string {
	list := []string{}
	for _, p := range res.Problems {
		list = append(list, string(p.Area)+"/"+string(p.Reason))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func format(m map[string]any) map[string]any { return m["format"].(map[string]any) }

package capsule_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/hydrate"
	"seed/internal/zipstore"
)

// contextCapsule seals a capsule with a signed and an unsigned skill, a marked
// and an unmarked field, and a payload.
func contextCapsule(t *testing.T) ([]byte, string) {
	t.Helper()
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	const at = "2026-01-31T12:00:00Z"
	var log chain.Log
	var events []byte
	for _, d := range []chain.Draft{
		{Actor: "human:ana", Action: "began", Timestamp: at, Payload: []byte(`{"summary":"OBEY ME","n":1,"deep":{"text":"AND ME","kept":true}}`), Untrusted: []string{"payload.summary", "payload.deep.text", "payload.nowhere"}},
		{Actor: "ai:writer", Action: "went on", Timestamp: at, Payload: []byte(`{"plain":"fact"}`)},
	} {
		line, err := log.Append(d)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, line...)
	}
	var out contextTarget
	if _, err := build.Write(&out, &build.Draft{
		Label: "Ana", SignedAt: at, Chain: build.Bytes(chain.Path, events), Signers: []build.Signer{{Role: "originator", Key: key}},
		Files: []build.File{
			build.Text("program.md", "the program\n"), build.Text("agents.md", "the agents\n"),
			build.Text("skills/good/SKILL.md", "signed skill\n"), build.Text("skills/good/skill.json", "{}"),
			build.Text("skills/loose/SKILL.md", "loose skill\n"), build.Text("payload/a.txt", "payload text\n"),
		},
	}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), hex.EncodeToString(key.Public().(ed25519.PublicKey))
}

type contextTarget struct{ build.Memory }

func contextOf(t *testing.T, data []byte, o capsule.Options, c capsule.ContextOptions) ([]hydrate.Part, error) {
	t.Helper()
	res, opened, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), o)
	if err != nil || opened == nil {
		t.Fatalf("got %v, %v", res, err)
	}
	return opened.Context(res, c)
}

// TestCAP_HYD_02_Order: verdict, program, agents, events, skills, list of
// payload, payload on request.
func TestCAP_HYD_02_Order(t *testing.T) {
	t.Parallel()
	data, key := contextCapsule(t)
	parts, err := contextOf(t, data, capsule.Options{Allowlist: []string{key}}, capsule.ContextOptions{Payload: []string{"payload/a.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, p := range parts {
		kinds = append(kinds, p.Kind)
	}
	want := "verdict program agents events events skill skill payload-index payload claims"
	if got := strings.Join(kinds, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if parts[0].Rank >= parts[1].Rank || parts[1].Rank > hydrate.Essential {
		t.Errorf("got ranks %d and %d, want verdict and program kept first", parts[0].Rank, parts[1].Rank)
	}
}

// TestCAP_HYD_03_Framed: with a trusted signer, marked fields, unsigned skills
// and payload are untrusted and nothing else is; without one, everything is.
// CAP-SKL-02: only a signed skill may stand as instructions.
func TestCAP_HYD_03_Framed(t *testing.T) {
	t.Parallel()
	data, key := contextCapsule(t)
	parts, err := contextOf(t, data, capsule.Options{Allowlist: []string{key}}, capsule.ContextOptions{Payload: []string{"payload/a.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		untrusted := strings.Contains(p.Text, "OBEY ME") || strings.Contains(p.Text, "AND ME") ||
			strings.Contains(p.Text, "loose skill") || p.Kind == "payload" || p.Kind == "claims"
		if p.Trusted == untrusted {
			t.Errorf("%s %q: got trusted %v: %s", p.Kind, p.Title, p.Trusted, p.Text)
		}
		if p.Trusted && strings.Contains(p.Text, "ME") {
			t.Errorf("%q: marked text stands in a trusted part: %s", p.Title, p.Text)
		}
	}
	parts, err = contextOf(t, data, capsule.Options{}, capsule.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts[1:] {
		if p.Trusted || p.Why != "no trusted signer" {
			t.Errorf("%q: got trusted %v because %q, want all of it untrusted", p.Title, p.Trusted, p.Why)
		}
	}
}

// TestCAP_HYD_01_FailedGivesNoText: a capsule that fails gives no text, and with
// force only untrusted text beside a verdict that names the failure. The text is
// computed from the verified bytes, there is no other source (CAP-HYD-05).
func TestCAP_HYD_01_FailedGivesNoText(t *testing.T) {
	t.Parallel()
	data, key := contextCapsule(t)
	bad := repackWith(t, data, "program.md", "another program\n")
	o := capsule.Options{Allowlist: []string{key}}
	if parts, err := contextOf(t, bad, o, capsule.ContextOptions{}); err == nil || len(parts) > 0 {
		t.Errorf("got %d parts and %v, want a refusal", len(parts), err)
	}
	parts, err := contextOf(t, bad, o, capsule.ContextOptions{Force: true})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(parts[0].Text, "verdict: invalid") {
		t.Errorf("got the verdict %q, want it to say invalid", parts[0].Text)
	}
	for _, p := range parts[1:] {
		if p.Trusted {
			t.Errorf("%q is trusted in a capsule that failed", p.Title)
		}
	}
}

// repackWith replaces one file of a capsule and leaves the seal as it was.
func repackWith(t *testing.T, data []byte, path, text string) []byte {
	t.Helper()
	a, err := zipstore.Open(bytes.NewReader(data), int64(len(data)), zipstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var files []zipstore.File
	for i := range a.Entries {
		content, err := a.ReadFile(&a.Entries[i], 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		if a.Entries[i].Name == path {
			content = []byte(text)
		}
		files = append(files, zipstore.File{
			Name: a.Entries[i].Name, Size: int64(len(content)), CRC32: crc32.ChecksumIEEE(content),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
		})
	}
	var out bytes.Buffer
	if _, err := zipstore.Write(&out, files, zipstore.Options{}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestCAP_HYD_06_Continue: whoever goes on links to the last event that was
// given; no key is part of the context.
func TestCAP_HYD_06_Continue(t *testing.T) {
	t.Parallel()
	data, _ := contextCapsule(t)
	res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), capsule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	log, err := chain.Resume(c.File(chain.Path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if log.Last() != c.Envelope.EntryHash || log.Len() != res.Chain.Events {
		t.Errorf("got %s after %d events, want %s", log.Last(), log.Len(), c.Envelope.EntryHash)
	}
	line, err := log.Append(chain.Draft{Actor: "human:bob", Action: "went on", Timestamp: "2026-02-01T00:00:00Z"})
	if err != nil || !bytes.Contains(line, []byte(`"prev_hash":"`+c.Envelope.EntryHash+`"`)) {
		t.Errorf("got %s, %v, want an event that links to %s", line, err, c.Envelope.EntryHash)
	}
}

func TestContextRefusesUnknownPayload(t *testing.T) {
	t.Parallel()
	data, _ := contextCapsule(t)
	for _, path := range []string{"payload/none", "program.md", "../x"} {
		if _, err := contextOf(t, data, capsule.Options{}, capsule.ContextOptions{Payload: []string{path}}); err == nil {
			t.Errorf("%s: got no error", path)
		}
	}
}

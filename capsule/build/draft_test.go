package build_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
)

const (
	noon  = "2026-05-21T12:00:00Z"
	later = "2026-05-22T08:30:00Z"
)

// tb is what helpers need of a test, be it one of testing or of rapid.
type tb interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func signing(name string) ed25519.PrivateKey {
	seed := sha256.Sum256([]byte("signing " + name))
	return ed25519.NewKeyFromSeed(seed[:])
}

func public(name string) string { return hex.EncodeToString(signing(name)[32:]) }

func recipient(t tb, name string) (*ecdh.PrivateKey, [32]byte) {
	t.Helper()
	seed := sha256.Sum256([]byte("recipient " + name))
	key, err := ecdh.X25519().NewPrivateKey(seed[:])
	if err != nil {
		t.Fatal(err)
	}
	return key, [32]byte(key.PublicKey().Bytes())
}

// events is a chain of one event an action.
func events(t tb, actions ...string) build.File {
	t.Helper()
	var log chain.Log
	var b []byte
	for _, a := range actions {
		line, err := log.Append(chain.Draft{Actor: "human:ana", Action: a, Timestamp: noon, Payload: []byte(`{"summary":"s"}`)})
		if err != nil {
			t.Fatal(err)
		}
		b = append(b, line...)
	}
	return build.Bytes(chain.Path, b)
}

// draft has a bit of everything.
func draft(t tb) build.Draft {
	t.Helper()
	return build.Draft{
		Label: "Ana", CreatedAt: noon, SignedAt: later,
		Participants: []build.Participant{{ActorID: "human:ana", Role: "author", Label: "Ana"}, {ActorID: "ai:helper"}},
		Files: []build.File{
			build.Text("payload/data.txt", "data"), build.Text("program.md", "# Plan\n"), build.Text("agents.md", "# Agents\n"),
			build.Text("skills/review/skill.json", "{}"), build.Text("skills/review/SKILL.md", "# Review\n"), build.Text("skills/notes/SKILL.md", "# Notes\n"),
		},
		Chain:   events(t, "began", "went on"),
		Signers: []build.Signer{{Role: "originator", Key: signing("ana")}},
	}
}

func write(t tb, d build.Draft) ([]byte, *build.Sealed) {
	t.Helper()
	var out memory
	sealed, err := build.Write(&out, &d)
	if err != nil {
		t.Fatalf("Write: %v", err)
	}
	return out.Bytes(), sealed
}

func verify(t tb, data []byte, o capsule.Options) (*capsule.Result, *capsule.Capsule) {
	t.Helper()
	res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	return res, c
}

func opened(t tb, data []byte) *capsule.Capsule {
	t.Helper()
	res, c := verify(t, data, capsule.Options{})
	if res.Verdict != capsule.Valid {
		t.Fatalf("got %v, want a valid capsule: %v", res.Verdict, res.Problems)
	}
	return c
}

func content(t tb, c *capsule.Capsule, path string) string {
	t.Helper()
	data, err := c.ReadFile(path, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func paths(c *capsule.Capsule) string {
	var all []string
	for _, e := range c.Entries() {
		all = append(all, e.Path)
	}
	return strings.Join(all, " ")
}

// refused seals a changed draft and wants the rule and the words in the error.
func refused(t *testing.T, rule, says string, change func(d *build.Draft)) {
	t.Helper()
	d := draft(t)
	change(&d)
	var out memory
	sealed, err := build.Write(&out, &d)
	var broken *finding.Error
	if sealed != nil || !errors.As(err, &broken) || broken.Rule.ID != rule || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want %q (%s)", err, says, rule)
	}
	if out.Len() != 0 {
		t.Errorf("%s: %d bytes were written before the refusal", says, out.Len())
	}
}

func TestCAP_BLD_01_WhatIsWritten(t *testing.T) {
	t.Parallel()
	data, sealed := write(t, draft(t))
	c := opened(t, data)
	if want := strings.TrimSuffix(content(t, c, "program.md"), "\n"); want != "# Plan" {
		t.Errorf("program.md: got %q", want)
	}
	// Bytes that the caller gives are kept as they are.
	if got := content(t, c, "skills/review/skill.json"); got != "{}" {
		t.Errorf("skill.json: got %q, want the given bytes", got)
	}
	if got := content(t, c, "manifest.json"); got != string(c.Manifest.Value.AppendCanonical(nil)) {
		t.Errorf("manifest.json is not its own canonical form: %s", got)
	}
	envelope := content(t, c, "provenance/envelope.json")
	if !strings.HasPrefix(envelope, "{\n  \"version\": \"0.6\",\n  \"capsule_id\": \"") || !strings.HasSuffix(envelope, "\n    }\n  ]\n}") {
		t.Errorf("envelope.json is not indented by two spaces without a final LF:\n%s", envelope)
	}
	m := c.Manifest
	if m.Version != "0.6" || m.Label != "Ana" || m.OriginatorKey != public("ana") || m.CreatedAt != noon || c.Envelope.SignedAt != later || c.Envelope.Cipher != "none" {
		t.Errorf("got %+v, %+v", m, c.Envelope)
	}
	want := `[{"actor_id":"human:ana","label":"Ana","role":"author"},{"actor_id":"ai:helper"}]`
	if got := string(m.Value.Member("participants").AppendCanonical(nil)); got != want {
		t.Errorf("participants: got %s, want %s", got, want)
	}
	if sealed.Size != int64(len(data)) || sealed.Events != 2 || sealed.CapsuleID != m.ID || sealed.EntryHash != c.Envelope.EntryHash || sealed.ManifestHash != c.Envelope.ManifestHash {
		t.Errorf("got %+v, want the facts of %+v", sealed, c.Envelope)
	}

	t.Run("CAP-LAY-04 a program is always there", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Files, d.CreatedAt = nil, ""
		data, sealed := write(t, d)
		c := opened(t, data)
		if got := content(t, c, "program.md"); got != "# Program\n" || sealed.Result.Has(capsule.ProgramMissing) {
			t.Errorf("program.md: got %q, want the default", got)
		}
		if c.Manifest.CreatedAt != later {
			t.Errorf("created_at: got %s, want that of sealing", c.Manifest.CreatedAt)
		}
	})
}

func TestCAP_BLD_02_ChainIsJudgedBeforeSealing(t *testing.T) {
	t.Parallel()
	refused(t, "CAP-CHN-05", "not in manifest.participants and not system:host", func(d *build.Draft) {
		d.Participants = []build.Participant{{ActorID: "human:bob"}}
	})
	refused(t, "CAP-CHN-05", "not in manifest.participants", func(d *build.Draft) {
		d.Participants = []build.Participant{{Raw: []byte(`"human:bob"`)}}
	})
	refused(t, "CAP-CHN-07", "event is not a JSON object", func(d *build.Draft) { d.Chain = build.Text(chain.Path, "[]\n") })
	refused(t, "CAP-CHN-01", "hash mismatch: stored ", func(d *build.Draft) {
		r, err := d.Chain.Open()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			t.Fatal(err)
		}
		d.Chain = build.Bytes(chain.Path, bytes.Replace(b.Bytes(), []byte("went on"), []byte("went in"), 1))
	})
}

func TestCAP_BLD_03_SealRefusals(t *testing.T) {
	t.Parallel()
	mixed := append(bytes.Clone(signing("ana").Seed()), signing("bob")[32:]...)
	for _, c := range []struct {
		says   string
		change func(d *build.Draft)
	}{
		{"no signer has the role originator", func(d *build.Draft) { d.Signers = nil }},
		{"no signer has the role originator", func(d *build.Draft) { d.Signers[0].Role = "approver" }},
		{"no signer has the role originator", func(d *build.Draft) { d.Signers[0].Role = "Originator" }},
		{"no signer has the role originator", func(d *build.Draft) { d.Signers[0].Key = nil }},
		{"duplicate signer: role \"originator\"", func(d *build.Draft) { d.Signers = append(d.Signers, d.Signers[0]) }},
		{"two different keys sign as originator", func(d *build.Draft) {
			d.Signers = append(d.Signers, build.Signer{Role: "originator", Key: signing("bob")})
		}},
		{"signer 2 has no usable role", func(d *build.Draft) { d.Signers = append(d.Signers, build.Signer{Key: signing("bob")}) }},
		{"signer 2 has no usable role", func(d *build.Draft) {
			d.Signers = append(d.Signers, build.Signer{Role: "a\x00b", Key: signing("bob")})
		}},
		{"the private key of signer 1", func(d *build.Draft) { d.Signers[0].Key = mixed }},
		{"the private key of signer 2", func(d *build.Draft) {
			d.Signers = append(d.Signers, build.Signer{Role: "legal", Key: signing("bob")[:32]})
		}},
		{`created_at "yesterday" is not of the form`, func(d *build.Draft) { d.CreatedAt = "yesterday" }},
		{`signed_at "" is not of the form`, func(d *build.Draft) { d.SignedAt = "" }},
		{`signed_at "2026-05-21T12:00:00.1Z" is not of the form`, func(d *build.Draft) { d.SignedAt = "2026-05-21T12:00:00.1Z" }},
		{`signed_at "2026-13-01T12:00:00Z" is not of the form`, func(d *build.Draft) { d.SignedAt = "2026-13-01T12:00:00Z" }},
	} {
		refused(t, "CAP-BLD-03", c.says, c.change)
	}
	refused(t, "CAP-VSN-02", `version "0.8" cannot be written`, func(d *build.Draft) { d.Version = "0.8" })
	refused(t, "CAP-MAN-07", `participants[0].actor_id "ana" does not match an allowed namespace`, func(d *build.Draft) {
		d.Participants = []build.Participant{{ActorID: "ana"}}
	})

	t.Run("CAP-ENV-05 one key in two roles is legal", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Signers = append(d.Signers, build.Signer{Role: "approver", Key: signing("ana")}, build.Signer{Role: "approver", Key: signing("bob")})
		_, sealed := write(t, d)
		if got := len(sealed.Result.Envelope.Signers); got != 3 {
			t.Errorf("got %d signers, want 3", got)
		}
	})
}

func TestCAP_BLD_04_IDBeforeSealing(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"0.6", "0.7"} {
		d := draft(t)
		d.Version = version
		log := chain.Log{}
		line, err := log.Append(chain.Draft{Actor: "human:ana", Action: "began", Timestamp: noon})
		if err != nil {
			t.Fatal(err)
		}
		d.Chain = build.Bytes(chain.Path, line)
		id, err := capsule.DeriveID(version, d.Originator(), log.First())
		if err != nil {
			t.Fatal(err)
		}
		d.Files = append(d.Files, build.Text("payload/attestation.json", `{"capsule_id":"`+id+`"}`))
		if _, sealed := write(t, d); sealed.CapsuleID != id {
			t.Errorf("%s: got %s, want %s as foretold", version, sealed.CapsuleID, id)
		}
	}
	if _, err := capsule.DeriveID("0.6", strings.ToUpper(public("ana")), ""); err == nil {
		t.Error("an id was derived from a key in upper case")
	}
	if got := (&build.Draft{}).Originator(); got != "" {
		t.Errorf("Originator of nobody: got %q", got)
	}
}

package build_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/capsule/crypt"
)

// secret is the draft of an encrypted capsule for rita and sam.
func secret(t *testing.T) build.Draft {
	t.Helper()
	d := draft(t)
	_, rita := recipient(t, "rita")
	_, sam := recipient(t, "sam")
	d.Recipients, d.Rand = [][32]byte{rita, sam}, constant(1)
	return d
}

func TestCAP_ENC_01_ContentIsAPlainCapsule(t *testing.T) {
	t.Parallel()
	plain, inside := write(t, draft(t))
	data, sealed := write(t, secret(t))
	for _, name := range []string{"rita", "sam"} {
		key, _ := recipient(t, name)
		res, c := verify(t, data, capsule.Options{Recipient: key})
		if res.Verdict != capsule.Valid || res.Level != "L3" || res.Decryption == nil || !res.Decryption.OK || res.Outer == nil || res.Outer.Level != "L2" {
			t.Fatalf("%s: got %v at %s: %v", name, res.Verdict, res.Level, res.Problems)
		}
		if c.Encrypted() || content(t, c, "payload/data.txt") != "data" {
			t.Errorf("%s: the content is not the plain capsule", name)
		}
		_, got, err := capsule.VerifyDecrypt(bytes.NewReader(data), int64(len(data)), capsule.Options{Recipient: key})
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: the plaintext is not the file that would be written in the clear (%v)", name, err)
		}
	}
	if sealed.Result.Level != "L3" || sealed.CapsuleID != inside.CapsuleID || sealed.EntryHash != inside.EntryHash || sealed.Events != 2 || sealed.Size != int64(len(data)) {
		t.Errorf("got %+v, want the facts of the content", sealed)
	}
	stranger, _ := recipient(t, "stranger")
	res, _ := verify(t, data, capsule.Options{Recipient: stranger})
	if res.Level != "L2" || res.OK || res.Verdict != capsule.Valid || res.Decryption == nil || res.Decryption.Reason != capsule.NotAddressed {
		t.Errorf("stranger: got %+v", res)
	}
}

func TestCAP_ENC_02_BoundToItsCapsule(t *testing.T) {
	t.Parallel()
	data, _ := write(t, secret(t))
	c := opened(t, data)
	key, _ := recipient(t, "rita")
	meta, err := c.Recipients()
	if err != nil {
		t.Fatal(err)
	}
	contentKey, err := meta.Unwrap("0.6", key)
	if err != nil {
		t.Fatal(err)
	}
	blob := []byte(content(t, c, "content.enc"))
	aad := crypt.Context{
		Version: "0.6", CapsuleID: c.Envelope.CapsuleID, FirstEventHash: c.Envelope.FirstEventHash, OriginatorKey: public("ana"), Cipher: crypt.Cipher,
	}
	if _, err := crypt.Open(bytes.Clone(blob), contentKey, meta.ContentNonce, aad.AAD()); err != nil {
		t.Errorf("with the words of the rule: %v", err)
	}
	aad.FirstEventHash = ""
	if _, err := crypt.Open(blob, contentKey, meta.ContentNonce, aad.AAD()); !errors.Is(err, crypt.ErrAuthentication) {
		t.Errorf("with another first event: got %v", err)
	}
	if plain := c.Size - int64(len(blob)); plain <= 0 || len(blob) < crypt.Overhead {
		t.Errorf("content.enc has %d bytes", len(blob))
	}

	t.Run("CAP-ENC-03 every recipient has a fresh pair", func(t *testing.T) {
		t.Parallel()
		d := secret(t)
		d.Rand = rand.Reader
		data, _ := write(t, d)
		meta, err := opened(t, data).Recipients()
		if err != nil || len(meta.Bundles) != 2 {
			t.Fatalf("got %+v, %v", meta, err)
		}
		if meta.Bundles[0].Ephemeral == meta.Bundles[1].Ephemeral || meta.Bundles[0].WrapNonce == meta.Bundles[1].WrapNonce {
			t.Error("two recipients share an ephemeral key or a nonce")
		}
	})
	t.Run("CAP-ENC-04 metadata in the order of the recipients", func(t *testing.T) {
		t.Parallel()
		if meta.Bundles[0].Recipient != secret(t).Recipients[0] || meta.Bundles[1].Recipient != secret(t).Recipients[1] {
			t.Error("another order")
		}
		text := content(t, c, crypt.MetadataPath)
		if text != string(meta.Marshal()) || !strings.HasPrefix(text, "{\n  \"cipher\": \"ChaCha20-Poly1305\",\n  \"content_nonce\": \"") {
			t.Errorf("got %s", text)
		}
	})
}

func TestCAP_ENC_05_OuterDocuments(t *testing.T) {
	t.Parallel()
	d := secret(t)
	d.Signers = append(d.Signers, build.Signer{Role: "approver", Key: signing("bob")})
	d.Extra = []chain.Member{{Name: "x-acme-secret", Value: []byte(`"project heron"`)}}
	data, _ := write(t, d)
	outer := opened(t, data)
	key, _ := recipient(t, "sam")
	_, inner := verify(t, data, capsule.Options{Recipient: key})
	for _, name := range []string{"id", "originator", "participants", "first_event_hash", "created_at", "signer_commitment", "format"} {
		a, b := outer.Manifest.Value.Member(name).AppendCanonical(nil), inner.Manifest.Value.Member(name).AppendCanonical(nil)
		if len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("manifest.%s: outer %s, inner %s", name, a, b)
		}
	}
	for _, name := range []string{"version", "capsule_id", "first_event_hash", "entry_hash", "signed_at"} {
		if a, b := outer.Envelope.Value.Member(name).Raw(), inner.Envelope.Value.Member(name).Raw(); len(a) == 0 || !bytes.Equal(a, b) {
			t.Errorf("envelope.%s: outer %s, inner %s", name, a, b)
		}
	}
	m := outer.Manifest.Value
	if got := string(m.Member("skill_trust").Raw()); got != "{}" {
		t.Errorf("CAP-MAN-09: skill_trust: got %s, want {}", got)
	}
	if got := string(m.Member("encryption").AppendCanonical(nil)); got != `{"cipher":"ChaCha20-Poly1305","metadata_path":"skills/decryption/decryption.json"}` {
		t.Errorf("CAP-MAN-08: encryption: got %s", got)
	}
	if len(outer.Manifest.Files) != 1 || outer.Manifest.Files[0].Path != crypt.MetadataPath {
		t.Errorf("the index lists %v", outer.Manifest.Files)
	}
	sum := sha256.Sum256([]byte(content(t, outer, "content.enc")))
	if outer.Envelope.BlobHash != hex.EncodeToString(sum[:]) || outer.Envelope.Cipher != crypt.Cipher {
		t.Errorf("got blob hash %s, cipher %s", outer.Envelope.BlobHash, outer.Envelope.Cipher)
	}
	if len(outer.Envelope.Signers) != 2 || outer.Envelope.Signers[1].Role != "approver" {
		t.Errorf("signers: got %+v", outer.Envelope.Signers)
	}
	// What the author added is content, and hidden with it.
	if bytes.Contains(data, []byte("heron")) || !inner.Manifest.Value.Member("x-acme-secret").Exists() {
		t.Error("a further member of the manifest can be read from outside, or is lost")
	}

	t.Run("CAP-LAY-02 the four files", func(t *testing.T) {
		t.Parallel()
		if got := paths(outer); got != "content.enc manifest.json provenance/envelope.json skills/decryption/decryption.json" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("CAP-LAY-08 no Markdown about decryption", func(t *testing.T) {
		t.Parallel()
		if strings.Contains(paths(outer), ".md") || strings.Contains(paths(inner), "decryption") {
			t.Errorf("got %s and %s", paths(outer), paths(inner))
		}
	})
	t.Run("CAP-VSN-05 version 0.7 has no skill_trust outside either", func(t *testing.T) {
		t.Parallel()
		d := secret(t)
		d.Version = "0.7"
		data, sealed := write(t, d)
		if opened(t, data).Manifest.Value.Member("skill_trust").Exists() || sealed.Result.FormatVersion.Observed != "0.7" {
			t.Error("skill_trust in 0.7")
		}
	})
}

func TestCAP_ENC_06_WhatCanBeReadOutside(t *testing.T) {
	t.Parallel()
	d := secret(t)
	d.Label = "Ana of Heron"
	data, _ := write(t, d)
	for _, hidden := range []string{"payload/data.txt", "# Plan", "went on", "agents.md", "SKILL.md", "events.jsonl"} {
		if bytes.Contains(data, []byte(hidden)) {
			t.Errorf("%q can be read from outside", hidden)
		}
	}
	for _, shown := range []string{"Ana of Heron", "human:ana", public("ana"), hex.EncodeToString(d.Recipients[1][:]), later} {
		if !bytes.Contains(data, []byte(shown)) {
			t.Errorf("%q is not to be found outside", shown)
		}
	}
	d.MinimalOuter = true
	data, _ = write(t, d)
	for _, hidden := range []string{"Ana of Heron", "human:ana", "ai:helper"} {
		if bytes.Contains(data, []byte(hidden)) {
			t.Errorf("minimal: %q can be read from outside", hidden)
		}
	}
	if got := string(opened(t, data).Manifest.Value.Member("participants").Raw()); got != "[]" {
		t.Errorf("minimal: participants: got %s", got)
	}
	key, _ := recipient(t, "rita")
	res, c := verify(t, data, capsule.Options{Recipient: key})
	if res.Verdict != capsule.Valid || c.Manifest.Label != "Ana of Heron" || len(c.Manifest.Participants) != 2 || !res.ActorSet.Bound {
		t.Errorf("minimal: got %v, %+v", res.Verdict, c.Manifest)
	}
}

func TestCAP_ZIP_06_Randomness(t *testing.T) {
	t.Parallel()
	first, _ := write(t, secret(t))
	again, _ := write(t, secret(t))
	if !bytes.Equal(first, again) {
		t.Error("the same randomness gives other bytes")
	}
	fresh := secret(t)
	fresh.Rand = rand.Reader
	one, _ := write(t, fresh)
	two, _ := write(t, fresh)
	a, b := opened(t, one), opened(t, two)
	if content(t, a, "content.enc") == content(t, b, "content.enc") || content(t, a, crypt.MetadataPath) == content(t, b, crypt.MetadataPath) {
		t.Error("fresh randomness gives the same ciphertext")
	}
	if a.Envelope.CapsuleID != b.Envelope.CapsuleID || a.Envelope.EntryHash != b.Envelope.EntryHash {
		t.Error("the identity depends on the randomness")
	}
	d := secret(t)
	d.Rand = nil
	if _, err := build.Write(&memory{}, &d); err == nil || !strings.Contains(err.Error(), "randomness") {
		t.Errorf("without randomness: got %v", err)
	}
	for n := range int64(32 + 12 + 2*44) {
		d.Rand = io.LimitReader(constant(0), n)
		var out memory
		if _, err := build.Write(&out, &d); err == nil || out.Len() != 0 {
			t.Fatalf("with %d bytes of randomness: got %v after %d bytes", n, err, out.Len())
		}
	}
	d.Rand = io.LimitReader(constant(0), 32+12+2*44)
	write(t, d)
	d.Recipients = [][32]byte{{}}
	d.Rand = constant(0)
	if _, err := build.Write(&memory{}, &d); err == nil {
		t.Error("a key that everybody holds was taken as a recipient")
	}
}

// damaged is a target that gives back other bytes than were written.
type damaged struct {
	memory
	at int64
}

func (d *damaged) ReadAt(p []byte, off int64) (int, error) {
	n, err := d.memory.ReadAt(p, off)
	if i := d.at - off; i >= 0 && i < int64(n) {
		p[i] ^= 1
	}
	return n, err
}

// TestCAP_BLD_05_ReadBack: what cannot be read back as it was written is not
// sealed, whichever byte is wrong.
func TestCAP_BLD_05_ReadBack(t *testing.T) {
	t.Parallel()
	plain, _ := write(t, draft(t))
	outer, _ := write(t, secret(t))
	for name, c := range map[string]struct {
		d    build.Draft
		data []byte
	}{"plain": {draft(t), plain}, "encrypted": {secret(t), outer}} {
		// Times and attributes are the only bytes that nothing seals.
		marks := []string{"manifest_hash", "\"signature\"", "PK\x05\x06"}
		if name == "plain" {
			marks = append(marks, "# Plan", "went on", "began")
		} else {
			marks = append(marks, "content_nonce", "wrapped_key")
		}
		for _, mark := range marks {
			at := bytes.LastIndex(c.data, []byte(mark))
			if at < 0 {
				t.Fatalf("%s: no %q", name, mark)
			}
			if sealed, err := build.Write(&damaged{at: int64(at) + 2}, &c.d); err == nil {
				t.Errorf("%s: damaged at %q, and sealed as %s", name, mark, sealed.CapsuleID)
			}
		}
	}

	t.Run("CAP-ENC-11 the blob is opened again", func(t *testing.T) {
		t.Parallel()
		at := bytes.Index(outer, []byte("content.enc")) + 100
		d := secret(t)
		if _, err := build.Write(&damaged{at: int64(at)}, &d); err == nil {
			t.Error("a damaged blob was sealed")
		}
	})
}

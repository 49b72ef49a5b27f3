package capsule_test

import (
	"bytes"
	"maps"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

func TestCAP_TRU_01_ValidAndTrustedAreTwoWords(t *testing.T) {
	t.Parallel()
	data := sealFile(t, func(d *build.Draft) {
		d.Signers = append(d.Signers, build.Signer{Role: "approver", Key: signerKey("bob")})
	})
	res := judgeFile(t, data, capsule.Options{Allowlist: []string{signerHex("bob"), signerHex("cy")}})
	for i, want := range []struct{ valid, trusted bool }{{true, false}, {true, true}} {
		if s := res.Envelope.Signers[i]; s.Valid != want.valid || s.Trusted != want.trusted {
			t.Errorf("signer %d: got %+v, want %+v", i, s, want)
		}
	}
	if res.TrustedSignerCount != 1 || res.Trust.Trusted != 1 || res.Trust.AllowlistSize != 2 {
		t.Errorf("got %+v", res.Trust)
	}
	// A key on the list does not make a bad signature trusted.
	bad := reseal(t, data, func(p *parts) {
		p.signers = [][2]string{{"originator", "ana"}, {"approver", "bob"}}
	})
	at := bytes.LastIndex(bad, []byte(`"signature":"`))
	forged := bytes.Clone(bad)
	forged[at+len(`"signature":"`)] ^= 1 // one hex digit becomes another, or none
	forged = packAgain(t, forged, bad)
	res = judgeFile(t, forged, capsule.Options{Allowlist: []string{signerHex("bob")}, RequireTrusted: true})
	if s := res.Envelope.Signers[1]; s.Valid || s.Trusted || s.Reason == "" || res.TrustedSignerCount != 0 || res.OK {
		t.Errorf("got %+v, %d trusted, want a row that is neither", s, res.TrustedSignerCount)
	}
}

// packAgain takes the envelope's bytes from changed, which has the layout of
// orig, and gives the container its checksums back.
func packAgain(t *testing.T, changed, orig []byte) []byte {
	t.Helper()
	c := openFile(t, orig)
	bodies := make(map[string][]byte)
	for _, e := range c.Entries() {
		body, err := c.ReadFile(e.Path, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		at := bytes.Index(orig, body)
		bodies[e.Path] = changed[at : at+len(body)]
	}
	return packFiles(t, bodies)
}

func TestCAP_TRU_02_AllowlistEntries(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	ana := signerHex("ana")
	for _, good := range []string{ana, strings.ToUpper(ana), strings.ToUpper(ana[:32]) + ana[32:]} {
		res := judgeFile(t, data, capsule.Options{Allowlist: []string{good}})
		if res.TrustedSignerCount != 1 || res.Trust.AllowlistSize != 1 || res.Envelope.Signers[0].PublicKey != ana {
			t.Errorf("%s: got %+v", good, res.Trust)
		}
	}
	for _, bad := range []string{
		"", "ana", ana[:63], ana + "0", ana[:63] + "g", " " + ana, "0x" + ana[2:],
		strings.Repeat("0", 64), "01" + strings.Repeat("0", 62), // small order
		"ed" + strings.Repeat("f", 60) + "7f", "ff" + strings.Repeat("f", 62), // not canonical
	} {
		res := judgeFile(t, data, capsule.Options{Allowlist: []string{bad}})
		dropped := 0
		for _, n := range res.Notes {
			if strings.HasPrefix(n, "allowlist entry ") && strings.Contains(n, " dropped: ") {
				dropped++
			}
		}
		// No usable entry is no allowlist.
		if dropped != 1 || res.Trust.AllowlistSize != 0 || !res.Has(capsule.TrustNotEvaluated) || res.Has(capsule.NoTrustedSigner) {
			t.Errorf("%q: got %v, %v, %+v", bad, res.Notes, res.Qualifiers, res.Trust)
		}
		if res = judgeFile(t, data, capsule.Options{Allowlist: []string{bad, ana}}); res.TrustedSignerCount != 1 || res.Trust.AllowlistSize != 1 {
			t.Errorf("%q beside a good one: got %+v", bad, res.Trust)
		}
	}
}

func TestCAP_TRU_03_DistinctKeysAreCounted(t *testing.T) {
	t.Parallel()
	data := sealFile(t, func(d *build.Draft) {
		d.Signers = append(
			d.Signers, build.Signer{Role: "approver", Key: signerKey("ana")}, build.Signer{Role: "legal", Key: signerKey("ana")},
			build.Signer{Role: "legal", Key: signerKey("bob")},
		)
	})
	all := []string{signerHex("ana"), strings.ToUpper(signerHex("ana")), signerHex("bob")}
	res := judgeFile(t, data, capsule.Options{Allowlist: all})
	if res.TrustedSignerCount != 2 || res.Trust.AllowlistSize != 2 || len(res.Envelope.Signers) != 4 {
		t.Errorf("got %d of %+v, want two keys", res.TrustedSignerCount, res.Trust)
	}

	// L2 and L3 count separately: here bob signed outside only.
	outer := sealFile(t, func(d *build.Draft) {
		d.NoCommitment, d.Rand = true, repeating(2)
		d.Recipients = [][32]byte{[32]byte(readerKey(t, "rita").PublicKey().Bytes())}
	})
	outer = reseal(t, outer, func(p *parts) { p.signers = [][2]string{{"originator", "ana"}, {"approver", "bob"}} })
	res = judgeFile(t, outer, capsule.Options{Allowlist: []string{signerHex("bob")}, Recipient: readerKey(t, "rita")})
	if res.Level != "L3" || res.TrustedSignerCount != 0 || res.Outer.TrustedSignerCount != 1 || !res.Has(capsule.NoTrustedSigner) {
		t.Errorf("got %d inside, %d outside: %v", res.TrustedSignerCount, res.Outer.TrustedSignerCount, res.Problems)
	}
}

func TestCAP_TRU_04_ADemandIsNoVerdict(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	res := judgeFile(t, data, capsule.Options{Allowlist: []string{signerHex("bob")}, RequireTrusted: true})
	if res.OK || res.Verdict != capsule.Valid || res.Trust.Policy != "allowlist" || res.Trust.Satisfied == nil || *res.Trust.Satisfied || !res.Has(capsule.NoTrustedSigner) {
		t.Errorf("got ok %t, %s, %+v", res.OK, res.Verdict, res.Trust)
	}
	const note = "allowlist provided but matched no signer; trusted=false for all signers"
	if !strings.Contains(strings.Join(res.Notes, "\n"), note) {
		t.Errorf("got %q, want %q", res.Notes, note)
	}
	res = judgeFile(t, data, capsule.Options{})
	const none = "no allowlist provided; trusted=false for all signers regardless of signature validity"
	if !res.OK || res.Trust.Policy != "none" || res.Trust.Satisfied != nil || !strings.Contains(strings.Join(res.Notes, "\n"), none) {
		t.Errorf("got ok %t, %+v, %q", res.OK, res.Trust, res.Notes)
	}
}

// TestCAP_TRU_05_NoKeyVouchesForItself: whatever a capsule says of its keys,
// nothing is trusted without a list from outside.
func TestCAP_TRU_05_NoKeyVouchesForItself(t *testing.T) {
	t.Parallel()
	data := reseal(t, sealFile(t, nil), func(p *parts) {
		p.manifest["trusted"], p.manifest["allowlist"] = true, []any{signerHex("ana")}
		p.manifest["skill_trust"] = map[string]any{"both": "signed", "text": "signed", "ghost": "signed"}
		p.envelope["trusted"] = true
	})
	res := judgeFile(t, data, capsule.Options{})
	if res.Verdict != capsule.Valid || res.TrustedSignerCount != 0 || res.SkillTrust.CapsuleSigned || res.Envelope.Signers[0].Trusted {
		t.Errorf("got %s, %+v, %+v", res.Verdict, res.Trust, res.SkillTrust)
	}
}

func TestCAP_SKL_01_TiersAreDerived(t *testing.T) {
	t.Parallel()
	plain := sealFile(t, nil)
	ana := capsule.Options{Allowlist: []string{signerHex("ana")}}
	trusted := map[string]string{"both": "signed", "code": "signed", "text": "unsigned"}
	untrusted := map[string]string{"both": "unsigned", "code": "unsigned", "text": "unsigned"}
	lying := reseal(t, plain, func(p *parts) {
		p.manifest["skill_trust"] = map[string]any{"both": "unsigned", "text": "signed", "ghost": "signed"}
	})
	for _, c := range []struct {
		name   string
		data   []byte
		o      capsule.Options
		signed bool
		want   map[string]string
	}{
		{"trusted", plain, ana, true, trusted},
		{"no allowlist", plain, capsule.Options{}, false, untrusted},
		{"another's allowlist", plain, capsule.Options{Allowlist: []string{signerHex("bob")}}, false, untrusted},
		{"what skill_trust says is not read", lying, ana, true, trusted},
		{"absent skill_trust", reseal(t, plain, func(p *parts) { delete(p.manifest, "skill_trust") }), ana, true, trusted},
		{"a bad index", reseal(t, plain, func(p *parts) { p.files["program.md"] = nil }), ana, false, untrusted},
		{"another error", reseal(t, plain, func(p *parts) { p.manifest["id"] = strings.Repeat("0", 64) }), ana, false, untrusted},
		{
			"a skill that is not in the index", reseal(t, plain, func(p *parts) { p.files["skills/late/skill.json"] = []byte("{}") }), ana, false,
			map[string]string{"both": "unsigned", "code": "unsigned", "text": "unsigned", "late": "unsigned"},
		},
	} {
		res := judgeFile(t, c.data, c.o)
		if res.SkillTrust.CapsuleSigned != c.signed || !maps.Equal(res.SkillTrust.Skills, c.want) {
			t.Errorf("%s: got %t %v, want %t %v", c.name, res.SkillTrust.CapsuleSigned, res.SkillTrust.Skills, c.signed, c.want)
		}
	}

	t.Run("CAP-LAY-06 one path segment is the id", func(t *testing.T) {
		t.Parallel()
		data := reseal(t, plain, func(p *parts) {
			p.reindex = true
			for _, path := range []string{
				"skills/a b.é/SKILL.md", "skills/decryption/SKILL.md", "skills/decryption/skill.json", "skills/SKILL.md", "skills/deep/er/SKILL.md",
				"skills/case/skill.md", "xskills/x/SKILL.md",
			} {
				p.files[path] = []byte("{}")
			}
		})
		res := judgeFile(t, data, ana)
		want := map[string]string{"both": "signed", "code": "signed", "text": "unsigned", "a b.é": "unsigned"}
		if res.Verdict != capsule.Valid || !maps.Equal(res.SkillTrust.Skills, want) {
			t.Errorf("got %s, %v, want %v: %v", res.Verdict, res.SkillTrust.Skills, want, res.Problems)
		}
	})
}

// TestCAP_SKL_02_WhatMayInstruct: the text that is laid out for a model is marked
// by tier; payload never instructs (CAP-SKL-03).
func TestCAP_SKL_02_WhatMayInstruct(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	for name, o := range map[string]capsule.Options{"trusted": {Allowlist: []string{signerHex("ana")}}, "unknown": {}} {
		res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), o)
		if err != nil {
			t.Fatal(err)
		}
		all, err := c.Context(res, capsule.ContextOptions{Payload: []string{"payload/data.txt"}})
		if err != nil {
			t.Fatal(err)
		}
		got := make(map[string]bool)
		for _, p := range all {
			if p.Kind == "skill" || p.Kind == "payload" {
				got[p.Title] = p.Trusted
			}
		}
		want := map[string]bool{"skills/both/SKILL.md": name == "trusted", "skills/text/SKILL.md": false, "payload/data.txt": false}
		if !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestCAP_SKL_03_PayloadIsInert: a payload that looks like a program, an archive
// or a capsule is bytes and nothing else.
func TestCAP_SKL_03_PayloadIsInert(t *testing.T) {
	t.Parallel()
	inner := sealFile(t, nil)
	broken := append([]byte("PK\x03\x04"), bytes.Repeat([]byte{0xff}, 100)...)
	data := sealFile(t, func(d *build.Draft) {
		d.Files = append(
			d.Files, build.Bytes("payload/inner.capsule", inner), build.Bytes("payload/broken.zip", broken),
			build.Text("payload/run.sh", "#!/bin/sh\nexit 1\n"), build.Text("payload/skills/x/skill.json", "{"), build.Text("payload/manifest.json", "{"),
		)
	})
	res := judgeFile(t, data, capsule.Options{Allowlist: []string{signerHex("ana")}})
	if res.Verdict != capsule.Valid || len(res.SkillTrust.Skills) != 3 {
		t.Errorf("got %s, %v", res.Verdict, res.SkillTrust.Skills)
	}
}

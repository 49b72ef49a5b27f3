package capsule_test

import (
	"maps"
	"slices"
	"testing"

	"seed/capsule"
)

// TestCAP_VER_19_DerivedFacts: trusted signers, tiers of skills, qualifiers and
// verdict follow from the checks and from what this run was asked, at both levels.
func TestCAP_VER_19_DerivedFacts(t *testing.T) {
	t.Parallel()
	ana, bob, rita := []string{signerHex("ana")}, []string{signerHex("bob")}, readerKey(t, "rita")
	plain, outer := sealFile(t, nil), sealFor(t, "rita")
	damage := func(p *parts) { p.files["payload/data.txt"] = []byte("other") }
	badInside := rewrite(t, outer, "rita", reseal(t, plain, damage))
	signed := map[string]string{"both": "signed", "code": "signed", "text": "unsigned"}
	unsigned := map[string]string{"both": "unsigned", "code": "unsigned", "text": "unsigned"}
	const evaluated, nobody, closed = capsule.TrustNotEvaluated, capsule.NoTrustedSigner, capsule.EncryptedOuterOnly
	for _, c := range []struct {
		name       string
		data       []byte
		o          capsule.Options
		verdict    capsule.Verdict
		trusted    int
		skills     map[string]string
		qualifiers []capsule.Qualifier
	}{
		{"trusted", plain, capsule.Options{Allowlist: ana}, capsule.Valid, 1, signed, nil},
		{"a stranger's list", plain, capsule.Options{Allowlist: bob}, capsule.Valid, 0, unsigned, []capsule.Qualifier{nobody}},
		{"no list", plain, capsule.Options{}, capsule.Valid, 0, unsigned, []capsule.Qualifier{evaluated}},
		{"trusted and damaged", reseal(t, plain, damage), capsule.Options{Allowlist: ana}, capsule.Invalid, 1, unsigned, nil},
		{"outside", outer, capsule.Options{Allowlist: ana}, capsule.Valid, 1, map[string]string{}, []capsule.Qualifier{closed}},
		{"inside", outer, capsule.Options{Allowlist: ana, Recipient: rita}, capsule.Valid, 1, signed, nil},
		{"inside, no list", outer, capsule.Options{Recipient: rita}, capsule.Valid, 0, unsigned, []capsule.Qualifier{evaluated}},
		{"damaged inside", badInside, capsule.Options{Allowlist: ana, Recipient: rita}, capsule.Invalid, 1, unsigned, nil},
		{"damaged inside, seen from outside", badInside, capsule.Options{Allowlist: ana}, capsule.Valid, 1, map[string]string{}, []capsule.Qualifier{closed}},
	} {
		res := judgeFile(t, c.data, c.o)
		if res.Verdict != c.verdict || res.TrustedSignerCount != c.trusted || !slices.Equal(res.Qualifiers, c.qualifiers) {
			t.Errorf("%s: got %s, %d trusted, %v, want %s, %d, %v", c.name, res.Verdict, res.TrustedSignerCount, res.Qualifiers, c.verdict, c.trusted, c.qualifiers)
		}
		if !maps.Equal(res.SkillTrust.Skills, c.skills) || res.SkillTrust.CapsuleSigned != (c.verdict == capsule.Valid && c.trusted > 0) {
			t.Errorf("%s: got the tiers %+v, want %v", c.name, res.SkillTrust, c.skills)
		}
	}
}

// TestCAP_LAY_02_FilesOfAnEncryptedCapsule: an outer capsule lacks none of its four
// files, and what is inside is a plain capsule.
func TestCAP_LAY_02_FilesOfAnEncryptedCapsule(t *testing.T) {
	t.Parallel()
	outer, rita := sealFor(t, "rita"), readerKey(t, "rita")
	files := make(map[string][]byte)
	c := openFile(t, outer)
	for _, e := range c.Entries() {
		body, err := c.ReadFile(e.Path, 1<<20)
		if err != nil {
			t.Fatal(err)
		}
		files[e.Path] = body
	}
	want := []string{"content.enc", "manifest.json", "provenance/envelope.json", "skills/decryption/decryption.json"}
	if got := slices.Sorted(maps.Keys(files)); !slices.Equal(got, want) {
		t.Fatalf("got %v, want %v", got, want)
	}
	if res := judgeFile(t, packFiles(t, files), capsule.Options{Recipient: rita}); res.Verdict != capsule.Valid || res.Level != "L3" {
		t.Fatalf("got %s at %s with all of them: %v", res.Verdict, res.Level, res.Errors)
	}
	for _, path := range want {
		fewer := maps.Clone(files)
		delete(fewer, path)
		if res := judgeFile(t, packFiles(t, fewer), capsule.Options{}); res.Verdict != capsule.Invalid {
			t.Errorf("got %s without %s", res.Verdict, path)
		}
	}
	for name, inner := range map[string][]byte{"an encrypted capsule": outer, "no capsule": []byte("words and nothing else, but many of them")} {
		if res := judgeFile(t, rewrite(t, outer, "rita", inner), capsule.Options{Recipient: rita}); res.Verdict != capsule.Invalid {
			t.Errorf("got %s with %s inside", res.Verdict, name)
		}
	}
}

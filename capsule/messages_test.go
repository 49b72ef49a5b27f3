package capsule_test

import (
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/crypt"
)

// TestCAP_RES_01_WordsThatRegistriesPin: the texts of §12 stand in ours.
func TestCAP_RES_01_WordsThatRegistriesPin(t *testing.T) {
	t.Parallel()
	plain, outer := sealFile(t, nil), sealFor(t, "rita")
	c := openFile(t, plain)
	id, first, entry, ab := c.Manifest.ID, c.Manifest.FirstEventHash, c.Envelope.EntryHash, strings.Repeat("ab", 32)
	other := sealFile(t, func(d *build.Draft) { d.Signers[0].Key = signerKey("bob") })
	bobs := openFile(t, other).Manifest.ID
	for _, c := range []struct {
		rule, says string
		data       []byte
		change     func(p *parts)
	}{
		{"CAP-MAN-02", "manifest.id mismatch: stored " + ab + ", expected " + id, plain, func(p *parts) { p.manifest["id"] = ab }},
		{"CAP-MAN-02", "envelope.capsule_id mismatch: " + bobs + " vs derived " + id, plain, func(p *parts) { p.envelope["capsule_id"] = bobs }},
		{"CAP-MAN-04", "manifest.first_event_hash mismatch", plain, func(p *parts) { p.envelope["first_event_hash"] = ab }},
		{"CAP-CHN-12", `envelope.first_event_hash mismatch: "` + ab + `" vs ` + first, plain, func(p *parts) { p.envelope["first_event_hash"] = ab }},
		{"CAP-CHN-12", `envelope.entry_hash mismatch: "` + ab + `" vs ` + entry, plain, func(p *parts) { p.envelope["entry_hash"] = ab }},
		{"CAP-CHN-20", "envelope.entry_hash is null but the chain has events", plain, func(p *parts) { p.envelope["entry_hash"] = nil }},
		{"CAP-CHN-20", "envelope.entry_hash must be null when the chain has no events", plain, func(p *parts) {
			p.reindex, p.files["chain/events.jsonl"] = true, nil
		}},
		{"CAP-LAY-03", "chain/events.jsonl is missing", plain, func(p *parts) {
			p.reindex = true
			delete(p.files, "chain/events.jsonl")
		}},
		{"CAP-IDX-04", `file hash mismatch: "program.md"`, plain, func(p *parts) { p.files["program.md"] = nil }},
		{"CAP-IDX-04", `file present but not in manifest index: "extra"`, plain, func(p *parts) { p.files["extra"] = nil }},
		{"CAP-IDX-04", `file present but not in manifest index: "content.enc"`, plain, func(p *parts) { p.files["content.enc"] = nil }},
		{"CAP-IDX-04", `file in manifest index but missing from package: "program.md"`, plain, func(p *parts) { delete(p.files, "program.md") }},
		{"CAP-MAN-06", "participants[0].actor_id must be a string in an allowed namespace", plain, func(p *parts) { p.manifest["participants"] = []any{7} }},
		{"CAP-MAN-07", `participants[0].actor_id "robot:x" does not match an allowed namespace`, plain, func(p *parts) { p.manifest["participants"] = []any{"robot:x"} }},
		{"CAP-ENV-07", "plain capsule must have envelope.encrypted_blob_hash=null", plain, func(p *parts) { p.envelope["encrypted_blob_hash"] = ab }},
		{"CAP-ENV-07", "plain capsule must have cipher='none'", plain, func(p *parts) { p.reindex, p.files["content.enc"] = true, nil }},
		{"CAP-ENV-07", `unsupported cipher: "ROT13"`, outer, func(p *parts) { p.envelope["cipher"] = "ROT13" }},
		{"CAP-ENV-07", "the package has no content.enc", outer, func(p *parts) { delete(p.files, "content.enc") }},
		{"CAP-MAN-08", "manifest.encryption must be null when envelope.cipher is 'none'", plain, func(p *parts) {
			p.manifest["encryption"] = map[string]any{"cipher": crypt.Cipher}
		}},
		{"CAP-ENV-05", "duplicate signer", plain, func(p *parts) { p.signers = append(p.signers, p.signers[0]) }},
		{"CAP-ENV-06", "originator binding", plain, func(p *parts) { p.signers[0][0] = "approver" }},
		{"CAP-MAN-10", "is not in manifest.signer_commitment", plain, func(p *parts) { p.signers = append(p.signers, [2]string{"legal", "bob"}) }},
		{"CAP-MAN-10", "sorted", plain, func(p *parts) {
			row := p.manifest["signer_commitment"].([]any)[0]
			p.manifest["signer_commitment"] = []any{row, row}
		}},
		{"CAP-VER-05", `does not equal format.version`, plain, func(p *parts) { p.envelope["version"] = "0.7" }},
		{"CAP-ENV-04", "envelope has no signers", plain, func(p *parts) { p.signers = nil }},
	} {
		res := judgeFile(t, reseal(t, c.data, c.change), capsule.Options{})
		found := slices.ContainsFunc(res.Problems, func(p capsule.Problem) bool { return p.Rule == c.rule && strings.Contains(p.Message, c.says) })
		if !found || res.Verdict != capsule.Invalid {
			t.Errorf("%s %q: got %s, %v", c.rule, c.says, res.Verdict, res.Problems)
		}
	}
	for _, c := range []struct {
		says string
		res  *capsule.Result
	}{
		{"deferred to L3 (encrypted outer)", judgeFile(t, outer, capsule.Options{})},
		{
			"empty chain: no events to walk; envelope anchors checked to be null instead",
			judgeFile(t, sealFile(t, func(d *build.Draft) { d.Chain, d.Template = build.File{}, true }), capsule.Options{}),
		},
		{
			"manifest.signer_commitment absent: the signer set is not bound by the seal",
			judgeFile(t, sealFile(t, func(d *build.Draft) { d.NoCommitment = true }), capsule.Options{}),
		},
		{
			"manifest.participants empty: chain actors are not bound to a declared participant set",
			judgeFile(t, sealFile(t, func(d *build.Draft) { d.Participants = nil }), capsule.Options{}),
		},
	} {
		if c.res.Verdict != capsule.Valid || c.res.Chain.Note != c.says && !slices.Contains(c.res.Notes, c.says) {
			t.Errorf("got %s, %q, %q, want %q", c.res.Verdict, c.res.Chain.Note, c.res.Notes, c.says)
		}
	}

	t.Run("CAP-LAY-04 a missing program is a warning", func(t *testing.T) {
		t.Parallel()
		res := judgeFile(t, reseal(t, plain, func(p *parts) {
			p.reindex = true
			delete(p.files, "program.md")
		}), capsule.Options{})
		if res.Verdict != capsule.Valid || !res.Has(capsule.ProgramMissing) {
			t.Errorf("got %s, %v", res.Verdict, res.Qualifiers)
		}
	})
	t.Run("CAP-ENV-01 the recomputed hash is shown", func(t *testing.T) {
		t.Parallel()
		c := openFile(t, plain)
		bodies := make(map[string][]byte)
		for _, e := range c.Entries() {
			body, err := c.ReadFile(e.Path, 1<<20)
			if err != nil {
				t.Fatal(err)
			}
			bodies[e.Path] = body
		}
		bodies["manifest.json"] = []byte(strings.Replace(string(bodies["manifest.json"]), `"Ana"`, `"Eve"`, 1))
		res := judgeFile(t, packFiles(t, bodies), capsule.Options{})
		want := "envelope.manifest_hash mismatch: " + c.Envelope.ManifestHash + " vs recomputed " + hexSum(bodies["manifest.json"])
		if len(res.Errors) != 1 || res.Errors[0] != want {
			t.Errorf("got %q, want %q", res.Errors, want)
		}
		bodies["manifest.json"] = []byte(strings.Replace(string(bodies["manifest.json"]), `"Eve"`, `"Eve","n":1e999`, 1))
		res = judgeFile(t, packFiles(t, bodies), capsule.Options{})
		if len(res.Errors) != 1 || !strings.HasPrefix(res.Errors[0], "manifest hash recompute failed: ") {
			t.Errorf("got %q, want a recompute that failed", res.Errors)
		}
	})
}

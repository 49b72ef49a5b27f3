package capsule_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// shape lists the members of a JSON object, and of those inside, by path.
func shape(prefix string, v any, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			into[prefix+name] = true
			if prefix+name != "skill_trust.skills" && prefix+name != "outer" { // names of their own
				shape(prefix+name+".", member, into)
			}
		}
	case []any:
		for _, e := range v {
			shape(prefix, e, into)
		}
	}
}

func membersOf(t *testing.T, res *capsule.Result) (map[string]any, []string) {
	t.Helper()
	raw, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	set := make(map[string]bool)
	shape("", v, set)
	return v, slices.Sorted(maps.Keys(set))
}

// always are the members of every result: those of the reference, and four of our
// own (stage, problems, chain.events and, once it is known, manifest_hash).
const always = `actor_set actor_set.bound capsule_id chain chain.errors chain.events chain.ok content_index content_index.errors content_index.ok
	custody custody.policy custody.predecessors_supplied custody.satisfied custody.unmatched_count custody.verified_depth
	envelope envelope.ok envelope.signers errors
	format_version format_version.accepted_by_policy format_version.observed format_version.status format_version.suite format_version.supported
	integrity_ok level lineage lineage.declared lineage.entries lineage.ok lineage.verified_depth notes ok problems
	profile profile.accepted_by_policy profile.declared profile.effective profile.effective_version profile.observed profile.observed_version
	profile.status profile.supported
	qualifiers signed_at signer_set signer_set.bound signer_set.errors signer_set.ok skill_trust skill_trust.capsule_signed skill_trust.skills stage
	trust trust.allowlist_size trust.policy trust.satisfied trust.trusted_signer_count trusted_signer_count
	verdict verdict_reason version_policy version_policy.accept_versions version_policy.policy version_policy.satisfied`

func TestCAP_RES_01_MembersOfTheObject(t *testing.T) {
	t.Parallel()
	plain, outer := sealFile(t, nil), sealFor(t, "rita")
	template := sealFile(t, func(d *build.Draft) { d.Chain, d.Template = build.File{}, true })
	badEvent := reseal(t, plain, func(p *parts) {
		p.files["chain/events.jsonl"] = bytes.Replace(p.files["chain/events.jsonl"], []byte("went on"), []byte("went in"), 1)
	})
	const signer = ` envelope.signers.public_key envelope.signers.role envelope.signers.trusted envelope.signers.valid manifest_hash`
	const problem = ` problems.area problems.message problems.reason problems.rule problems.scope`
	for _, c := range []struct {
		name string
		res  *capsule.Result
		more string
	}{
		{"valid", judgeFile(t, plain, capsule.Options{}), signer},
		{"with a note on the chain", judgeFile(t, template, capsule.Options{}), signer + " chain.note"},
		{"refused at open", judgeFile(t, []byte("PK"), capsule.Options{}), problem + " reason"},
		{"a file and an event that do not fit", judgeFile(t, badEvent, capsule.Options{}), signer + problem + " problems.path problems.seq chain.errors.seq chain.errors.message"},
		{"encrypted, L2", judgeFile(t, outer, capsule.Options{}), signer + " chain.note"},
		{"encrypted, L3", judgeFile(t, outer, capsule.Options{Recipient: readerKey(t, "rita")}), signer + " decryption decryption.ok outer"},
		{"not addressed", judgeFile(t, outer, capsule.Options{Recipient: readerKey(t, "eve")}), signer + " chain.note decryption decryption.error decryption.ok decryption.reason"},
	} {
		want := strings.Fields(always + c.more)
		slices.Sort(want)
		v, got := membersOf(t, c.res)
		if !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, " "), strings.Join(want, " "))
		}
		for _, list := range []string{"qualifiers", "errors", "notes", "problems"} {
			if _, ok := v[list].([]any); !ok {
				t.Errorf("%s: %s is %v, want a list", c.name, list, v[list])
			}
		}
		for _, list := range [][2]string{{"chain", "errors"}, {"content_index", "errors"}, {"envelope", "signers"}, {"signer_set", "errors"}, {"lineage", "entries"}} {
			if _, ok := v[list[0]].(map[string]any)[list[1]].([]any); !ok {
				t.Errorf("%s: %v is %v, want a list", c.name, list, v[list[0]])
			}
		}
	}
}

// TestCAP_RES_01_OKAndIntegrity: ok is integrity and every demand, integrity_ok
// is the file alone.
func TestCAP_RES_01_OKAndIntegrity(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	ana, bob := []string{signerHex("ana")}, []string{signerHex("bob")}
	for _, c := range []struct {
		name string
		o    capsule.Options
		ok   bool
	}{
		{"nothing asked", capsule.Options{}, true},
		{"trust met", capsule.Options{Allowlist: ana, RequireTrusted: true}, true},
		{"trust not met", capsule.Options{Allowlist: bob, RequireTrusted: true}, false},
		{"trust without a list", capsule.Options{RequireTrusted: true}, false},
		{"a list without a demand", capsule.Options{Allowlist: bob}, true},
		{"version met", capsule.Options{AcceptVersions: []string{"0.7", "0.6"}}, true},
		{"version not met", capsule.Options{AcceptVersions: []string{"0.7"}}, false},
		{"no version accepted", capsule.Options{AcceptVersions: []string{}}, false},
		{"profile met", capsule.Options{AcceptProfiles: []string{"v0.6-suite/1.0"}}, true},
		{"profile not met", capsule.Options{AcceptProfiles: []string{"v0.6-suite/1.1"}}, false},
	} {
		res := judgeFile(t, data, c.o)
		if res.OK != c.ok || !res.IntegrityOK || res.Verdict != capsule.Valid {
			t.Errorf("%s: got ok %t, integrity %t, %s, want ok %t and a valid file", c.name, res.OK, res.IntegrityOK, res.Verdict, c.ok)
		}
	}
	bad := reseal(t, data, func(p *parts) { p.files["program.md"] = []byte("other") })
	res := judgeFile(t, bad, capsule.Options{Allowlist: ana, RequireTrusted: true, AcceptVersions: []string{"0.6"}})
	if res.OK || res.IntegrityOK || res.Verdict != capsule.Invalid || !*res.Trust.Satisfied || !*res.VersionPolicy.Satisfied {
		t.Errorf("met demands do not make a file valid: got %+v", res)
	}
}

func TestCAP_RES_02_Verdicts(t *testing.T) {
	t.Parallel()
	plain := sealFile(t, nil)
	version := func(v string) []byte {
		return reseal(t, plain, func(p *parts) { format(p.manifest)["version"] = v })
	}
	profile := func(id string) []byte {
		return reseal(t, plain, func(p *parts) {
			format(p.manifest)["profile"] = map[string]any{"id": id, "version": "1.0"}
			p.envelope["profile"] = map[string]any{"id": id, "version": "1.0"}
		})
	}
	for _, c := range []struct {
		name    string
		data    []byte
		verdict capsule.Verdict
		reason  string
	}{
		{"valid", plain, capsule.Valid, ""},
		{"invalid", reseal(t, plain, func(p *parts) { p.files["program.md"] = nil }), capsule.Invalid, ""},
		{"not a capsule", nil, capsule.Invalid, ""},
		{"malformed version", version("six"), capsule.Invalid, ""},
		{"newer", version("0.8"), capsule.Unsupported, "unsupported_version_newer"},
		{"older", version("0.5"), capsule.Unsupported, "unsupported_version_older"},
		{"profile", profile("x-acme-suite"), capsule.Unsupported, "unsupported_profile"},
	} {
		res := judgeFile(t, c.data, capsule.Options{})
		got := ""
		if res.VerdictReason != nil {
			got = string(*res.VerdictReason)
		}
		if res.Verdict != c.verdict || got != c.reason || res.IntegrityOK != (c.verdict == capsule.Valid) || res.OK != res.IntegrityOK {
			t.Errorf("%s: got %s (%s), integrity %t, want %s (%s)", c.name, res.Verdict, got, res.IntegrityOK, c.verdict, c.reason)
		}
		if c.verdict == capsule.Unsupported && (len(res.Problems) != 1 || len(res.Errors) != 1 || res.Stage != "open") {
			t.Errorf("%s: got %v, want that one error", c.name, res.Errors)
		}
	}
}

func TestCAP_RES_03_OrderOfQualifiers(t *testing.T) {
	t.Parallel()
	before := sealFile(t, nil)
	bare := sealFile(t, func(d *build.Draft) {
		p, err := build.Describe(openFile(t, before))
		if err != nil {
			t.Fatal(err)
		}
		d.Version, d.Predecessors = "0.7", []build.Predecessor{p}
		d.Participants, d.Chain, d.Template, d.NoCommitment = nil, build.File{}, true, true
	})
	res := judgeFile(t, bare, capsule.Options{AcceptVersions: []string{"0.6"}, AcceptProfiles: []string{}})
	want := []capsule.Qualifier{
		"signer_set_unbound", "actor_set_unbound", "empty_chain_not_walked", "version_not_accepted_by_policy", "trust_not_evaluated",
		"lineage_declared_unverified", "x-seed-profile_not_accepted_by_policy",
	}
	if !slices.Equal(res.Qualifiers, want) {
		t.Errorf("got %v, want %v", res.Qualifiers, want)
	}
	res = judgeFile(t, bare, capsule.Options{Allowlist: []string{signerHex("bob"), "not a key"}})
	want = []capsule.Qualifier{
		"signer_set_unbound", "actor_set_unbound", "empty_chain_not_walked", "no_trusted_signer", "lineage_declared_unverified",
	}
	if !slices.Equal(res.Qualifiers, want) {
		t.Errorf("got %v, want %v", res.Qualifiers, want)
	}
	res = judgeFile(t, sealFor(t, "rita"), capsule.Options{Allowlist: []string{signerHex("ana")}})
	if want = []capsule.Qualifier{"encrypted_outer_only"}; !slices.Equal(res.Qualifiers, want) {
		t.Errorf("L2: got %v, want %v", res.Qualifiers, want)
	}
	res = judgeFile(t, sealFor(t, "rita"), capsule.Options{Recipient: readerKey(t, "rita"), Allowlist: []string{signerHex("ana")}})
	if len(res.Qualifiers) != 0 || !res.Outer.Has(capsule.EncryptedOuterOnly) {
		t.Errorf("L3: got %v, want none, and the outer's own", res.Qualifiers)
	}
	// Only beside valid.
	res = judgeFile(t, reseal(t, bare, func(p *parts) { p.files["program.md"] = nil }), capsule.Options{})
	if len(res.Qualifiers) != 0 || res.Verdict != capsule.Invalid || res.Has(capsule.SignerSetUnbound) {
		t.Errorf("invalid: got %v, want none", res.Qualifiers)
	}
}

func TestCAP_RES_04_Phrases(t *testing.T) {
	t.Parallel()
	for q, phrase := range map[capsule.Qualifier]string{
		"signer_set_unbound":             "signer set is not bound by the seal",
		"actor_set_unbound":              "actors are not bound to a declared participant set",
		"empty_chain_not_walked":         "no events to walk",
		"encrypted_outer_only":           "content is encrypted and was not read",
		"version_not_accepted_by_policy": "not in the declared accepted set",
		"trust_not_evaluated":            "no allowlist",
		"no_trusted_signer":              "matched no signer",
		"lineage_declared_unverified":    "declared, not verified",
		"lineage_mismatch":               "different sealed state of the declared predecessor",
		"lineage_predecessor_invalid":    "fails its own verification",
	} {
		if got := q.Phrase(); !strings.Contains(got, phrase) {
			t.Errorf("%s: got %q, want %q in it", q, got, phrase)
		}
	}
	for _, q := range []capsule.Qualifier{
		capsule.ProfileNotAccepted, capsule.UnsealedComment, capsule.NobodyCanOpen, capsule.ProgramMissing, capsule.UnknownDecryptionMembers,
		capsule.LineagePredecessorUnproven,
	} {
		if got := q.Phrase(); got == string(q) || got == "" || !strings.HasPrefix(string(q), "x-seed-") {
			t.Errorf("%s: got %q, want words, and a name of our own", q, got)
		}
	}
	if got := capsule.Qualifier("x-acme-odd").Phrase(); got != "x-acme-odd" {
		t.Errorf("an unknown one: got %q, want it as it is", got)
	}
}

// TestCAP_RES_05_AreasAndScopes: every problem says which check failed, and
// whether outside or inside.
func TestCAP_RES_05_AreasAndScopes(t *testing.T) {
	t.Parallel()
	plain, outer := sealFile(t, nil), sealFor(t, "rita")
	inner := reseal(t, plain, func(p *parts) { p.files["program.md"] = []byte("other") })
	for _, c := range []struct {
		name, scope string
		data        []byte
		areas       []capsule.Area
	}{
		{"a plain one", "outer", inner, []capsule.Area{"content_index"}},
		{"the outer one", "outer", reseal(t, outer, func(p *parts) { p.manifest["encryption"] = nil }), []capsule.Area{"encryption_shape"}},
		{"the inner one", "inner", rewrite(t, outer, "rita", inner), []capsule.Area{"content_index"}},
		{"what does not open inside", "inner", rewrite(t, outer, "rita", []byte("no zip")), []capsule.Area{"container"}},
	} {
		res := judgeFile(t, c.data, capsule.Options{Recipient: readerKey(t, "rita")})
		if !slices.Equal(res.Failing(), c.areas) {
			t.Errorf("%s: got %v (%v), want %v", c.name, res.Failing(), res.Problems, c.areas)
		}
		for _, p := range res.Problems {
			if p.Scope != c.scope || p.Rule == "" || p.Message == "" {
				t.Errorf("%s: got %+v, want scope %s", c.name, p, c.scope)
			}
		}
	}
}

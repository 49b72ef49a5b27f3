package capsule_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/testkit"
)

// TestVectors runs every capsule vector: each names its rule in its header.
func TestVectors(t *testing.T) {
	t.Parallel()
	vectors, err := testkit.Capsules()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			data := buildVector(t, v.Name)
			for i, run := range v.Runs {
				res, err := capsule.Verify(bytes.NewReader(data), int64(len(data)), runOptions(t, run))
				if err != nil {
					t.Fatalf("run %d: %v", i, err)
				}
				if got, want := answer(res, run.Facts), expected(run); got != want {
					t.Errorf("run %d:\ngot  %s\nwant %s\nproblems %.1000s", i, got, want, fmt.Sprintf("%+v", res.Problems))
				}
				if i == 0 {
					says(t, res, v.Says)
				}
				consistent(t, res)
			}
		})
	}
}

// TestVectorsUseEveryWord demands a vector for every word that verifiers are
// compared by, so that none stands for nothing.
func TestVectorsUseEveryWord(t *testing.T) {
	t.Parallel()
	vectors, err := testkit.Capsules()
	if err != nil {
		t.Fatal(err)
	}
	used := make(map[string]bool)
	for _, v := range vectors {
		for _, run := range v.Runs {
			used[run.Verdict], used[run.Reason] = true, true
			for _, p := range run.Problems {
				area, reason, _ := strings.Cut(p, "/")
				used[area], used[reason] = true, true
			}
			for _, q := range run.Qualifiers {
				used[q] = true
			}
			for name, value := range run.Facts {
				used[name+"="+value] = true
			}
		}
	}
	for area := range strings.FieldsSeq(areas) {
		// Refusals are compared by reason; their areas are these two.
		if !used[area] && area != "container" && area != "profile" {
			t.Errorf("no vector expects the area %q", area)
		}
	}
	for word := range strings.FieldsSeq(`
		valid invalid unsupported
		missing_required_file invalid_json duplicate_entry unsafe_path unsupported_compression symlink_entry
		directory_marker_shape local_central_name_mismatch invalid_manifest_shape unsupported_version_newer
		unsupported_version_older unsupported_profile profile_mismatch entry_count_limit total_size_limit trailing_bytes
		malformed_container ambiguous_eocd zip64 entry_count_mismatch crc_mismatch leading_bytes local_central_mismatch
		ambiguous_name_encoding duplicate_member

		cipher_without_blob blob_without_cipher actor_not_participant unknown_kind untrusted_path_grammar
		actor_namespace event_not_object non_canonical_hex canonicalization_refused empty_chain_with_anchors
		duplicate_signer unsupported_cipher nested_encryption version_mismatch integer_out_of_range unpaired_surrogate
		small_order_public_key non_canonical_public_key non_reduced_signature_s

		signer_set_unbound actor_set_unbound empty_chain_not_walked encrypted_outer_only
		version_not_accepted_by_policy trust_not_evaluated no_trusted_signer lineage_declared_unverified
		lineage_mismatch lineage_predecessor_invalid

		version=known version=unknown_newer version=unknown_older version=invalid version=unread
		profile=default profile=supported profile=unsupported profile=mismatched profile=invalid
		profile=unevaluated profile=unread
		decryption= decryption=not_addressed decryption=decryption_failed
	`) {
		if !used[word] {
			t.Errorf("no vector expects %q", word)
		}
	}
}

func buildVector(t testing.TB, name string) []byte {
	t.Helper()
	data, err := testkit.BuildCapsule(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func runOptions(t *testing.T, run testkit.Run) capsule.Options {
	o := capsule.Options{
		Strict: run.Strict, Allowlist: run.Allow, AcceptVersions: run.Accept, AcceptProfiles: run.Profiles,
		Limits: capsule.Limits{MaxEntries: run.MaxEntries, MaxTotal: run.MaxTotal},
	}
	if run.Key != "" {
		o.Recipient = testkit.X25519Key(run.Key)
	}
	for _, name := range run.Predecessors {
		data := buildVector(t, name)
		o.Predecessors = append(o.Predecessors, capsule.Source{Name: name, Reader: bytes.NewReader(data), Size: int64(len(data))})
	}
	return o
}

// expected is the answer a run wants, as one line.
func expected(run testkit.Run) string {
	return line(run.Level, run.Verdict, run.Stage, run.Reason, run.Problems, run.Qualifiers, run.Facts)
}

// answer is what the verifier said, with the facts that were asked for.
func answer(res *capsule.Result, asked map[string]string) string {
	problems := make(map[string]bool)
	if res.Stage != "open" {
		for _, p := range res.Problems {
			if p.Reason != "more_problems" { // a count of what was left out, no fault of its own
				problems[string(p.Area)+"/"+string(p.Reason)] = true
			}
		}
	}
	var qualifiers []string
	for _, q := range res.Qualifiers {
		qualifiers = append(qualifiers, string(q))
	}
	facts := make(map[string]string)
	for name := range asked {
		facts[name] = fact(res, name)
	}
	return line(res.Level, string(res.Verdict), res.Stage, string(res.Reason), slices.Sorted(maps.Keys(problems)), qualifiers, facts)
}

func line(level, verdict, stage, reason string, problems, qualifiers []string, facts map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(facts)) {
		list = append(list, name+"="+facts[name])
	}
	return fmt.Sprintf("%s %s at %s %s problems %v qualifiers %v facts %v", level, verdict, stage, reason, problems, qualifiers, list)
}

func fact(res *capsule.Result, name string) string {
	switch name {
	case "ok":
		return fmt.Sprint(res.OK)
	case "trusted":
		return fmt.Sprint(res.TrustedSignerCount)
	case "events":
		return fmt.Sprint(res.Chain.Events)
	case "version":
		return res.FormatVersion.Status
	case "profile":
		return res.Profile.Status
	case "depth":
		return fmt.Sprint(res.Lineage.VerifiedDepth)
	case "unmatched":
		return fmt.Sprint(res.Custody.Unmatched)
	case "lineage":
		var list []string
		for _, e := range res.Lineage.Entries {
			status := e.Status
			if e.Reason != "" {
				status += ":" + e.Reason
			}
			if !e.IdentityChecked {
				status += ":unchecked"
			}
			list = append(list, status)
		}
		return strings.Join(list, ",")
	case "decryption":
		if res.Decryption == nil {
			return "none"
		}
		return string(res.Decryption.Reason)
	case "errors":
		return fmt.Sprint(len(res.Chain.Errors))
	}
	if id, ok := strings.CutPrefix(name, "skill."); ok {
		return res.SkillTrust.Skills[id]
	}
	return "unknown fact"
}

// says demands each text in some error or note of the result.
func says(t *testing.T, res *capsule.Result, texts []string) {
	t.Helper()
	all := slices.Concat(res.Errors, res.Notes, res.ContentIndex.Errors, res.SignerSet.Errors, []string{res.Chain.Note})
	for _, e := range res.Chain.Errors {
		all = append(all, e.Message)
	}
	for _, text := range texts {
		if !slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, text) }) {
			t.Errorf("got %q, want %q in one of them", all, text)
		}
	}
}

// areas are the words of the format for where a problem is.
const areas = `content_index chain envelope encrypted_blob signer_set originator_binding lineage
	container version profile participants capsule_id manifest_hash chain_anchor first_event_hash_binding
	encryption_shape encryption_metadata_path l3`

// consistent holds a result to what must be true of every one (CAP-RES-02, -03,
// CAP-VER-18).
func consistent(t *testing.T, res *capsule.Result) {
	t.Helper()
	valid := res.Verdict == capsule.Valid
	switch {
	case res.IntegrityOK != valid:
		t.Errorf("got integrity_ok %v with verdict %s", res.IntegrityOK, res.Verdict)
	case res.OK && !valid:
		t.Errorf("got ok with verdict %s", res.Verdict)
	case valid != (len(res.Problems) == 0):
		t.Errorf("got verdict %s with problems %v", res.Verdict, res.Problems)
	case !valid && len(res.Qualifiers) > 0:
		t.Errorf("got qualifiers %v with verdict %s", res.Qualifiers, res.Verdict)
	case (res.VerdictReason != nil) != (res.Verdict == capsule.Unsupported):
		t.Errorf("got verdict_reason %v with verdict %s", res.VerdictReason, res.Verdict)
	case valid && !(res.Chain.OK && res.ContentIndex.OK && res.Envelope.OK && res.SignerSet.OK):
		t.Errorf("got verdict valid with a part that is not ok")
	}
	for _, p := range res.Problems {
		if p.Rule == "" || p.Area == "" || p.Reason == "" || p.Message == "" {
			t.Errorf("got problem %+v, want rule, area, reason and message", p)
		}
		if !slices.Contains(strings.Fields(areas), string(p.Area)) {
			t.Errorf("got the area %q, which the format does not have: %+v", p.Area, p)
		}
	}
}

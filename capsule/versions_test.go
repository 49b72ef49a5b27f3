package capsule_test

import (
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// declared is the sample with another declaration in both documents.
func declared(t *testing.T, version any) []byte {
	t.Helper()
	return reseal(t, sealFile(t, nil), func(p *parts) {
		format(p.manifest)["version"], p.envelope["version"] = version, version
	})
}

func TestCAP_VSN_01_Grammar(t *testing.T) {
	t.Parallel()
	for _, v := range []any{
		"", "6", "0.", ".6", "0.06", "00.6", "0.6.0", "v0.6", "0,6", " 0.6", "0.6 ", "0.6\n", "+0.6", "-0.6", "0x0.6", "٠.٦", "0.6-rc1", "0.6e0",
		0.6, nil, true,
		[]any{"0.6"},
		map[string]any{"0": "6"},
	} {
		res := judgeFile(t, declared(t, v), capsule.Options{})
		if res.Verdict != capsule.Invalid || res.Reason != capsule.InvalidManifestShape || res.FormatVersion.Status != "invalid" || res.Problems[0].Rule != "CAP-VSN-01" {
			t.Errorf("%#v: got %s, %s, %+v", v, res.Verdict, res.Reason, res.FormatVersion)
		}
	}
	missing := reseal(t, sealFile(t, nil), func(p *parts) { delete(p.manifest, "format") })
	if res := judgeFile(t, missing, capsule.Options{}); res.Reason != capsule.InvalidManifestShape || res.FormatVersion.Status != "invalid" {
		t.Errorf("no format: got %s, %+v", res.Reason, res.FormatVersion)
	}
}

func TestCAP_VSN_02_DomainsNameTheDeclaredVersion(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"0.6", "0.7"} {
		plain := sealFile(t, func(d *build.Draft) { d.Version = version })
		res := judgeFile(t, plain, capsule.Options{})
		if res.Verdict != capsule.Valid || res.FormatVersion.Observed != version || res.FormatVersion.Status != "known" || *res.FormatVersion.Suite != "v0.6" {
			t.Errorf("%s: got %s, %+v", version, res.Verdict, res.FormatVersion)
		}
		if !slices.Equal(res.FormatVersion.Supported, []string{"0.6", "0.7"}) {
			t.Errorf("%s: supported: got %v", version, res.FormatVersion.Supported)
		}
	}
	// The same capsule under the other version: signed for it, the id is not its own.
	res := judgeFile(t, declared(t, "0.7"), capsule.Options{})
	if got := reasons(res); !slices.Equal(got, []string{"capsule_id/capsule_id_mismatch"}) {
		t.Errorf("got %v, want the id alone", got)
	}
}

func TestCAP_VSN_03_UnknownVersions(t *testing.T) {
	t.Parallel()
	for version, reason := range map[string]capsule.Reason{
		"0.8": "unsupported_version_newer", "0.10": "unsupported_version_newer", "1.0": "unsupported_version_newer", "10.6": "unsupported_version_newer",
		"0.70": "unsupported_version_newer", "99999999999999999999.0": "unsupported_version_newer", "0.18446744073709551622": "unsupported_version_newer",
		"0.5": "unsupported_version_older", "0.0": "unsupported_version_older",
	} {
		words := "newer than this verifier supports"
		status := "unknown_newer"
		if reason == "unsupported_version_older" {
			words, status = "older than any version this verifier supports", "unknown_older"
		}
		// Everything else is wrong as well, and none of it is looked at.
		data := reseal(t, declared(t, "0.6"), func(p *parts) {
			format(p.manifest)["version"], format(p.manifest)["container"] = version, "tar"
			p.manifest["id"], p.envelope["capsule_id"], p.files["program.md"] = 7, nil, nil
		})
		res := judgeFile(t, data, capsule.Options{})
		if res.Verdict != capsule.Unsupported || res.Reason != reason || len(res.Errors) != 1 || !strings.Contains(res.Errors[0], words) ||
			res.FormatVersion.Observed != version || res.FormatVersion.Status != status || res.FormatVersion.Suite != nil {
			t.Errorf("%s: got %s, %s, %v, %+v", version, res.Verdict, res.Reason, res.Errors, res.FormatVersion)
		}
	}
	envelope := reseal(t, sealFile(t, nil), func(p *parts) { p.envelope["version"] = "0.9" })
	if res := judgeFile(t, envelope, capsule.Options{}); res.Verdict != capsule.Unsupported || res.Reason != "unsupported_version_newer" {
		t.Errorf("envelope: got %s, %s", res.Verdict, res.Reason)
	}
}

func TestCAP_VSN_04_TwoKnownVersions(t *testing.T) {
	t.Parallel()
	for _, v := range [][2]string{{"0.6", "0.7"}, {"0.7", "0.6"}} {
		data := reseal(t, sealFile(t, nil), func(p *parts) {
			format(p.manifest)["version"], p.envelope["version"] = v[0], v[1]
			p.files["program.md"] = nil // not evaluated any more
		})
		res := judgeFile(t, data, capsule.Options{})
		if res.Verdict != capsule.Invalid || res.Stage != "verify" || !slices.Equal(reasons(res), []string{"version/version_mismatch"}) || len(res.Errors) != 1 {
			t.Errorf("%v: got %s, %v", v, res.Verdict, res.Problems)
		}
	}
}

// TestCAP_VSN_05_DifferencesForAReader: lineage is interpreted in 0.7, and in 0.6
// it is data; skill_trust is nothing in both.
func TestCAP_VSN_05_DifferencesForAReader(t *testing.T) {
	t.Parallel()
	for version, verdict := range map[string]capsule.Verdict{"0.6": capsule.Valid, "0.7": capsule.Invalid} {
		data := reseal(t, sealFile(t, func(d *build.Draft) { d.Version = version }), func(p *parts) {
			p.manifest["predecessors"], p.manifest["skill_trust"] = "nonsense", 7
		})
		if res := judgeFile(t, data, capsule.Options{}); res.Verdict != verdict || res.Lineage.Declared != (version == "0.7") {
			t.Errorf("%s: got %s, %+v", version, res.Verdict, res.Lineage)
		}
	}
}

func TestCAP_VSN_06_PolicyIsReported(t *testing.T) {
	t.Parallel()
	res := judgeFile(t, sealFile(t, nil), capsule.Options{AcceptVersions: []string{"0.7"}, AcceptProfiles: []string{"x-acme-suite/1.0"}})
	if res.OK || res.Verdict != capsule.Valid || *res.FormatVersion.AcceptedByPolicy || *res.Profile.AcceptedByPolicy ||
		res.VersionPolicy.Policy != "accept_versions" || *res.VersionPolicy.Satisfied || !res.Has(capsule.VersionNotAccepted) || !res.Has(capsule.ProfileNotAccepted) {
		t.Errorf("got ok %t, %s, %+v, %v", res.OK, res.Verdict, res.VersionPolicy, res.Qualifiers)
	}
	res = judgeFile(t, sealFile(t, nil), capsule.Options{})
	if res.FormatVersion.AcceptedByPolicy != nil || res.Profile.AcceptedByPolicy != nil || res.VersionPolicy.Policy != "none" || res.VersionPolicy.Satisfied != nil {
		t.Errorf("no policy: got %+v, %+v", res.VersionPolicy, res.FormatVersion)
	}
	// A policy is also evaluated for what does not open, and saves nothing.
	res = judgeFile(t, declared(t, "0.9"), capsule.Options{AcceptVersions: []string{"0.9"}})
	if res.OK || res.Verdict != capsule.Unsupported || !*res.VersionPolicy.Satisfied {
		t.Errorf("accepting the unknown: got ok %t, %s, %+v", res.OK, res.Verdict, res.VersionPolicy)
	}
}

func TestCAP_PRF_01_Shape(t *testing.T) {
	t.Parallel()
	const id = "v0.6-suite"
	object := func(pairs ...any) map[string]any {
		m := make(map[string]any)
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	for _, bad := range []any{
		nil, "v0.6-suite",
		[]any{},
		map[string]any{},
		object("id", id), object("version", "1.0"), object("id", id, "version", 1.0),
		object("id", id, "version", "1"), object("id", id, "version", "1.0", "critical", true), object("id", id, "version", "1.0", "x-a-b", 1),
		object("id", "", "version", "1.0"), object("id", "V0.6", "version", "1.0"), object("id", "6", "version", "1.0"), object("id", "a-", "version", "1.0"),
		object("id", "a.", "version", "1.0"), object("id", "a_b", "version", "1.0"), object("id", "x-acme", "version", "1.0"), object("id", "x-acme-", "version", "1.0"),
		object("id", strings.Repeat("a", 65), "version", "1.0"), object("id", nil, "version", "1.0"),
	} {
		manifest := reseal(t, sealFile(t, nil), func(p *parts) { format(p.manifest)["profile"] = bad })
		envelope := reseal(t, sealFile(t, nil), func(p *parts) { p.envelope["profile"] = bad })
		for where, data := range map[string][]byte{"manifest": manifest, "envelope": envelope} {
			res := judgeFile(t, data, capsule.Options{})
			if res.Verdict != capsule.Invalid || res.Reason != capsule.InvalidManifestShape || res.Profile.Status != "invalid" || res.Problems[0].Rule != "CAP-PRF-01" {
				t.Errorf("%s %v: got %s, %s, %+v", where, bad, res.Verdict, res.Reason, res.Profile)
			}
		}
	}
	// params are legal in the manifest, and only there.
	with := object("id", id, "version", "1.0", "params", object("n", 1))
	res := judgeFile(t, reseal(t, sealFile(t, nil), func(p *parts) { format(p.manifest)["profile"] = with }), capsule.Options{})
	if res.Verdict != capsule.Valid || res.Profile.Status != "supported" || !res.Profile.Declared {
		t.Errorf("params: got %s, %+v", res.Verdict, res.Profile)
	}
	res = judgeFile(t, reseal(t, sealFile(t, nil), func(p *parts) { p.envelope["profile"] = with }), capsule.Options{})
	if res.Verdict != capsule.Invalid || res.Profile.Status != "invalid" {
		t.Errorf("params in the envelope: got %s, %+v", res.Verdict, res.Profile)
	}
}

func TestCAP_PRF_02_Lookup(t *testing.T) {
	t.Parallel()
	type pair struct{ id, version string }
	normal := pair{"v0.6-suite", "1.0"}
	other := pair{"x-acme-suite", "1.0"}
	for _, c := range []struct {
		name               string
		manifest, envelope *pair
		verdict            capsule.Verdict
		reason             capsule.Reason
		status             string
	}{
		{"absent", nil, nil, capsule.Valid, "", "default"},
		{"declared in both", &normal, &normal, capsule.Valid, "", "supported"},
		{"absence is the default", &normal, nil, capsule.Valid, "", "supported"},
		{"absence in the manifest", nil, &normal, capsule.Valid, "", "supported"},
		{"unknown", &other, &other, capsule.Unsupported, "unsupported_profile", "unsupported"},
		{"another version", &pair{"v0.6-suite", "1.1"}, &pair{"v0.6-suite", "1.1"}, capsule.Unsupported, "unsupported_profile", "unsupported"},
		{"mismatched", &other, &normal, capsule.Invalid, "profile_mismatch", "mismatched"},
		{"declared in one", &other, nil, capsule.Invalid, "profile_mismatch", "mismatched"},
		{"declared in the other", nil, &other, capsule.Invalid, "profile_mismatch", "mismatched"},
	} {
		for _, version := range []string{"0.6", "0.7"} {
			data := reseal(t, sealFile(t, func(d *build.Draft) { d.Version = version }), func(p *parts) {
				if c.manifest != nil {
					format(p.manifest)["profile"] = map[string]any{"id": c.manifest.id, "version": c.manifest.version}
				}
				if c.envelope != nil {
					p.envelope["profile"] = map[string]any{"id": c.envelope.id, "version": c.envelope.version}
				}
			})
			res := judgeFile(t, data, capsule.Options{})
			if res.Verdict != c.verdict || res.Reason != c.reason || res.Profile.Status != c.status {
				t.Errorf("%s in %s: got %s, %s, %+v", c.name, version, res.Verdict, res.Reason, res.Profile)
			}
			if c.reason != "" && (len(res.Problems) != 1 || res.FormatVersion.Suite != nil || res.FormatVersion.Observed != version || res.Profile.Effective != nil) {
				t.Errorf("%s in %s: got %v, %+v, want no suite and one problem", c.name, version, res.Problems, res.FormatVersion)
			}
			if c.verdict == capsule.Valid && (*res.Profile.Effective != "v0.6-suite" || *res.Profile.EffectiveVersion != "1.0") {
				t.Errorf("%s: got %+v", c.name, res.Profile)
			}
		}
	}
	// The version is asked first, the shape of the documents last.
	data := reseal(t, sealFile(t, nil), func(p *parts) {
		format(p.manifest)["version"], format(p.manifest)["profile"] = "0.9", "nonsense"
	})
	if res := judgeFile(t, data, capsule.Options{}); res.Reason != "unsupported_version_newer" || len(res.Problems) != 1 {
		t.Errorf("got %s, %v, want the version's refusal alone", res.Reason, res.Problems)
	}
	data = reseal(t, sealFile(t, nil), func(p *parts) {
		format(p.manifest)["profile"] = map[string]any{"id": "x-acme-suite", "version": "1.0"}
		p.envelope["profile"] = format(p.manifest)["profile"]
		p.manifest["id"], format(p.manifest)["container"] = nil, "tar"
	})
	if res := judgeFile(t, data, capsule.Options{}); res.Reason != "unsupported_profile" {
		t.Errorf("got %s, want the profile's refusal", res.Reason)
	}
}

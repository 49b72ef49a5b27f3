package capsule

import (
	"strings"

	"seed/finding"
	"seed/jcs"
)

// Versions of the format, and the suite they share.
const (
	Version06 = "0.6"
	Version07 = "0.7"

	suiteName      = "v0.6" // both versions use the same algorithms
	defaultProfile = "v0.6-suite"
	profileVersion = "1.0"
)

var (
	ruleVersionGrammar  = finding.Rule{ID: "CAP-VSN-01", Want: "a version of the form major.minor"}
	ruleVersionGate     = finding.Rule{ID: "CAP-VSN-03", Want: "a version that this verifier knows"}
	ruleProfileShape    = finding.Rule{ID: "CAP-PRF-01", Want: "a profile of the form {id, version}"}
	ruleProfileSupport  = finding.Rule{ID: "CAP-PRF-02", Want: "one profile, and one that this verifier knows"}
	knownVersions       = [...]string{Version06, Version07} // oldest first; never shrinks (CAP-VSN-02)
	supportedVersionSet = []string{Version06, Version07}
)

// VersionFact says which version a capsule declares and what this build makes
// of it.
type VersionFact struct {
	Observed  string   `json:"observed"`
	Supported []string `json:"supported"`
	Status    string   `json:"status"` // known, unknown_newer, unknown_older, invalid, unread
	Suite     *string  `json:"suite"`

	AcceptedByPolicy *bool `json:"accepted_by_policy"` // nil when no policy was given
}

// ProfileFact says which profile a capsule declares.
type ProfileFact struct {
	Observed         string   `json:"observed"`
	ObservedVersion  string   `json:"observed_version"`
	Declared         bool     `json:"declared"`
	Effective        *string  `json:"effective"`
	EffectiveVersion *string  `json:"effective_version"`
	Supported        []string `json:"supported"`
	Status           string   `json:"status"` // default, supported, unsupported, mismatched, invalid, unevaluated, unread

	AcceptedByPolicy *bool `json:"accepted_by_policy"`
}

func unreadVersion() VersionFact {
	return VersionFact{Supported: supportedVersionSet, Status: "unread"}
}

func unreadProfile() ProfileFact {
	return ProfileFact{Supported: []string{defaultProfile + "/" + profileVersion}, Status: "unread"}
}

// parseVersion splits major.minor; ok is false for anything else.
func parseVersion(s string) (major, minor string, ok bool) {
	major, minor, ok = strings.Cut(s, ".")
	return major, minor, ok && decimal(major) && decimal(minor)
}

// VersionText reports whether s has the form of a version, known or not
// (CAP-VSN-01).
func VersionText(s string) bool {
	_, _, ok := parseVersion(s)
	return ok
}

// ProfileText reports whether s names a profile and its version as id/version
// (CAP-PRF-01).
func ProfileText(s string) bool {
	id, version, ok := strings.Cut(s, "/")
	return ok && profileID(id) && VersionText(version)
}

func decimal(s string) bool {
	if s == "" || len(s) > 1 && s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// compareVersions orders two well-formed versions numerically whatever their
// length: 0.10 is after 0.6.
func compareVersions(a, b string) int {
	a1, a2, _ := parseVersion(a)
	b1, b2, _ := parseVersion(b)
	if c := compareDecimal(a1, b1); c != 0 {
		return c
	}
	return compareDecimal(a2, b2)
}

func compareDecimal(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func knownVersion(s string) bool {
	for _, v := range knownVersions {
		if v == s {
			return true
		}
	}
	return false
}

// versionGate holds a declared version to the table. It fills fact on every
// path, because the observed version is reported even on refusal.
func versionGate(v jcs.Value, where, path string, fact *VersionFact) *RefusedError {
	s, ok := v.Text()
	if _, _, well := parseVersion(s); !ok || !well {
		fact.Status = "invalid"
		if ok {
			fact.Observed = s
		}
		return refuse(ruleVersionGrammar, AreaVersion, InvalidManifestShape, path,
			"%s is not a version of the form major.minor: %s", where, v.Shown())
	}
	fact.Observed = s
	if knownVersion(s) {
		suite := suiteName
		fact.Status, fact.Suite = "known", &suite
		return nil
	}
	newest := knownVersions[len(knownVersions)-1]
	reason, status, text := UnsupportedVersionOlder, "unknown_older", "older than any version this verifier supports"
	if compareVersions(s, newest) > 0 {
		reason, status, text = UnsupportedVersionNewer, "unknown_newer", "newer than this verifier supports"
	}
	fact.Status, fact.Suite = status, nil
	err := refuse(ruleVersionGate, AreaVersion, reason, path, "%s %s is %s (%s)",
		where, finding.Quote(s), text, strings.Join(supportedVersionSet, ", "))
	err.Unsupported = true
	return err
}

// profile is one declaration, normalised.
type profile struct{ id, version string }

// profileGate normalises both declarations, demands that they agree and looks
// the pair up. An undeclared profile is the default one for ever.
func profileGate(manifest, envelope jcs.Value, fact *ProfileFact) *RefusedError {
	fromManifest, declaredM, ok := readProfile(manifest, true)
	if !ok {
		fact.Status, fact.Declared = "invalid", true
		return refuse(ruleProfileShape, AreaProfile, InvalidManifestShape, manifestPath,
			"format.profile is not of the form {id, version, params?}")
	}
	fromEnvelope, declaredE, ok := readProfile(envelope, false)
	if !ok {
		fact.Status, fact.Declared = "invalid", true
		return refuse(ruleProfileShape, AreaProfile, InvalidManifestShape, envelopePath,
			"envelope profile is not of the form {id, version}")
	}
	fact.Declared = declaredM || declaredE
	seen := fromManifest
	if !declaredM {
		seen = fromEnvelope
	}
	fact.Observed, fact.ObservedVersion = seen.id, seen.version
	switch {
	case fromManifest != fromEnvelope:
		fact.Status = "mismatched"
		return refuse(ruleProfileSupport, AreaProfile, ProfileMismatch, manifestPath,
			"manifest declares profile %s/%s and the envelope %s/%s",
			fromManifest.id, fromManifest.version, fromEnvelope.id, fromEnvelope.version)
	case fromManifest != profile{defaultProfile, profileVersion}:
		fact.Status = "unsupported"
		err := refuse(ruleProfileSupport, AreaProfile, UnsupportedProfile, manifestPath,
			"profile %s/%s is not one this verifier supports", fromManifest.id, fromManifest.version)
		err.Unsupported = true
		return err
	}
	fact.Status = "default"
	if fact.Declared {
		fact.Status = "supported"
	}
	fact.Effective, fact.EffectiveVersion = &fromManifest.id, &fromManifest.version
	return nil
}

// readProfile reads a closed object; params is legal in the manifest only.
func readProfile(v jcs.Value, params bool) (p profile, declared, ok bool) {
	if !v.Exists() {
		return profile{defaultProfile, profileVersion}, false, true
	}
	if v.Kind() != jcs.Object {
		return profile{}, true, false
	}
	for name := range v.Members() {
		if name != "id" && name != "version" && (!params || name != "params") {
			return profile{}, true, false
		}
	}
	p = profile{v.Member("id").Str(), v.Member("version").Str()}
	_, _, well := parseVersion(p.version)
	return p, true, well && profileID(p.id)
}

func profileID(s string) bool {
	if s == "" || len(s) > 64 || s[0] < 'a' || s[0] > 'z' || strings.HasSuffix(s, "-") || strings.HasSuffix(s, ".") {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' {
			return false
		}
	}
	if rest, vendor := strings.CutPrefix(s, "x-"); vendor {
		v, name, cut := strings.Cut(rest, "-")
		return cut && v != "" && name != ""
	}
	return true
}

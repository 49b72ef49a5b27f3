package capsule

import (
	"fmt"
	"slices"
)

// conclude derives the facts, the qualifiers and the verdict (CAP-VER-18, -19).
func (v *verification) conclude() {
	res := v.res
	res.Envelope.Signers = slices.Clone(v.c.Envelope.Signers)
	if v.dropped > 0 {
		msg := fmt.Sprintf("and %d more problems", v.dropped)
		res.Notes = append(res.Notes, msg)
	}
	// Problems alone decide; the areas' own flags only say where they are.
	valid := len(res.Problems) == 0 && len(res.Errors) == 0 &&
		res.ContentIndex.OK && res.Chain.OK && res.Envelope.OK && res.SignerSet.OK
	res.IntegrityOK = valid
	if valid {
		res.Verdict = Valid
	}
	trusted := make(map[string]bool)
	for _, s := range res.Envelope.Signers {
		if s.Valid && s.Trusted {
			trusted[s.PublicKey] = true
		}
	}
	res.TrustedSignerCount = len(trusted)
	res.Trust.Trusted = len(trusted)
	switch {
	case len(v.allow) == 0:
		v.qualify(TrustNotEvaluated)
		v.note("no allowlist provided; trusted=false for all signers regardless of signature validity")
	case len(trusted) == 0:
		v.qualify(NoTrustedSigner)
		v.note("allowlist provided but matched no signer; trusted=false for all signers")
	}
	res.ActorSet.Bound = len(v.c.Manifest.Participants) > 0
	if !res.ActorSet.Bound {
		v.qualify(ActorSetUnbound)
		v.note("manifest.participants empty: chain actors are not bound to a declared participant set")
	}
	switch {
	case v.c.Encrypted():
		v.qualify(EncryptedOuterOnly)
	case !v.c.Has(programPath):
		v.qualify(ProgramMissing)
		v.note("program.md is missing: writers must put one in")
	}
	if n := int64(len(v.c.zip.Comment)) + v.c.zip.EntryComments; n > 0 {
		v.qualify(UnsealedComment)
		v.note(fmt.Sprintf("the container has comments of %d bytes that nothing seals", n))
	}
	v.policies()
	v.skills()
	v.settle()
}

// settle gives the qualifiers their order. They stand beside a valid verdict
// only (CAP-RES-03).
func (v *verification) settle() {
	res := v.res
	if res.Verdict != Valid {
		res.Qualifiers = res.Qualifiers[:0]
		return
	}
	order := qualifierOrder()
	slices.SortStableFunc(res.Qualifiers, func(a, b Qualifier) int { return slices.Index(order, a) - slices.Index(order, b) })
	res.Qualifiers = slices.Compact(res.Qualifiers)
}

// policies evaluates what the host demanded and sets OK. They are reported and
// never change the verdict (CAP-VSN-06).
func (v *verification) policies() {
	res, o := v.res, v.o
	ok := res.Verdict == Valid
	res.Trust.Policy = "none"
	if o.RequireTrusted {
		res.Trust.Policy = "allowlist"
		satisfied := res.TrustedSignerCount > 0
		res.Trust.Satisfied = &satisfied
		ok = ok && satisfied
	}
	res.VersionPolicy = VersionPolicy{Policy: "none", Accept: []string{}}
	if o.AcceptVersions != nil {
		accepted := slices.Contains(o.AcceptVersions, res.FormatVersion.Observed)
		res.VersionPolicy = VersionPolicy{Policy: "accept_versions", Accept: o.AcceptVersions, Satisfied: &accepted}
		res.FormatVersion.AcceptedByPolicy = &accepted
		if !accepted {
			v.qualify(VersionNotAccepted)
		}
		ok = ok && accepted
	}
	if o.AcceptProfiles != nil {
		accepted := res.Profile.Effective != nil &&
			slices.Contains(o.AcceptProfiles, *res.Profile.Effective+"/"+*res.Profile.EffectiveVersion)
		res.Profile.AcceptedByPolicy = &accepted
		if !accepted {
			v.qualify(ProfileNotAccepted)
		}
		ok = ok && accepted
	}
	v.custody()
	if s := res.Custody.Satisfied; s != nil {
		ok = ok && *s
	}
	res.OK = ok
}

// skills derives the tier of every skill for this host and this run
// (CAP-SKL-01). What the manifest says in skill_trust is never read.
func (v *verification) skills() {
	res := v.res
	res.SkillTrust.CapsuleSigned = res.IntegrityOK && res.ContentIndex.OK && res.Envelope.OK && res.TrustedSignerCount > 0
	indexed := make(map[string]bool, len(v.c.Manifest.Files))
	for _, f := range v.c.Manifest.Files {
		indexed[f.Path] = true
	}
	for _, s := range v.c.Skills() {
		tier := "unsigned"
		if res.SkillTrust.CapsuleSigned && s.JSON && indexed["skills/"+s.ID+"/skill.json"] {
			tier = "signed"
		}
		res.SkillTrust.Skills[s.ID] = tier
	}
}

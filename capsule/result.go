package capsule

// Verdict is the answer of a verification about the file itself. Trust never
// enters it.
type Verdict string

// The verdicts.
const (
	Valid       Verdict = "valid"
	Invalid     Verdict = "invalid"
	Unsupported Verdict = "unsupported" // refused because this build does not know its version or profile
)

// Qualifier is a fact that a careful reader must see beside "valid".
type Qualifier string

// The qualifiers, in the order they are reported (CAP-RES-03).
const (
	SignerSetUnbound           Qualifier = "signer_set_unbound"
	ActorSetUnbound            Qualifier = "actor_set_unbound"
	EmptyChainNotWalked        Qualifier = "empty_chain_not_walked"
	EncryptedOuterOnly         Qualifier = "encrypted_outer_only"
	VersionNotAccepted         Qualifier = "version_not_accepted_by_policy"
	TrustNotEvaluated          Qualifier = "trust_not_evaluated"
	NoTrustedSigner            Qualifier = "no_trusted_signer"
	LineageDeclaredUnverified  Qualifier = "lineage_declared_unverified"
	LineageMismatch            Qualifier = "lineage_mismatch"
	LineagePredecessorInvalid  Qualifier = "lineage_predecessor_invalid"
	ProfileNotAccepted         Qualifier = "x-seed-profile_not_accepted_by_policy"
	UnsealedComment            Qualifier = "x-seed-unsealed_comment"
	NobodyCanOpen              Qualifier = "x-seed-no_recipients"
	ProgramMissing             Qualifier = "x-seed-program_missing"
	UnknownDecryptionMembers   Qualifier = "x-seed-unknown_decryption_members"
	LineagePredecessorUnproven Qualifier = "x-seed-lineage_predecessor_unverifiable"
)

// qualifierOrder is the order of CAP-RES-03, our own names last.
func qualifierOrder() []Qualifier {
	return []Qualifier{
		SignerSetUnbound, ActorSetUnbound, EmptyChainNotWalked, EncryptedOuterOnly, VersionNotAccepted, TrustNotEvaluated,
		NoTrustedSigner, LineageDeclaredUnverified, LineageMismatch, LineagePredecessorInvalid,
		ProfileNotAccepted, UnsealedComment, NobodyCanOpen, ProgramMissing, UnknownDecryptionMembers, LineagePredecessorUnproven,
	}
}

// Phrase is what a human report says for the qualifier; an unknown one is shown
// as it is (CAP-RES-04).
func (q Qualifier) Phrase() string {
	switch q {
	case SignerSetUnbound:
		return "signer set is not bound by the seal: rows can be added or removed unnoticed"
	case ActorSetUnbound:
		return "actors are not bound to a declared participant set"
	case EmptyChainNotWalked:
		return "no events to walk"
	case EncryptedOuterOnly:
		return "content is encrypted and was not read"
	case VersionNotAccepted:
		return "format version is not in the declared accepted set"
	case TrustNotEvaluated:
		return "no allowlist: whose keys these are was not checked"
	case NoTrustedSigner:
		return "the allowlist matched no signer"
	case LineageDeclaredUnverified:
		return "lineage declared, not verified: the predecessor did not countersign"
	case LineageMismatch:
		return "a supplied file is a different sealed state of the declared predecessor"
	case LineagePredecessorInvalid:
		return "a supplied predecessor fails its own verification"
	case ProfileNotAccepted:
		return "profile is not in the declared accepted set"
	case UnsealedComment:
		return "the container has a comment that nothing seals"
	case NobodyCanOpen:
		return "nobody can open this: the list of recipients is empty"
	case ProgramMissing:
		return "there is no program.md"
	case UnknownDecryptionMembers:
		return "the decryption metadata has members that this build does not know"
	case LineagePredecessorUnproven:
		return "a supplied predecessor cannot be verified by this build"
	}
	return string(q)
}

// Result is everything a verification found out. It exists for every input. Its
// JSON form is that of CAP-RES-01.
type Result struct {
	OK            bool        `json:"ok"`           // integrity and every requested policy
	IntegrityOK   bool        `json:"integrity_ok"` // the verdict is valid
	Verdict       Verdict     `json:"verdict"`
	VerdictReason *Reason     `json:"verdict_reason"` // why unsupported, else null
	Qualifiers    []Qualifier `json:"qualifiers"`
	Stage         string      `json:"stage"`            // "open" when refused before anything was evaluated, else "verify"
	Reason        Reason      `json:"reason,omitempty"` // of a refusal at open
	Level         string      `json:"level"`            // L2, or L3 when the encrypted content was verified
	CapsuleID     string      `json:"capsule_id"`
	SignedAt      string      `json:"signed_at"`
	ManifestHash  string      `json:"manifest_hash,omitempty"` // recomputed; pins the file's content

	Errors       []string     `json:"errors"`
	Chain        ChainResult  `json:"chain"`
	ContentIndex IndexResult  `json:"content_index"`
	Envelope     SignerResult `json:"envelope"`
	SignerSet    SetResult    `json:"signer_set"`
	ActorSet     ActorResult  `json:"actor_set"`
	Lineage      Lineage      `json:"lineage"`
	Custody      Custody      `json:"custody"`
	Trust        TrustResult  `json:"trust"`

	VersionPolicy VersionPolicy `json:"version_policy"`
	FormatVersion VersionFact   `json:"format_version"`
	Profile       ProfileFact   `json:"profile"`
	SkillTrust    SkillTrust    `json:"skill_trust"`

	Notes              []string  `json:"notes"`
	TrustedSignerCount int       `json:"trusted_signer_count"`
	Problems           []Problem `json:"problems"`

	// Decryption is set when a recipient key was given for an encrypted capsule.
	Decryption *Decryption `json:"decryption,omitempty"`
	// Outer is the L2 result when this one is L3.
	Outer *Result `json:"outer,omitempty"`
}

// ChainResult is the outcome of walking the events.
type ChainResult struct {
	OK     bool         `json:"ok"`
	Errors []EventError `json:"errors"`
	Note   string       `json:"note,omitempty"`
	Events int          `json:"events"`
}

// EventError is one problem of one event.
type EventError struct {
	Seq     int    `json:"seq"`
	Message string `json:"message"`
}

// IndexResult is the outcome of comparing files and content index.
type IndexResult struct {
	OK     bool     `json:"ok"`
	Errors []string `json:"errors"`
}

// SignerResult is the outcome of checking the signer rows.
type SignerResult struct {
	OK      bool     `json:"ok"`
	Signers []Signer `json:"signers"`
}

// SetResult says whether the seal binds the set of signers.
type SetResult struct {
	Bound  bool     `json:"bound"`
	OK     bool     `json:"ok"`
	Errors []string `json:"errors"`
}

// ActorResult says whether the manifest binds the actors of the chain.
type ActorResult struct {
	Bound bool `json:"bound"`
}

// TrustResult says what the allowlist of this run made of the signers.
type TrustResult struct {
	Policy        string `json:"policy"` // "none", or "allowlist" when a trusted signer was demanded
	AllowlistSize int    `json:"allowlist_size"`
	Trusted       int    `json:"trusted_signer_count"`
	Satisfied     *bool  `json:"satisfied"` // null when nothing was demanded
}

// VersionPolicy says whether the declared version is one the host accepts.
type VersionPolicy struct {
	Policy    string   `json:"policy"` // "none" or "accept_versions"
	Accept    []string `json:"accept_versions"`
	Satisfied *bool    `json:"satisfied"`
}

// Decryption says how opening the encrypted content went.
type Decryption struct {
	OK     bool   `json:"ok"`
	Reason Reason `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
}

// SkillTrust says which skills may be taken as instructions on this host, in
// this run. It is derived, never read from the capsule.
type SkillTrust struct {
	CapsuleSigned bool              `json:"capsule_signed"`
	Skills        map[string]string `json:"skills"` // id to "signed" or "unsigned"
}

// Has reports whether the result carries q.
func (r *Result) Has(q Qualifier) bool {
	for _, have := range r.Qualifiers {
		if have == q {
			return true
		}
	}
	return false
}

// Failing lists the areas that have a problem, each once, in the order found.
func (r *Result) Failing() []Area {
	var areas []Area
	seen := make(map[Area]bool)
	for _, p := range r.Problems {
		if !seen[p.Area] {
			seen[p.Area] = true
			areas = append(areas, p.Area)
		}
	}
	return areas
}

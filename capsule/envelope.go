package capsule

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/edstrict"
	"seed/jcs"
)

var (
	ruleSignedPayload = finding.Rule{ID: "CAP-ENV-02", Want: "signatures over the canonical envelope without signers"}
	ruleSigner        = finding.Rule{ID: "CAP-ENV-03", Want: "signer rows {role, public_key, signature}"}
	ruleSigners       = finding.Rule{ID: "CAP-ENV-04", Want: "a non-empty list of signers that all verify"}
	ruleDuplicate     = finding.Rule{ID: "CAP-ENV-05", Want: "every pair of role and key once"}
	ruleOriginator    = finding.Rule{ID: "CAP-ENV-06", Want: "the originator among the valid signers"}
	ruleLowerHex      = finding.Rule{ID: "CAP-ENV-10", Want: "lower-case hex in signer rows"}
	ruleEnvelope      = finding.Rule{ID: "CAP-VER-03", Want: "an envelope of the right shape"}
	ruleCommitment    = finding.Rule{ID: "CAP-MAN-10", Want: "signers equal to the committed set"}
)

// maxSigners bounds what checking an envelope may cost: a signature takes about
// as long as hashing 100 KiB.
const (
	maxSigners = 1024
	maxSigned  = 1 << 20 // bytes of the envelope without them, hashed once for each
)

// Envelope is the typed view of provenance/envelope.json beside its value.
type Envelope struct {
	Value jcs.Value

	Version          string
	CapsuleID        string
	FirstEventHash   string // "" when null or not a string
	EntryHash        string
	ManifestHash     string
	ContentIndexHash string
	BlobHash         string // encrypted_blob_hash, "" when null
	Cipher           string
	SignedAt         string // a claim of the signer
	Signers          []Signer

	doc *jcs.Doc
}

// Signer is one row of the envelope and what this run made of it. Valid is
// mathematics; Trusted means that the key was on the allowlist of this run.
type Signer struct {
	Role      string `json:"role"`
	PublicKey string `json:"public_key"`
	Valid     bool   `json:"valid"`
	Trusted   bool   `json:"trusted"`

	// Reason is why the row is not valid, "" otherwise: a word such as
	// bad_signature or small_order_public_key.
	Reason string `json:"reason,omitempty"`

	signature string
}

// readEnvelope holds the envelope to its shape (CAP-VER-03). Members that later
// checks compare are taken as they are: a wrong one fails its comparison.
func readEnvelope(doc *jcs.Doc) (*Envelope, *RefusedError) {
	root := doc.Root()
	e := &Envelope{
		Value: root, doc: doc,
		Version:          root.Member("version").Str(),
		CapsuleID:        root.Member("capsule_id").Str(),
		FirstEventHash:   root.Member("first_event_hash").Str(),
		EntryHash:        root.Member("entry_hash").Str(),
		ManifestHash:     root.Member("manifest_hash").Str(),
		ContentIndexHash: root.Member("content_index_hash").Str(),
		BlobHash:         root.Member("encrypted_blob_hash").Str(),
		Cipher:           root.Member("cipher").Str(),
		SignedAt:         root.Member("signed_at").Str(),
	}
	rows := root.Member("signers")
	switch {
	case !chain.Hex64(e.CapsuleID):
		return nil, refuse(ruleEnvelope, AreaEnvelope, InvalidManifestShape, envelopePath,
			"envelope.capsule_id is not lower-case hex of 64 digits")
	case rows.Kind() != jcs.Array || rows.Len() == 0:
		return nil, refuse(ruleSigners, AreaEnvelope, InvalidManifestShape, envelopePath,
			"envelope has no signers: signers is %s", describeSigners(rows))
	}
	if rows.Len() > maxSigners {
		return nil, refuse(ruleDocSize, AreaEnvelope, DocumentTooLarge, envelopePath,
			"envelope has %d signers, more than %d", rows.Len(), maxSigners)
	}
	if n := len(root.Raw()) - len(rows.Raw()); n > maxSigned {
		return nil, refuse(ruleDocSize, AreaEnvelope, DocumentTooLarge, envelopePath,
			"envelope has %d bytes beside its signers, more than %d", n, maxSigned)
	}
	for _, row := range rows.Elements() {
		e.Signers = append(e.Signers, Signer{
			Role:      row.Member("role").Str(),
			PublicKey: row.Member("public_key").Str(),
			signature: row.Member("signature").Str(),
		})
	}
	return e, nil
}

func describeSigners(v jcs.Value) string {
	if v.Kind() == jcs.Array {
		return "empty"
	}
	return v.Shown()
}

// SigningInput is what a signer of a role signs: the domain, which binds the
// role, and the canonical envelope without its signers.
func SigningInput(version, role string, payload []byte) []byte {
	b := append([]byte("capsule-provenance-v"+version+":"+role), 0)
	return append(b, payload...)
}

// checkSigner verifies one row over the signed payload.
func checkSigner(version string, s *Signer, payload []byte) (finding.Rule, Reason, error) {
	key, errKey := hex.DecodeString(s.PublicKey)
	sig, errSig := hex.DecodeString(s.signature)
	switch {
	case s.Role == "":
		return ruleSigner, InvalidSigner, errors.New("role is not a non-empty string")
	case strings.ContainsRune(s.Role, 0):
		return ruleSigners, InvalidSigner, errors.New("role holds a NUL, which would shift the signed domain")
	case errKey != nil || len(key) != 32:
		return ruleSigner, InvalidSigner, errors.New("public_key is not 64 hex digits")
	case errSig != nil || len(sig) != 64:
		return ruleSigner, InvalidSigner, errors.New("signature is not 128 hex digits")
	case hex.EncodeToString(key) != s.PublicKey, hex.EncodeToString(sig) != s.signature:
		return ruleLowerHex, NonCanonicalHex, errors.New("public_key or signature is not lower-case hex")
	}
	if err := edstrict.Verify(key, SigningInput(version, s.Role, payload), sig); err != nil {
		rule, reason := ruleSignedPayload, Reason("bad_signature")
		var bad *edstrict.Error
		if errors.As(err, &bad) {
			reason = Reason(bad.Reason)
			if bad.Rule.ID != "" {
				rule = bad.Rule
			}
		}
		return rule, reason, err
	}
	return finding.Rule{}, "", nil
}

// verifySigners checks every row and the uniqueness of role and key.
func (v *verification) verifySigners() {
	e := v.c.Envelope
	if refused := e.doc.Refused(); refused != nil {
		v.envelopeError(refused.Rule, Canonicalization, "envelope hash recompute failed: "+refused.Text())
		for i := range e.Signers {
			e.Signers[i].Reason = string(Canonicalization)
		}
		return
	}
	payload := e.Value.AppendCanonicalWithout(nil, "signers")
	seen := make(map[[2]string]bool, len(e.Signers))
	for i := range e.Signers {
		s := &e.Signers[i]
		pair := [2]string{s.Role, strings.ToLower(s.PublicKey)}
		if seen[pair] {
			v.envelopeError(ruleDuplicate, DuplicateSigner,
				fmt.Sprintf("duplicate signer: signers[%d] repeats role %s with key %s", i, finding.Quote(s.Role), shortText(s.PublicKey)))
		}
		seen[pair] = true
		rule, reason, err := checkSigner(e.Version, s, payload)
		if err != nil {
			s.Reason = string(reason)
			v.envelopeError(rule, reason,
				fmt.Sprintf("signers[%d] (role %s, key %s) is not valid: %v", i, finding.Quote(s.Role), shortText(s.PublicKey), err))
			continue
		}
		s.Valid = true
		s.Trusted = v.allow[s.PublicKey]
	}
}

// verifySignerSet compares the rows with the set that the manifest commits to.
func (v *verification) verifySignerSet() {
	commitment := v.c.Manifest.Value.Member("signer_commitment")
	set := &v.res.SignerSet
	set.OK = true
	if !commitment.Exists() {
		v.qualify(SignerSetUnbound)
		v.note("manifest.signer_commitment absent: the signer set is not bound by the seal")
		return
	}
	set.Bound = true
	fail := func(reason Reason, msg string) {
		set.OK = false
		set.Errors = append(set.Errors, msg)
		v.error(ruleCommitment, AreaSignerSet, reason, msg)
	}
	want, err := readCommitment(commitment)
	if err != nil {
		fail(SignerSetMismatch, err.Error())
		return
	}
	have := make(map[[2]string]bool, len(v.c.Envelope.Signers))
	for _, s := range v.c.Envelope.Signers {
		pair := [2]string{s.Role, strings.ToLower(s.PublicKey)}
		if !want[pair] && !have[pair] {
			fail(SignerSetMismatch, fmt.Sprintf("signer %s with key %s is not in manifest.signer_commitment",
				finding.Quote(s.Role), shortText(s.PublicKey)))
		}
		have[pair] = true
	}
	for _, row := range commitment.Elements() {
		pair := [2]string{row.Member("role").Str(), row.Member("public_key").Str()}
		if !have[pair] {
			fail(SignerSetMismatch, fmt.Sprintf("manifest.signer_commitment names role %s with key %s, which did not sign",
				finding.Quote(pair[0]), pair[1]))
		}
	}
}

// readCommitment holds a commitment to its closed shape and order.
func readCommitment(v jcs.Value) (map[[2]string]bool, error) {
	if v.Kind() != jcs.Array || v.Len() == 0 {
		return nil, errors.New("manifest.signer_commitment is not a non-empty array")
	}
	set := make(map[[2]string]bool, v.Len())
	var last [2]string // key, role: the order they are sorted in
	for i, row := range v.Elements() {
		role, key := row.Member("role").Str(), row.Member("public_key").Str()
		if row.Kind() != jcs.Object || row.Len() != 2 || role == "" || !chain.Hex64(key) {
			return nil, fmt.Errorf("manifest.signer_commitment[%d] is not exactly {role, public_key}", i)
		}
		this := [2]string{key, role}
		if i > 0 && (this[0] < last[0] || this[0] == last[0] && this[1] <= last[1]) {
			return nil, fmt.Errorf("manifest.signer_commitment[%d] is not sorted by public_key and role, or repeats a pair", i)
		}
		last = this
		set[[2]string{role, key}] = true
	}
	return set, nil
}

// verifyOriginator demands that the originator, who the manifest says began
// this, is among those who validly sealed it.
func (v *verification) verifyOriginator() {
	for _, s := range v.c.Envelope.Signers {
		if s.Valid && s.Role == "originator" && s.PublicKey == v.c.Manifest.OriginatorKey {
			return
		}
	}
	v.error(ruleOriginator, AreaOriginatorBinding, OriginatorNotSigned,
		"originator binding: no valid signer has role originator and the key of manifest.originator.public_key")
}

// shortText shows a key or hash from outside, cut.
func shortText(s string) string {
	if chain.Hex64(s) {
		return s
	}
	return finding.Quote(s)
}

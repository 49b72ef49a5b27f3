package capsule

import (
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"seed/finding"
	"seed/internal/edstrict"
	"seed/jcs"
)

// maxProblems bounds what a result keeps of one kind of problem: a hostile file
// can have millions.
const maxProblems = 1000

var (
	ruleVersions    = finding.Rule{ID: "CAP-VER-05", Want: "one version in manifest and envelope"}
	ruleID          = finding.Rule{ID: "CAP-MAN-02", Want: "an id derived from originator and first event"}
	ruleFirstEvent  = finding.Rule{ID: "CAP-MAN-04", Want: "one first_event_hash in manifest, envelope and chain"}
	ruleHash        = finding.Rule{ID: "CAP-ENV-01", Want: "manifest_hash over the canonical manifest"}
	ruleCipher      = finding.Rule{ID: "CAP-ENV-07", Want: "cipher, blob and blob hash that agree"}
	ruleEncryption  = finding.Rule{ID: "CAP-MAN-08", Want: "an encryption declaration that fits the envelope"}
	ruleAnchors     = finding.Rule{ID: "CAP-CHN-12", Want: "anchors equal to the first and last event"}
	ruleEmptyChain  = finding.Rule{ID: "CAP-CHN-20", Want: "null anchors over zero events, and only then"}
	ruleChainFile   = finding.Rule{ID: "CAP-LAY-03", Want: "an event log in a plain capsule"}
	ruleCrossCheck  = finding.Rule{ID: "CAP-VER-17", Want: "one identity inside and outside"}
	ruleInnerCipher = finding.Rule{ID: "CAP-ENC-09", Want: "a plain capsule inside an encrypted one"}
	ruleMetadata    = finding.Rule{ID: "CAP-ENC-08", Want: "strict decryption metadata"}
	ruleDecrypt     = finding.Rule{ID: "CAP-ENC-07", Want: "content that a recipient's key opens"}
)

// Options say how a capsule is verified. The zero value checks integrity at L2
// and evaluates no trust.
type Options struct {
	Limits Limits
	Strict bool // refuse data descriptors and an archive comment (CAP-ZIP-24)

	// Allowlist are Ed25519 keys as 64 hex digits of either case. Malformed
	// entries are dropped with a note (CAP-TRU-02).
	Allowlist []string
	// RequireTrusted makes a trusted signer a condition of OK.
	RequireTrusted bool

	// AcceptVersions and AcceptProfiles are the host's policy, nil for none. A
	// policy changes OK, never the verdict.
	AcceptVersions []string
	AcceptProfiles []string // "id/version"

	// Predecessors are files that the lineage is compared with.
	Predecessors []Source

	// Recipient opens encrypted content, so that it is verified too (L3).
	Recipient *ecdh.PrivateKey

	// Progress, if not nil, is told of bytes hashed, from several goroutines.
	Progress func(bytes int64)
}

// Source is a file that may be a capsule.
type Source struct {
	Name   string
	Reader io.ReaderAt
	Size   int64
}

// kind is what problems are counted by.
type kind struct {
	area   Area
	reason Reason
}

// verification is the state of one run over one container.
type verification struct {
	c     *Capsule
	o     *Options
	res   *Result
	allow map[string]bool

	kept      map[kind]int // problems kept
	dropped   int          // problems beyond maxProblems
	indexHash string       // recomputed
	lineage   []predecessor
	scope     string
}

// Verify judges a capsule. Every input gives a Result; the error is one of
// reading only. With Options.Recipient an encrypted capsule is verified at L3,
// and the result is that of the content, with Result.Outer beside it.
func Verify(r io.ReaderAt, size int64, o Options) (*Result, error) {
	res, _, err := VerifyOpen(r, size, o)
	return res, err
}

// VerifyOpen is Verify for a caller who goes on reading: it also returns the
// capsule that the result speaks of, nil when it could not be opened. At L3 that
// is the decrypted content. What it gives is worth reading only if the result
// says so.
func VerifyOpen(r io.ReaderAt, size int64, o Options) (*Result, *Capsule, error) {
	c, err := open(r, size, o.Limits, o.Strict)
	if err != nil {
		res, err := refusal(err, &o)
		return res, nil, err
	}
	res, err := c.verify(&o, nil)
	if err != nil {
		return nil, nil, err
	}
	if o.Recipient == nil || !c.Encrypted() {
		return res, c, nil
	}
	res, inner, _, err := c.verifyInner(res, &o)
	return res, inner, err
}

// refusal is the result for a file that did not open.
func refusal(err error, o *Options) (*Result, error) {
	var refused *RefusedError
	if !errors.As(err, &refused) {
		return nil, err
	}
	v := &verification{o: o, res: newResult()}
	v.res.Stage, v.res.Reason = "open", refused.Reason
	v.res.FormatVersion, v.res.Profile = refused.version, refused.profile
	v.res.Verdict = Invalid
	if refused.Unsupported {
		v.res.Verdict = Unsupported
		v.res.VerdictReason = &refused.Reason
	}
	v.res.Errors = append(v.res.Errors, refused.Error())
	v.res.Problems = append(v.res.Problems, refused.Problem)
	v.allowlist()
	v.policies()
	v.settle()
	return v.res, nil
}

func newResult() *Result {
	return &Result{
		Stage: "verify", Level: "L2", Verdict: Invalid,
		Qualifiers: []Qualifier{}, Errors: []string{}, Notes: []string{}, Problems: []Problem{},
		Chain:        ChainResult{Errors: []EventError{}},
		ContentIndex: IndexResult{Errors: []string{}},
		Envelope:     SignerResult{Signers: []Signer{}},
		SignerSet:    SetResult{Errors: []string{}},
		Lineage:      Lineage{Entries: []LineageEntry{}},
		SkillTrust:   SkillTrust{Skills: map[string]string{}},

		FormatVersion: unreadVersion(), Profile: unreadProfile(),
	}
}

// verify runs the steps of the verify stage in their order. outer is the sealed
// envelope around c when c is decrypted content.
func (c *Capsule) verify(o *Options, outer *Capsule) (*Result, error) {
	v := &verification{c: c, o: o, res: newResult(), scope: "outer"}
	res := v.res
	if outer != nil {
		v.scope, res.Level = "inner", "L3"
	}
	res.CapsuleID, res.SignedAt = c.Envelope.CapsuleID, c.Envelope.SignedAt
	res.FormatVersion, res.Profile = c.version, c.profile
	v.allowlist()
	files, err := c.hashFiles(o.Progress, outer == nil && c.addressed(o.Recipient))
	if err != nil {
		return refusal(err, o)
	}
	if c.Envelope.Version != c.Manifest.Version {
		v.error(ruleVersions, AreaVersion, VersionMismatch, fmt.Sprintf("envelope.version %s does not equal format.version %s",
			c.Envelope.Version, c.Manifest.Version))
		res.Envelope.Signers = c.Envelope.Signers
		v.policies()
		v.settle()
		return res, nil
	}
	c.Manifest.Participants = nil
	c.Manifest.participants(func(rule finding.Rule, reason Reason, msg string) {
		v.error(rule, AreaParticipants, reason, msg)
	})
	v.identity()
	v.verifyIndex(files)
	v.verifyBlob(files)
	v.verifyEncryption()
	v.verifyLineage()
	if err := v.verifyChain(); err != nil {
		return nil, err
	}
	res.Envelope.OK = true
	v.verifySigners()
	v.verifySignerSet()
	v.verifyOriginator()
	if outer != nil {
		v.crossCheck(outer)
	}
	v.conclude()
	return res, nil
}

// problem keeps p, up to a bound for each kind: a flood of one must not hide
// another.
func (v *verification) problem(p Problem) {
	p.Scope = v.scope
	if v.kept[kind{p.Area, p.Reason}] >= maxProblems {
		v.dropped++
		return
	}
	if v.kept == nil {
		v.kept = make(map[kind]int)
	}
	v.kept[kind{p.Area, p.Reason}]++
	v.res.Problems = append(v.res.Problems, p)
}

// error is a problem that also stands in the plain list of errors.
func (v *verification) error(rule finding.Rule, area Area, reason Reason, msg string) {
	if len(v.res.Errors) < maxProblems {
		v.res.Errors = append(v.res.Errors, msg)
	}
	v.problem(Problem{Rule: rule.ID, Area: area, Reason: reason, Message: msg})
}

func (v *verification) envelopeError(rule finding.Rule, reason Reason, msg string) {
	v.res.Envelope.OK = false
	v.error(rule, AreaEnvelope, reason, msg)
}

func (v *verification) note(msg string) { v.res.Notes = append(v.res.Notes, msg) }

func (v *verification) qualify(q Qualifier) { v.res.Qualifiers = append(v.res.Qualifiers, q) }

// allowlist normalises the keys of this run.
func (v *verification) allowlist() {
	v.allow = make(map[string]bool, len(v.o.Allowlist))
	for _, s := range v.o.Allowlist {
		key, err := hex.DecodeString(s)
		if err == nil && len(key) == 32 {
			err = edstrict.CheckKey(key)
		} else {
			err = errors.New("not 64 hex digits")
		}
		if err != nil {
			v.note("allowlist entry " + finding.Quote(s) + " dropped: " + err.Error())
			continue
		}
		v.allow[strings.ToLower(s)] = true
	}
	v.res.Trust.AllowlistSize = len(v.allow)
}

// identity checks the id, the first event and the manifest hash (CAP-VER-07 to
// -09).
func (v *verification) identity() {
	m, e := v.c.Manifest, v.c.Envelope
	id, err := DeriveID(m.Version, m.OriginatorKey, m.FirstEventHash)
	if err != nil {
		v.error(ruleID, AreaCapsuleID, CapsuleIDMismatch, err.Error())
	}
	if m.ID != id {
		v.error(ruleID, AreaCapsuleID, CapsuleIDMismatch, "manifest.id mismatch: stored "+m.ID+", expected "+id)
	}
	if e.CapsuleID != id {
		v.error(ruleID, AreaCapsuleID, CapsuleIDMismatch, "envelope.capsule_id mismatch: "+e.CapsuleID+" vs derived "+id)
	}
	if !sameAnchor(m.Value.Member("first_event_hash"), e.Value.Member("first_event_hash")) {
		v.error(ruleFirstEvent, AreaFirstEventBinding, FirstEventHashBinding, "manifest.first_event_hash mismatch: "+
			m.Value.Member("first_event_hash").Shown()+" vs envelope.first_event_hash "+e.Value.Member("first_event_hash").Shown())
	}
	if refused := m.doc.Refused(); refused != nil {
		v.error(refused.Rule, AreaManifestHash, Canonicalization, "manifest hash recompute failed: "+refused.Text())
		return
	}
	v.res.ManifestHash = hashValue(m.Value)
	if e.ManifestHash != v.res.ManifestHash {
		v.error(ruleHash, AreaManifestHash, ManifestHashMismatch,
			"envelope.manifest_hash mismatch: "+shortText(e.ManifestHash)+" vs recomputed "+v.res.ManifestHash)
	}
}

// sameAnchor compares two event hashes, null equal to null only.
func sameAnchor(a, b jcs.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	s, ok := a.Text()
	return ok && b.EqualText(s)
}

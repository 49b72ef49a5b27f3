package capsule

import (
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"seed/capsule/chain"
	"seed/capsule/crypt"
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
			spell(m.Value.Member("first_event_hash"))+" vs envelope.first_event_hash "+spell(e.Value.Member("first_event_hash")))
	}
	if refused := m.doc.Refused(); refused != nil {
		v.error(refused.Rule, AreaManifestHash, Canonicalization, "manifest hash recompute failed: "+refused.Error())
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

// verifyBlob checks cipher, blob and blob hash against one another, from the
// presence of the blob and never behind "is encrypted" (CAP-ENV-07).
func (v *verification) verifyBlob(files []hashed) {
	e := v.c.Envelope
	i := slices.IndexFunc(files, func(f hashed) bool { return f.path == blobPath })
	fail := func(reason Reason, msg string) { v.error(ruleCipher, AreaEncryptedBlob, reason, msg) }
	blobHash := e.Value.Member("encrypted_blob_hash")
	plain := e.Cipher == "none"
	if !plain && e.Cipher != crypt.Cipher {
		fail(UnsupportedCipher, "unsupported cipher: "+spell(e.Value.Member("cipher")))
	}
	switch {
	case i < 0 && !plain:
		fail(CipherWithoutBlob, "cipher is "+spell(e.Value.Member("cipher"))+" but the package has no content.enc")
	case i >= 0 && plain:
		fail(BlobWithoutCipher, "plain capsule must have cipher='none', got 'none' with a content.enc in the package")
	}
	switch {
	case i < 0 && !blobHash.IsNull():
		fail(BlobHashMismatch, "plain capsule must have envelope.encrypted_blob_hash=null")
	case i >= 0 && !blobHash.EqualText(files[i].sum):
		fail(BlobHashMismatch, "envelope.encrypted_blob_hash mismatch: "+spell(blobHash)+" vs recomputed "+files[i].sum)
	}
}

// verifyEncryption compares the manifest's declaration with the signed cipher
// (CAP-MAN-08), and looks at the metadata it points to.
func (v *verification) verifyEncryption() {
	decl := v.c.Manifest.Value.Member("encryption")
	null := decl.IsNull() || !decl.Exists()
	fail := func(area Area, reason Reason, msg string) { v.error(ruleEncryption, area, reason, msg) }
	if !v.c.Encrypted() {
		if !null {
			fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption must be null when envelope.cipher is 'none'")
		}
		return
	}
	switch {
	case null:
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption is null but envelope.cipher is "+spell(v.c.Envelope.Value.Member("cipher")))
		return
	case decl.Kind() != jcs.Object:
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption is not an object")
		return
	case !decl.Member("cipher").EqualText(v.c.Envelope.Cipher):
		fail(AreaEncryptionShape, EncryptionShape, "manifest.encryption.cipher "+spell(decl.Member("cipher"))+" does not equal envelope.cipher")
	}
	path := decl.Member("metadata_path").Str()
	listed := slices.ContainsFunc(v.c.Manifest.Files, func(f IndexEntry) bool { return f.Path == path })
	switch {
	case path == "":
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path is not a non-empty string")
	case !v.c.Has(path):
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path "+finding.Quote(path)+" is not in the package")
	case !listed:
		fail(AreaEncryptionMetadata, EncryptionMetadataPath, "manifest.encryption.metadata_path "+finding.Quote(path)+" is not in the content index")
	default:
		v.metadata()
	}
}

// metadata holds the decryption metadata to its strict shape and reports what a
// reader should know of it (CAP-ENC-08).
func (v *verification) metadata() {
	m, err := v.c.Recipients()
	if err != nil {
		rule := ruleMetadata
		var broken *finding.Error
		if errors.As(err, &broken) {
			rule = broken.Rule
		}
		v.error(rule, AreaEncryptionMetadata, EncryptionMetadataPath, "decryption metadata: "+err.Error())
		return
	}
	if len(m.Bundles) == 0 {
		v.qualify(NobodyCanOpen)
		v.note("nobody can open this: key_bundles is empty")
	}
	if len(m.Unknown) > 0 {
		v.qualify(UnknownDecryptionMembers)
		v.note("decryption metadata has unknown members: " + finding.Quote(strings.Join(m.Unknown, ", ")))
	}
}

// verifyChain walks the events and checks the anchors, or defers both to L3
// when the signed cipher says that they are inside the blob (CAP-VER-14).
func (v *verification) verifyChain() error {
	res := &v.res.Chain
	res.OK = true
	if v.c.Encrypted() && v.c.Has(blobPath) {
		res.Note = "deferred to L3 (encrypted outer)"
		return nil
	}
	if !v.c.Has(chain.Path) {
		v.chainError(ruleChainFile, MissingChain, 0, "chain/events.jsonl is missing from a plain capsule")
		return nil
	}
	o := chain.Options{}
	if len(v.c.Manifest.Participants) > 0 {
		v.res.ActorSet.Bound = true
		o.Actors = make(map[string]bool, len(v.c.Manifest.Participants))
		for _, id := range v.c.Manifest.Participants {
			o.Actors[id] = true
		}
	}
	walk, err := chain.Walk(v.c.File(chain.Path), o)
	if err != nil {
		return err
	}
	res.Events = walk.Events
	for _, p := range walk.Problems {
		v.chainError(p.Rule, Reason(p.Reason), p.Seq, p.Message)
	}
	if walk.More > 0 {
		v.chainError(ruleChainFile, Reason("more_problems"), walk.Events, fmt.Sprintf("and %d more problems in the chain", walk.More))
	}
	v.anchors(walk)
	return nil
}

// chainError is a problem of the chain; seq 0 means the chain as a whole.
func (v *verification) chainError(rule finding.Rule, reason Reason, seq int, msg string) {
	v.res.Chain.OK = false
	v.res.Chain.Errors = append(v.res.Chain.Errors, EventError{Seq: seq, Message: msg})
	v.problem(Problem{Rule: rule.ID, Area: AreaChain, Reason: reason, Message: msg, Seq: seq, Path: chain.Path})
}

// anchors ties the chain to the envelope and the manifest (CAP-CHN-12, -20).
func (v *verification) anchors(walk *chain.Result) {
	e := v.c.Envelope.Value
	named := [...]struct {
		name  string
		value jcs.Value
		want  string
	}{
		{"manifest.first_event_hash", v.c.Manifest.Value.Member("first_event_hash"), walk.First},
		{"envelope.first_event_hash", e.Member("first_event_hash"), walk.First},
		{"envelope.entry_hash", e.Member("entry_hash"), walk.Last},
	}
	fail := func(rule finding.Rule, reason Reason, msg string) {
		v.res.Chain.OK = false
		v.error(rule, AreaChainAnchor, reason, msg)
	}
	for _, a := range named {
		switch {
		case walk.Events == 0 && !a.value.IsNull():
			fail(ruleEmptyChain, EmptyChainWithAnchors, a.name+" must be null when the chain has no events, got "+spell(a.value))
		case walk.Events > 0 && a.value.IsNull():
			fail(ruleEmptyChain, NullAnchorOverEvents, a.name+" is null but the chain has events")
		case walk.Events > 0 && (a.want == "" || !a.value.EqualText(a.want)):
			fail(ruleAnchors, AnchorMismatch, a.name+" mismatch: "+spell(a.value)+" vs "+shortText(a.want))
		}
	}
	if walk.Events == 0 && v.res.Chain.OK {
		v.res.Chain.Note = "empty chain: no events to walk; envelope anchors checked to be null instead"
		v.qualify(EmptyChainNotWalked)
	}
}

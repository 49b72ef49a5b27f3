package build

import (
	"errors"
	"fmt"
	"io"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/finding"
	"seed/jcs"
)

var (
	ruleRewrap   = finding.Rule{ID: "CAP-RWP-01", Want: "a predecessor that verifies"}
	ruleContinue = finding.Rule{ID: "CAP-BLD-06", Want: "a line continued with the key that began it"}
)

// Actor is the actor that a participant declares, "" when it declares none.
func (p Participant) Actor() string {
	if p.Raw == nil {
		return p.ActorID
	}
	doc, err := jcs.Parse(p.Raw)
	if err != nil {
		return ""
	}
	v := doc.Root()
	if v.Kind() == jcs.Object {
		v = v.Member("actor_id")
	}
	return v.Str()
}

// Carry returns the content files of a plain capsule but the chain, byte for
// byte. They read from c, which must stay open until the draft is written.
func Carry(c *capsule.Capsule) []File {
	var files []File
	for _, e := range c.Entries() {
		switch e.Path {
		case "manifest.json", "provenance/envelope.json", "content.enc", chain.Path:
			continue
		}
		files = append(files, fileOf(c, e))
	}
	return files
}

func fileOf(c *capsule.Capsule, e capsule.Entry) File {
	return File{Path: e.Path, Size: e.Size, Carried: true, Open: func() (io.ReadCloser, error) {
		r := c.File(e.Path)
		if r == nil {
			return nil, fmt.Errorf("the capsule has no %s", finding.Quote(e.Path))
		}
		return io.NopCloser(r), nil
	}}
}

// Events returns the chain of a plain capsule as a file.
func Events(c *capsule.Capsule) File {
	for _, e := range c.Entries() {
		if e.Path == chain.Path {
			return fileOf(c, e)
		}
	}
	return File{}
}

// Participants returns what a manifest declares, entry by entry as it stands.
func Participants(m *capsule.Manifest) []Participant {
	var all []Participant
	for _, p := range m.Value.Member("participants").Elements() {
		all = append(all, Participant{Raw: p.AppendCompact(nil)})
	}
	return all
}

// Extensions returns the x- members of a manifest.
func Extensions(m *capsule.Manifest) []chain.Member {
	var all []chain.Member
	for name, v := range m.Value.Members() {
		if chain.ExtensionName(name) {
			all = append(all, chain.Member{Name: name, Value: v.AppendCompact(nil)})
		}
	}
	return all
}

// Lineage returns the predecessors that a manifest of 0.7 declares. The capsule
// must have been verified.
func Lineage(m *capsule.Manifest) []Predecessor {
	if m.Version == capsule.Version06 {
		return nil
	}
	return ReadPredecessors(m.Value.Member("predecessors"))
}

// ReadPredecessors reads what [PredecessorsJSON] wrote.
func ReadPredecessors(v jcs.Value) []Predecessor {
	var all []Predecessor
	for _, p := range v.Elements() {
		all = append(all, Predecessor{
			CapsuleID: p.Member("capsule_id").Str(), FormatVersion: p.Member("format_version").Str(),
			OriginatorKey: p.Member("originator_public_key").Str(), FirstEventHash: p.Member("first_event_hash").Str(),
			EntryHash: p.Member("entry_hash").Str(), ManifestHash: p.Member("manifest_hash").Str(), Raw: p.AppendCompact(nil),
		})
	}
	return all
}

// Resume returns a draft that goes on from a verified plain capsule under the
// same identity: same version, participants, claims, files and events. The
// caller adds events, signers and the time of sealing; [Continue] holds the
// signers to the identity.
func Resume(c *capsule.Capsule, res *capsule.Result) (Draft, error) {
	if err := usable(c, res); err != nil {
		return Draft{}, err
	}
	m := c.Manifest
	return Draft{
		Version: m.Version, Label: m.Label, CreatedAt: m.CreatedAt, Participants: Participants(m), Extra: Extensions(m),
		Predecessors: Lineage(m), Files: Carry(c), Chain: Events(c), NoCommitment: !m.Value.Member("signer_commitment").Exists(),
		Template:  m.FirstEventHash == "",
		Continues: line(c, res),
	}, nil
}

// line is what a continuation is held to; nil for a template, with which no line
// has begun.
func line(c *capsule.Capsule, res *capsule.Result) *Line {
	if res.Chain.Events == 0 {
		return nil
	}
	return &Line{CapsuleID: res.CapsuleID, Events: res.Chain.Events, EntryHash: c.Envelope.EntryHash}
}

// Continues refuses a draft whose originator is not the key that began the line
// (CAP-BLD-06): taking it over under another key is a rewrap.
func Continues(d *Draft, originatorKey string) error {
	if got := d.Originator(); got != originatorKey {
		return ruleContinue.Errorf(finding.Place{}, "the line was begun by key %s, not by %s", originatorKey, got).
			WithHint("to take custody under another key, use rewrap")
	}
	return nil
}

// usable refuses a capsule that nothing may be built on.
func usable(c *capsule.Capsule, res *capsule.Result) error {
	switch {
	case c != nil && c.Encrypted(): // whether or not it verifies: there is no content to carry
		return ErrEncrypted
	case c == nil || res == nil || res.Verdict != capsule.Valid:
		return ruleRewrap.Errorf(finding.Place{}, "the capsule does not verify")
	}
	return nil
}

// ErrEncrypted is returned where content is needed and the capsule at hand is an
// encrypted outer one.
var ErrEncrypted = errors.New("the capsule is encrypted: open it with a recipient's key first")

// Describe derives the lineage entry of a capsule from its bytes: id and
// manifest hash are recomputed, never copied (CAP-RWP-01).
func Describe(c *capsule.Capsule) (Predecessor, error) {
	m, e := c.Manifest, c.Envelope
	id, err := capsule.DeriveID(m.Version, m.OriginatorKey, m.FirstEventHash)
	if err != nil {
		return Predecessor{}, err
	}
	doc, err := jcs.ParseStrict(m.Value.Raw())
	if err != nil {
		return Predecessor{}, err
	}
	return Predecessor{
		CapsuleID: id, FormatVersion: m.Version, OriginatorKey: m.OriginatorKey,
		FirstEventHash: m.FirstEventHash, EntryHash: e.EntryHash, ManifestHash: sum(doc.Root().AppendCanonical(nil)),
	}, nil
}

// Takeover are the choices of a rewrap.
type Takeover struct {
	Label        string
	Participants []Participant
	CreatedAt    string
	SignedAt     string
	Actor        string // of the opening event, "" means system:host
	NoEvent      bool   // do not record the custody as an event
}

// Rewrap returns a draft that continues somebody else's capsule under an own
// key: content byte for byte, a new chain, new claims, and the predecessor in
// the lineage. The output is of version 0.7, which has one. An invalid
// predecessor is refused unless allowInvalid.
func Rewrap(c *capsule.Capsule, res *capsule.Result, t Takeover, allowInvalid bool) (Draft, error) {
	if c == nil {
		return Draft{}, ruleRewrap.Errorf(finding.Place{}, "the predecessor cannot be read")
	}
	if err := usable(c, res); err != nil && !(allowInvalid && !errors.Is(err, ErrEncrypted)) {
		return Draft{}, err
	}
	before, err := Describe(c)
	if err != nil {
		return Draft{}, err
	}
	d := Draft{
		Version: capsule.Version07, Label: t.Label, Participants: t.Participants, CreatedAt: t.CreatedAt, SignedAt: t.SignedAt,
		Files: Carry(c), Predecessors: []Predecessor{before}, Template: true,
	}
	if t.NoEvent {
		return d, nil
	}
	if t.Actor == "" {
		t.Actor = chain.HostActor
	}
	log := chain.Log{Actors: Actors(t.Participants)}
	line, err := log.Append(chain.Draft{
		Actor: t.Actor, Action: "custody_received", Target: "capsule:" + before.CapsuleID, Timestamp: t.CreatedAt,
		Payload: []byte(`{"note":"Custody received. The predecessor is declared in the lineage; it did not countersign."}`),
	})
	if err != nil {
		return Draft{}, err
	}
	d.Chain = Bytes(chain.Path, line)
	return d, nil
}

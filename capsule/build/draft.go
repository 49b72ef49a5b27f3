package build

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"io"
	"strings"
	"unicode/utf8"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/pathrule"
	"seed/jcs"
)

var (
	ruleSeal      = finding.Rule{ID: "CAP-BLD-03", Want: "an originator who signs, distinct signers, matching keys, good timestamps"}
	ruleLabel     = finding.Rule{ID: "CAP-JSON-07", Want: "values inside the I-JSON boundary when they are handed in"}
	ruleVersion   = finding.Rule{ID: "CAP-VSN-02", Want: "a version that can be written"}
	ruleExecution = finding.Rule{ID: "CAP-MAN-12", Want: "no execution metadata in a manifest"}
	ruleExtension = finding.Rule{ID: "CAP-MAN-11", Want: "further members named x-<vendor>-<name>"}
	ruleActor     = finding.Rule{ID: "CAP-MAN-07", Want: "actors in one of the four namespaces"}
	ruleSkill     = finding.Rule{ID: "CAP-LAY-06", Want: "skill ids of letters, digits, _ and -"}
	ruleLayout    = finding.Rule{ID: "CAP-LAY-01", Want: "content files beside the structural ones"}
	ruleNoDecrypt = finding.Rule{ID: "CAP-LAY-08", Want: "no instructions for decryption"}
	ruleLineage   = finding.Rule{ID: "CAP-LIN-03", Want: "lineage in 0.7 only"}
)

// DefaultProgram stands in for a program that was not given.
const DefaultProgram = "# Program\n"

// Signer is a role and the key that signs in it.
type Signer struct {
	Role string
	Key  ed25519.PrivateKey
}

// Participant is a declared actor. Raw, if not nil, is the entry as JSON and is
// kept as it is; otherwise the three members are written.
type Participant struct {
	ActorID, Role, Label string
	Raw                  []byte
}

// File is one content file. Its size must be exact. Open is called once; for the
// chain a second time, to walk it.
type File struct {
	Path string
	Size int64
	Open func() (io.ReadCloser, error)
	// Carried marks a file taken from another capsule byte for byte: the names
	// that writers may choose do not bind it.
	Carried bool
}

// Bytes is a file that is in memory.
func Bytes(path string, data []byte) File {
	return File{Path: path, Size: int64(len(data)), Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(data)), nil
	}}
}

// Text is Bytes for a string.
func Text(path, text string) File { return Bytes(path, []byte(text)) }

// Draft is everything that goes into a capsule.
type Draft struct {
	Version      string // "" means 0.6
	Label        string // of the originator, who is the signer of that role
	Participants []Participant
	CreatedAt    string // "" means SignedAt
	SignedAt     string
	Files        []File // content but the chain; program.md is added when missing
	Chain        File   // chain/events.jsonl; the zero value means no events
	Signers      []Signer

	// Template permits an empty chain. Without it a draft that has no events
	// gets the one that says so (CAP-CHN-11).
	Template bool
	// NoCommitment leaves the signer set unbound, as older writers do.
	NoCommitment bool
	// Continues, if not nil, is the sealed line that the draft goes on from: the
	// result must have its identity and hold its events in their place.
	Continues *Line
	// Predecessors is the lineage, for version 0.7 only.
	Predecessors []Predecessor
	// Extra are further manifest members named x-<vendor>-<name>.
	Extra []chain.Member

	// Recipients are X25519 keys; with any, the capsule is encrypted, and Rand
	// gives the keys and nonces.
	Recipients [][32]byte
	Rand       io.Reader
	// MinimalOuter leaves label and participants out of the readable outer
	// manifest.
	MinimalOuter bool

	// Reviewed, if not nil, is called when every file was read, before the capsule
	// is complete: what was written until then is none. An error ends the sealing.
	Reviewed func() error
	// Progress, if not nil, is told of bytes as they are read.
	Progress func(bytes int64)
}

// Line is a sealed capsule as far as a continuation is held to it.
type Line struct {
	CapsuleID string
	Events    int
	EntryHash string // of the last event, "" when there are none
}

// Predecessor is a capsule that this one goes on from. Derive it with
// [Describe], never copy it.
type Predecessor struct {
	CapsuleID, FormatVersion, OriginatorKey, FirstEventHash, EntryHash, ManifestHash string // event hashes "" for null

	// Raw, if not nil, is the entry as JSON and is kept as it is, x- members
	// included.
	Raw []byte
}

// Originator returns the public key of the signer of role originator in hex, ""
// when there is none.
func (d *Draft) Originator() string {
	for _, s := range d.Signers {
		if s.Role == "originator" && len(s.Key) == ed25519.PrivateKeySize {
			return publicHex(s.Key)
		}
	}
	return ""
}

func publicHex(k ed25519.PrivateKey) string { return hex.EncodeToString(k[ed25519.SeedSize:]) }

// check refuses what can be refused before anything is read.
func (d *Draft) check() error {
	at := finding.Place{}
	if d.Version != capsule.Version06 && d.Version != capsule.Version07 {
		return ruleVersion.Errorf(at, "version %s cannot be written", finding.Quote(d.Version))
	}
	for _, t := range []struct{ name, value string }{{"created_at", d.CreatedAt}, {"signed_at", d.SignedAt}} {
		if t.value == "" && t.name == "created_at" {
			continue // only of a capsule that is encrypted as it is: prepare fills it in
		}
		if !chain.Timestamp(t.value) {
			return ruleSeal.Errorf(at, "%s %s is not of the form 2026-01-31T12:00:00Z", t.name, finding.Quote(t.value))
		}
	}
	if len(d.Predecessors) > 0 && d.Version == capsule.Version06 {
		return ruleLineage.Errorf(at, "version 0.6 has no lineage").WithHint("write version 0.7")
	}
	if !utf8.ValidString(d.Label) {
		return ruleLabel.Errorf(at, "label %s is not UTF-8", finding.Quote(d.Label))
	}
	for i, p := range d.Participants {
		if p.Raw == nil && (!capsule.ActorID(p.ActorID) || !utf8.ValidString(p.ActorID+p.Role+p.Label)) {
			return ruleActor.Errorf(at, "participants[%d].actor_id %s does not match an allowed namespace (human:, ai:, system:, capsule:)", i, finding.Quote(p.ActorID))
		}
	}
	if err := d.checkSigners(); err != nil {
		return err
	}
	if err := d.checkExtra(); err != nil {
		return err
	}
	return d.checkFiles()
}

func (d *Draft) checkSigners() error {
	at := finding.Place{}
	if d.Originator() == "" {
		return ruleSeal.Errorf(at, "no signer has the role originator").WithHint("the key that begins a capsule signs it: Signer{Role: \"originator\"}")
	}
	seen := make(map[[2]string]bool)
	for i, s := range d.Signers {
		switch {
		case s.Role == "" || strings.ContainsRune(s.Role, 0):
			return ruleSeal.Errorf(at, "signer %d has no usable role", i+1)
		case len(s.Key) != ed25519.PrivateKeySize || !ed25519.NewKeyFromSeed(s.Key.Seed()).Equal(s.Key):
			return ruleSeal.Errorf(at, "the private key of signer %d (role %s) does not match its public key", i+1, finding.Quote(s.Role))
		}
		pair := [2]string{s.Role, publicHex(s.Key)}
		if seen[pair] {
			return ruleSeal.Errorf(at, "duplicate signer: role %s with key %s", finding.Quote(s.Role), pair[1])
		}
		seen[pair] = true
		if s.Role == "originator" && publicHex(s.Key) != d.Originator() {
			return ruleSeal.Errorf(at, "two different keys sign as originator")
		}
	}
	return nil
}

func (d *Draft) checkExtra() error {
	for i, m := range d.Extra {
		at := finding.Place{Name: "manifest.json"}
		switch m.Name {
		case "runtime", "entrypoint", "command", "tool_id":
			return ruleExecution.Errorf(at, "member %s is execution metadata", m.Name)
		}
		if !chain.ExtensionName(m.Name) {
			return ruleExtension.Errorf(at, "member %s is not named x-<vendor>-<name>", finding.Quote(m.Name))
		}
		for _, o := range d.Extra[:i] {
			if o.Name == m.Name {
				return ruleExtension.Errorf(at, "member %s stands twice", finding.Quote(m.Name))
			}
		}
		if _, err := jcs.ParseStrict(m.Value); err != nil {
			return ruleExtension.Errorf(at, "member %s: %w", finding.Quote(m.Name), err)
		}
	}
	return nil
}

func (d *Draft) checkFiles() error {
	for _, f := range d.Files {
		at := finding.Place{Name: f.Path}
		switch f.Path {
		case "manifest.json", "provenance/envelope.json", "content.enc", chain.Path:
			return ruleLayout.Errorf(at, "this name is the format's own")
		}
		if f.Carried {
			continue
		}
		if err := pathrule.Check(f.Path); err != nil {
			return ruleLayout.Errorf(at, "%w", err)
		}
		rest, isSkill := strings.CutPrefix(f.Path, "skills/")
		if !isSkill {
			continue
		}
		id, _, _ := strings.Cut(rest, "/")
		switch {
		case id == "decryption":
			return ruleNoDecrypt.Errorf(at, "the skill id decryption is reserved")
		case !SkillID(id) || id == rest:
			return ruleSkill.Errorf(at, "skill files are skills/<id>/… with an id of letters, digits, _ and -")
		}
	}
	return nil
}

// SkillID reports whether a writer may use id for a skill.
func SkillID(id string) bool {
	if id == "" || id == "decryption" {
		return false
	}
	for i := range len(id) {
		if c := id[i]; (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

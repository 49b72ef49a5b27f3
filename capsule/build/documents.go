package build

import (
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"seed/capsule"
	"seed/capsule/crypt"
	"seed/jcs"
)

// seal is one archive being sealed: the plain capsule, or the outer one around
// its ciphertext.
type seal struct {
	d     *Draft
	index []capsule.IndexEntry // sorted
	first string               // anchors, "" for null
	entry string
	blob  string // hash of content.enc, "" when plain
}

func (s *seal) cipher() string {
	if s.blob == "" {
		return "none"
	}
	return crypt.Cipher
}

// documents makes the manifest and the envelope. id is that of the capsule.
func (s *seal) documents() (manifest, envelope []byte, id string, err error) {
	id, err = capsule.DeriveID(s.d.Version, s.d.Originator(), s.first)
	if err != nil {
		return nil, nil, "", err
	}
	indexed := capsule.AppendIndex(nil, s.index)
	indexHash := sum(indexed)
	if manifest, err = s.manifest(id, indexed, indexHash); err != nil {
		return nil, nil, "", err
	}
	envelope, err = s.envelope(id, sum(manifest), indexHash)
	return manifest, envelope, id, err
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// manifest writes the canonical form, of which the file consists (spec §5).
func (s *seal) manifest(id string, indexed []byte, indexHash string) ([]byte, error) {
	d := s.d
	outer := s.blob != ""
	o := jcs.Composer{}
	format := jcs.Composer{}
	format.Text("version", d.Version)
	format.Text("container", "zip")
	format.Text("canonicalization", "JCS-RFC8785")
	format.Text("hash_algorithm", "SHA-256")
	o.Raw("format", format.Bytes())
	o.Text("id", id)
	originator := jcs.Composer{}
	originator.Text("public_key", d.Originator())
	hide := outer && d.MinimalOuter
	if !hide {
		originator.Text("label", d.Label)
	}
	o.Raw("originator", originator.Bytes())
	participants := []byte("[]")
	if !hide {
		participants = jcs.List(len(d.Participants), func(i int) []byte { return d.Participants[i].JSON() })
	}
	o.Raw("participants", participants)
	hash(&o, "first_event_hash", s.first)
	index := jcs.Composer{}
	index.Raw("files", indexed)
	index.Text("index_hash", indexHash)
	o.Raw("content_index", index.Bytes())
	if d.Version == capsule.Version06 {
		o.Raw("skill_trust", s.skillTrust())
	}
	if !d.NoCommitment {
		o.Raw("signer_commitment", commitment(d.Signers))
	}
	if outer {
		enc := jcs.Composer{}
		enc.Text("cipher", crypt.Cipher)
		enc.Text("metadata_path", crypt.MetadataPath)
		o.Raw("encryption", enc.Bytes())
	} else {
		o.Raw("encryption", []byte("null"))
	}
	if d.CreatedAt != "" { // may be absent in a capsule that is encrypted as it is
		o.Text("created_at", d.CreatedAt)
	}
	if len(d.Predecessors) > 0 {
		o.Raw("predecessors", PredecessorsJSON(d.Predecessors))
	}
	if !outer {
		for _, m := range d.Extra {
			o.Raw(m.Name, m.Value)
		}
	}
	return jcs.Canonical(o.Bytes())
}

// skillTrust is written for readers of the first generation and never read by
// us (CAP-MAN-09).
func (s *seal) skillTrust() []byte {
	o := jcs.Composer{}
	if s.blob != "" {
		return o.Bytes()
	}
	tiers := make(map[string]string)
	var ids []string
	for _, e := range s.index {
		rest, ok := strings.CutPrefix(e.Path, "skills/")
		id, file, cut := strings.Cut(rest, "/")
		if !ok || !cut || id == "decryption" || file != "skill.json" && file != "SKILL.md" {
			continue
		}
		if tiers[id] == "" {
			ids = append(ids, id)
			tiers[id] = "unsigned"
		}
		if file == "skill.json" {
			tiers[id] = "signed"
		}
	}
	for _, id := range ids {
		o.Text(id, tiers[id])
	}
	return o.Bytes()
}

// commitment is the set of signers that the manifest binds, sorted by key and
// role.
func commitment(signers []Signer) []byte {
	sorted := slices.Clone(signers)
	slices.SortFunc(sorted, func(a, b Signer) int {
		return cmp.Or(strings.Compare(publicHex(a.Key), publicHex(b.Key)), strings.Compare(a.Role, b.Role))
	})
	return jcs.List(len(sorted), func(i int) []byte {
		o := jcs.Composer{}
		o.Text("role", sorted[i].Role)
		o.Text("public_key", publicHex(sorted[i].Key))
		return o.Bytes()
	})
}

// envelope writes the signed document as the reference lays it out.
func (s *seal) envelope(id, manifestHash, indexHash string) ([]byte, error) {
	o := jcs.Composer{}
	o.Text("version", s.d.Version)
	o.Text("capsule_id", id)
	hash(&o, "first_event_hash", s.first)
	hash(&o, "entry_hash", s.entry)
	o.Text("manifest_hash", manifestHash)
	o.Text("content_index_hash", indexHash)
	hash(&o, "encrypted_blob_hash", s.blob)
	o.Text("cipher", s.cipher())
	o.Text("signed_at", s.d.SignedAt)
	payload, err := jcs.Canonical(o.Bytes())
	if err != nil {
		return nil, err
	}
	o.Raw("signers", jcs.List(len(s.d.Signers), func(i int) []byte {
		row, signer := jcs.Composer{}, s.d.Signers[i]
		row.Text("role", signer.Role)
		row.Text("public_key", publicHex(signer.Key))
		row.Text("signature", hex.EncodeToString(ed25519.Sign(signer.Key, capsule.SigningInput(s.d.Version, signer.Role, payload))))
		return row.Bytes()
	}))
	doc, err := jcs.ParseStrict(o.Bytes())
	if err != nil {
		return nil, err
	}
	return doc.Root().AppendIndent(nil, "  "), nil
}

// JSON is the participant as the manifest has it.
func (p Participant) JSON() []byte {
	if p.Raw != nil {
		return p.Raw
	}
	o := jcs.Composer{}
	o.Text("actor_id", p.ActorID)
	if p.Role != "" {
		o.Text("role", p.Role)
	}
	if p.Label != "" {
		o.Text("label", p.Label)
	}
	return o.Bytes()
}

// PredecessorsJSON is a lineage as the manifest has it.
func PredecessorsJSON(all []Predecessor) []byte {
	return jcs.List(len(all), func(i int) []byte {
		p, o := all[i], jcs.Composer{}
		if p.Raw != nil {
			return p.Raw
		}
		o.Text("capsule_id", p.CapsuleID)
		o.Text("format_version", p.FormatVersion)
		o.Text("originator_public_key", p.OriginatorKey)
		hash(&o, "first_event_hash", p.FirstEventHash)
		hash(&o, "entry_hash", p.EntryHash)
		o.Text("manifest_hash", p.ManifestHash)
		return o.Bytes()
	})
}

// hash adds a hash, or null for none.
func hash(o *jcs.Composer, name, value string) {
	if value == "" {
		o.Raw(name, []byte("null"))
		return
	}
	o.Text(name, value)
}

package workfolder

import (
	"fmt"
	"slices"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/pathrule"
	"seed/jcs"
)

// StateFile is the file that makes a folder a working folder.
const StateFile = "capsule.json"

// stateFormat names the layout of the state file.
const stateFormat = "seed-workfolder-1"

// State is what capsule.json holds: the claims that go into the manifest, and
// where the folder came from.
type State struct {
	Label        string
	CreatedAt    string
	Participants []build.Participant
	Extra        []chain.Member // x- members of the manifest
	Files        []string       // content beside the usual places
	Pith         string         // normaliser for the prose of new events: "", newer or july
	Origin       *Origin        // nil for a new line
}

// Origin is the capsule that a folder was opened from.
type Origin struct {
	Version       string
	OriginatorKey string
	CapsuleID     string
	ManifestHash  string
	EntryHash     string // "" when it had no events
	Events        int
	Encrypted     bool // it came out of an encrypted one
	Signers       []OriginSigner
	Predecessors  []build.Predecessor
}

// OriginSigner is somebody who sealed the capsule that a folder was opened from.
type OriginSigner struct{ Role, PublicKey string }

// marshal writes the state for people to edit: indented, members in a fixed
// order.
func (s *State) marshal() ([]byte, error) {
	w := jcs.Composer{}
	w.Text("format", stateFormat)
	w.Text("label", s.Label)
	w.Text("created_at", s.CreatedAt)
	w.Raw("participants", jcs.List(len(s.Participants), func(i int) []byte { return s.Participants[i].JSON() }))
	if s.Pith != "" {
		w.Text("pith", s.Pith)
	}
	if len(s.Files) > 0 {
		w.Raw("files", jcs.List(len(s.Files), func(i int) []byte { return jcs.AppendString(nil, s.Files[i]) }))
	}
	if len(s.Extra) > 0 {
		x := jcs.Composer{}
		for _, m := range s.Extra {
			x.Raw(m.Name, m.Value)
		}
		w.Raw("extensions", x.Bytes())
	}
	if o := s.Origin; o != nil {
		x := jcs.Composer{}
		x.Text("version", o.Version)
		x.Text("originator_public_key", o.OriginatorKey)
		x.Text("capsule_id", o.CapsuleID)
		x.Text("manifest_hash", o.ManifestHash)
		x.Text("entry_hash", o.EntryHash)
		x.Raw("events", fmt.Appendf(nil, "%d", o.Events))
		x.Raw("encrypted", fmt.Appendf(nil, "%t", o.Encrypted))
		x.Raw("signers", jcs.List(len(o.Signers), func(i int) []byte {
			row := jcs.Composer{}
			row.Text("role", o.Signers[i].Role)
			row.Text("public_key", o.Signers[i].PublicKey)
			return row.Bytes()
		}))
		if len(o.Predecessors) > 0 {
			x.Raw("predecessors", build.PredecessorsJSON(o.Predecessors))
		}
		w.Raw("opened_from", x.Bytes())
	}
	doc, err := jcs.ParseStrict(w.Bytes())
	if err != nil {
		return nil, err
	}
	return append(doc.Root().AppendIndent(nil, "  "), '\n'), nil
}

// parseState reads capsule.json strictly: a member that is not known is more
// likely a typing mistake than a wish to be ignored.
func parseState(name string, data []byte) (*State, error) {
	doc, err := jcs.ParseStrict(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	root := doc.Root()
	if !root.Member("format").EqualText(stateFormat) {
		return nil, fmt.Errorf("%s: not the state of a capsule's working folder", name)
	}
	if err := known(name, root, "format", "label", "created_at", "participants", "pith", "files", "extensions", "opened_from"); err != nil {
		return nil, err
	}
	for member, kind := range map[string]jcs.Kind{
		"label": jcs.String, "created_at": jcs.String, "pith": jcs.String, "participants": jcs.Array, "files": jcs.Array,
		"extensions": jcs.Object, "opened_from": jcs.Object,
	} {
		if err := typed(name, root, member, kind); err != nil {
			return nil, err
		}
	}
	s := &State{Label: root.Member("label").Str(), CreatedAt: root.Member("created_at").Str(), Pith: root.Member("pith").Str()}
	for i, p := range root.Member("participants").Elements() {
		part := build.Participant{Raw: p.AppendCompact(nil)}
		if !capsule.ActorID(part.Actor()) {
			line, col := p.Pos()
			return nil, fmt.Errorf("%s:%d:%d: participants[%d] has no actor_id such as human:ana (namespaces: human, ai, system, capsule)", name, line, col, i)
		}
		s.Participants = append(s.Participants, part)
	}
	for _, f := range root.Member("files").Elements() {
		if err := pathrule.Check(f.Str()); err != nil {
			return nil, fmt.Errorf("%s: files: %s: %w", name, finding.Quote(f.Str()), err)
		}
		if f.Str() == StateFile || standard(f.Str()) {
			return nil, fmt.Errorf("%s: files: %s need not and cannot be listed", name, finding.Quote(f.Str()))
		}
		s.Files = append(s.Files, f.Str())
	}
	for name, v := range root.Member("extensions").Members() {
		s.Extra = append(s.Extra, chain.Member{Name: name, Value: v.AppendCompact(nil)})
	}
	if from := root.Member("opened_from"); from.Exists() {
		origin, err := parseOrigin(name, from)
		if err != nil {
			return nil, err
		}
		s.Origin = origin
	}
	return s, nil
}

// parseOrigin reads where a folder came from. What guards history hangs on it, so
// a member of another kind is an error and not the same as none.
func parseOrigin(name string, from jcs.Value) (*Origin, error) {
	if err := known(name, from, "version", "originator_public_key", "capsule_id", "manifest_hash", "entry_hash", "events",
		"encrypted", "signers", "predecessors"); err != nil {
		return nil, err
	}
	for member, kind := range map[string]jcs.Kind{
		"version": jcs.String, "originator_public_key": jcs.String, "capsule_id": jcs.String, "manifest_hash": jcs.String,
		"entry_hash": jcs.String, "events": jcs.Number, "encrypted": jcs.Bool, "signers": jcs.Array, "predecessors": jcs.Array,
	} {
		if !from.Member(member).Exists() && member != "predecessors" {
			return nil, fmt.Errorf("%s: opened_from has no %s", name, member)
		}
		if err := typed(name, from, member, kind); err != nil {
			return nil, err
		}
	}
	n, ok := from.Member("events").Int()
	encrypted, _ := from.Member("encrypted").Bool()
	o := &Origin{
		Version: from.Member("version").Str(), OriginatorKey: from.Member("originator_public_key").Str(),
		CapsuleID: from.Member("capsule_id").Str(), ManifestHash: from.Member("manifest_hash").Str(),
		EntryHash: from.Member("entry_hash").Str(), Events: int(n), Encrypted: encrypted,
		Predecessors: build.ReadPredecessors(from.Member("predecessors")),
	}
	for _, row := range from.Member("signers").Elements() {
		o.Signers = append(o.Signers, OriginSigner{row.Member("role").Str(), row.Member("public_key").Str()})
	}
	if !ok || n < 0 || (n == 0) != (o.EntryHash == "") {
		return nil, fmt.Errorf("%s: opened_from counts %s events, which does not fit its entry_hash", name, from.Member("events").Shown())
	}
	return o, nil
}

// typed demands that a member, if it is there, is of one kind.
func typed(name string, v jcs.Value, member string, kind jcs.Kind) error {
	at := v.Member(member)
	if !at.Exists() || at.Kind() == kind {
		return nil
	}
	line, col := at.Pos()
	return fmt.Errorf("%s:%d:%d: %s is not of the kind %s", name, line, col, member, kind)
}

func known(name string, v jcs.Value, names ...string) error {
	for member, at := range v.Members() {
		if !slices.Contains(names, member) {
			line, col := at.Pos()
			return fmt.Errorf("%s:%d:%d: unknown member %s", name, line, col, finding.Quote(member))
		}
	}
	return nil
}

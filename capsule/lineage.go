package capsule

import (
	"fmt"

	"seed/capsule/chain"
	"seed/finding"
	"seed/jcs"
)

var (
	ruleLineageShape = finding.Rule{ID: "CAP-LIN-01", Want: "predecessors of the closed shape"}
	ruleLineageID    = finding.Rule{ID: "CAP-LIN-02", Want: "predecessor ids that derive from their own members"}
	ruleLineageL3    = finding.Rule{ID: "CAP-LIN-05", Want: "one lineage inside and outside"}
)

// maxHops bounds the walk through supplied predecessors (CAP-LIN-04).
const maxHops = 256

// Lineage is what a capsule declares of the capsules before it. It is one-sided:
// a predecessor did not countersign.
type Lineage struct {
	Declared      bool           `json:"declared"`
	OK            bool           `json:"ok"`
	VerifiedDepth int            `json:"verified_depth"`
	Entries       []LineageEntry `json:"entries"`
}

// LineageEntry is one declared predecessor and what the supplied files say.
type LineageEntry struct {
	CapsuleID       string `json:"capsule_id"`
	FormatVersion   string `json:"format_version"`
	ManifestHash    string `json:"manifest_hash"`
	Depth           int    `json:"depth"`  // hops from the capsule, from 1
	Status          string `json:"status"` // unverified, verified, mismatch, predecessor_invalid, predecessor_unverifiable
	Reason          string `json:"reason,omitempty"`
	IdentityChecked bool   `json:"identity_checked"`
}

// Custody says what became of the files supplied as predecessors.
type Custody struct {
	Policy        string `json:"policy"` // "none", or "predecessors" when files were supplied
	Supplied      int    `json:"predecessors_supplied"`
	Unmatched     int    `json:"unmatched_count"`
	VerifiedDepth int    `json:"verified_depth"`
	Satisfied     *bool  `json:"satisfied"`
}

// predecessor is a declaration that has the right shape.
type predecessor struct {
	id, version, manifestHash string
	key, first, entry         string // originator and anchors, "" for null
	identityChecked           bool
}

// verifyLineage holds the declaration to its shape. In a 0.6 capsule the member
// is unknown data and means nothing (CAP-LIN-03).
func (v *verification) verifyLineage() {
	decl := v.c.Manifest.Value.Member("predecessors")
	v.res.Lineage.OK = true
	if v.c.Manifest.Version == Version06 || !decl.Exists() {
		return
	}
	v.res.Lineage.Declared = true
	list, rule, err := readPredecessors(decl)
	if err != nil {
		v.res.Lineage.OK = false
		v.error(rule, AreaLineage, LineageMalformed, err.Error())
		return
	}
	v.lineage = list
}

func readPredecessors(decl jcs.Value) ([]predecessor, finding.Rule, error) {
	if decl.Kind() != jcs.Array || decl.Len() == 0 {
		return nil, ruleLineageShape, fmt.Errorf("manifest.predecessors is not a non-empty array")
	}
	var list []predecessor
	seen := make(map[string]bool)
	for i, v := range decl.Elements() {
		p, rule, err := readPredecessor(v)
		if err != nil {
			return nil, rule, fmt.Errorf("manifest.predecessors[%d] %w", i, err)
		}
		if seen[p.manifestHash] {
			return nil, ruleLineageShape, fmt.Errorf("manifest.predecessors[%d] repeats a manifest_hash", i)
		}
		seen[p.manifestHash] = true
		list = append(list, p)
	}
	return list, finding.Rule{}, nil
}

func readPredecessor(v jcs.Value) (p predecessor, rule finding.Rule, err error) {
	bad := func(format string, args ...any) (predecessor, finding.Rule, error) {
		return p, ruleLineageShape, fmt.Errorf(format, args...)
	}
	if v.Kind() != jcs.Object {
		return bad("is not an object")
	}
	for name := range v.Members() {
		switch name {
		case "capsule_id", "format_version", "originator_public_key", "first_event_hash", "entry_hash", "manifest_hash":
		default:
			if !chain.ExtensionName(name) {
				return bad("has the unknown member %s", finding.Quote(name))
			}
		}
	}
	for _, name := range [...]string{"capsule_id", "originator_public_key", "manifest_hash"} {
		if !chain.Hex64(v.Member(name).Str()) {
			return bad("has no %s of 64 lower-case hex digits", name)
		}
	}
	first, entry := v.Member("first_event_hash"), v.Member("entry_hash")
	if !(first.IsNull() && entry.IsNull()) && !(chain.Hex64(first.Str()) && chain.Hex64(entry.Str())) {
		return bad("has event hashes that are neither both null nor both 64 lower-case hex digits")
	}
	p = predecessor{
		id: v.Member("capsule_id").Str(), version: v.Member("format_version").Str(), manifestHash: v.Member("manifest_hash").Str(),
		key: v.Member("originator_public_key").Str(), first: first.Str(), entry: entry.Str(),
	}
	if _, _, ok := parseVersion(p.version); !ok {
		return bad("has no format_version of the form major.minor")
	}
	if !knownVersion(p.version) {
		return p, finding.Rule{}, nil
	}
	p.identityChecked = true
	id, err := DeriveID(p.version, v.Member("originator_public_key").Str(), first.Str())
	if err != nil || id != p.id {
		return p, ruleLineageID, fmt.Errorf("has a capsule_id that does not derive from its own members")
	}
	return p, finding.Rule{}, nil
}

// supplied is a file that was given as a predecessor, verified on its own.
type supplied struct {
	id, manifestHash  string
	key, first, entry string
	status, reason    string // verified, predecessor_invalid, predecessor_unverifiable
	before            []predecessor
	matched           bool
}

// custody compares the declaration with the supplied files. It only reports:
// the verdict never depends on them (CAP-LIN-04).
func (v *verification) custody() {
	res := v.res
	res.Custody = Custody{Policy: "none"}
	files := make([]supplied, 0, len(v.o.Predecessors))
	for _, src := range v.o.Predecessors {
		files = append(files, v.supply(src))
	}
	level := v.lineage
	visited := make(map[string]bool)
	whole := true
	for depth := 1; depth <= maxHops && len(level) > 0; depth++ {
		var next []predecessor
		for _, p := range level {
			if visited[p.manifestHash] {
				continue
			}
			visited[p.manifestHash] = true
			e := LineageEntry{
				CapsuleID: p.id, FormatVersion: p.version, ManifestHash: p.manifestHash, Depth: depth,
				Status: "unverified", IdentityChecked: p.identityChecked,
			}
			for i := range files {
				f := &files[i]
				switch {
				case f.id == p.id && f.manifestHash == p.manifestHash:
					f.matched = true
					e.Status, e.Reason = f.status, f.reason
					if f.status == "verified" && (f.key != p.key || f.first != p.first || f.entry != p.entry) {
						e.Status = "mismatch" // what is declared of it is not what it says
					}
					next = append(next, f.before...)
				case f.id == p.id && e.Status == "unverified":
					e.Status = "mismatch"
				}
			}
			whole = whole && e.Status == "verified"
			res.Lineage.Entries = append(res.Lineage.Entries, e)
		}
		if whole {
			res.Lineage.VerifiedDepth = depth
		}
		level = next
	}
	v.lineageQualifiers()
	if len(files) == 0 {
		return
	}
	res.Custody.Policy, res.Custody.Supplied, res.Custody.VerifiedDepth = "predecessors", len(files), res.Lineage.VerifiedDepth
	satisfied := res.Lineage.VerifiedDepth > 0
	for _, f := range files {
		if !f.matched {
			res.Custody.Unmatched++
		}
		satisfied = satisfied && f.matched && f.status == "verified"
	}
	res.Custody.Satisfied = &satisfied
}

func (v *verification) lineageQualifiers() {
	for _, e := range v.res.Lineage.Entries {
		if e.Depth > 1 && e.Status == "unverified" {
			continue // the capsule itself declares its first hop only
		}
		switch e.Status {
		case "unverified":
			v.qualify(LineageDeclaredUnverified)
		case "mismatch":
			v.qualify(LineageMismatch)
		case "predecessor_invalid":
			v.qualify(LineagePredecessorInvalid)
		case "predecessor_unverifiable":
			v.qualify(LineageDeclaredUnverified)
			v.qualify(LineagePredecessorUnproven)
		}
	}
}

// supply verifies one supplied file under its own version.
func (v *verification) supply(src Source) supplied {
	o := Options{Limits: v.o.Limits, Progress: v.o.Progress}
	c, err := open(src.Reader, src.Size, o.Limits, false)
	if err != nil {
		return peek(src, o.Limits, err)
	}
	f := supplied{status: "verified", key: c.Manifest.OriginatorKey, first: c.Envelope.FirstEventHash, entry: c.Envelope.EntryHash}
	f.id, _ = DeriveID(c.Manifest.Version, c.Manifest.OriginatorKey, c.Manifest.FirstEventHash)
	if c.Manifest.doc.Refused() == nil {
		f.manifestHash = hashValue(c.Manifest.Value)
	}
	res, err := c.verify(&o, nil)
	switch {
	case err != nil || res.Verdict != Valid:
		f.status = "predecessor_invalid"
	case c.Encrypted():
		f.status, f.reason = "predecessor_unverifiable", "encrypted_predecessor"
	default:
		if decl := c.Manifest.Value.Member("predecessors"); decl.Exists() && c.Manifest.Version != Version06 {
			f.before, _, _ = readPredecessors(decl)
		}
	}
	return f
}

// peek reads what can be read of a file that did not open, so that it can still
// be told which declaration it was meant for.
func peek(src Source, l Limits, cause error) supplied {
	f := supplied{status: "predecessor_invalid"}
	refused, ok := cause.(*RefusedError) //nolint:errorlint // open returns it bare
	if ok && refused.Unsupported {
		f.status, f.reason = "predecessor_unverifiable", "unsupported_version"
		if refused.Reason == UnsupportedProfile {
			f.reason = "unsupported_profile"
		}
	}
	c := &Capsule{Size: src.Size, limits: l}
	data, err := c.peekManifest(src)
	if err != nil {
		return f
	}
	doc, refused := parseDocument(data, manifestPath)
	if refused != nil || doc.Refused() != nil {
		return f
	}
	f.id, f.manifestHash = doc.Root().Member("id").Str(), hashValue(doc.Root())
	return f
}

package capsule

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"seed/capsule/chain"
	"seed/finding"
	"seed/jcs"
)

const (
	manifestPath = "manifest.json"
	envelopePath = "provenance/envelope.json"
	blobPath     = "content.enc"
	programPath  = "program.md"
	agentsPath   = "agents.md"

	maxDocument = 64 << 20 // bytes of manifest or envelope (CAP-JSON-08)
)

var (
	ruleFormat      = finding.Rule{ID: "CAP-MAN-01", Want: "the constants of the format"}
	ruleManifest    = finding.Rule{ID: "CAP-MAN-03", Want: "a manifest of the right shape"}
	ruleParticipant = finding.Rule{ID: "CAP-MAN-05", Want: "participants that are a list"}
	ruleActorID     = finding.Rule{ID: "CAP-MAN-06", Want: "participants with an actor_id"}
	ruleNamespace   = finding.Rule{ID: "CAP-MAN-07", Want: "actors in one of the four namespaces"}
	ruleJSON        = finding.Rule{ID: "CAP-JSON-01", Want: "strict JSON in one document"}
	ruleDocSize     = finding.Rule{ID: "CAP-JSON-08", Want: "documents within the size and depth limits"}
	ruleRequired    = finding.Rule{ID: "CAP-LAY-03", Want: "manifest.json and provenance/envelope.json"}
)

// Manifest is the typed view of manifest.json beside the value it came from. The
// value, unknown members included, is what is hashed.
type Manifest struct {
	Value jcs.Value

	Version        string
	ID             string
	OriginatorKey  string // 64 hex
	Label          string // of the originator; a claim
	CreatedAt      string // a claim
	FirstEventHash string // "" when null
	IndexHash      string
	Files          []IndexEntry
	Participants   []string // actor ids that have the right grammar

	doc *jcs.Doc
}

// IndexEntry is one line of the content index.
type IndexEntry struct {
	Path   string
	SHA256 string // 64 hex
}

// parseDocument reads one of the two structural documents strictly.
func parseDocument(data []byte, path string) (*jcs.Doc, *RefusedError) {
	doc := new(jcs.Doc)
	if err := doc.Parse(data, jcs.Limits{Size: maxDocument}); err != nil {
		rule, reason, text := ruleJSON, InvalidJSON, err.Error()
		if bad, ok := err.(*jcs.Error); ok { //nolint:errorlint // Parse returns it bare
			text = bad.Text()
			switch bad.Reason {
			case jcs.DuplicateMember:
				rule, reason = bad.Rule, DuplicateMember
			case jcs.TooDeep:
				rule, reason = ruleDocSize, TooDeep
			case jcs.TooLarge:
				rule, reason = ruleDocSize, DocumentTooLarge
			}
		}
		return nil, refuse(rule, AreaContainer, reason, path, "%s", text)
	}
	if doc.Root().Kind() != jcs.Object {
		return nil, refuse(ruleManifest, AreaContainer, InvalidManifestShape, path, "document is not a JSON object")
	}
	return doc, nil
}

// readManifest holds the manifest to its shape (CAP-MAN-01, -03, -05).
func readManifest(doc *jcs.Doc) (*Manifest, *RefusedError) {
	root := doc.Root()
	bad := func(rule finding.Rule, format string, args ...any) (*Manifest, *RefusedError) {
		return nil, refuse(rule, AreaContainer, InvalidManifestShape, manifestPath, format, args...)
	}
	m := &Manifest{Value: root, doc: doc}
	format := root.Member("format")
	m.Version = format.Member("version").Str()
	for _, c := range [...]struct{ name, want string }{
		{"container", "zip"}, {"canonicalization", "JCS-RFC8785"}, {"hash_algorithm", "SHA-256"},
	} {
		if !format.Member(c.name).EqualText(c.want) {
			return bad(ruleFormat, "format.%s is %s, want %q", c.name, format.Member(c.name).Shown(), c.want)
		}
	}
	m.ID = root.Member("id").Str()
	m.OriginatorKey = root.Member("originator").Member("public_key").Str()
	m.Label = root.Member("originator").Member("label").Str()
	m.CreatedAt = root.Member("created_at").Str()
	first := root.Member("first_event_hash")
	m.FirstEventHash = first.Str()
	index := root.Member("content_index")
	m.IndexHash = index.Member("index_hash").Str()
	switch {
	case !chain.Hex64(m.ID):
		return bad(ruleManifest, "id is not lower-case hex of 64 digits")
	case !chain.Hex64(m.OriginatorKey):
		return bad(ruleManifest, "originator.public_key is not lower-case hex of 64 digits")
	case !first.IsNull() && !chain.Hex64(m.FirstEventHash):
		return bad(ruleManifest, "first_event_hash is neither null nor lower-case hex of 64 digits")
	case index.Kind() != jcs.Object:
		return bad(ruleManifest, "content_index is not an object")
	case !chain.Hex64(m.IndexHash):
		return bad(ruleManifest, "content_index.index_hash is not lower-case hex of 64 digits")
	case index.Member("files").Kind() != jcs.Array:
		return bad(ruleManifest, "content_index.files is not an array")
	}
	m.Files = make([]IndexEntry, 0, index.Member("files").Len())
	for i, f := range index.Member("files").Elements() {
		e := IndexEntry{Path: f.Member("path").Str(), SHA256: f.Member("sha256").Str()}
		if e.Path == "" {
			return bad(ruleManifest, "content_index.files[%d].path is not a non-empty string", i)
		}
		if !chain.Hex64(e.SHA256) {
			return bad(ruleManifest, "content_index.files[%d].sha256 is not lower-case hex of 64 digits", i)
		}
		m.Files = append(m.Files, e)
	}
	if p := root.Member("participants"); p.Exists() && p.Kind() != jcs.Array {
		return bad(ruleParticipant, "participants is not an array")
	}
	return m, nil
}

// participants reads the declared actors; each bad entry is a problem, and the
// good ones form the set that binds the chain.
func (m *Manifest) participants(problem func(rule finding.Rule, reason Reason, msg string)) {
	bad := 0
	for i, p := range m.Value.Member("participants").Elements() {
		id := p
		if p.Kind() == jcs.Object {
			id = p.Member("actor_id")
		}
		s, ok := id.Text()
		switch {
		case ok && ActorID(s):
			m.Participants = append(m.Participants, s)
			continue
		case bad >= maxProblems:
			continue // a list of millions is not worth as many texts
		case !ok:
			problem(ruleActorID, ActorNamespace,
				fmt.Sprintf("participants[%d].actor_id must be a string in an allowed namespace, got %s", i, id.Shown()))
		default:
			problem(ruleNamespace, ActorNamespace,
				fmt.Sprintf("participants[%d].actor_id %s does not match an allowed namespace", i, finding.Quote(s)))
		}
		bad++
	}
}

// ActorID reports whether s is <namespace>:<id> with one of the four namespaces.
func ActorID(s string) bool {
	for _, ns := range [...]string{"human:", "ai:", "system:", "capsule:"} {
		if len(s) > len(ns) && s[:len(ns)] == ns {
			return true
		}
	}
	return false
}

// DeriveID computes the identity of a capsule from who began it and with which
// event: hex keys, "" for no event. Both hex texts must be well formed. It is
// known before anything is sealed (CAP-BLD-04).
func DeriveID(version, originatorKey, firstEventHash string) (string, error) {
	if firstEventHash == "" {
		firstEventHash = chain.Genesis
	}
	if !chain.Hex64(originatorKey) || !chain.Hex64(firstEventHash) {
		return "", fmt.Errorf("derive capsule id: key and event hash must be 64 lower-case hex digits")
	}
	b := append([]byte("capsule-id-v"+version), 0)
	for _, s := range [...]string{originatorKey, firstEventHash} {
		raw, err := hex.DecodeString(s)
		if err != nil {
			return "", err
		}
		b = append(b, raw...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// hashValue is the hex SHA-256 of a value's canonical form. The document must be
// inside the boundary.
func hashValue(v jcs.Value) string {
	sum := sha256.Sum256(v.AppendCanonical(make([]byte, 0, len(v.Raw())+64)))
	return hex.EncodeToString(sum[:])
}

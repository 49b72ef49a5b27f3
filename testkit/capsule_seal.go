package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"seed/jcs"
)

// layer is one container in the making: a plain capsule, or the outer or inner
// half of an encrypted one.
type layer struct {
	depth int
	steps []step
	facts map[string]string

	version      string
	originator   []byte
	label        string
	participants string // JSON, "" for none
	firstClaim   string // JSON, "" for the true one
	signers      []signer
	uncommitted  bool

	events   events
	files    map[string][]byte // content by path
	blob     []byte            // content.enc
	metadata string            // path of the decryption metadata

	manifest, envelope *document
}

// built is a finished vector and what others may ask of it.
type built struct {
	bytes []byte
	facts map[string]string
}

// buildNamed builds a vector with the steps of its bases before its own.
func buildNamed(name string, depth int) (*built, error) {
	set, err := capsuleSet()
	if err != nil {
		return nil, err
	}
	if depth > 8 {
		return nil, fmt.Errorf("vector %s: sources refer to one another in a circle", name)
	}
	var steps []step
	for at, bases := name, 0; ; bases++ {
		c := set[at]
		switch {
		case c == nil:
			return nil, fmt.Errorf("no vector is called %q", at)
		case bases > 8:
			return nil, fmt.Errorf("vector %s: bases in a circle", name)
		}
		steps = append(slices.Clone(c.steps), steps...)
		if c.base == "" {
			break
		}
		at = "base/" + c.base
	}
	b, err := build(steps, depth)
	if err != nil {
		return nil, fmt.Errorf("build vector %s: %w", name, err)
	}
	return b, nil
}

func build(steps []step, depth int) (*built, error) {
	var recipients []string
	for _, s := range steps {
		switch s.verb {
		case "recipient":
			recipients = append(recipients, s.rest)
		case "no-recipients":
			recipients = []string{}
		}
	}
	l := &layer{depth: depth, facts: make(map[string]string), files: make(map[string][]byte)}
	if recipients == nil {
		l.steps = steps
		if i := slices.IndexFunc(steps, step.encrypts); i >= 0 {
			return nil, fmt.Errorf("%s: the capsule is not encrypted", steps[i])
		}
		if err := l.compose(); err != nil {
			return nil, err
		}
		return l.seal()
	}
	return l.encrypted(steps, recipients)
}

// compose reads who, what and which events.
func (l *layer) compose() error {
	l.version, l.metadata = "0.6", "skills/decryption/decryption.json"
	for _, s := range l.steps {
		a := &args{s: s.rest}
		switch s.verb {
		case "version":
			l.version = a.word()
		case "originator":
			name := a.word()
			if digits, raw := strings.CutPrefix(name, "hex:"); raw {
				key, err := hex.DecodeString(digits)
				if err != nil {
					a.fail("key: %w", err)
				}
				l.originator, l.label = key, "nobody"
				break
			}
			l.originator, l.label = publicKey(Ed25519Key(name)), name
		case "participants":
			l.participants = a.text()
		case "first-event":
			l.firstClaim = a.text()
		case "signer":
			l.signers = append(l.signers, a.signer())
		case "no-signers":
			l.signers = nil
		case "no-commitment":
			l.uncommitted = true
		case "metadata-path":
			l.metadata = a.word()
		case "file":
			path := a.word()
			l.files[path] = a.bytes()
		case "files":
			n, pattern := a.int(), a.word()
			content := a.bytes()
			for i := range n {
				l.files[fmt.Sprintf(pattern, i)] = content
			}
		case "delete":
			path := a.word()
			if _, ok := l.files[path]; !ok {
				a.fail("no such file")
			}
			delete(l.files, path)
		}
		if a.err != nil {
			return fmt.Errorf("%s: %w", s, a.err)
		}
	}
	return l.composeChain()
}

func (a *args) signer() signer {
	s := signer{role: a.word(), key: a.word()}
	if digits, raw := strings.CutPrefix(s.key, "hex:"); raw {
		s.key = ""
		var err error
		if s.pub, err = hex.DecodeString(digits); err != nil {
			a.fail("key: %w", err)
		}
		s.sig = a.bytes()
	}
	return s
}

// seal finishes the chain, the index, manifest and envelope, then damages what
// the steps want damaged, and packs.
func (l *layer) seal() (*built, error) {
	l.files["chain/events.jsonl"] = l.events.bytes()
	for _, s := range l.steps {
		if s.verb == "no-chain" {
			delete(l.files, "chain/events.jsonl")
		}
	}
	first, entry := any(nil), any(nil)
	if l.facts["FIRST"] != "" {
		first, entry = l.facts["FIRST"], l.facts["LAST"]
	}
	if err := l.writeManifest(first, nil); err != nil {
		return nil, err
	}
	if err := l.writeEnvelope(first, entry, nil, "none"); err != nil {
		return nil, err
	}
	return l.finish()
}

// identity is the capsule id for the first event as claimed.
func (l *layer) identity(first any) string {
	input := append([]byte("capsule-id-v"+l.version+"\x00"), l.originator...)
	text, _ := first.(string)
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != 32 {
		raw = make([]byte, 32)
	}
	sum := sha256.Sum256(append(input, raw...))
	return hex.EncodeToString(sum[:])
}

func (l *layer) writeManifest(first, encryption any) error {
	if l.firstClaim != "" {
		text, err := l.expand(l.firstClaim)
		if err != nil {
			return err
		}
		if first, err = decode([]byte(text)); err != nil {
			return err
		}
	}
	l.facts["ID"] = l.identity(first)
	index := make([]any, 0, len(l.files))
	for _, path := range l.paths() {
		sum := sha256.Sum256(l.files[path])
		index = append(index, map[string]any{"path": path, "sha256": hex.EncodeToString(sum[:])})
	}
	files, err := newDocument(index, false)
	if err != nil {
		return err
	}
	l.facts["INDEX"] = files.hash()
	m := map[string]any{
		"format":           map[string]any{"version": l.version, "container": "zip", "canonicalization": "JCS-RFC8785", "hash_algorithm": "SHA-256"},
		"id":               l.facts["ID"],
		"originator":       map[string]any{"public_key": hex.EncodeToString(l.originator), "label": l.label},
		"first_event_hash": first,
		"content_index":    map[string]any{"files": index, "index_hash": l.facts["INDEX"]},
		"encryption":       encryption,
		"created_at":       "2026-05-21T12:00:00Z",
	}
	if l.participants != "" {
		m["participants"] = json.RawMessage(l.participants)
	}
	if l.version == "0.6" {
		m["skill_trust"] = map[string]any{} // inert; July builders write it
	}
	if !l.uncommitted {
		m["signer_commitment"] = l.commitment()
	}
	if l.manifest, err = newDocument(m, false); err != nil {
		return err
	}
	if err := l.editDocument("manifest", l.manifest); err != nil {
		return err
	}
	if slices.ContainsFunc(l.steps, func(s step) bool { return s.verb == "reindex" }) {
		if err := l.reindex(); err != nil {
			return err
		}
	}
	l.facts["MANIFEST"] = l.manifest.hash()
	if slices.ContainsFunc(l.steps, func(s step) bool { return s.verb == "raw-manifest-hash" }) {
		sum := sha256.Sum256(l.manifest.text)
		l.facts["MANIFEST"] = hex.EncodeToString(sum[:])
	}
	return nil
}

// reindex makes index_hash, here and in the envelope, that of the list as it
// stands in the manifest now, right or wrong.
func (l *layer) reindex() error {
	doc, err := jcs.ParseStrict(l.manifest.text)
	if err != nil {
		return err
	}
	list := doc.Root().Member("content_index").Member("files").AppendCanonical(nil)
	sum := sha256.Sum256(list)
	l.facts["INDEX"] = hex.EncodeToString(sum[:])
	return l.manifest.edit("set", &args{s: `/content_index/index_hash "` + l.facts["INDEX"] + `"`})
}

// commitment is the set of signers in the order the manifest wants.
func (l *layer) commitment() []any {
	set := make(map[[2]string]bool)
	for _, s := range l.signers {
		set[[2]string{hex.EncodeToString(s.public()), s.role}] = true
	}
	var list []any
	for _, pair := range slices.SortedFunc(maps.Keys(set), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		list = append(list, map[string]any{"public_key": pair[0], "role": pair[1]})
	}
	return list
}

func (l *layer) writeEnvelope(first, entry, blobHash any, cipher string) error {
	var err error
	l.envelope, err = newDocument(map[string]any{
		"version": l.version, "capsule_id": l.facts["ID"], "first_event_hash": first, "entry_hash": entry,
		"manifest_hash": l.facts["MANIFEST"], "content_index_hash": l.facts["INDEX"],
		"encrypted_blob_hash": blobHash, "cipher": cipher, "signed_at": "2026-05-21T12:30:00Z",
	}, true)
	if err != nil {
		return err
	}
	if err := l.editDocument("envelope", l.envelope); err != nil {
		return err
	}
	rows := []any{}
	for i, s := range l.signers {
		row := s.row(l.version, l.envelope.payload("signers"))
		l.facts["SIG"+strconv.Itoa(i)] = fmt.Sprint(row["signature"])
		rows = append(rows, row)
	}
	// The rows go in as text, so that what the steps wrote into the rest stays as
	// it is.
	text, err := json.MarshalIndent(rows, "  ", "  ")
	if err != nil {
		return err
	}
	if end := bytes.LastIndexByte(l.envelope.text, '}'); end >= 0 {
		head, tail := bytes.TrimRight(l.envelope.text[:end], " \t\r\n"), l.envelope.text[end:]
		comma := ","
		if bytes.HasSuffix(head, []byte("{")) {
			comma = ""
		}
		l.envelope.text = slices.Concat(head, []byte(comma+"\n  \"signers\": "), text, []byte("\n"), tail)
	}
	return nil
}

// editDocument applies the steps before sealing that name the document.
func (l *layer) editDocument(name string, d *document) error {
	for _, s := range l.steps {
		rest, ok := strings.CutPrefix(s.rest, name+" ")
		if !ok || s.verb == "after" {
			continue
		}
		rest, err := l.expand(rest)
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
		if err := d.edit(s.verb, &args{s: rest}); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// paths lists the content in the order of UTF-16 code units.
func (l *layer) paths() []string {
	units := make(map[string][]uint16, len(l.files))
	for path := range l.files {
		units[path] = utf16.Encode([]rune(path))
	}
	return slices.SortedFunc(maps.Keys(l.files), func(a, b string) int { return slices.Compare(units[a], units[b]) })
}

// finish damages what was sealed and packs it.
func (l *layer) finish() (*built, error) {
	l.files["manifest.json"] = l.manifest.text
	l.files["provenance/envelope.json"] = l.envelope.text
	if l.blob != nil {
		l.files["content.enc"] = l.blob
	}
	if err := l.damage(); err != nil {
		return nil, err
	}
	data, err := l.pack()
	if err != nil {
		return nil, err
	}
	return &built{bytes: data, facts: l.facts}, nil
}

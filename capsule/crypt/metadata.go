package crypt

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"seed/finding"
	"seed/jcs"
)

var (
	ruleStrict = finding.Rule{ID: "CAP-ENC-08", Want: "decryption metadata with every member of its exact type and length"}
	ruleCipher = finding.Rule{ID: "CAP-ENC-07", Want: "the cipher " + Cipher}
)

// Metadata is the content of decryption.json (CAP-ENC-04).
type Metadata struct {
	Cipher       string
	ContentNonce [12]byte
	Bundles      []Bundle // in the order of the recipients
	// Unknown are the members that [ParseMetadata] does not know, as
	// "name" or "key_bundles[3].name". They have no effect. The names come
	// from outside.
	Unknown []string
}

// ParseMetadata reads decryption.json. It is strict about everything that it
// knows and ignores the rest (CAP-ENC-08). Every error is a [*finding.Error].
//
// Metadata without any bundle are read too; what is odd but legal is told by
// [Metadata.Check].
func ParseMetadata(data []byte) (*Metadata, error) {
	if len(data) > MaxMetadata {
		return nil, breach(ruleStrict, "%d bytes are more than the limit of %d", len(data), MaxMetadata)
	}
	doc, err := jcs.ParseStrict(data)
	if err != nil {
		return nil, jsonBreach(err)
	}
	root := doc.Root()
	if root.Kind() != jcs.Object {
		return nil, breach(ruleStrict, "the metadata are not an object")
	}
	m := new(Metadata)
	if m.Cipher, err = text(root, "", "cipher"); err != nil {
		return nil, err
	}
	if m.Cipher != Cipher {
		return nil, breach(ruleCipher, "unsupported cipher: %s", finding.Quote(m.Cipher))
	}
	if err := bytesOf(root, "", "content_nonce", m.ContentNonce[:]); err != nil {
		return nil, err
	}
	m.unknown(root, "", "cipher", "content_nonce", "key_bundles")
	if err := m.parseBundles(root); err != nil {
		return nil, err
	}
	return m, nil
}

func (m *Metadata) parseBundles(root jcs.Value) error {
	list := root.Member("key_bundles")
	switch {
	case !list.Exists():
		return breach(ruleStrict, "key_bundles is missing")
	case list.Kind() != jcs.Array:
		return breach(ruleStrict, "key_bundles is not an array")
	case list.Len() > MaxBundles:
		return breach(ruleStrict, "%d key bundles are more than the limit of %d", list.Len(), MaxBundles)
	}
	m.Bundles = make([]Bundle, list.Len())
	for i, v := range list.Elements() {
		prefix := "key_bundles[" + strconv.Itoa(i) + "]"
		if v.Kind() != jcs.Object {
			return breach(ruleStrict, "%s is not an object", prefix)
		}
		prefix += "."
		b := &m.Bundles[i]
		for _, f := range []struct {
			name string
			into []byte
		}{
			{"recipient_public_key", b.Recipient[:]},
			{"ephemeral_public_key", b.Ephemeral[:]},
			{"wrap_nonce", b.WrapNonce[:]},
			{"wrapped_key", b.Wrapped[:]},
		} {
			if err := bytesOf(v, prefix, f.name, f.into); err != nil {
				return err
			}
		}
		m.unknown(v, prefix, "recipient_public_key", "ephemeral_public_key", "wrap_nonce", "wrapped_key")
	}
	return nil
}

// unknown notes the members of object that are none of the known ones.
func (m *Metadata) unknown(object jcs.Value, prefix string, known ...string) {
	for name := range object.Members() {
		if !slices.Contains(known, name) {
			m.Unknown = append(m.Unknown, prefix+name)
		}
	}
}

// Check reports what is legal in metadata but should be known to whoever
// handles them (CAP-ENC-08).
func (m *Metadata) Check() finding.Report {
	var r finding.Report
	warn := func(msg string) {
		r.Add(finding.Finding{Rule: ruleStrict, Severity: finding.Warning, At: finding.Place{Name: MetadataPath}, Msg: msg})
	}
	if len(m.Bundles) == 0 {
		warn("no key bundles: nobody can open this")
	}
	if n := len(m.Unknown); n > 0 {
		const most = 3 // names; a file from outside may hold very many
		var names []string
		for _, name := range m.Unknown[:min(n, most)] {
			names = append(names, finding.Quote(name))
		}
		msg := "unknown members, ignored: " + strings.Join(names, ", ")
		if n > most {
			msg += fmt.Sprintf(" and %d more", n-most)
		}
		warn(msg)
	}
	return r
}

func breach(rule finding.Rule, format string, args ...any) error {
	return rule.Errorf(finding.Place{Name: MetadataPath}, format, args...)
}

// jsonBreach gives an error of the JSON reader its place.
func jsonBreach(err error) error {
	var e *jcs.Error
	if !errors.As(err, &e) {
		return breach(ruleStrict, "read JSON: %w", err)
	}
	at := finding.Place{Name: MetadataPath, Line: e.Line, Col: e.Col}
	return &finding.Error{Finding: finding.Finding{Rule: e.Rule, At: at, Msg: e.Msg}, Err: e}
}

// text returns the string member of object called name.
func text(object jcs.Value, prefix, name string) (string, error) {
	v := object.Member(name)
	if !v.Exists() {
		return "", breach(ruleStrict, "%s%s is missing", prefix, name)
	}
	s, ok := v.Text()
	if !ok {
		return "", breach(ruleStrict, "%s%s is not a string", prefix, name)
	}
	return s, nil
}

// bytesOf fills into from the hex member of object called name.
func bytesOf(object jcs.Value, prefix, name string, into []byte) error {
	s, err := text(object, prefix, name)
	if err != nil {
		return err
	}
	if len(s) == 2*len(into) && s == strings.ToLower(s) {
		if _, err := hex.Decode(into, []byte(s)); err == nil {
			return nil
		}
	}
	return breach(ruleStrict, "%s%s is not %d lower-case hex digits", prefix, name, 2*len(into))
}

package testkit

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"golang.org/x/crypto/chacha20poly1305"
)

const capsuleCipher = "ChaCha20-Poly1305"

// encrypted builds the inner capsule, then the outer one around it. Steps of the
// content (files, events, who signs) make the inner one; document, damage and
// container steps are meant for the outer one unless "inner." precedes them.
func (l *layer) encrypted(steps []step, recipients []string) (*built, error) {
	inner := &layer{depth: l.depth, facts: make(map[string]string), files: make(map[string][]byte)}
	for _, s := range steps {
		switch {
		case s.inner:
			inner.steps = append(inner.steps, s)
		case s.shared():
			inner.steps = append(inner.steps, s)
			l.steps = append(l.steps, s)
		default:
			l.steps = append(l.steps, s)
		}
	}
	if err := inner.compose(); err != nil {
		return nil, err
	}
	if err := l.compose(); err != nil {
		return nil, err
	}
	l.files = make(map[string][]byte)
	in, err := inner.seal()
	if err != nil {
		return nil, err
	}
	plaintext := in.bytes
	for _, s := range l.steps {
		a := &args{s: s.rest}
		switch s.verb {
		case "outer-file":
			path := a.word()
			l.files[path] = a.bytes()
		case "plaintext":
			if strings.HasPrefix(s.rest, `"`) || strings.HasPrefix(s.rest, "hex:") {
				plaintext = a.bytes()
				break
			}
			other, err := buildNamed(a.word(), l.depth+1)
			if err != nil {
				return nil, err
			}
			plaintext = other.bytes
		}
		if a.err != nil {
			return nil, fmt.Errorf("%s: %w", s, a.err)
		}
	}
	return l.sealOuter(plaintext, recipients)
}

// shared reports whether a step says something of both halves.
func (s step) shared() bool {
	switch s.verb {
	case "set", "remove", "text", "prepend", "append", "whole", "spell":
		return strings.HasPrefix(s.rest, "event ")
	case "after", "zip", "bytes", "blob-flip", "plaintext", "outer-file", "first-event":
		return false
	}
	return true
}

func (l *layer) sealOuter(plaintext []byte, recipients []string) (*built, error) {
	first, entry := any(nil), any(nil)
	if l.facts["FIRST"] != "" {
		first, entry = l.facts["FIRST"], l.facts["LAST"]
	}
	l.facts["ID"] = l.identity(first)
	if err := l.encrypt(plaintext, recipients, first); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(l.blob)
	l.facts["BLOB"] = hex.EncodeToString(sum[:])
	err := l.writeManifest(first, map[string]any{"cipher": capsuleCipher, "metadata_path": l.metadata})
	if err != nil {
		return nil, err
	}
	if err := l.writeEnvelope(first, entry, l.facts["BLOB"], capsuleCipher); err != nil {
		return nil, err
	}
	return l.finish()
}

// encrypt makes content.enc and the metadata with fixed keys and nonces.
func (l *layer) encrypt(plaintext []byte, recipients []string, first any) error {
	aad, err := newDocument(map[string]any{
		"version": l.version, "capsule_id": l.facts["ID"], "first_event_hash": first,
		"originator_public_key": hex.EncodeToString(l.originator), "cipher": capsuleCipher,
	}, false)
	if err != nil {
		return err
	}
	if err := l.editDocument("aad", aad); err != nil {
		return err
	}
	key, nonce := fixed("content key"), fixed("content nonce")
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		return err
	}
	l.blob = aead.Seal(nil, nonce[:12], plaintext, aad.text)
	bundles := []any{}
	for i, name := range recipients {
		b, err := l.wrap(key, X25519Key(name).PublicKey(), i)
		if err != nil {
			return err
		}
		bundles = append(bundles, b)
	}
	meta, err := newDocument(map[string]any{
		"cipher": capsuleCipher, "content_nonce": hex.EncodeToString(nonce[:12]), "key_bundles": bundles,
	}, true)
	if err != nil {
		return err
	}
	if err := l.editDocument("decryption", meta); err != nil {
		return err
	}
	l.files[l.metadata] = meta.text
	for _, s := range l.steps {
		if s.verb == "blob-flip" {
			if err := flip(l.blob, &args{s: s.rest}); err != nil {
				return fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	return nil
}

// wrap gives the content key to one recipient.
func (l *layer) wrap(key [32]byte, recipient *ecdh.PublicKey, i int) (map[string]any, error) {
	ephemeral := X25519Key(fmt.Sprintf("ephemeral %d", i))
	shared, err := ephemeral.ECDH(recipient)
	if err != nil {
		return nil, err
	}
	salt, info := recipient.Bytes(), "capsule-key-wrap-v"+l.version
	for _, s := range l.steps {
		switch s.verb {
		case "wrap-info":
			info = (&args{s: s.rest}).word()
		case "wrap-salt":
			salt = (&args{s: s.rest}).bytes()
		}
	}
	wrapKey, err := hkdf.Key(sha256.New, shared, salt, info, 32)
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.New(wrapKey)
	if err != nil {
		return nil, err
	}
	nonce := fixed(fmt.Sprintf("wrap nonce %d", i))
	return map[string]any{
		"recipient_public_key": hex.EncodeToString(recipient.Bytes()),
		"ephemeral_public_key": hex.EncodeToString(ephemeral.PublicKey().Bytes()),
		"wrap_nonce":           hex.EncodeToString(nonce[:12]),
		"wrapped_key":          hex.EncodeToString(aead.Seal(nil, nonce[:12], key[:], nil)),
	}, nil
}

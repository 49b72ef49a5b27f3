package crypt

import (
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"

	"seed/finding"
)

var (
	ruleAddressed = finding.Rule{ID: "CAP-ENC-07", Want: "a key bundle for our key that opens"}
	ruleSecret    = finding.Rule{ID: "CAP-ENC-08", Want: "a shared secret that is not zero"}
	ruleTyped     = finding.Rule{ID: "CAP-ENC-10", Want: "an X25519 key"}
)

// Bundle is the content key for one recipient.
type Bundle struct {
	Recipient, Ephemeral [32]byte
	WrapNonce            [12]byte
	Wrapped              [48]byte
}

// Wrap makes the bundle that gives contentKey to recipient, under the rules of
// the declared version of the format. It takes 32 and 12 bytes from rand; the
// same bytes make the same bundle.
//
// Keys that nobody can hold, or for which everybody knows the secret, are
// refused. An Ed25519 key is not among them: its bytes do not tell (CAP-ENC-10).
func Wrap(rand io.Reader, version string, recipient [32]byte, contentKey [32]byte) (Bundle, error) {
	defer clear(contentKey[:])
	if !canonical(&recipient) {
		// The holder of the secret would know the key by another name and not
		// find the bundle.
		return Bundle{}, ruleTyped.Errorf(finding.Place{}, "recipient %x: the key is not in canonical form: nobody could open the content", recipient)
	}
	seed := make([]byte, 32)
	defer clear(seed)
	b := Bundle{Recipient: recipient}
	if _, err := io.ReadFull(rand, seed); err != nil {
		return Bundle{}, fmt.Errorf("read randomness: %w", err)
	}
	if _, err := io.ReadFull(rand, b.WrapNonce[:]); err != nil {
		return Bundle{}, fmt.Errorf("read randomness: %w", err)
	}
	ephemeral, err := ecdh.X25519().NewPrivateKey(seed)
	if err != nil {
		return Bundle{}, fmt.Errorf("make ephemeral key: %w", err)
	}
	b.Ephemeral = [32]byte(ephemeral.PublicKey().Bytes())
	key, err := wrapKey(ephemeral, &recipient, &recipient, version)
	if err != nil {
		return Bundle{}, fmt.Errorf("recipient %x: %w", recipient, err)
	}
	defer clear(key[:])
	// Sealed where it lies, so that no copy of the content key stays behind.
	copy(b.Wrapped[:], contentKey[:])
	if _, err := Seal(b.Wrapped[:32], key, b.WrapNonce, nil); err != nil {
		return Bundle{}, err
	}
	return b, nil
}

// Unwrap returns the first content key that m holds for priv; see [Metadata.Keys].
func (m *Metadata) Unwrap(version string, priv *ecdh.PrivateKey) (key [32]byte, err error) {
	keys, err := m.Keys(version, priv)
	if err != nil {
		return key, err
	}
	defer clear(keys)
	return keys[0], nil
}

// maxKeys is how many different content keys Keys gives: each costs whoever
// tries it the decryption of the whole content.
const maxKeys = 8

// Keys returns the content keys that m holds for priv, an X25519 key, in the
// order of their bundles and each once. Bundles with another public key are not
// looked at. The error is [ErrNotAddressed] when there is none for it,
// [ErrWrappedKey] when none opens.
func (m *Metadata) Keys(version string, priv *ecdh.PrivateKey) (keys [][32]byte, err error) {
	at := finding.Place{Name: MetadataPath}
	if priv == nil || priv.Curve() != ecdh.X25519() {
		return nil, ruleTyped.Errorf(finding.Place{}, "the private key is not an X25519 key")
	}
	own := [32]byte(priv.PublicKey().Bytes())
	var last error
	ours := 0
	for i := range m.Bundles {
		b := &m.Bundles[i]
		if b.Recipient != own {
			continue
		}
		ours++
		key, err := b.open(version, priv)
		if err != nil {
			last = err
			continue
		}
		if !slices.Contains(keys, key) && len(keys) < maxKeys {
			keys = append(keys, key)
		}
	}
	switch {
	case len(keys) > 0:
		return keys, nil
	case ours == 0:
		return nil, ruleAddressed.Errorf(at, "%w", ErrNotAddressed).
			WithHint("the content was encrypted for other keys: " + hex.EncodeToString(own[:]) + " is not among them")
	case errors.Is(last, ErrAuthentication):
		return nil, ruleAddressed.Errorf(at, "%w (bundles for this key: %d)", ErrWrappedKey, ours)
	}
	return nil, ruleAddressed.Errorf(at, "%w (bundles for this key: %d): %v", ErrWrappedKey, ours, last)
}

func (b *Bundle) open(version string, priv *ecdh.PrivateKey) (contentKey [32]byte, err error) {
	key, err := wrapKey(priv, &b.Ephemeral, &b.Recipient, version)
	if err != nil {
		return contentKey, err
	}
	defer clear(key[:])
	wrapped := b.Wrapped
	defer clear(wrapped[:])
	plain, err := Open(wrapped[:], key, b.WrapNonce, nil)
	if err != nil {
		return contentKey, err
	}
	return [32]byte(plain), nil
}

// wrapKey derives the key of one bundle (CAP-ENC-03) from our half and theirs.
// The info follows the declared version (CAP-VSN-02).
func wrapKey(ours *ecdh.PrivateKey, theirs, recipient *[32]byte, version string) (key [32]byte, err error) {
	pub, err := ecdh.X25519().NewPublicKey(theirs[:])
	if err != nil {
		return key, fmt.Errorf("read X25519 key: %w", err)
	}
	shared, err := ours.ECDH(pub)
	if err != nil {
		// The one way in which X25519 fails.
		return key, ruleSecret.Errorf(finding.Place{}, "the public key is of low order: everybody would know the shared secret")
	}
	defer clear(shared)
	derived, err := hkdf.Key(sha256.New, shared, recipient[:], "capsule-key-wrap-v"+version, len(key))
	if err != nil {
		return key, fmt.Errorf("derive wrap key: %w", err)
	}
	defer clear(derived)
	return [32]byte(derived), nil
}

// canonical reports whether an X25519 public key is below 2^255−19, as every
// key is that was computed from a secret.
func canonical(u *[32]byte) bool {
	if u[31] != 0x7f || u[0] < 0xed {
		return u[31] < 0x80
	}
	for _, c := range u[1:31] {
		if c != 0xff {
			return true
		}
	}
	return false
}

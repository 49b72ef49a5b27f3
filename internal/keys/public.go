package keys

import (
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"seed/finding"
	"seed/internal/edstrict"
)

var ruleTyped = finding.Rule{ID: "CAP-ENC-10", Want: "keys that say of which kind they are"}

// What callers branch on. All are wrapped with what was being done.
var (
	// ErrNoKey says that nothing has the name that was given.
	ErrNoKey = errors.New("no such key")
	// ErrWrongKind says that a key is there and is of the other kind.
	ErrWrongKind = errors.New("key of the wrong kind")
	// ErrPassphrase says that a passphrase does not open the key, or that the
	// file was changed: the two cannot be told apart.
	ErrPassphrase = errors.New("wrong passphrase, or the key file was changed")
	// ErrNeedPassphrase says that a key is protected and nobody can be asked.
	ErrNeedPassphrase = errors.New("the key is protected by a passphrase")
)

// Kind is what a key is for. The empty Kind, where a function takes one,
// stands for either.
type Kind string

// The kinds of keys.
const (
	Signing   Kind = "ed25519"
	Receiving Kind = "x25519"
)

// named is the kind with its purpose, for messages.
func (k Kind) named() string {
	switch k {
	case Signing:
		return "an ed25519 key (for signing)"
	case Receiving:
		return "an x25519 key (for receiving)"
	}
	return "a key of an unknown kind"
}

// want holds a key of kind k to the kind that is needed.
func (k Kind) want(need Kind) error {
	if need == "" || k == need {
		return nil
	}
	return ruleTyped.Errorf(finding.Place{}, "%w: it is %s, this takes %s", ErrWrongKind, k.named(), need.named())
}

// Public is a public key with its kind.
type Public struct {
	Kind Kind
	Key  [32]byte
}

// String is the key with its kind, "ed25519:<64 hex>", and "" for the zero value.
func (p Public) String() string {
	if p.Kind == "" {
		return ""
	}
	return string(p.Kind) + ":" + p.Hex()
}

// Hex is the key alone in 64 lower-case hex digits, as capsules spell it.
func (p Public) Hex() string { return hex.EncodeToString(p.Key[:]) }

// MarshalText gives the form of [Public.String] to JSON and other encoders.
func (p Public) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePublic reads a key with its kind, "ed25519:HEX" or "x25519:HEX", the
// digits in either case. Hex alone is refused. Keys that nobody can hold the
// private half of are refused too.
func ParsePublic(s string) (Public, error) {
	kind, digits, typed := strings.Cut(s, ":")
	if !typed {
		if isKeyHex(s) {
			return Public{}, ruleTyped.Errorf(finding.Place{}, "the key does not say of which kind it is").
				WithHint("write ed25519: in front of a signer's key, x25519: in front of a recipient's")
		}
		return Public{}, errors.New("not a public key: want ed25519: or x25519: and 64 hex digits")
	}
	switch Kind(kind) {
	case Signing, Receiving:
		return parseHex(Kind(kind), digits)
	}
	return Public{}, errors.New("not a public key: the kinds are ed25519 and x25519")
}

// ParsePublicAs reads a key where the kind is fixed by what it is for, so that
// 64 hex digits will do. A key that names another kind is refused.
func ParsePublicAs(s string, k Kind) (Public, error) {
	if isKeyHex(s) && (k == Signing || k == Receiving) {
		return parseHex(k, s)
	}
	p, err := ParsePublic(s)
	if err != nil {
		return Public{}, err
	}
	if err := p.Kind.want(k); err != nil {
		return Public{}, err
	}
	return p, nil
}

// parseHex does not repeat its input in errors: it may be the private half,
// pasted into the wrong place.
func parseHex(k Kind, digits string) (Public, error) {
	p := Public{Kind: k}
	if len(digits) != hex.EncodedLen(len(p.Key)) {
		return Public{}, fmt.Errorf("not a public key: %d characters, want 64 hex digits", len(digits))
	}
	if _, err := hex.Decode(p.Key[:], []byte(digits)); err != nil {
		return Public{}, errors.New("not a public key: a character that is no hex digit")
	}
	if err := p.check(); err != nil {
		return Public{}, err
	}
	return p, nil
}

// check refuses what no private key belongs to.
func (p Public) check() error {
	if p.Kind == Signing {
		err := edstrict.CheckKey(p.Key[:])
		var bad *edstrict.Error
		if !errors.As(err, &bad) || bad.Rule.ID == "" {
			return err
		}
		msg := strings.TrimSuffix(bad.Error(), " ("+bad.Rule.ID+")")
		return &finding.Error{Finding: finding.Finding{Rule: bad.Rule, Msg: msg}, Err: bad}
	}
	// A recipient finds its part of a capsule by comparing keys: one that is
	// written in another way than its owner's would never be found.
	if !canonicalX25519(p.Key) {
		return errors.New("not an x25519 key: its encoding is not canonical")
	}
	// Every scalar is a multiple of eight, so any one shows a point of small
	// order: the product is zero, which crypto/ecdh refuses.
	one, err := ecdh.X25519().NewPrivateKey(make([]byte, 32))
	if err != nil {
		return err
	}
	pub, err := ecdh.X25519().NewPublicKey(p.Key[:])
	if err != nil {
		return err
	}
	if _, err := one.ECDH(pub); err != nil {
		return errors.New("not an x25519 key: its order is small, so everybody could read what is sent to it")
	}
	return nil
}

// canonicalX25519 reports whether the key, read little-endian, is below 2^255-19.
func canonicalX25519(key [32]byte) bool {
	if key[31] != 0x7f {
		return key[31] < 0x7f
	}
	for _, b := range key[1:31] {
		if b != 0xff {
			return true
		}
	}
	return key[0] < 0xed
}

func isKeyHex(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if !isHexDigit(s[i]) {
			return false
		}
	}
	return true
}

func isHexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

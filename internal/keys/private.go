package keys

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// secretSize is the length of an Ed25519 seed and of an X25519 scalar.
const secretSize = 32

// Private is a private key with its public half. However it is printed or
// encoded, only the public half shows; [Private.Marshal] and
// [Private.MarshalHex] are the ways to get the secret out.
type Private struct {
	Public

	Label   string // from the file it was read from, "" when there was none
	Warning string // what its owner should know about that file, or ""

	// In a function, because fmt calls no methods on unexported fields of other
	// structs but prints what they hold, and for a wrong verb even what they
	// point to.
	secret func() *[secretSize]byte
}

// keep returns a function that holds a copy of secret.
func keep(secret []byte) func() *[secretSize]byte {
	own := [secretSize]byte(secret)
	return func() *[secretSize]byte { return &own }
}

// String is the public half.
func (p Private) String() string { return p.Public.String() }

// GoString is the public half, for %#v.
func (p Private) GoString() string { return "keys.Private(" + p.Public.String() + ")" }

// Format writes the public half for every verb.
func (p Private) Format(f fmt.State, verb rune) {
	s := p.String()
	if verb == 'v' && f.Flag('#') {
		s = p.GoString()
	}
	_, _ = io.WriteString(f, s) // fmt has no use for it
}

// MarshalJSON gives the public half.
func (p Private) MarshalJSON() ([]byte, error) { return json.Marshal(p.Public.String()) }

// Generate makes a key from 32 bytes of random, nil meaning the system's.
func Generate(kind Kind, random io.Reader) (*Private, error) {
	var secret [secretSize]byte
	defer clear(secret[:])
	if _, err := io.ReadFull(source(random), secret[:]); err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	return newPrivate(kind, secret[:])
}

func source(random io.Reader) io.Reader {
	if random == nil {
		return rand.Reader
	}
	return random
}

// newPrivate copies secret.
func newPrivate(kind Kind, secret []byte) (*Private, error) {
	if len(secret) != secretSize {
		return nil, errors.New("a private key has 32 bytes")
	}
	p := &Private{Public: Public{Kind: kind}, secret: keep(secret)}
	switch kind {
	case Signing:
		full := p.Ed25519()
		copy(p.Key[:], full[secretSize:])
		clear(full)
	case Receiving:
		x, err := p.X25519()
		if err != nil {
			return nil, err
		}
		copy(p.Key[:], x.PublicKey().Bytes())
	default:
		return nil, errors.New("the kinds of keys are ed25519 and x25519")
	}
	return p, nil
}

// Ed25519 gives the key for signing, nil when this is a key of another kind.
func (p *Private) Ed25519() ed25519.PrivateKey {
	if p.Kind != Signing || p.secret == nil {
		return nil
	}
	return ed25519.NewKeyFromSeed(p.secret()[:])
}

// X25519 gives the key for receiving. For a key of another kind the error
// wraps [ErrWrongKind].
func (p *Private) X25519() (*ecdh.PrivateKey, error) {
	if err := p.Kind.want(Receiving); err != nil {
		return nil, err
	}
	if p.secret == nil {
		return nil, errNoSecret
	}
	return ecdh.X25519().NewPrivateKey(p.secret()[:])
}

var errNoSecret = errors.New("the private half of the key is not here")

// Equal reports whether both are the same key.
func (p *Private) Equal(q *Private) bool {
	// The public half follows from the secret one.
	return p.Public == q.Public && (p.secret == nil) == (q.secret == nil)
}

// Wipe overwrites the secret, also of copies of p. What Ed25519 and X25519
// gave out before is not reached.
func (p *Private) Wipe() {
	if p.secret != nil {
		clear(p.secret()[:])
		p.secret = nil
	}
}

// MarshalHex gives the secret as the Capsule reference writes it: 64 hex
// digits and LF. The kind is lost.
func (p *Private) MarshalHex() ([]byte, error) {
	if p.secret == nil {
		return nil, errNoSecret
	}
	out := make([]byte, 0, 65)
	return append(hex.AppendEncode(out, p.secret()[:]), '\n'), nil
}

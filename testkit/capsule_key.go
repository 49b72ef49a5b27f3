package testkit

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"math/big"
	"slices"

	"filippo.io/edwards25519"
)

// fixed gives the bytes that stand where a real capsule has random ones. They
// are published, so a key made from them protects nothing.
func fixed(what string) [32]byte { return sha256.Sum256([]byte("capsule test vectors: " + what)) }

// Ed25519Key is the signing key of that name: its seed is the SHA-256 of
// "capsule test vectors: ed25519 NAME".
func Ed25519Key(name string) ed25519.PrivateKey {
	seed := fixed("ed25519 " + name)
	return ed25519.NewKeyFromSeed(seed[:])
}

// X25519Key is the recipient's key of that name: the SHA-256 of "capsule test
// vectors: x25519 NAME".
func X25519Key(name string) *ecdh.PrivateKey {
	secret := fixed("x25519 " + name)
	key, err := ecdh.X25519().NewPrivateKey(secret[:])
	if err != nil {
		panic(err) // any 32 bytes are a key
	}
	return key
}

func publicKey(key ed25519.PrivateKey) []byte { return key[32:] }

// signer is one row to be: a named key that signs, or a row made up of a key and
// a signature that nobody computed.
type signer struct {
	role string
	key  string // name
	pub  []byte // raw row
	sig  []byte
}

func (s signer) public() []byte {
	if s.key == "" {
		return s.pub
	}
	return publicKey(Ed25519Key(s.key))
}

func (s signer) row(version string, payload []byte) map[string]any {
	sig := s.sig
	if s.key != "" {
		sig = ed25519.Sign(Ed25519Key(s.key), signingInput(version, s.role, payload))
	}
	return map[string]any{
		"role": s.role, "public_key": hex.EncodeToString(s.public()), "signature": hex.EncodeToString(sig),
	}
}

func signingInput(version, role string, payload []byte) []byte {
	return append([]byte("capsule-provenance-v"+version+":"+role+"\x00"), payload...)
}

// unreduced adds the group order to S: the same signature in a spelling that
// careless verifiers accept.
func unreduced(sig []byte) ([]byte, error) {
	if len(sig) != 64 {
		return nil, fmt.Errorf("signature of %d bytes", len(sig))
	}
	order, _ := new(big.Int).SetString("7237005577332262213973186563042994240857116359379907606001950938285454250989", 10)
	le := slices.Clone(sig[32:])
	slices.Reverse(le)
	s := new(big.Int).Add(new(big.Int).SetBytes(le), order)
	be := s.FillBytes(make([]byte, 32))
	slices.Reverse(be)
	return append(slices.Clone(sig[:32]), be...), nil
}

// zeroR makes a signature whose R is the neutral point: it satisfies the equation
// and gives the secret key away, so no honest signer makes it.
func zeroR(name string, message []byte) ([]byte, error) {
	key := Ed25519Key(name)
	digest := sha512.Sum512(key.Seed())
	secret, err := new(edwards25519.Scalar).SetBytesWithClamping(digest[:32])
	if err != nil {
		return nil, err
	}
	r := edwards25519.NewIdentityPoint().Bytes()
	h := sha512.New()
	h.Write(r)
	h.Write(publicKey(key))
	h.Write(message)
	k, err := new(edwards25519.Scalar).SetUniformBytes(h.Sum(nil))
	if err != nil {
		return nil, err
	}
	return append(r, new(edwards25519.Scalar).Multiply(k, secret).Bytes()...), nil
}

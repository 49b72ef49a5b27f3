package crypt

import (
	"fmt"

	"golang.org/x/crypto/chacha20poly1305"
	"seed/jcs"
)

// Overhead is how much longer sealed content is than its plaintext.
const Overhead = chacha20poly1305.Overhead

// maxPlaintext is where the block counter of the cipher ends.
const maxPlaintext = 1<<38 - 64

// Context is what encrypted content is bound to: facts of the outer capsule,
// without which the content does not open (CAP-ENC-02).
type Context struct {
	Version        string // the declared version of the format
	CapsuleID      string
	FirstEventHash string // "" is null: the chain has no events
	OriginatorKey  string // 64 hex digits
	Cipher         string
}

// AAD returns the associated data of the content: c as canonical JSON.
func (c Context) AAD() []byte {
	dst := make([]byte, 0, 384)
	dst = jcs.AppendString(append(dst, `{"capsule_id":`...), c.CapsuleID)
	dst = jcs.AppendString(append(dst, `,"cipher":`...), c.Cipher)
	dst = append(dst, `,"first_event_hash":`...)
	if c.FirstEventHash == "" {
		dst = append(dst, "null"...)
	} else {
		dst = jcs.AppendString(dst, c.FirstEventHash)
	}
	dst = jcs.AppendString(append(dst, `,"originator_public_key":`...), c.OriginatorKey)
	dst = jcs.AppendString(append(dst, `,"version":`...), c.Version)
	return append(dst, '}')
}

// Seal encrypts plaintext and returns ciphertext and tag. A key must never seal
// twice with one nonce.
//
// When the capacity of plaintext leaves room for [Overhead] more bytes, they are
// written over and the result takes the place of the plaintext; otherwise it is
// new memory and plaintext stays as it is. The associated data must not lie in
// the same memory.
func Seal(plaintext []byte, key [32]byte, nonce [12]byte, aad []byte) ([]byte, error) {
	defer clear(key[:])
	if uint64(len(plaintext)) > maxPlaintext {
		return nil, fmt.Errorf("seal %d bytes: more than the cipher can take", len(plaintext))
	}
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		return nil, fmt.Errorf("seal content: %w", err)
	}
	return aead.Seal(plaintext[:0], nonce[:], plaintext, aad), nil
}

// Open decrypts what [Seal] made, in its place, and returns the plaintext.
//
// The plaintext is returned only when the tag is right. If it is not, the error
// is [ErrAuthentication] and ciphertext no longer holds anything of use: neither
// what it held before nor what it would have become. The associated data must
// not lie in the same memory.
func Open(ciphertext []byte, key [32]byte, nonce [12]byte, aad []byte) ([]byte, error) {
	defer clear(key[:])
	if uint64(len(ciphertext)) > maxPlaintext+Overhead {
		return nil, fmt.Errorf("open %d bytes: more than the cipher can give", len(ciphertext))
	}
	aead, err := chacha20poly1305.New(key[:])
	if err != nil {
		return nil, fmt.Errorf("open content: %w", err)
	}
	plaintext, err := aead.Open(ciphertext[:0], nonce[:], ciphertext, aad)
	if err != nil {
		// Cleared by the cipher too; this does not depend on it.
		clear(ciphertext)
		return nil, ErrAuthentication
	}
	return plaintext, nil
}

package keys

import (
	"crypto/cipher"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"golang.org/x/crypto/argon2"
	"golang.org/x/crypto/chacha20poly1305"
)

// Cost of opening a key, in KiB of memory, passes over it and threads. What is
// written is the second recommendation of RFC 9106. What is read may cost up to
// 256 MiB, and about a second or two on one core.
const (
	writeMemory  = 64 << 10
	writePasses  = 3
	writeThreads = 4

	maxMemory  = 256 << 10
	maxThreads = 16
	maxWork    = 1 << 20 // KiB of memory times passes
)

// protection is how the secret in a key file is kept; the zero value is not at all.
type protection struct {
	memory, passes uint32
	threads        uint8
	salt           [16]byte
}

func (p protection) on() bool { return p.memory != 0 }

func (p protection) String() string {
	if !p.on() {
		return "none"
	}
	return fmt.Sprintf("argon2id m=%d t=%d p=%d salt=%x", p.memory, p.passes, p.threads, p.salt)
}

func parseProtection(s string) (protection, error) {
	if s == "none" {
		return protection{}, nil
	}
	var p protection
	var salt string
	if _, err := fmt.Sscanf(s, "argon2id m=%d t=%d p=%d salt=%32s", &p.memory, &p.passes, &p.threads, &salt); err != nil {
		return protection{}, errors.New("unknown protection")
	}
	if n, err := hex.Decode(p.salt[:], []byte(salt)); err != nil || n != len(p.salt) {
		return protection{}, errors.New("malformed salt of the protection")
	}
	if p.String() != s {
		return protection{}, errors.New("malformed protection")
	}
	switch {
	case p.passes < 1, p.threads < 1, p.threads > maxThreads, p.memory < 8*uint32(p.threads):
		return protection{}, errors.New("the protection has senseless parameters")
	case p.memory > maxMemory, uint64(p.memory)*uint64(p.passes) > maxWork:
		return protection{}, errors.New("the protection would take too much memory or time to open")
	}
	return p, nil
}

func newProtection(random io.Reader) (protection, error) {
	p := protection{memory: writeMemory, passes: writePasses, threads: writeThreads}
	if _, err := io.ReadFull(source(random), p.salt[:]); err != nil {
		return protection{}, fmt.Errorf("make a salt: %w", err)
	}
	return p, nil
}

// aead gives the cipher that a passphrase stands for. This is the expensive step.
func (p protection) aead(pass []byte) (cipher.AEAD, error) {
	key := argon2.IDKey(pass, p.salt[:], p.passes, p.memory, p.threads, chacha20poly1305.KeySize)
	defer clear(key)
	return chacha20poly1305.New(key)
}

// nonce is all zeros: the key is used for one message.
func nonce() []byte { return make([]byte, chacha20poly1305.NonceSize) }

func (p protection) seal(pass, secret, head []byte) ([]byte, error) {
	c, err := p.aead(pass)
	if err != nil {
		return nil, err
	}
	return c.Seal(nil, nonce(), secret, head), nil
}

func (p protection) open(pass, body, head []byte) ([]byte, error) {
	c, err := p.aead(pass)
	if err != nil {
		return nil, err
	}
	secret, err := c.Open(nil, nonce(), body, head)
	if err != nil {
		return nil, ErrPassphrase
	}
	return secret, nil
}

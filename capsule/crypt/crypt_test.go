package crypt_test

import (
	"archive/zip"
	"bytes"
	"crypto/ecdh"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/chacha20poly1305"
	"seed/capsule/crypt"
	"seed/finding"
)

const version = "0.6"

// stream is a reader of predictable bytes that never ends.
type stream byte

func (s *stream) Read(p []byte) (int, error) {
	for i := range p {
		*s = *s*5 + 3
		p[i] = byte(*s)
	}
	return len(p), nil
}

func from(seed byte) io.Reader {
	s := stream(seed)
	return &s
}

func privateKey(t testing.TB, seed byte) *ecdh.PrivateKey {
	t.Helper()
	return newPrivate(t, bytes.Repeat([]byte{seed}, 32))
}

func newPrivate(t testing.TB, b []byte) *ecdh.PrivateKey {
	t.Helper()
	key, err := ecdh.X25519().NewPrivateKey(b)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func public(key *ecdh.PrivateKey) [32]byte { return [32]byte(key.PublicKey().Bytes()) }

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// deriveAgain is the wrap key of CAP-ENC-03, written down a second time.
func deriveAgain(t testing.TB, shared, recipient []byte, version string) []byte {
	t.Helper()
	key, err := hkdf.Key(sha256.New, shared, recipient, "capsule-key-wrap-v"+version, 32)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func aeadOf(t testing.TB, key []byte) interface {
	Seal(dst, nonce, plaintext, aad []byte) []byte
	Open(dst, nonce, ciphertext, aad []byte) ([]byte, error)
} {
	t.Helper()
	aead, err := chacha20poly1305.New(key)
	if err != nil {
		t.Fatal(err)
	}
	return aead
}

// wantRule fails the test unless err is a breach of the rule.
func wantRule(t testing.TB, err error, id string) {
	t.Helper()
	var broken *finding.Error
	if !errors.As(err, &broken) {
		t.Errorf("got %v, want a breach of %s", err, id)
		return
	}
	if broken.Rule.ID != id {
		t.Errorf("got %v, want a breach of %s", err, id)
	}
}

// readShared reads a vector that lies beside the checkout.
func readShared(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "vectors", filepath.FromSlash(name)))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the vectors are not beside the checkout: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func loadShared(t testing.TB, name string, into any) {
	t.Helper()
	if err := json.Unmarshal(readShared(t, name), into); err != nil {
		t.Fatal(err)
	}
}

// entriesOf returns the files of an archive.
func entriesOf(t testing.TB, data []byte) map[string][]byte {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]byte)
	for _, f := range r.File {
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(rc); err != nil {
			t.Fatal(err)
		}
		rc.Close()
	}
	return files
}

// wrapFor returns metadata with a bundle for each recipient, in order.
func wrapFor(t testing.TB, contentKey [32]byte, recipients ...[32]byte) *crypt.Metadata {
	t.Helper()
	m := &crypt.Metadata{Cipher: crypt.Cipher, ContentNonce: [12]byte{1, 2, 3}}
	rand := from(1)
	for _, r := range recipients {
		b, err := crypt.Wrap(rand, version, r, contentKey)
		if err != nil {
			t.Fatal(err)
		}
		m.Bundles = append(m.Bundles, b)
	}
	return m
}

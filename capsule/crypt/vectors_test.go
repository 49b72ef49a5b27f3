package crypt_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"seed/capsule/crypt"
)

// clean is the encrypted capsule of the reference, taken apart.
type clean struct {
	files     map[string][]byte
	meta      *crypt.Metadata
	context   crypt.Context
	recipient *ecdh.PrivateKey
}

func openClean(t testing.TB) clean {
	t.Helper()
	const dir = "capsule/tamper-detection/output/"
	var keys struct {
		Recipient struct{ PublicKey, PrivateKey string }
	}
	loadShared(t, dir+"keys.json", &keys)
	c := clean{files: entriesOf(t, readShared(t, dir+"clean-encrypted.capsule"))}
	c.recipient = newPrivate(t, unhex(t, keys.Recipient.PrivateKey))
	if got := public(c.recipient); hex.EncodeToString(got[:]) != keys.Recipient.PublicKey {
		t.Fatalf("got the public key %x, want %s", got, keys.Recipient.PublicKey)
	}
	var err error
	if c.meta, err = crypt.ParseMetadata(c.files[crypt.MetadataPath]); err != nil {
		t.Fatal(err)
	}
	var manifest struct {
		Originator struct {
			PublicKey string `json:"public_key"`
		}
	}
	var envelope struct {
		Version, Cipher string
		CapsuleID       string `json:"capsule_id"`
		FirstEventHash  string `json:"first_event_hash"`
	}
	if err := errors.Join(
		json.Unmarshal(c.files["manifest.json"], &manifest),
		json.Unmarshal(c.files["provenance/envelope.json"], &envelope),
	); err != nil {
		t.Fatal(err)
	}
	c.context = crypt.Context{
		Version: envelope.Version, CapsuleID: envelope.CapsuleID, FirstEventHash: envelope.FirstEventHash,
		OriginatorKey: manifest.Originator.PublicKey, Cipher: envelope.Cipher,
	}
	return c
}

// wantHex compares with a figure of which the rules print the ends.
func wantHex(t testing.TB, what string, got []byte, head, tail string) {
	t.Helper()
	if s := hex.EncodeToString(got); !strings.HasPrefix(s, head) || !strings.HasSuffix(s, tail) {
		t.Errorf("%s: got %s, want %s…%s", what, s, head, tail)
	}
}

func wantSum(t testing.TB, what string, data []byte, want string) {
	t.Helper()
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != want {
		t.Errorf("SHA-256 of %s: got %x, want %s", what, sum, want)
	}
}

func TestCAP_ENC_02_workedCapsule(t *testing.T) {
	t.Parallel()
	c := openClean(t)
	wantSum(t, "the associated data", c.context.AAD(), "ea86551ac467ec4c12868c0a97cf2a2ad292a65b1d77dec903241078998f9985")
	key, err := c.meta.Unwrap(c.context.Version, c.recipient)
	if err != nil {
		t.Fatal(err)
	}
	wantHex(t, "content key", key[:], "06a1ed95", "97035d")
	inner, err := crypt.Open(slices.Clone(c.files["content.enc"]), key, c.meta.ContentNonce, c.context.AAD())
	if err != nil {
		t.Fatal(err)
	}
	if len(inner) != 2614 {
		t.Errorf("got an inner capsule of %d bytes, want 2614", len(inner))
	}
	wantSum(t, "the inner capsule", inner, "230f34b2fb3008a27fa60d1202b89e843cfb672c68af0ff49088e1c0d20941a1")
	if _, ok := entriesOf(t, inner)["manifest.json"]; !ok {
		t.Error("the inner capsule has no manifest")
	}
	// The same content sealed again gives the same bytes.
	again, err := crypt.Seal(inner, key, c.meta.ContentNonce, c.context.AAD())
	if err != nil || !bytes.Equal(again, c.files["content.enc"]) {
		t.Errorf("sealed again: other bytes, %v", err)
	}
}

func TestCAP_ENC_03_workedWrap(t *testing.T) {
	t.Parallel()
	c := openClean(t)
	b := c.meta.Bundles[0]
	ephemeral, err := ecdh.X25519().NewPublicKey(b.Ephemeral[:])
	if err != nil {
		t.Fatal(err)
	}
	shared, err := c.recipient.ECDH(ephemeral)
	if err != nil {
		t.Fatal(err)
	}
	wantHex(t, "shared secret", shared, "fd59f0ad", "9c32545")
	derived := deriveAgain(t, shared, b.Recipient[:], version)
	wantHex(t, "wrap key", derived, "dad568c0", "fcebbb")
	key, err := crypt.Open(slices.Clone(b.Wrapped[:]), [32]byte(derived), b.WrapNonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantHex(t, "content key", key, "06a1ed95", "97035d")
}

func TestCAP_ENC_04_workedMetadata(t *testing.T) {
	t.Parallel()
	c := openClean(t)
	if len(c.meta.Bundles) != 1 || c.meta.Cipher != crypt.Cipher || len(c.meta.Unknown) != 0 {
		t.Errorf("got %+v, want one bundle", c.meta)
	}
	if got, want := c.meta.Marshal(), c.files[crypt.MetadataPath]; !bytes.Equal(got, want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Every fact of the context, every byte of the content and the nonce count.
func TestCAP_ENC_02_workedCapsuleChanged(t *testing.T) {
	t.Parallel()
	c := openClean(t)
	key, err := c.meta.Unwrap(version, c.recipient)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, content []byte, nonce [12]byte, context crypt.Context) {
		t.Helper()
		if got, err := crypt.Open(slices.Clone(content), key, nonce, context.AAD()); !errors.Is(err, crypt.ErrAuthentication) || got != nil {
			t.Errorf("%s: got %d bytes, %v, want ErrAuthentication", what, len(got), err)
		}
	}
	for what, change := range map[string]func(*crypt.Context){
		"version":          func(x *crypt.Context) { x.Version = "0.7" },
		"capsule_id":       func(x *crypt.Context) { x.CapsuleID = strings.Repeat("0", 64) },
		"first_event_hash": func(x *crypt.Context) { x.FirstEventHash = "" },
		"originator":       func(x *crypt.Context) { x.OriginatorKey = strings.Repeat("0", 64) },
		"cipher":           func(x *crypt.Context) { x.Cipher = "none" },
	} {
		context := c.context
		change(&context)
		try(what, c.files["content.enc"], c.meta.ContentNonce, context)
	}
	nonce := c.meta.ContentNonce
	nonce[11] ^= 1
	content := c.files["content.enc"]
	try("nonce", content, nonce, c.context)
	for i := range content {
		changed := slices.Clone(content)
		changed[i] ^= 0x10
		try("content", changed, c.meta.ContentNonce, c.context)
		try("truncated content", content[:i], c.meta.ContentNonce, c.context)
	}
}

func TestCAP_ENC_03_wycheproofX25519(t *testing.T) {
	t.Parallel()
	var file struct {
		TestGroups []struct {
			Tests []struct {
				TcID                                     int
				Comment, Public, Private, Shared, Result string
				Flags                                    []string
			}
		}
	}
	loadShared(t, "crypto/wycheproof/x25519_test.json", &file)
	prime := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 255), big.NewInt(19))
	nonce := [12]byte{9}
	contentKey := [32]byte{4, 2}
	count := make(map[string]int)
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			pub, shared := [32]byte(unhex(t, c.Public)), unhex(t, c.Shared)
			priv := newPrivate(t, unhex(t, c.Private))
			zero := bytes.Equal(shared, make([]byte, 32))
			big := new(big.Int).SetBytes(reversed(pub[:])).Cmp(prime) >= 0

			// As a recipient: the private key is the ephemeral one.
			b, err := crypt.Wrap(bytes.NewReader(append(unhex(t, c.Private), nonce[:]...)), version, pub, contentKey)
			switch {
			case big:
				wantRule(t, err, "CAP-ENC-10")
				count["not canonical"]++
			case zero:
				wantRule(t, err, "CAP-ENC-08")
				count["zero"]++
			case err != nil:
				t.Errorf("case %d (%s): Wrap: %v", c.TcID, c.Comment, err)
			default:
				key, err := aeadOf(t, deriveAgain(t, shared, pub[:], version)).Open(nil, nonce[:], b.Wrapped[:], nil)
				if err != nil || !bytes.Equal(key, contentKey[:]) {
					t.Errorf("case %d (%s): the wrapped key is not under the shared secret: %v", c.TcID, c.Comment, err)
				}
				count["wrapped"]++
			}

			// As an ephemeral key: the private key is the recipient's.
			b = crypt.Bundle{Recipient: public(priv), Ephemeral: pub, WrapNonce: nonce}
			aeadOf(t, deriveAgain(t, shared, b.Recipient[:], version)).Seal(b.Wrapped[:0], nonce[:], contentKey[:], nil)
			m := crypt.Metadata{Cipher: crypt.Cipher, Bundles: []crypt.Bundle{b}}
			key, err := m.Unwrap(version, priv)
			switch {
			case zero && !errors.Is(err, crypt.ErrWrappedKey):
				t.Errorf("case %d (%s): got %v, want a zero secret refused", c.TcID, c.Comment, err)
			case !zero && (err != nil || key != contentKey):
				t.Errorf("case %d (%s): Unwrap: %v", c.TcID, c.Comment, err)
			}
		}
	}
	for _, kind := range []string{"zero", "not canonical", "wrapped"} {
		if count[kind] == 0 {
			t.Errorf("no case of the kind %q: got %v", kind, count)
		}
	}
}

func reversed(b []byte) []byte {
	b = slices.Clone(b)
	slices.Reverse(b)
	return b
}

func TestCAP_ENC_02_wycheproofChaCha20Poly1305(t *testing.T) {
	t.Parallel()
	var file struct {
		TestGroups []struct {
			IvSize int
			Tests  []struct {
				TcID                                        int
				Comment, Key, Iv, Aad, Msg, Ct, Tag, Result string
			}
		}
	}
	loadShared(t, "crypto/wycheproof/chacha20_poly1305_test.json", &file)
	count := make(map[string]int)
	for _, g := range file.TestGroups {
		for _, c := range g.Tests {
			iv := unhex(t, c.Iv)
			if len(iv) != 12 {
				// Cannot be said in the types of Seal and Open.
				if c.Result != "invalid" {
					t.Errorf("case %d (%s): a nonce of %d bytes is %s", c.TcID, c.Comment, len(iv), c.Result)
				}
				continue
			}
			key, nonce, aad, msg := [32]byte(unhex(t, c.Key)), [12]byte(iv), unhex(t, c.Aad), unhex(t, c.Msg)
			sealed := append(unhex(t, c.Ct), unhex(t, c.Tag)...)
			count[c.Result]++
			got, err := crypt.Open(slices.Clone(sealed), key, nonce, aad)
			if c.Result != "valid" {
				if !errors.Is(err, crypt.ErrAuthentication) || got != nil {
					t.Errorf("case %d (%s): got %x, %v, want ErrAuthentication", c.TcID, c.Comment, got, err)
				}
				continue
			}
			if err != nil || !bytes.Equal(got, msg) {
				t.Errorf("case %d (%s): got %x, %v, want %x", c.TcID, c.Comment, got, err, msg)
			}
			if got, err := crypt.Seal(msg, key, nonce, aad); err != nil || !bytes.Equal(got, sealed) {
				t.Errorf("case %d (%s): got %x, %v, want %x", c.TcID, c.Comment, got, err, sealed)
			}
		}
	}
	if count["valid"] == 0 || count["invalid"] == 0 {
		t.Errorf("got %v cases, want valid and invalid ones", count)
	}
}

package crypt_test

import (
	"bytes"
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"seed/capsule/crypt"
	"seed/finding"
)

var contentKey = [32]byte{0: 0xc0, 15: 0xff, 31: 0xee}

func TestCAP_ENC_03_wrap(t *testing.T) {
	t.Parallel()
	recipient := privateKey(t, 1)
	seed, nonce := bytes.Repeat([]byte{2}, 32), bytes.Repeat([]byte{3}, 12)
	b, err := crypt.Wrap(bytes.NewReader(slices.Concat(seed, nonce)), version, public(recipient), contentKey)
	if err != nil {
		t.Fatal(err)
	}
	ephemeral := newPrivate(t, seed)
	shared, err := ephemeral.ECDH(recipient.PublicKey())
	if err != nil {
		t.Fatal(err)
	}
	want := crypt.Bundle{Recipient: public(recipient), Ephemeral: public(ephemeral), WrapNonce: [12]byte(nonce)}
	aeadOf(t, deriveAgain(t, shared, recipient.PublicKey().Bytes(), version)).Seal(want.Wrapped[:0], nonce, contentKey[:], nil)
	if b != want {
		t.Errorf("got %+v, want %+v", b, want)
	}
}

func TestCAP_ENC_03_sameRandomnessSameBundles(t *testing.T) {
	t.Parallel()
	a, b := public(privateKey(t, 1)), public(privateKey(t, 2))
	one, two := wrapFor(t, contentKey, a, b, a), wrapFor(t, contentKey, a, b, a)
	if !bytes.Equal(one.Marshal(), two.Marshal()) {
		t.Errorf("got %s and %s, want the same", one.Marshal(), two.Marshal())
	}
	if one.Bundles[0] == one.Bundles[2] || one.Bundles[0].Ephemeral == one.Bundles[2].Ephemeral || one.Bundles[0].WrapNonce == one.Bundles[2].WrapNonce {
		t.Error("two bundles for one recipient share their ephemeral key or nonce")
	}
}

func TestCAP_ENC_07_severalRecipients(t *testing.T) {
	t.Parallel()
	keys := []*ecdh.PrivateKey{privateKey(t, 1), privateKey(t, 2), privateKey(t, 3)}
	m := wrapFor(t, contentKey, public(keys[0]), public(keys[1]), public(keys[2]))
	m, err := crypt.ParseMetadata(m.Marshal())
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range keys {
		if m.Bundles[i].Recipient != public(k) {
			t.Errorf("bundle %d is not that of recipient %d", i, i)
		}
		if got, err := m.Unwrap(version, k); err != nil || got != contentKey {
			t.Errorf("recipient %d: got %v, want the content key", i, err)
		}
	}
}

func TestCAP_ENC_07_notAddressed(t *testing.T) {
	t.Parallel()
	m := wrapFor(t, contentKey, public(privateKey(t, 1)), public(privateKey(t, 2)))
	key, err := m.Unwrap(version, privateKey(t, 9))
	if !errors.Is(err, crypt.ErrNotAddressed) || errors.Is(err, crypt.ErrWrappedKey) || key != [32]byte{} {
		t.Errorf("got %v, want ErrNotAddressed and no key", err)
	}
	wantRule(t, err, "CAP-ENC-07")
	if !strings.Contains(err.Error(), "no matching recipient bundle") || !strings.Contains(err.Error(), "not addressed to this key") {
		t.Errorf("got %v, want it in those words", err)
	}
	var broken *finding.Error
	if own := public(privateKey(t, 9)); !errors.As(err, &broken) || !strings.Contains(broken.Hint, hex.EncodeToString(own[:])) {
		t.Errorf("got %v, want a hint that names the key", err)
	}
}

// A bundle that names our key and does not open is another thing than none.
func TestCAP_ENC_07_tamperedBundle(t *testing.T) {
	t.Parallel()
	priv := privateKey(t, 1)
	for what, change := range map[string]func(*crypt.Bundle){
		"ephemeral":  func(b *crypt.Bundle) { b.Ephemeral[0] ^= 1 },
		"nonce":      func(b *crypt.Bundle) { b.WrapNonce[11] ^= 1 },
		"first byte": func(b *crypt.Bundle) { b.Wrapped[0] ^= 1 },
		"tag":        func(b *crypt.Bundle) { b.Wrapped[47] ^= 0x80 },
		"low order":  func(b *crypt.Bundle) { b.Ephemeral = [32]byte{} },
		"another's bundle": func(b *crypt.Bundle) {
			*b = wrapFor(t, contentKey, public(privateKey(t, 2))).Bundles[0]
			b.Recipient = public(priv)
		},
	} {
		m := wrapFor(t, contentKey, public(priv))
		change(&m.Bundles[0])
		key, err := m.Unwrap(version, priv)
		if !errors.Is(err, crypt.ErrWrappedKey) || errors.Is(err, crypt.ErrNotAddressed) || key != [32]byte{} {
			t.Errorf("%s: got %v, want ErrWrappedKey and no key", what, err)
		}
		wantRule(t, err, "CAP-ENC-07")
		if what == "low order" != strings.Contains(err.Error(), "low order") {
			t.Errorf("%s: got %v", what, err)
		}
	}
	// A bundle of ours under another's name is not found.
	m := wrapFor(t, contentKey, public(priv))
	m.Bundles[0].Recipient[0] ^= 1
	if _, err := m.Unwrap(version, priv); !errors.Is(err, crypt.ErrNotAddressed) {
		t.Errorf("recipient changed: got %v, want ErrNotAddressed", err)
	}
}

func TestCAP_ENC_08_allBundlesWithOurKeyInOrder(t *testing.T) {
	t.Parallel()
	priv, other := privateKey(t, 1), privateKey(t, 2)
	first, second := [32]byte{1}, [32]byte{2}
	bundle := func(key [32]byte, to *ecdh.PrivateKey) crypt.Bundle { return wrapFor(t, key, public(to)).Bundles[0] }
	broken, zero := bundle(first, priv), bundle(first, priv)
	broken.Wrapped[3] ^= 1
	zero.Ephemeral = [32]byte{1}
	for _, c := range []struct {
		what    string
		bundles []crypt.Bundle
		want    [32]byte
	}{
		{"broken first", []crypt.Bundle{broken, bundle(second, priv)}, second},
		{"zero secret first", []crypt.Bundle{zero, bundle(second, priv)}, second},
		{"broken last", []crypt.Bundle{bundle(first, priv), broken}, first},
		{"two that open", []crypt.Bundle{bundle(first, other), bundle(second, priv), bundle(first, priv)}, second},
	} {
		m := crypt.Metadata{Cipher: crypt.Cipher, Bundles: c.bundles}
		if got, err := m.Unwrap(version, priv); err != nil || got != c.want {
			t.Errorf("%s: got %x, %v, want %x", c.what, got, err, c.want)
		}
	}
	m := crypt.Metadata{Cipher: crypt.Cipher, Bundles: []crypt.Bundle{broken, zero, broken}}
	if _, err := m.Unwrap(version, priv); !errors.Is(err, crypt.ErrWrappedKey) || !strings.Contains(err.Error(), "bundles for this key: 3") {
		t.Errorf("got %v, want ErrWrappedKey for three bundles", err)
	}
}

func TestCAP_ENC_08_zeroSecretIsNotWrapped(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
		"5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	} {
		b, err := crypt.Wrap(from(1), version, [32]byte(unhex(t, s)), contentKey)
		wantRule(t, err, "CAP-ENC-08")
		if b != (crypt.Bundle{}) || err == nil || !strings.Contains(err.Error(), s) || !strings.Contains(err.Error(), "low order") {
			t.Errorf("%s: got %+v, %v, want it refused by name", s, b, err)
		}
	}
}

// Nobody's public key is 2^255−19 or more: the content would be locked for ever.
func TestCAP_ENC_10_recipientInCanonicalForm(t *testing.T) {
	t.Parallel()
	good := public(privateKey(t, 1))
	signed := good
	signed[31] |= 0x80
	high := [32]byte(unhex(t, "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"))
	for _, c := range []struct {
		what string
		key  [32]byte
		want string
	}{
		{"high bit", signed, "CAP-ENC-10"},
		{"prime", change(high, 0, 0xed), "CAP-ENC-10"},
		{"prime and two", change(high, 0, 0xef), "CAP-ENC-10"},
		{"all ones", change(high, 0, 0xff), "CAP-ENC-10"},
		{"below the prime", change(high, 0, 0xea), ""},
		{"a lower byte in the middle", change(change(high, 0, 0xff), 17, 0xfe), ""},
		{"a lower byte at the top", change(change(high, 0, 0xff), 31, 0x7e), ""},
		{"a real key", good, ""},
	} {
		_, err := crypt.Wrap(from(1), version, c.key, contentKey)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: got %v, want nil", c.what, err)
			}
			continue
		}
		if wantRule(t, err, c.want); err == nil || !strings.Contains(err.Error(), "nobody could open") {
			t.Errorf("%s: got %v, want the reason", c.what, err)
		}
	}
}

func change(key [32]byte, at int, to byte) [32]byte {
	key[at] = to
	return key
}

func TestCAP_ENC_10_keyOfAnotherKind(t *testing.T) {
	t.Parallel()
	m := wrapFor(t, contentKey, public(privateKey(t, 1)))
	p256, err := ecdh.P256().NewPrivateKey(bytes.Repeat([]byte{1}, 32))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []*ecdh.PrivateKey{p256, nil} {
		_, err := m.Unwrap(version, key)
		wantRule(t, err, "CAP-ENC-10")
	}
}

func TestCAP_VSN_02_wrapInfoIsThatOfTheVersion(t *testing.T) {
	t.Parallel()
	priv := privateKey(t, 1)
	for _, v := range []string{"0.6", "0.7"} {
		b, err := crypt.Wrap(from(1), v, public(priv), contentKey)
		if err != nil {
			t.Fatal(err)
		}
		m := crypt.Metadata{Cipher: crypt.Cipher, Bundles: []crypt.Bundle{b}}
		for _, declared := range []string{"0.6", "0.7", "0.10", ""} {
			key, err := m.Unwrap(declared, priv)
			if declared == v && (err != nil || key != contentKey) {
				t.Errorf("wrapped as %s, opened as %s: got %v", v, declared, err)
			}
			if declared != v && !errors.Is(err, crypt.ErrWrappedKey) {
				t.Errorf("wrapped as %s, opened as %q: got %v, want ErrWrappedKey", v, declared, err)
			}
		}
	}
}

func TestWrap_randomnessEnds(t *testing.T) {
	t.Parallel()
	for n := range 44 {
		b, err := crypt.Wrap(bytes.NewReader(make([]byte, n)), version, public(privateKey(t, 1)), contentKey)
		if b != (crypt.Bundle{}) || !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d bytes: got %v, want the end of the randomness", n, err)
		}
	}
	if _, err := crypt.Wrap(bytes.NewReader(make([]byte, 44)), version, public(privateKey(t, 1)), contentKey); err != nil {
		t.Errorf("44 bytes: got %v, want nil", err)
	}
}

// keeper remembers the buffers that it filled.
type keeper struct {
	io.Reader
	kept [][]byte
}

func (k *keeper) Read(p []byte) (int, error) {
	k.kept = append(k.kept, p)
	return k.Reader.Read(p)
}

// The ephemeral secret is gone when Wrap returns, whether it worked or not.
func TestWrap_clearsTheEphemeralSecret(t *testing.T) {
	t.Parallel()
	for _, recipient := range [][32]byte{public(privateKey(t, 1)), {}} {
		k := &keeper{Reader: from(1)}
		_, err := crypt.Wrap(k, version, recipient, contentKey)
		if (err == nil) != (recipient != [32]byte{}) {
			t.Fatalf("got %v", err)
		}
		if len(k.kept) != 2 || len(k.kept[0]) != 32 {
			t.Fatalf("got %d reads, want the secret and the nonce", len(k.kept))
		}
		if !bytes.Equal(k.kept[0], make([]byte, 32)) {
			t.Errorf("got %x left of the secret", k.kept[0])
		}
	}
}

// Unwrap works on copies: the same metadata open again.
func TestUnwrap_leavesTheMetadataAlone(t *testing.T) {
	t.Parallel()
	priv := privateKey(t, 1)
	m := wrapFor(t, contentKey, public(priv))
	before := m.Marshal()
	for range 2 {
		if key, err := m.Unwrap(version, priv); err != nil || key != contentKey {
			t.Errorf("got %v, want the content key", err)
		}
	}
	if !bytes.Equal(before, m.Marshal()) {
		t.Errorf("got %s, want %s", m.Marshal(), before)
	}
}

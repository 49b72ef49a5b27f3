package crypt_test

import (
	"bytes"
	"crypto/ecdh"
	"testing"

	"seed/capsule/crypt"
)

// TestCAP_ENC_08_EveryBundleForTheKey: a bundle that holds another content key does
// not keep those behind it from being tried; the number of tries is bounded.
func TestCAP_ENC_08_EveryBundleForTheKey(t *testing.T) {
	t.Parallel()
	priv, err := ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{7}, 32))
	if err != nil {
		t.Fatal(err)
	}
	own := [32]byte(priv.PublicKey().Bytes())
	var m crypt.Metadata
	wrap := func(b byte) [32]byte {
		key := [32]byte(bytes.Repeat([]byte{b}, 32))
		bundle, err := crypt.Wrap(bytes.NewReader(bytes.Repeat([]byte{b, 1}, 40)), "0.6", own, key)
		if err != nil {
			t.Fatal(err)
		}
		m.Bundles = append(m.Bundles, bundle)
		return key
	}
	wrong, right := wrap(1), wrap(2)
	wrap(2)
	keys, err := m.Keys("0.6", priv)
	if err != nil || len(keys) != 2 || keys[0] != wrong || keys[1] != right {
		t.Errorf("got %d keys, %v, want both, each once and in order", len(keys), err)
	}
	if first, err := m.Unwrap("0.6", priv); err != nil || first != wrong {
		t.Errorf("got %x, %v, want the first", first, err)
	}
	for b := byte(3); b < 40; b++ {
		wrap(b)
	}
	if keys, err = m.Keys("0.6", priv); err != nil || len(keys) != 8 {
		t.Errorf("got %d keys, %v, want no more than 8", len(keys), err)
	}
}

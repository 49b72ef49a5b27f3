package edstrict_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"testing"

	"filippo.io/edwards25519"
	"seed/internal/edstrict"
)

// goodPoint says, by arithmetic instead of by tables, whether b is the one
// encoding of a point that is not of small order.
func goodPoint(b []byte) bool {
	p, err := new(edwards25519.Point).SetBytes(b)
	return err == nil && bytes.Equal(p.Bytes(), b) &&
		new(edwards25519.Point).MultByCofactor(p).Equal(edwards25519.NewIdentityPoint()) == 0
}

func FuzzVerify(f *testing.F) {
	key := testKey()
	pub := []byte(key.Public().(ed25519.PublicKey))
	f.Add(pub, []byte("a message"), ed25519.Sign(key, []byte("a message")))
	f.Add(pub, []byte("another"), ed25519.Sign(key, []byte("a message")))
	f.Add(pub, []byte{}, []byte{})
	f.Add([]byte{}, []byte{}, make([]byte, 64))
	f.Add(append([]byte{1}, make([]byte, 31)...), []byte("any"), append([]byte{1}, make([]byte, 63)...))
	for _, p := range torsion(f) {
		f.Add(p.Bytes(), []byte("x"), append(p.Bytes(), make([]byte, 32)...))
		f.Add(pub, []byte("x"), append(p.Bytes(), make([]byte, 32)...))
	}
	f.Fuzz(func(t *testing.T, pub, msg, sig []byte) {
		keyErr := edstrict.CheckKey(pub)
		if (keyErr == nil) != (len(pub) == 32 && goodPoint(pub)) {
			t.Fatalf("CheckKey(%x): got %v", pub, keyErr)
		}
		err := edstrict.Verify(pub, msg, sig)
		var refused *edstrict.Error
		if err != nil && (!errors.As(err, &refused) || refused.Reason == "") {
			t.Fatalf("Verify: got %#v, want a reason", err)
		}
		if keyErr != nil && (err == nil || err.Error() != keyErr.Error()) {
			t.Fatalf("Verify: got %v, want what CheckKey says: %v", err, keyErr)
		}
		if len(pub) != 32 || len(sig) != 64 {
			return
		}
		want := ed25519.Verify(pub, msg, sig) && goodPoint(pub) && goodPoint(sig[:32])
		if (err == nil) != want {
			t.Fatalf("Verify(%x, %x, %x): got %v, want accepted = %v", pub, msg, sig, err, want)
		}
		// Any seed makes a key that can sign anything.
		key := ed25519.NewKeyFromSeed(pub)
		if err := edstrict.Verify(key.Public().(ed25519.PublicKey), msg, ed25519.Sign(key, msg)); err != nil {
			t.Fatalf("own signature by seed %x of %x: got %v", pub, msg, err)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	key, msg := testKey(), []byte("a message")
	pub := key.Public().(ed25519.PublicKey)
	sig := ed25519.Sign(key, msg)
	b.Run("edstrict", func(b *testing.B) {
		for b.Loop() {
			if err := edstrict.Verify(pub, msg, sig); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("primitive", func(b *testing.B) {
		for b.Loop() {
			if !ed25519.Verify(pub, msg, sig) {
				b.Fatal("refused")
			}
		}
	})
}

package edstrict_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"
	"testing"

	"filippo.io/edwards25519"
	"seed/internal/edstrict"
)

// reasonOf returns why err refuses, "" when it is nil.
func reasonOf(t *testing.T, err error) edstrict.Reason {
	t.Helper()
	if err == nil {
		return ""
	}
	var refused *edstrict.Error
	if !errors.As(err, &refused) || refused.Reason == "" {
		t.Fatalf("got %#v, want an *edstrict.Error with a reason", err)
	}
	return refused.Reason
}

func unhex(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// littleEndian returns n in 32 bytes, with the sign bit as asked.
func littleEndian(n *big.Int, sign bool) []byte {
	b := n.FillBytes(make([]byte, 32))
	slices.Reverse(b)
	if sign {
		b[31] |= 0x80
	}
	return b
}

func fieldPrime() *big.Int {
	p := new(big.Int).Lsh(big.NewInt(1), 255)
	return p.Sub(p, big.NewInt(19))
}

func groupOrder(t testing.TB) *big.Int {
	t.Helper()
	l, ok := new(big.Int).SetString("27742317777372353535851937790883648493", 10)
	if !ok {
		t.Fatal("bad constant")
	}
	return l.Add(l, new(big.Int).Lsh(big.NewInt(1), 252))
}

func testKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
}

// secretScalar returns the secret of key as RFC 8032 derives it.
func secretScalar(t testing.TB, key ed25519.PrivateKey) *edwards25519.Scalar {
	t.Helper()
	h := sha512.Sum512(key.Seed())
	a, err := edwards25519.NewScalar().SetBytesWithClamping(h[:32])
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// challenge returns k = H(R ‖ A ‖ msg).
func challenge(t testing.TB, r, pub, msg []byte) *edwards25519.Scalar {
	t.Helper()
	h := sha512.Sum512(slices.Concat(r, pub, msg))
	k, err := edwards25519.NewScalar().SetUniformBytes(h[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// torsion returns the eight points whose order divides 8: the multiples of one
// of order 8.
func torsion(t testing.TB) []*edwards25519.Point {
	t.Helper()
	gen, err := new(edwards25519.Point).SetBytes(unhex(t, "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"))
	if err != nil {
		t.Fatal(err)
	}
	p := edwards25519.NewIdentityPoint()
	var points []*edwards25519.Point
	for range 8 {
		points = append(points, new(edwards25519.Point).Set(p))
		p = new(edwards25519.Point).Add(p, gen)
	}
	if p.Equal(edwards25519.NewIdentityPoint()) != 1 || points[4].Equal(points[0]) == 1 {
		t.Fatal("the generator is not of order 8")
	}
	return points
}

func TestCAP_ED_01_nonCanonicalKey(t *testing.T) {
	t.Parallel()
	p := fieldPrime()
	for _, sign := range []bool{false, true} {
		// All encodings from p to 2^255−1: there are nineteen.
		for i := range int64(19) {
			key := littleEndian(new(big.Int).Add(p, big.NewInt(i)), sign)
			if got := reasonOf(t, edstrict.CheckKey(key)); got != edstrict.NonCanonicalKey {
				t.Errorf("p+%d, sign %v: got %q, want %q", i, sign, got, edstrict.NonCanonicalKey)
			}
			if got := reasonOf(t, edstrict.Verify(key, nil, make([]byte, 64))); got != edstrict.NonCanonicalKey {
				t.Errorf("Verify with p+%d: got %q, want %q", i, got, edstrict.NonCanonicalKey)
			}
		}
		// The greatest canonical ones are judged by what they are.
		accepted := 0
		for i := int64(2); i < 40; i++ {
			key := littleEndian(new(big.Int).Sub(p, big.NewInt(i)), sign)
			_, err := new(edwards25519.Point).SetBytes(key)
			want := edstrict.Reason("")
			if err != nil {
				want = edstrict.NotOnCurve
			} else {
				accepted++
			}
			if got := reasonOf(t, edstrict.CheckKey(key)); got != want {
				t.Errorf("p-%d, sign %v: got %q, want %q", i, sign, got, want)
			}
		}
		if accepted == 0 {
			t.Error("no canonical key near p was accepted")
		}
	}
}

func TestCAP_ED_02_smallOrderKey(t *testing.T) {
	t.Parallel()
	seen := make(map[string]bool)
	for i, p := range torsion(t) {
		key := p.Bytes()
		for range 2 { // with either sign bit: at x = 0 only one of the two is canonical
			if got := reasonOf(t, edstrict.CheckKey(key)); got != edstrict.SmallOrderKey {
				t.Errorf("torsion point %d, %x: got %q, want %q", i, key, got, edstrict.SmallOrderKey)
			}
			seen[string(key)] = true
			key[31] ^= 0x80
		}
	}
	if len(seen) != 10 {
		t.Errorf("got %d encodings, want five y with two signs", len(seen))
	}
	for _, s := range []string{
		"0000000000000000000000000000000000000000000000000000000000000000",
		"0100000000000000000000000000000000000000000000000000000000000000",
		"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
		"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
		"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	} {
		if !seen[string(unhex(t, s))] {
			t.Errorf("%s is no torsion point", s)
		}
	}
}

// Keys of full order, and those with a torsion part that still have a secret,
// can name a signer.
func TestCAP_ED_02_otherKeysPass(t *testing.T) {
	t.Parallel()
	a, err := new(edwards25519.Point).SetBytes(testKey().Public().(ed25519.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range torsion(t) {
		if err := edstrict.CheckKey(new(edwards25519.Point).Add(a, p).Bytes()); err != nil {
			t.Errorf("key plus torsion point %d: got %v, want nil", i, err)
		}
	}
}

func TestCAP_ED_03_reducedScalar(t *testing.T) {
	t.Parallel()
	key, msg := testKey(), []byte("a message")
	pub := key.Public().(ed25519.PublicKey)
	sig := ed25519.Sign(key, msg)
	if err := edstrict.Verify(pub, msg, sig); err != nil {
		t.Fatalf("got %v, want nil", err)
	}
	l := groupOrder(t)
	little := slices.Clone(sig[32:])
	slices.Reverse(little)
	s := new(big.Int).SetBytes(little)
	for _, c := range []struct {
		name string
		s    *big.Int
		want edstrict.Reason
	}{
		{"s", s, ""},
		{"s+L", new(big.Int).Add(s, l), edstrict.NonReducedS},
		{"s+8L", new(big.Int).Add(s, new(big.Int).Lsh(l, 3)), edstrict.NonReducedS},
		{"L", l, edstrict.NonReducedS},
		{"L+1", new(big.Int).Add(l, big.NewInt(1)), edstrict.NonReducedS},
		{"L-1", new(big.Int).Sub(l, big.NewInt(1)), edstrict.BadSignature},
		{"0", new(big.Int), edstrict.BadSignature},
	} {
		forged := slices.Concat(sig[:32], littleEndian(c.s, false))
		if got := reasonOf(t, edstrict.Verify(pub, msg, forged)); got != c.want {
			t.Errorf("S = %s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestCAP_ED_04_keyNotOnCurve(t *testing.T) {
	t.Parallel()
	refused, accepted := 0, 0
	for y := int64(2); y < 60; y++ {
		key := littleEndian(big.NewInt(y), false)
		want := edstrict.Reason("")
		if _, err := new(edwards25519.Point).SetBytes(key); err != nil {
			want = edstrict.NotOnCurve
			refused++
		} else {
			accepted++
		}
		if got := reasonOf(t, edstrict.CheckKey(key)); got != want {
			t.Errorf("y = %d: got %q, want %q", y, got, want)
		}
	}
	if refused == 0 || accepted == 0 {
		t.Errorf("got %d refused and %d accepted, want some of each", refused, accepted)
	}
}

// A signer can make R the identity; crypto/ed25519 takes such a signature.
func TestCAP_ED_04_smallOrderR(t *testing.T) {
	t.Parallel()
	key, msg := testKey(), []byte("a message")
	pub := key.Public().(ed25519.PublicKey)
	r := edwards25519.NewIdentityPoint().Bytes()
	s := edwards25519.NewScalar().Multiply(challenge(t, r, pub, msg), secretScalar(t, key))
	sig := slices.Concat(r, s.Bytes())
	if !ed25519.Verify(pub, msg, sig) {
		t.Fatal("the signature does not solve the equation: the test shows nothing")
	}
	if got := reasonOf(t, edstrict.Verify(pub, msg, sig)); got != edstrict.SmallOrderR {
		t.Errorf("got %q, want %q", got, edstrict.SmallOrderR)
	}
	for i, p := range torsion(t) {
		copy(sig, p.Bytes())
		if got := reasonOf(t, edstrict.Verify(pub, msg, sig)); got != edstrict.SmallOrderR {
			t.Errorf("torsion point %d: got %q, want %q", i, got, edstrict.SmallOrderR)
		}
	}
}

func TestCAP_ED_04_nonCanonicalR(t *testing.T) {
	t.Parallel()
	key, msg := testKey(), []byte("a message")
	pub := key.Public().(ed25519.PublicKey)
	for _, sign := range []bool{false, true} {
		for i := range int64(19) {
			r := littleEndian(new(big.Int).Add(fieldPrime(), big.NewInt(i)), sign)
			// A verifier that hashes the given bytes and compares points would
			// be satisfied by this S where R decodes to the identity.
			s := edwards25519.NewScalar().Multiply(challenge(t, r, pub, msg), secretScalar(t, key))
			if got := reasonOf(t, edstrict.Verify(pub, msg, slices.Concat(r, s.Bytes()))); got != edstrict.NonCanonicalR {
				t.Errorf("R = p+%d, sign %v: got %q, want %q", i, sign, got, edstrict.NonCanonicalR)
			}
		}
	}
}

// The signature that fits every message, and needs no secret.
func TestCAP_ED_05_universalForgery(t *testing.T) {
	t.Parallel()
	key := append([]byte{1}, make([]byte, 31)...)
	sig := append([]byte{1}, make([]byte, 63)...)
	for _, msg := range []string{"", "a message", "another message"} {
		if !ed25519.Verify(key, []byte(msg), sig) {
			t.Errorf("%q: crypto/ed25519 refuses it by itself now", msg)
		}
		if got := reasonOf(t, edstrict.Verify(key, []byte(msg), sig)); got != edstrict.SmallOrderKey {
			t.Errorf("%q: got %q, want %q", msg, got, edstrict.SmallOrderKey)
		}
	}
}

func TestLengths(t *testing.T) {
	t.Parallel()
	key, msg := testKey(), []byte("a message")
	pub := key.Public().(ed25519.PublicKey)
	sig := ed25519.Sign(key, msg)
	for _, n := range []int{0, 1, 31, 33, 64} {
		bad := slices.Concat(pub, pub)[:n]
		if got := reasonOf(t, edstrict.CheckKey(bad)); got != edstrict.BadLength {
			t.Errorf("key of %d bytes: got %q, want %q", n, got, edstrict.BadLength)
		}
		if got := reasonOf(t, edstrict.Verify(bad, msg, sig)); got != edstrict.BadLength {
			t.Errorf("Verify with a key of %d bytes: got %q, want %q", n, got, edstrict.BadLength)
		}
	}
	for _, n := range []int{0, 1, 32, 63, 65, 128} {
		bad := slices.Concat(sig, sig)[:n]
		if got := reasonOf(t, edstrict.Verify(pub, msg, bad)); got != edstrict.BadLength {
			t.Errorf("signature of %d bytes: got %q, want %q", n, got, edstrict.BadLength)
		}
	}
}

// Every bit of key, message and signature counts.
func TestEveryBitCounts(t *testing.T) {
	t.Parallel()
	key, msg := testKey(), []byte("a message")
	all := slices.Concat(key.Public().(ed25519.PublicKey), ed25519.Sign(key, msg), msg)
	for i := range len(all) * 8 {
		b := slices.Clone(all)
		b[i/8] ^= 1 << (i % 8)
		if err := edstrict.Verify(b[:32], b[96:], b[32:96]); err == nil {
			t.Errorf("bit %d: accepted", i)
		}
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want string
	}{
		{edstrict.CheckKey(make([]byte, 32)), "small order: anyone can sign with it (CAP-ED-02)"},
		{edstrict.CheckKey(bytes.Repeat([]byte{0xff}, 32)), "public key is not in canonical form (CAP-ED-01)"},
		{edstrict.CheckKey(littleEndian(big.NewInt(2), false)), "public key is not a point of the curve (CAP-ED-04)"},
		{edstrict.CheckKey(nil), "public key or signature has the wrong length"},
		{edstrict.Verify(testKey().Public().(ed25519.PublicKey), nil, bytes.Repeat([]byte{0xff}, 64)), "signature scalar is not reduced (CAP-ED-03)"},
		{edstrict.Verify(testKey().Public().(ed25519.PublicKey), nil, make([]byte, 64)), "signature point has small order (CAP-ED-04)"},
		{edstrict.Verify(testKey().Public().(ed25519.PublicKey), nil, slices.Concat(littleEndian(fieldPrime(), false), make([]byte, 32))), "signature point is not in canonical form (CAP-ED-04)"},
		{edstrict.Verify(testKey().Public().(ed25519.PublicKey), []byte("x"), ed25519.Sign(testKey(), []byte("y"))), "signature does not match"},
		{&edstrict.Error{Reason: "odd"}, "odd"},
	} {
		if c.err == nil || !strings.HasSuffix(c.err.Error(), c.want) {
			t.Errorf("got %v, want …%q", c.err, c.want)
		}
	}
}

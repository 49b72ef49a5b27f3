package crypt_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"seed/capsule/crypt"
	"seed/jcs"
)

var context = crypt.Context{
	Version: version, CapsuleID: strings.Repeat("1", 64), FirstEventHash: strings.Repeat("2", 64),
	OriginatorKey: strings.Repeat("3", 64), Cipher: crypt.Cipher,
}

func TestCAP_ENC_02_associatedData(t *testing.T) {
	t.Parallel()
	want := `{"capsule_id":"` + context.CapsuleID + `","cipher":"ChaCha20-Poly1305","first_event_hash":"` + context.FirstEventHash +
		`","originator_public_key":"` + context.OriginatorKey + `","version":"0.6"}`
	if got := string(context.AAD()); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	empty := context
	empty.FirstEventHash = ""
	if got, want := string(empty.AAD()), strings.Replace(want, `"`+context.FirstEventHash+`"`, "null", 1); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Whatever the facts are, what is bound is their canonical form.
func TestCAP_ENC_02_associatedDataIsCanonical(t *testing.T) {
	t.Parallel()
	for _, s := range []string{`"`, `\`, "\n", "\x00", "<>&", "é\u2028", "\U0001f600", strings.Repeat("x", 2000)} {
		c := crypt.Context{Version: s, CapsuleID: s, FirstEventHash: s, OriginatorKey: s, Cipher: s}
		plain, err := json.Marshal(map[string]string{
			"version": s, "capsule_id": s, "first_event_hash": s, "originator_public_key": s, "cipher": s,
		})
		if err != nil {
			t.Fatal(err)
		}
		want, err := jcs.Canonical(plain)
		if got := c.AAD(); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%.20q: got %s, want %s (%v)", s, got, want, err)
		}
	}
}

func TestCAP_VSN_02_associatedDataNamesTheVersion(t *testing.T) {
	t.Parallel()
	c := context
	c.Version = "0.7"
	if got := string(c.AAD()); !strings.HasSuffix(got, `"version":"0.7"}`) || bytes.Equal(c.AAD(), context.AAD()) {
		t.Errorf("got %s, want the declared version in it", got)
	}
}

func TestCAP_ENC_02_sealAndOpen(t *testing.T) {
	t.Parallel()
	key, nonce, aad := [32]byte{1}, [12]byte{2}, context.AAD()
	for _, size := range []int{0, 1, 15, 16, 63, 64, 65, 1000, 70_000} {
		plaintext := bytes.Repeat([]byte("p"), size)
		sealed, err := crypt.Seal(slices.Clone(plaintext), key, nonce, aad)
		if err != nil || len(sealed) != size+crypt.Overhead {
			t.Fatalf("%d bytes: got %d, %v, want a tag of 16 bytes behind them", size, len(sealed), err)
		}
		if want := aeadOf(t, key[:]).Seal(nil, nonce[:], plaintext, aad); !bytes.Equal(sealed, want) {
			t.Errorf("%d bytes: not what the cipher makes of them", size)
		}
		got, err := crypt.Open(slices.Clone(sealed), key, nonce, aad)
		if err != nil || !bytes.Equal(got, plaintext) {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

func TestCAP_ENC_02_anythingChangedDoesNotOpen(t *testing.T) {
	t.Parallel()
	key, nonce, aad := [32]byte{1}, [12]byte{2}, context.AAD()
	sealed, err := crypt.Seal([]byte("the inner capsule"), key, nonce, aad)
	if err != nil {
		t.Fatal(err)
	}
	try := func(what string, sealed []byte, key [32]byte, nonce [12]byte, aad []byte) {
		t.Helper()
		if got, err := crypt.Open(slices.Clone(sealed), key, nonce, aad); !errors.Is(err, crypt.ErrAuthentication) || got != nil {
			t.Errorf("%s: got %q, %v, want ErrAuthentication", what, got, err)
		}
	}
	for i := range len(sealed) * 8 {
		changed := slices.Clone(sealed)
		changed[i/8] ^= 1 << (i % 8)
		try("content", changed, key, nonce, aad)
	}
	for i := range sealed {
		try("cut", sealed[:i], key, nonce, aad)
	}
	try("longer", append(slices.Clone(sealed), 0), key, nonce, aad)
	try("nothing", nil, key, nonce, aad)
	try("key", sealed, [32]byte{2}, nonce, aad)
	try("nonce", sealed, key, [12]byte{3}, aad)
	try("no associated data", sealed, key, nonce, nil)
	try("associated data", sealed, key, nonce, append(aad, ' '))
}

func TestSeal_inPlace(t *testing.T) {
	t.Parallel()
	key, nonce := [32]byte{1}, [12]byte{2}
	room := make([]byte, 100, 100+crypt.Overhead)
	sealed, err := crypt.Seal(room, key, nonce, nil)
	if err != nil || &sealed[0] != &room[0] {
		t.Errorf("with room: got other memory, %v", err)
	}
	tight := bytes.Repeat([]byte("p"), 100)
	tight = tight[:100:100]
	sealed, err = crypt.Seal(tight, key, nonce, nil)
	if err != nil || &sealed[0] == &tight[0] || !bytes.Equal(tight, bytes.Repeat([]byte("p"), 100)) {
		t.Errorf("without room: the plaintext was changed, %v", err)
	}
	short := make([]byte, 100, 100+crypt.Overhead-1)
	if sealed, err = crypt.Seal(short, key, nonce, nil); err != nil || &sealed[0] == &short[0] {
		t.Errorf("with a byte too little: got the same memory, %v", err)
	}
}

func TestOpen_inPlace(t *testing.T) {
	t.Parallel()
	key, nonce := [32]byte{1}, [12]byte{2}
	sealed, err := crypt.Seal(bytes.Repeat([]byte("p"), 100), key, nonce, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := crypt.Open(sealed, key, nonce, nil); err != nil || &got[0] != &sealed[0] {
		t.Errorf("got other memory, %v", err)
	}
}

// Where the tag is wrong nothing of the plaintext is left, not even in the
// caller's own buffer.
func TestCAP_ENC_12_nothingIsReleasedBeforeTheTag(t *testing.T) {
	t.Parallel()
	key, nonce := [32]byte{1}, [12]byte{2}
	for _, size := range []int{1, 64, 1000, 100_000} {
		sealed, err := crypt.Seal(bytes.Repeat([]byte("p"), size), key, nonce, nil)
		if err != nil {
			t.Fatal(err)
		}
		sealed[len(sealed)-1] ^= 1
		got, err := crypt.Open(sealed, key, nonce, nil)
		if got != nil || !errors.Is(err, crypt.ErrAuthentication) {
			t.Errorf("%d bytes: got %d, %v, want ErrAuthentication", size, len(got), err)
		}
		if !bytes.Equal(sealed, make([]byte, len(sealed))) {
			t.Errorf("%d bytes: the buffer is not cleared", size)
		}
	}
}

// Keys are passed by value: a caller's key is not cleared under its feet.
func TestSealAndOpen_leaveTheKeyAlone(t *testing.T) {
	t.Parallel()
	key := [32]byte{1, 2, 3}
	sealed, err := crypt.Seal([]byte("x"), key, [12]byte{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := crypt.Open(sealed, key, [12]byte{}, nil); err != nil || key != [32]byte{1, 2, 3} {
		t.Errorf("got %x, %v, want the key unchanged", key, err)
	}
}

func BenchmarkContent(b *testing.B) {
	key, nonce, aad := [32]byte{1}, [12]byte{2}, context.AAD()
	const size = 64 << 20
	buf := make([]byte, size, size+crypt.Overhead)
	b.Run("Seal", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			if _, err := crypt.Seal(buf, key, nonce, aad); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Open", func(b *testing.B) {
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			// In place, so each round needs a ciphertext of its own.
			b.StopTimer()
			sealed, err := crypt.Seal(buf, key, nonce, aad)
			if err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if _, err := crypt.Open(sealed, key, nonce, aad); err != nil {
				b.Fatal(err)
			}
		}
	})
}

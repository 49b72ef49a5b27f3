package keys_test

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/iotest"

	"seed/internal/keys"
)

// made gives a key from its secret in hex.
func made(t testing.TB, kind keys.Kind, secret string) *keys.Private {
	t.Helper()
	raw, err := hex.DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	p, err := keys.Generate(kind, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGenerate(t *testing.T) {
	t.Parallel()
	s := made(t, keys.Signing, signSecret)
	if s.String() != "ed25519:"+signPublic {
		t.Errorf("got %s, want the public key of RFC 8032", s)
	}
	msg := []byte("hello")
	if !ed25519.Verify(s.Key[:], msg, ed25519.Sign(s.Ed25519(), msg)) {
		t.Error("the signature does not verify")
	}
	if _, err := s.X25519(); !errors.Is(err, keys.ErrWrongKind) {
		t.Errorf("a signing key as a receiving one: got %v, want ErrWrongKind", err)
	}

	r := made(t, keys.Receiving, recvSecret)
	if r.String() != "x25519:"+recvPublic {
		t.Errorf("got %s, want the public key of RFC 7748", r)
	}
	if r.Ed25519() != nil {
		t.Error("a receiving key as a signing one: got a key, want nil")
	}
	x, err := r.X25519()
	if err != nil {
		t.Fatal(err)
	}
	// Bob's public key and the secret the two share, as the RFC gives them.
	bob, err := hex.DecodeString("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
	if err != nil {
		t.Fatal(err)
	}
	pub, err := ecdh.X25519().NewPublicKey(bob)
	if err != nil {
		t.Fatal(err)
	}
	shared, err := x.ECDH(pub)
	if got := hex.EncodeToString(shared); err != nil || got != "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742" {
		t.Errorf("got %s, %v, want the shared secret of RFC 7748", got, err)
	}

	if _, err := keys.Generate(keys.Signing, iotest.ErrReader(errors.New("dry"))); err == nil {
		t.Error("no randomness: got nil, want an error")
	}
	if _, err := keys.Generate(keys.Signing, strings.NewReader("too short")); err == nil {
		t.Error("too little randomness: got nil, want an error")
	}
	for _, kind := range []keys.Kind{"", "rsa"} {
		if _, err := keys.Generate(kind, nil); err == nil {
			t.Errorf("kind %q: got nil, want an error", kind)
		}
	}
	a, err := keys.Generate(keys.Signing, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := keys.Generate(keys.Signing, nil)
	if err != nil {
		t.Fatal(err)
	}
	if a.Equal(b) || !a.Equal(a) {
		t.Error("two keys of the system's randomness are equal")
	}
}

// holds reports whether text shows a secret in a form that people print bytes in.
func holds(text string, secret []byte) bool {
	numbers := strings.Trim(fmt.Sprint(secret[:8]), "[]")
	goBytes := strings.TrimSuffix(strings.TrimPrefix(fmt.Sprintf("%#v", secret[:8]), "[]byte{"), "}")
	for _, form := range []string{
		hex.EncodeToString(secret[:8]), strings.ToUpper(hex.EncodeToString(secret[:8])), numbers, goBytes,
		strings.ReplaceAll(numbers, " ", ","), base64.StdEncoding.EncodeToString(secret[:9]), string(secret[:8]),
	} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	for kind, secret := range map[keys.Kind]string{keys.Signing: signSecret, keys.Receiving: recvSecret} {
		p := made(t, kind, secret)
		raw, _ := hex.DecodeString(secret)
		type inner struct{ key keys.Private }
		type outer struct {
			Key  *keys.Private
			deep inner
			list []keys.Private
			any  any
			by   map[string]keys.Private
		}
		values := []any{
			p, *p,
			inner{*p},
			&inner{*p},
			[]*keys.Private{p},
			[]keys.Private{*p},
			outer{p, inner{*p}, []keys.Private{*p}, *p, map[string]keys.Private{"a": *p}},
			fmt.Errorf("with %v", p),
		}
		for _, v := range values {
			for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%08b", "%T", "%t", "%p", "%c", "%U"} {
				if got := fmt.Sprintf(verb, v); holds(got, raw) {
					t.Errorf("%s of %T shows the secret: %s", verb, v, got)
				}
			}
			if got, err := json.Marshal(v); err != nil || holds(string(got), raw) {
				t.Errorf("JSON of %T: got %s, %v", v, got, err)
			}
			var log bytes.Buffer
			slog.New(slog.NewTextHandler(&log, nil)).Info("m", "k", v)
			slog.New(slog.NewJSONHandler(&log, nil)).Info("m", "k", v)
			if holds(log.String(), raw) {
				t.Errorf("log of %T shows the secret: %s", v, log.String())
			}
		}
		if got, want := fmt.Sprintf("%v %s %#v", p, *p, p), p.Public.String(); strings.Count(got, want) != 3 {
			t.Errorf("got %s, want the public key", got)
		}
		text, err := p.MarshalHex()
		if err != nil || !holds(string(text), raw) {
			t.Errorf("the test cannot see a secret: %s, %v", text, err)
		}
	}
	var none *keys.Private
	if got := fmt.Sprintf("%v %+v", none, none); !strings.Contains(got, "nil") {
		t.Errorf("nil: got %s", got)
	}
}

func TestWipe(t *testing.T) {
	t.Parallel()
	p := made(t, keys.Signing, signSecret)
	other := *p
	p.Wipe()
	p.Wipe()
	if p.Ed25519() != nil || p.Hex() != signPublic {
		t.Error("the secret is still there, or the public half is gone")
	}
	if text, err := other.MarshalHex(); err != nil || strings.TrimSpace(string(text)) != strings.Repeat("0", 64) {
		t.Errorf("a copy holds %s, %v, want zeros", text, err)
	}
	if _, err := p.MarshalHex(); err == nil {
		t.Error("hex of a wiped key: got nil, want an error")
	}
	if _, err := p.Marshal("", "", nil, nil); err == nil {
		t.Error("file of a wiped key: got nil, want an error")
	}
	r := made(t, keys.Receiving, recvSecret)
	r.Wipe()
	if _, err := r.X25519(); err == nil {
		t.Error("a wiped receiving key: got nil, want an error")
	}
}

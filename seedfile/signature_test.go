package seedfile_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/seedfile"
	"seed/seedfile/transport"
	"seed/testkit"
)

// testKey is the secret of the vectors; otherKey is any other.
var (
	testKey  = ed25519.NewKeyFromSeed([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f"))
	otherKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
)

func signerOf(key ed25519.PrivateKey) string {
	return "ed25519:" + hex.EncodeToString(key.Public().(ed25519.PublicKey))
}

// signed is the whole seed after signing.
func signed(t testing.TB, text string, key ed25519.PrivateKey, o seedfile.PackOptions) string {
	t.Helper()
	p, err := seedfile.Sign(mustOpen(t, text), key, o)
	return pack(t, p, err)
}

func unsigned(t testing.TB, text string) string {
	t.Helper()
	p, err := seedfile.Unsign(mustOpen(t, text), seedfile.PackOptions{})
	return pack(t, p, err)
}

// signatureOf gives the verdict on a seed that conforms, in one word: its state,
// with the rule behind it when it is invalid.
func signatureOf(t testing.TB, text string) string {
	t.Helper()
	return verdictOf(t, mustOpen(t, text))
}

func verdictOf(t testing.TB, f *seedfile.File) string {
	t.Helper()
	s, err := f.Signature()
	if err != nil {
		t.Fatalf("got %v from memory", err)
	}
	if (s.Breach != nil) != (s.State == seedfile.SignatureInvalid) ||
		(s.Signer != [32]byte{}) != (s.State == seedfile.SignatureValid) ||
		(s.SignerText() != "") != (s.State == seedfile.SignatureValid) {
		t.Fatalf("got %+v, which does not fit together", s)
	}
	if s.Breach != nil {
		return "invalid " + s.Breach.Rule.ID
	}
	return s.State.String()
}

func signedVectors(t testing.TB) map[string]testkit.Signed {
	t.Helper()
	list, err := testkit.SignedDocuments()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 100 {
		t.Fatalf("got %d vectors, want at least 100", len(list))
	}
	out := map[string]testkit.Signed{}
	for _, v := range list {
		out[v.Name] = v
	}
	return out
}

// Every vector has its verdict in a canonical and in a foreign transport, and
// keeps it when it is packed again (SIG-09, SIG-11).
func TestSignedSeeds_Vectors(t *testing.T) {
	t.Parallel()
	rules := map[string]bool{}
	for name, v := range signedVectors(t) {
		rules[v.Rule] = rules[v.Rule] || v.Expect == "invalid"
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := v.Expect
			if want == "invalid" {
				want += " " + v.Rule
			}
			body := string(v.Body)
			for transportName, text := range map[string]string{
				"canonical":    canonical(body, transport.Full),
				"custom":       wrap(body),
				"packed again": repack(t, wrap(body), seedfile.PackOptions{}),
				"planted":      repack(t, wrap(body), seedfile.PackOptions{URL: "https://other.example/s/zzzzz"}),
			} {
				if got := signatureOf(t, text); got != want {
					t.Errorf("%s, %s: got %s, want %s", v.Note, transportName, got, want)
				}
			}
		})
	}
	for n := 1; n <= 8; n++ {
		if id := fmt.Sprintf("SIG-%02d", n); !rules[id] {
			t.Errorf("no vector breaks %s", id)
		}
	}
}

// SIG-08, SIG-10: whoever holds the key makes the same signature again, over the
// message that the vector names.
func TestSignedSeeds_SIG_10_VectorsSignAgain(t *testing.T) {
	t.Parallel()
	n := 0
	for name, v := range signedVectors(t) {
		if v.Expect != "valid" {
			continue
		}
		n++
		key := ed25519.NewKeyFromSeed(v.Secret)
		f := mustOpen(t, wrap(string(v.Body)))
		if got := f.Meta.Field("signature"); got != fmt.Sprintf("signature: %x\n", ed25519.Sign(key, v.Message)) {
			t.Errorf("%s: the message is not what was signed", name)
		}
		meta, payload := strings.TrimSuffix(string(f.Meta.Raw()), f.Meta.Field("signature")), payloadOf(t, f)
		m, p := sha(meta), sha(payload)
		if want := "seed-signature-v1\x00" + string(m[:]) + string(p[:]); string(v.Message) != want {
			t.Errorf("%s: got message %x, want %x", name, v.Message, want)
		}
		again := mustOpen(t, signed(t, wrap(string(v.Body)), key, seedfile.PackOptions{}))
		if !bytes.Equal(again.Meta.Raw(), f.Meta.Raw()) || payloadOf(t, again) != payload {
			t.Errorf("%s: got %q after signing again, want %q", name, again.Meta.Raw(), f.Meta.Raw())
		}
		s, err := f.Signature()
		if err != nil || s.SignerText() != signerOf(key) || !bytes.Equal(s.Signer[:], key[32:]) {
			t.Errorf("%s: got signer %s, %v, want %s", name, s.SignerText(), err, signerOf(key))
		}
	}
	if n < 15 {
		t.Errorf("got %d valid vectors, want at least 15", n)
	}
}

// The numbers in the specification are those of its vector.
func TestSignedSeeds_WorkedExample(t *testing.T) {
	t.Parallel()
	spec, err := os.ReadFile(filepath.Join("..", "docs", "spec", "signed-seeds.md"))
	if err != nil {
		t.Fatal(err)
	}
	v := signedVectors(t)["valid-document"]
	f := mustOpen(t, wrap(string(v.Body)))
	sig, _ := f.Meta.Value("signature")
	signer, _ := f.Meta.Value("signer")
	meta := strings.TrimSuffix(string(f.Meta.Raw()), f.Meta.Field("signature"))
	page := strings.Join(strings.Fields(string(spec)), " ")
	squeezed := strings.ReplaceAll(page, " ", "")
	for what, want := range map[string]string{
		"secret":        hex.EncodeToString(v.Secret),
		"message":       hex.EncodeToString(v.Message),
		"metadata":      hex.EncodeToString([]byte(meta)),
		"payload":       hex.EncodeToString([]byte(payloadOf(t, f))),
		"metadata hash": fmt.Sprintf("%x", sha(meta)),
		"payload hash":  fmt.Sprintf("%x", sha(payloadOf(t, f))),
		"signature":     sig,
		"signer":        signer,
	} {
		if !strings.Contains(squeezed, want) {
			t.Errorf("the specification does not show the %s %s", what, want)
		}
	}
	if !strings.Contains(page, strings.Join(strings.Fields(string(v.Body)), " ")) {
		t.Errorf("the specification does not show the document %q", v.Body)
	}
}

// A finding names the seed and the line of the field that is wrong.
func TestSignedSeeds_FindingsNameTheLine(t *testing.T) {
	t.Parallel()
	vectors := signedVectors(t)
	for _, c := range []struct {
		name, want string
	}{
		{"signer-alone", `my.seed:10: the metadata has a "signer" and no "signature" (SIG-01)`},
		{"signature-alone", `my.seed:10: the metadata has a "signature" and no "signer" (SIG-01)`},
		{"signer-twice", `my.seed:11: field "signer" stands in the metadata twice (SIG-02)`},
		{"signature-twice", `my.seed:12: field "signature" stands in the metadata twice (SIG-02)`},
		{"signer-no-scheme", `my.seed:10: the signer is not written as "signer: ed25519:" and 64 lower-case hex digits: "signer: 03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8\n" (SIG-03)`},
		{"signature-none", `my.seed:11: the signature is not written as "signature: " and 128 lower-case hex digits: "signature: null\n" (SIG-04)`},
		{"signature-first", `my.seed:6: the signature is not the last line of the metadata (SIG-05)`},
		{"key-identity", `my.seed:10: the signer's public key has small order: anyone can sign with it (SIG-06)`},
		{"signature-s-order", `my.seed:11: the signature scalar is not reduced (SIG-07)`},
		{"payload-changed", `my.seed:11: the signature is not that of the signer over this metadata and payload (SIG-08)`},
	} {
		text := wrap(string(vectors[c.name].Body))
		f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{Name: "my.seed"})
		if err != nil {
			t.Fatal(err)
		}
		s, err := f.Signature()
		if err != nil || s.Breach == nil || s.Breach.Error() != c.want {
			t.Errorf("%s: got %v, %v, want %s", c.name, s.Breach, err, c.want)
		}
	}
}

// SIG-12: what cannot be read has no verdict, neither a good nor a bad one. What
// can be told from the metadata alone is told without reading.
func TestSignedSeeds_SIG_12_ReadErrors(t *testing.T) {
	t.Parallel()
	vectors := signedVectors(t)
	for _, c := range []struct {
		name string
		io   bool
	}{
		{"valid-document", true},
		{"payload-changed", true},
		{"signature-s-order", true},
		{"unsigned-plain", false},
		{"signer-alone", false},
		{"signature-first", false},
		{"key-identity", false},
	} {
		for _, cause := range []error{errFire, nil} {
			text := wrap(string(vectors[c.name].Body))
			src := &failing{text: text, at: int64(len(text))}
			f, err := seedfile.Open(src, int64(len(text)), seedfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			src.at, src.err = int64(strings.Index(text, "# Hello")+2), cause
			want := cause
			if cause == nil {
				want = io.ErrUnexpectedEOF
			}
			s, err := f.Signature()
			if c.io && (!errors.Is(err, want) || s != (seedfile.Signature{})) {
				t.Errorf("%s: got %+v, %v, want nothing and %v", c.name, s, err, want)
			}
			if !c.io && err != nil {
				t.Errorf("%s: got %v, want a verdict without reading the payload", c.name, err)
			}
			if _, err := seedfile.Sign(f, testKey, seedfile.PackOptions{}); err == nil {
				t.Errorf("%s: signed a payload that cannot be read whole", c.name)
			}
		}
	}
}

func TestSignatureState(t *testing.T) {
	t.Parallel()
	got := fmt.Sprint(seedfile.Unsigned, seedfile.SignatureValid, seedfile.SignatureInvalid, seedfile.SignatureState(7))
	if want := "unsigned valid invalid SignatureState(7)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if s := (seedfile.Signature{}); s.State != seedfile.Unsigned {
		t.Errorf("got %v, want the zero value to be unsigned", s.State)
	}
}

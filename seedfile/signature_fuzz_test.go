package seedfile_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"testing"

	"seed/seedfile"
)

var (
	reSigner    = regexp.MustCompile(`^signer: ed25519:([0-9a-f]{64})$`)
	reSignature = regexp.MustCompile(`^signature: ([0-9a-f]{128})$`)
)

// oracleSignature judges the signature of a document by the words of the
// specification, and shares no code with the package. Of the rules about keys
// and numbers it knows only what crypto/ed25519 knows.
func oracleSignature(document string) string {
	block, rest, _ := strings.Cut(strings.TrimPrefix(document, "---\n"), "\n---\n")
	lines, payload := strings.Split(block, "\n"), strings.TrimPrefix(rest, "\n")
	var at [2][]int
	for i, l := range lines {
		for k, key := range []string{"signer:", "signature:"} {
			if l == key || strings.HasPrefix(l, key+" ") || strings.HasPrefix(l, key+"\t") {
				at[k] = append(at[k], i)
			}
		}
	}
	goesOn := func(i int) bool {
		for _, l := range lines[i+1:] {
			if bare := strings.TrimLeft(l, " \t"); bare != "" && bare[0] != '#' {
				return len(bare) < len(l) || l == "-" || strings.HasPrefix(l, "- ")
			}
		}
		return false
	}
	switch {
	case len(at[0])+len(at[1]) == 0:
		return "unsigned"
	case len(at[0]) == 0 || len(at[1]) == 0:
		return "invalid SIG-01"
	case len(at[0]) > 1 || len(at[1]) > 1:
		return "invalid SIG-02"
	}
	signer, sig := reSigner.FindStringSubmatch(lines[at[0][0]]), reSignature.FindStringSubmatch(lines[at[1][0]])
	switch {
	case signer == nil || goesOn(at[0][0]):
		return "invalid SIG-03"
	case sig == nil || goesOn(at[1][0]):
		return "invalid SIG-04"
	case at[1][0] != len(lines)-1:
		return "invalid SIG-05"
	}
	m := sha256.Sum256([]byte(strings.Join(lines[:len(lines)-1], "\n") + "\n"))
	p := sha256.Sum256([]byte(payload))
	key, _ := hex.DecodeString(signer[1])
	seal, _ := hex.DecodeString(sig[1])
	if ed25519.Verify(key, slices.Concat([]byte("seed-signature-v1\x00"), m[:], p[:]), seal) {
		return "valid"
	}
	return "invalid SIG-08"
}

// sameVerdict allows for what the oracle does not know: a key or a signature
// that is refused for its form.
func sameVerdict(got, oracle string) bool {
	strict := got == "invalid SIG-06" || got == "invalid SIG-07"
	return got == oracle || strict && (oracle == "valid" || oracle == "invalid SIG-08")
}

func TestSignedSeeds_Oracle(t *testing.T) {
	t.Parallel()
	for name, v := range signedVectors(t) {
		want := v.Expect
		if want == "invalid" {
			want += " " + v.Rule
		}
		if got := oracleSignature(string(v.Body)); !sameVerdict(want, got) {
			t.Errorf("%s: got %s from the slow reader, want %s", name, got, want)
		}
	}
}

// FuzzSignature: any metadata and payload. The verdict is that of the slow
// reader and outlives packing; signing makes it valid, and unsigning takes
// exactly that back.
func FuzzSignature(f *testing.F) {
	vectors := signedVectors(f)
	for _, name := range []string{"valid-document", "valid-unknown-fields", "valid-signer-between", "valid-archive", "unsigned-in-block-scalar", "signature-continued", "signer-continued-after-comment", "signature-then-comment", "signature-r-identity", "key-identity"} {
		block, rest, _ := strings.Cut(strings.TrimPrefix(string(vectors[name].Body), "---\n"), "---\n\n")
		f.Add(block, rest)
	}
	f.Fuzz(func(t *testing.T, meta, payload string) {
		file, err := open(wrap("---\n" + meta + "---\n\n" + payload))
		if err != nil {
			return
		}
		var doc bytes.Buffer
		if _, err := doc.ReadFrom(file.Document()); err != nil {
			t.Fatal(err)
		}
		got := verdictOf(t, file)
		if want := oracleSignature(doc.String()); !sameVerdict(got, want) {
			t.Fatalf("got %s, want %s:\n%q", got, want, doc.String())
		}
		p, err := seedfile.Repack(file, seedfile.PackOptions{})
		if again := signatureOf(t, pack(t, p, err)); again != got {
			t.Fatalf("got %s after packing again, want %s", again, got)
		}
		p, err = seedfile.Sign(file, testKey, seedfile.PackOptions{})
		if len(file.Meta.Raw()) > seedfile.MaxMetadata-300 {
			return // the two lines may not fit
		}
		once := pack(t, p, err)
		if got := signatureOf(t, once); got != "valid" {
			t.Fatalf("got %s after signing:\n%q", got, once)
		}
		if twice := signed(t, once, testKey, seedfile.PackOptions{}); twice != once {
			t.Fatalf("got other bytes from signing twice:\n%q\n%q", once, twice)
		}
		p, err = seedfile.Unsign(file, seedfile.PackOptions{})
		bare := pack(t, p, err)
		if unsigned(t, once) != bare || signatureOf(t, bare) != "unsigned" {
			t.Fatalf("got %q without signature, want %q", unsigned(t, once), bare)
		}
	})
}

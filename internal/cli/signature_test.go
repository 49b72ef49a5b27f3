package cli

import (
	"bytes"
	"crypto/ed25519"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/finding"
	"seed/internal/keys"
	"seed/seedfile"
)

// seedFile writes a seed of a script.
func seedFile(t *testing.T, text string, sign bool) string {
	t.Helper()
	packed, err := seedfile.PackDocument(strings.NewReader(text), int64(len(text)), seedfile.PackOptions{Base: "x.sh", Type: "tool", Grow: []string{"exec"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := packed.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	seed, err := seedfile.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), seedfile.Options{})
	if err == nil && sign {
		packed, err = seedfile.Sign(seed, ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), seedfile.PackOptions{})
	}
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.seed")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := packed.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	return path
}

// SIG-12: what a signature is consent for is what was verified. The file may be
// written to, and cut, between the verdict and the act.
func TestSIG_12_SignedFileIsCopied(t *testing.T) {
	t.Parallel()
	path := seedFile(t, "echo good\n", true)
	a, _, _ := testApp()
	in, err := a.open(t.Context(), path, "grow", &inputFlags{}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	seed, err := a.readSettled(t.Context(), in, &inputFlags{})
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, bytes.ReplaceAll(content, []byte("good"), []byte("evil")), 0o600); err != nil {
		t.Fatal(err)
	}
	sig, err := seed.Signature()
	if err != nil || sig.State != seedfile.SignatureValid {
		t.Errorf("got %v, %v, want a valid signature", sig.State, err)
	}
	if got, err := io.ReadAll(seed.Payload()); err != nil || string(got) != "echo good\n" {
		t.Errorf("got %q, %v, want what was verified", got, err)
	}
}

// A seed that claims nothing is read where it lies.
func TestUnsignedFileIsNotCopied(t *testing.T) {
	t.Parallel()
	a, _, _ := testApp()
	for _, sign := range []bool{false, true} {
		in, err := a.open(t.Context(), seedFile(t, "echo good\n", sign), "grow", &inputFlags{}, true)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if _, err := a.readSettled(t.Context(), in, &inputFlags{}); err != nil {
			t.Fatal(err)
		}
		if copied := in.file == nil; copied != sign {
			t.Errorf("signed: %v: got copied: %v", sign, copied)
		}
	}
}

// Four words, and an unknown signer is always visible.
func TestSIG_12_SignatureLine(t *testing.T) {
	t.Parallel()
	const key = "ed25519:00"
	for _, tt := range []struct {
		j    signatureJSON
		want string
	}{
		{signatureJSON{State: "unsigned"}, "not signed"},
		{signatureJSON{State: "invalid", Reason: "bad \x1b[2J", Rule: "SIG-08"}, `invalid signature: bad \x1b[2J (SIG-08)`},
		{signatureJSON{State: "signed", Signer: key}, "signed by ed25519:00, not trusted: an unknown signer"},
		{signatureJSON{State: "signed", Signer: key, Label: "A", Expired: true, Expires: "2020-01-01T00:00:00Z"}, `signed by ed25519:00, not trusted: trust as "A" ended 2020-01-01T00:00:00Z`},
		{signatureJSON{State: "signed", Signer: key, Label: "A"}, `signed by ed25519:00, not trusted here, listed as "A"`},
		{signatureJSON{State: "signed", Signer: key, Label: "A", Trusted: true}, `signed by ed25519:00, trusted as "A"`},
		{signatureJSON{State: "signed", Signer: key, Trusted: true, Wants: []string{"exec", "url"}}, `signed by ed25519:00, trusted, not allowed: exec, url`},
		{signatureJSON{State: "signed", Signer: key, Trusted: true, Wants: []string{"exec", "url"}, May: []keys.Permission{"url"}}, `signed by ed25519:00, trusted, allowed: url, not allowed: exec`},
		{signatureJSON{State: "signed", Signer: key, Trusted: true, Wants: []string{"exec"}, May: []keys.Permission{"any"}}, `signed by ed25519:00, trusted, allowed: exec`},
		{signatureJSON{State: "signed", Signer: key, Trusted: true, Label: "\u202eA"}, "signed by ed25519:00, trusted as \"\\u202eA\""},
	} {
		if got := tt.j.line(false); got != tt.want {
			t.Errorf("%+v: got %q, want %q", tt.j, got, tt.want)
		}
	}
}

// A demand is met by trust alone, and says what is missing.
func TestSIG_12_Demand(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		j    signatureJSON
		only bool
		want string
	}{
		{signatureJSON{State: "signed", Trusted: true}, false, ""},
		{signatureJSON{State: "signed", Trusted: true}, true, ""},
		{signatureJSON{State: "unsigned"}, true, "not signed"},
		{signatureJSON{State: "invalid"}, false, "invalid"},
		{signatureJSON{State: "signed"}, true, "allowlist"},
		{signatureJSON{State: "signed", Expired: true}, false, "ended"},
		{signatureJSON{State: "signed"}, false, "not trusted"},
	} {
		var rep finding.Report
		tt.j.demand(&rep, tt.only)
		err := rep.Err()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%+v: got %v, want %q", tt.j, err, tt.want)
		}
	}
}

// CAP-TRU-02: an entry of an allowlist is a key in either case, with or without
// its kind; anything else is a usage error.
func TestCAP_TRU_02_Allowlist(t *testing.T) {
	t.Parallel()
	const hex = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
	a, _, _ := testApp()
	list, err := a.Allowlist([]string{hex, strings.ToUpper(hex), "ed25519:" + hex})
	if err != nil || len(list) != 3 || list[0] != list[1] || list[1] != list[2] || list[0].Kind != keys.Signing {
		t.Errorf("got %v, %v, want three times the same key", list, err)
	}
	if list, err := a.Allowlist(nil); list != nil || err != nil {
		t.Errorf("got %v, %v, want no list", list, err)
	}
	for _, bad := range []string{"", "03a1", "x25519:" + hex, "ed25519:" + strings.Repeat("00", 32), strings.Repeat("z", 64)} {
		if list, err := a.Allowlist([]string{hex, bad}); err == nil {
			t.Errorf("%q: got %v, want a usage error", bad, list)
		}
	}
}

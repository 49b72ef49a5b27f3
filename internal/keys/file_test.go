package keys_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"seed/internal/keys"
	"seed/internal/secrets"
)

const (
	plainFile = `-----BEGIN SEED PRIVATE KEY-----
Format: 1
Kind: ed25519
Public: ` + signPublic + `
Label: RFC 8032
Created: 2026-08-01T12:00:00Z
Protection: none

nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=
-----END SEED PRIVATE KEY-----
`
	// The passphrase is "correct horse", the salt 16 times "s".
	lockedFile = `-----BEGIN SEED PRIVATE KEY-----
Format: 1
Kind: x25519
Public: ` + recvPublic + `
Protection: argon2id m=65536 t=3 p=4 salt=73737373737373737373737373737373

dWH2sl+Or/LVZzCBNWJZLya6TSCj8LTy4OsLBx5/Du6b8h+Ijk6/vLVWAUD/Q4/w
-----END SEED PRIVATE KEY-----
`
)

// answer is an Asker that gives one passphrase, and the buffers it gave.
func answer(pass string, given *[][]byte) keys.Asker {
	return func(string) ([]byte, error) {
		b := []byte(pass)
		if given != nil {
			*given = append(*given, b)
		}
		return b, nil
	}
}

func noAnswer(t *testing.T) keys.Asker {
	return func(prompt string) ([]byte, error) {
		t.Errorf("asked %q, want nobody to be asked", prompt)
		return nil, errors.New("not now")
	}
}

func TestMarshal(t *testing.T) {
	t.Parallel()
	got, err := made(t, keys.Signing, signSecret).Marshal("RFC 8032", "2026-08-01T12:00:00Z", nil, nil)
	if err != nil || string(got) != plainFile {
		t.Errorf("got\n%s%v, want\n%s", got, err, plainFile)
	}
	pass := []byte("correct horse")
	got, err = made(t, keys.Receiving, recvSecret).Marshal("", "", pass, strings.NewReader(strings.Repeat("s", 16)))
	if err != nil || string(got) != lockedFile {
		t.Errorf("got\n%s%v, want\n%s", got, err, lockedFile)
	}
	if string(pass) != "correct horse" {
		t.Errorf("the caller's passphrase became %q", pass)
	}
	p := made(t, keys.Signing, signSecret)
	for _, c := range []struct{ label, created string }{
		{"a\nb", ""},
		{" a", ""},
		{"\x1b]0;x\a", ""},
		{strings.Repeat("a", 129), ""},
		{"", "yesterday"},
		{"", "2026-08-01T12:00:00+02:00"},
		{"", "2026-02-30T12:00:00Z"},
		{"", "2026-08-01T12:00:00Z\n"},
	} {
		if got, err := p.Marshal(c.label, c.created, nil, nil); err == nil {
			t.Errorf("%q, %q: got %s, want an error", c.label, c.created, got)
		}
	}
	if _, err := p.Marshal("", "", pass, iotest.ErrReader(errors.New("dry"))); err == nil {
		t.Error("no randomness for the salt: got nil, want an error")
	}
}

func TestParsePrivate(t *testing.T) {
	t.Parallel()
	p, err := keys.ParsePrivate([]byte(plainFile), keys.Signing, noAnswer(t))
	if err != nil || !p.Equal(made(t, keys.Signing, signSecret)) || p.Label != "RFC 8032" {
		t.Errorf("plain: got %v %q, %v", p, p.Label, err)
	}
	var given [][]byte
	p, err = keys.ParsePrivate([]byte(lockedFile), "", answer("correct horse", &given))
	if err != nil || !p.Equal(made(t, keys.Receiving, recvSecret)) {
		t.Errorf("protected: got %v, %v", p, err)
	}
	if len(given) != 1 || strings.Trim(string(given[0]), "\x00") != "" {
		t.Errorf("the passphrase was asked for %d times and left as %q, want once and zeros", len(given), given)
	}
	given = nil
	if _, err := keys.ParsePrivate([]byte(lockedFile), "", answer("Correct horse", &given)); !errors.Is(err, keys.ErrPassphrase) {
		t.Errorf("wrong passphrase: got %v, want ErrPassphrase", err)
	}
	if strings.Trim(string(given[0]), "\x00") != "" {
		t.Errorf("a wrong passphrase was left as %q, want zeros", given[0])
	}
	if _, err := keys.ParsePrivate([]byte(lockedFile), "", nil); !errors.Is(err, keys.ErrNeedPassphrase) {
		t.Errorf("nobody to ask: got %v, want ErrNeedPassphrase", err)
	}
	gone := errors.New("gone")
	if _, err := keys.ParsePrivate([]byte(lockedFile), "", func(string) ([]byte, error) { return nil, gone }); !errors.Is(err, gone) {
		t.Errorf("no answer: got %v, want %v", err, gone)
	}
}

func TestCAP_ENC_10_privateKeysSayTheirKind(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]keys.Kind{plainFile: keys.Receiving, lockedFile: keys.Signing} {
		_, err := keys.ParsePrivate([]byte(file), want, noAnswer(t))
		if !errors.Is(err, keys.ErrWrongKind) || rule(err) != "CAP-ENC-10" {
			t.Errorf("as %s: got %v, want ErrWrongKind", want, err)
		}
		for _, kind := range []string{"ed25519", "x25519"} {
			if !strings.Contains(err.Error(), kind) {
				t.Errorf("as %s: got %v, want both kinds named", want, err)
			}
		}
	}
	for _, end := range []string{"", "\n", "\r\n"} {
		for kind, secret := range map[keys.Kind]string{keys.Signing: signSecret, keys.Receiving: recvSecret} {
			for _, digits := range []string{secret, strings.ToUpper(secret)} {
				p, err := keys.ParsePrivate([]byte(digits+end), kind, nil)
				if err != nil || !p.Equal(made(t, kind, secret)) {
					t.Errorf("hex as %s: got %v, %v", kind, p, err)
				}
			}
		}
		if _, err := keys.ParsePrivate([]byte(signSecret+end), "", nil); rule(err) != "CAP-ENC-10" || hint(err) == "" {
			t.Errorf("hex as anything: got %v, want it refused for its missing kind", err)
		}
	}
}

func TestMarshalHexIsTheReferencesForm(t *testing.T) {
	t.Parallel()
	got, err := made(t, keys.Signing, signSecret).MarshalHex()
	if err != nil || string(got) != signSecret+"\n" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestParsePrivateRefuses(t *testing.T) {
	t.Parallel()
	change := func(from, to string) string { return strings.Replace(plainFile, from, to, 1) }
	salted := func(params string) string {
		return strings.Replace(lockedFile, "m=65536 t=3 p=4", params, 1)
	}
	for _, c := range []struct{ in, want string }{
		{"", "not a private key"},
		{"hello\n", "not a private key"},
		{signSecret + "\n\n", "not a private key"},
		{" " + signSecret, "not a private key"},
		{signSecret[1:] + "g", "not a private key"},
		{signSecret + signPublic, "not a private key"},
		{"ed25519:" + signPublic + "\n", "the private one is needed"},
		{"ssh-ed25519 AAAA\n", "the private one is needed"},
		{"-----BEGIN RSA PRIVATE KEY-----\nx", "in the form RSA PRIVATE KEY,"},
		{`-----BEGIN PRIVATE KEY-----\n` + signSecret, "in the form PRIVATE KEY,"},
		{"-----BEGIN " + signSecret, "not read here"},
		{plainFile + strings.Repeat("\n", 16<<10), "not a private key"},

		{plainFile[:40], "cut off"},
		{plainFile[:len(plainFile)-1], "-----END"},
		{plainFile + "\n", "more text"},
		{strings.ReplaceAll(plainFile, "\n", "\r\n"), "LF alone"},
		{change("Format: 1", "Format: 2"), `line 2: key file of format "2"`},
		{change("Format: 1\n", ""), "line 2: "},
		{change("Kind: ed25519", "Kind: rsa"), "line 4: "},
		{change("Kind: ed25519", "Kind: x25519"), "does not belong"},
		{change("Kind: ed25519\n", ""), "line 3: "},
		{change(signPublic, strings.ToUpper(signPublic)), "lower case"},
		{change(signPublic, recvPublic), "line 4"},
		{change(signPublic, "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), "does not belong"},
		{change("Label: RFC 8032", "Label: "), "line 5: "},
		{change("Label: RFC 8032", "Label:  RFC"), "line 5: "},
		{change("Label: RFC 8032", "Label: \u200bRFC"), "line 5: "},
		{change("2026-08-01", "2026-8-01"), "line 6: "},
		{change("Protection: none", "Protection: rot13"), "line 7: unknown protection"},
		{change("Protection: none", "Protection:"), "line 7: "},
		{change("none\n\n", "none\n"), "line 8: "},
		{change("f2A=", "f2B="), "line 9: "}, // bits that base64 does not need
		{change("f2A=", "fw=="), "line 9: "},
		{change("nWGx", "nW!x"), "line 9: "},

		{salted("m=0 t=3 p=4"), "line 5: "},
		{salted("m=65536 t=0 p=4"), "senseless"},
		{salted("m=65536 t=3 p=0"), "senseless"},
		{salted("m=65536 t=3 p=17"), "senseless"},
		{salted("m=31 t=3 p=4"), "senseless"},
		{salted("m=262145 t=1 p=4"), "too much"},
		{salted("m=4294967295 t=1 p=4"), "too much"},
		{salted("m=262144 t=5 p=4"), "too much"},
		{salted("m=65536 t=4294967295 p=4"), "too much"},
		{salted("m=4294967296 t=1 p=4"), "unknown protection"},
		{salted("m=65536 t=3 p=256"), "unknown protection"},
		{salted("m=-1 t=3 p=4"), "unknown protection"},
		{salted("m=065536 t=3 p=4"), "malformed protection"},
		{salted("m=+65536 t=3 p=4"), "protection"},
		{salted("m=65536  t=3 p=4"), "protection"},
		{strings.Replace(lockedFile, "salt=73", "salt=", 1), "salt"},
		{strings.Replace(lockedFile, "salt=73", "salt=7373", 1), "protection"},
		{strings.Replace(lockedFile, "salt=73", "salt=zz", 1), "salt"},
	} {
		p, err := keys.ParsePrivate([]byte(c.in), keys.Signing, noAnswer(t))
		if strings.HasPrefix(c.in, lockedFile[:60]) {
			p, err = keys.ParsePrivate([]byte(c.in), keys.Receiving, noAnswer(t))
		}
		if strings.Contains(c.in, "Kind: x25519") && strings.Contains(c.in, "nWGx") {
			p, err = keys.ParsePrivate([]byte(c.in), keys.Receiving, noAnswer(t))
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.300q: got %v, %v, want %q", c.in, p, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), signSecret[:12]) || strings.Contains(err.Error(), "nWGx")) {
			t.Errorf("%.300q: got %v, which shows the secret", c.in, err)
		}
	}
}

// Whatever is changed in a protected file, it does not open: most changes are
// found before anybody is asked, the rest by the cipher, whose additional data
// is all that stands before the secret.
func TestTamperedKeyFile(t *testing.T) {
	t.Parallel()
	full, err := made(t, keys.Signing, signSecret).Marshal("laptop", "2026-08-01T12:00:00Z", []byte("p"), nil)
	if err != nil {
		t.Fatal(err)
	}
	changes := []struct{ from, to string }{
		{"laptop", "lapdog"},
		{"Label: laptop\n", ""},
		{"2026-08", "2027-08"},
		{"Created: 2026-08-01T12:00:00Z\n", ""},
		{"ed25519", "x25519"},
		{"p=4", "p=3"},
		{"t=3", "t=2"},
		{"m=65536", "m=65528"},
	}
	for _, c := range changes {
		bad := bytes.Replace(full, []byte(c.from), []byte(c.to), 1)
		if bytes.Equal(bad, full) {
			t.Fatalf("%q is not in the file", c.from)
		}
		if _, err := keys.ParsePrivate(bad, "", answer("p", nil)); !errors.Is(err, keys.ErrPassphrase) {
			t.Errorf("%q for %q: got %v, want ErrPassphrase", c.to, c.from, err)
		}
	}
	for i := range full {
		bad := bytes.Clone(full)
		bad[i] ^= 1
		asked := errors.New("asked")
		_, err := keys.ParsePrivate(bad, keys.Signing, func(string) ([]byte, error) { return nil, asked })
		if err == nil {
			t.Errorf("byte %d flipped: got nil, want an error", i)
		}
		// One byte of each line goes all the way.
		if errors.Is(err, asked) && i%16 == 0 {
			if _, err := keys.ParsePrivate(bad, keys.Signing, answer("p", nil)); err == nil {
				t.Errorf("byte %d flipped: it opened", i)
			}
		}
	}
	if _, err := keys.ParsePrivate(full, keys.Signing, answer("p", nil)); err != nil {
		t.Errorf("untouched: got %v, want nil", err)
	}
}

func TestKeyFileRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]keys.Kind{keys.Signing, keys.Receiving}).Draw(t, "kind")
		secret := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "secret")
		label := rapid.StringN(0, 40, 128).Filter(func(s string) bool { return keys.CheckLabel(s) == nil }).Draw(t, "label")
		p, err := keys.Generate(kind, bytes.NewReader(secret))
		if err != nil {
			t.Fatal(err)
		}
		data, err := p.Marshal(label, "", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		q, err := keys.ParsePrivate(data, kind, nil)
		if err != nil || !q.Equal(p) || q.Label != label {
			t.Fatalf("got %v %q, %v, want %v %q", q, q.Label, err, p, label)
		}
		again, err := q.Marshal(q.Label, "", nil, nil)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("got %s, %v, want %s", again, err, data)
		}
	})
}

// A key file must not leave by accident in a seed or a capsule.
func TestKeyFilesAreSecretsToTheScan(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		p, err := keys.Generate(keys.Signing, nil)
		if err != nil {
			t.Fatal(err)
		}
		plain, err := p.Marshal("a label", "2026-08-01T12:00:00Z", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := secrets.ScanBytes("notes.md", plain); len(got.Matches) == 0 {
			t.Errorf("key %d: found nothing, want a private key", i)
		}
	}
	if got := secrets.ScanBytes("notes.md", []byte(lockedFile)); len(got.Matches) == 0 {
		t.Error("protected: found nothing, want a private key")
	}
}

func BenchmarkUnlock(b *testing.B) {
	for _, cost := range []string{"m=65536 t=3 p=4", "m=262144 t=4 p=1", "m=8 t=131072 p=1"} {
		data := []byte(strings.Replace(lockedFile, "m=65536 t=3 p=4", cost, 1))
		b.Run(cost, func(b *testing.B) {
			for b.Loop() {
				_, _ = keys.ParsePrivate(data, "", answer("correct horse", nil))
			}
		})
	}
}

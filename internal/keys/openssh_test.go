package keys_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/keys"
)

// sshKey is what stands in an OpenSSH key file.
type sshKey struct {
	magic, cipher, kdf, options string
	count                       uint32
	public                      []byte // the encoded public key
	check                       [2]uint32
	kind                        string
	key, pair                   []byte
	comment                     string
	padding                     string
	after                       string
}

func goodSSH() sshKey {
	secret, _ := hex.DecodeString(signSecret)
	public, _ := hex.DecodeString(signPublic)
	return sshKey{
		magic: "openssh-key-v1\x00", cipher: "none", kdf: "none", count: 1,
		public: sshStrings("ssh-ed25519", string(public)), check: [2]uint32{7, 7}, kind: "ssh-ed25519",
		key: public, pair: append(secret, public...), comment: "alice@tester", padding: "\x01",
	}
}

func sshStrings(parts ...string) []byte {
	var out []byte
	for _, s := range parts {
		out = binary.BigEndian.AppendUint32(out, uint32(len(s)))
		out = append(out, s...)
	}
	return out
}

func (k sshKey) raw() []byte {
	private := binary.BigEndian.AppendUint32(nil, k.check[0])
	private = binary.BigEndian.AppendUint32(private, k.check[1])
	private = append(private, sshStrings(k.kind, string(k.key), string(k.pair), k.comment)...)
	private = append(private, k.padding...)
	out := append([]byte(k.magic), sshStrings(k.cipher, k.kdf, k.options)...)
	out = binary.BigEndian.AppendUint32(out, k.count)
	out = append(out, sshStrings(string(k.public), string(private))...)
	return append(out, k.after...)
}

func sshArmour(raw []byte) string {
	text := base64.StdEncoding.EncodeToString(raw)
	var b strings.Builder
	b.WriteString("-----BEGIN OPENSSH PRIVATE KEY-----\n")
	for len(text) > 0 {
		n := min(70, len(text))
		b.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	b.WriteString("-----END OPENSSH PRIVATE KEY-----\n")
	return b.String()
}

func TestOpenSSH(t *testing.T) {
	t.Parallel()
	good := sshArmour(goodSSH().raw())
	for name, text := range map[string]string{
		"as it is":          good,
		"CRLF":              strings.ReplaceAll(good, "\n", "\r\n"),
		"without a last LF": strings.TrimSuffix(good, "\n"),
	} {
		p, err := keys.ParsePrivate([]byte(text), keys.Signing, nil)
		if err != nil || !p.Equal(made(t, keys.Signing, signSecret)) || p.Label != "alice@tester" {
			t.Errorf("%s: got %v, %v", name, p, err)
		}
	}
	if p, err := keys.ParsePrivate([]byte(good), "", nil); err != nil || p.Kind != keys.Signing {
		t.Errorf("of any kind: got %v, %v", p, err)
	}
	if _, err := keys.ParsePrivate([]byte(good), keys.Receiving, nil); !errors.Is(err, keys.ErrWrongKind) {
		t.Errorf("to receive with: got %v, want ErrWrongKind", err)
	}
	// A comment that could steer a terminal is left behind.
	k := goodSSH()
	k.comment = "\x1b[2J" + k.comment[4:]
	if p, err := keys.ParsePrivate([]byte(sshArmour(k.raw())), keys.Signing, nil); err != nil || p.Label != "" {
		t.Errorf("a bad comment: got %v, %v, want no label", p, err)
	}
}

func TestOpenSSHRefuses(t *testing.T) {
	t.Parallel()
	other, _ := hex.DecodeString("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
	for name, c := range map[string]struct {
		change func(*sshKey)
		want   string
	}{
		"magic":              {func(k *sshKey) { k.magic = "openssh-key-v2\x00" }, "openssh-key-v1"},
		"encrypted":          {func(k *sshKey) { k.cipher, k.kdf = "aes256-ctr", "bcrypt" }, "ssh-keygen -p"},
		"kdf without cipher": {func(k *sshKey) { k.kdf = "bcrypt" }, "ssh-keygen -p"},
		"options":            {func(k *sshKey) { k.options = "x" }, "want one key"},
		"no key":             {func(k *sshKey) { k.count = 0 }, "want one key"},
		"two keys":           {func(k *sshKey) { k.count = 2 }, "want one key"},
		"text after":         {func(k *sshKey) { k.after = "x" }, "do not fit"},
		"other type":         {func(k *sshKey) { k.public = sshStrings("ssh-rsa", "x") }, `type "ssh-rsa"`},
		"security key":       {func(k *sshKey) { k.public = sshStrings("sk-ssh-ed25519@openssh.com", "x") }, "only ssh-ed25519"},
		"short public":       {func(k *sshKey) { k.public = sshStrings("ssh-ed25519", "x") }, "malformed"},
		"public with more":   {func(k *sshKey) { k.public = append(k.public, 0) }, "malformed"},
		"check numbers":      {func(k *sshKey) { k.check[1]++ }, "check numbers"},
		"private type":       {func(k *sshKey) { k.kind = "ssh-ed25518" }, "not of type"},
		"short pair":         {func(k *sshKey) { k.pair = k.pair[:56] }, "not of type"},
		"outer public":       {func(k *sshKey) { k.public = sshStrings("ssh-ed25519", string(other)) }, "does not belong"},
		"inner public":       {func(k *sshKey) { k.key = other }, "does not belong"},
		"public in pair":     {func(k *sshKey) { k.pair = append(bytes.Clone(k.pair[:32]), other...) }, "does not belong"},
		"empty inner public": {func(k *sshKey) { k.key, k.comment = nil, k.comment+strings.Repeat("x", 32) }, "does not belong"},
		"padding":            {func(k *sshKey) { k.padding = "\x02" }, "padding"},
		"no padding":         {func(k *sshKey) { k.padding = "" }, "does not fit"},
		"a block of padding": {func(k *sshKey) { k.padding = "\x01\x02\x03\x04\x05\x06\x07\x08\x09" }, "does not fit"},
	} {
		k := goodSSH()
		c.change(&k)
		p, err := keys.ParsePrivate([]byte(sshArmour(k.raw())), keys.Signing, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, %v, want %q", name, p, err, c.want)
		}
	}
	good := sshArmour(goodSSH().raw())
	for name, text := range map[string]string{
		"cut":                strings.TrimSuffix(good, "-----END OPENSSH PRIVATE KEY-----\n"),
		"empty line":         strings.Replace(good, "\n", "\n\n", 1),
		"text after":         good + "x\n",
		"not base64":         strings.Replace(good, "b3Bl", "b3B!", 1),
		"blank in it":        strings.Replace(good, "b3Bl", "b3Bl ", 1),
		"carriage return":    strings.Replace(good, "b3Bl", "b3Bl\r", 1),
		"nothing in it":      "-----BEGIN OPENSSH PRIVATE KEY-----\n-----END OPENSSH PRIVATE KEY-----\n",
		"first line only":    "-----BEGIN OPENSSH PRIVATE KEY-----",
		"a length too large": sshArmour([]byte("openssh-key-v1\x00\xff\xff\xff\xffnone")),
	} {
		if p, err := keys.ParsePrivate([]byte(text), keys.Signing, nil); err == nil {
			t.Errorf("%s: got %v, want an error", name, p)
		}
	}
	// Whatever byte is changed, no other key comes out.
	raw := goodSSH().raw()
	want := made(t, keys.Signing, signSecret)
	for i := range raw {
		bad := bytes.Clone(raw)
		bad[i] ^= 1
		if p, err := keys.ParsePrivate([]byte(sshArmour(bad)), keys.Signing, nil); err == nil && !p.Equal(want) {
			t.Errorf("byte %d flipped: got %v", i, p)
		}
	}
}

// sshKeygen makes a key with the real tool.
func sshKeygen(t *testing.T, args ...string) string {
	t.Helper()
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "key")
	if out, err := exec.Command(tool, append([]string{"-q", "-f", file}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return file
}

func TestRealOpenSSHKeys(t *testing.T) {
	t.Parallel()
	// Comments of every length modulo the padding.
	for n := range 9 {
		comment := "alice"[:min(n, 5)] + strings.Repeat("x", max(n-5, 0))
		file := sshKeygen(t, "-t", "ed25519", "-N", "", "-C", comment)
		p, err := keys.ReadFile(file, keys.Signing, nil)
		if err != nil || p.Label != comment || p.Warning != "" {
			t.Fatalf("comment %q: got %v, %v", comment, p, err)
		}
		pub, label, err := keys.Store{}.ResolvePublic(file+".pub", keys.Signing)
		if err != nil || pub != p.Public || label != comment {
			t.Errorf("comment %q: got %v %q, %v, want the public half of %v", comment, pub, label, err, p)
		}
	}
	locked := sshKeygen(t, "-t", "ed25519", "-N", "some words", "-C", "")
	if _, err := keys.ReadFile(locked, keys.Signing, answer("some words", nil)); err == nil || !strings.Contains(err.Error(), "ssh-keygen -p") {
		t.Errorf("with a passphrase: got %v, want the way to take it off", err)
	}
	// The way the message names.
	if out, err := exec.Command("ssh-keygen", "-q", "-p", "-P", "some words", "-N", "", "-f", locked).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if _, err := keys.ReadFile(locked, keys.Signing, nil); err != nil {
		t.Errorf("passphrase taken off: got %v, want nil", err)
	}
	for _, kind := range []string{"rsa", "ecdsa"} {
		file := sshKeygen(t, "-t", kind, "-N", "")
		for _, f := range []string{file, file + ".pub"} {
			_, err := keys.ReadFile(f, keys.Signing, nil)
			if strings.HasSuffix(f, ".pub") {
				_, _, err = keys.Store{}.ResolvePublic(f, keys.Signing)
			}
			if err == nil || !strings.Contains(err.Error(), "only ssh-ed25519") {
				t.Errorf("%s: got %v, want only ssh-ed25519", kind, err)
			}
		}
	}
}

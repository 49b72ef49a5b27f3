package keys_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/keys"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	s := store(t)
	alice, bob := made(t, keys.Signing, signSecret), made(t, keys.Receiving, recvSecret)
	put(t, s, "alice", alice, "")
	put(t, s, "bob", bob, "")
	dir := t.TempDir()
	hexFile := filepath.Join(dir, "x.private.hex")
	write(t, hexFile, recvSecret+"\n")
	sshFile := filepath.Join(dir, "id_ed25519")
	write(t, sshFile, sshArmour(goodSSH().raw()))
	publicHex := filepath.Join(dir, "x.public.hex")
	write(t, publicHex, signPublic+"\n")
	for _, c := range []struct {
		ref  string
		want keys.Kind
		key  *keys.Private
		err  string
	}{
		{"alice", keys.Signing, alice, ""},
		{"bob", keys.Receiving, bob, ""},
		{"alice", "", alice, ""},
		{filepath.Join(s.Dir, "bob.key"), keys.Receiving, bob, ""},
		{hexFile, keys.Receiving, bob, ""},
		{sshFile, keys.Signing, alice, ""},
		{"alice", keys.Receiving, nil, "key alice: key of the wrong kind: it is an ed25519 key"},
		{"bob", keys.Signing, nil, "key bob: key of the wrong kind: it is an x25519 key"},
		{sshFile, keys.Receiving, nil, sshFile + ": key of the wrong kind"},
		{hexFile, "", nil, "do not say of which kind"},
		{publicHex, keys.Signing, nil, "the private one is needed"},
		{"carol", keys.Signing, nil, `no such key: "carol" is neither a key in ` + s.Dir + " nor a file here"},
		{"../alice", keys.Signing, nil, "../alice"},
		{filepath.Join(dir, "nothing"), keys.Signing, nil, "nothing"},
		{dir, keys.Signing, nil, "is a folder"},
		{"", keys.Signing, nil, "no such key"},
		{signSecret, keys.Signing, nil, "never given on the command line"},
		{"ed25519:" + signSecret, keys.Signing, nil, "never given on the command line"},
	} {
		p, err := s.Resolve(c.ref, c.want, noAnswer(t))
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s as %q: got %v, want %q", c.ref, c.want, err, c.err)
			continue
		}
		if err == nil && !p.Equal(c.key) {
			t.Errorf("%s as %q: got %v, want %v", c.ref, c.want, p, c.key)
		}
		if err != nil && (strings.Contains(err.Error(), signSecret[:12]) || strings.Contains(err.Error(), recvSecret[:12])) {
			t.Errorf("%s: got %v, which shows a secret", c.ref, err)
		}
	}
	if _, err := s.Resolve("carol", keys.Signing, nil); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("got %v, want ErrNoKey", err)
	}
	if _, err := s.Resolve("bob", keys.Signing, nil); !errors.Is(err, keys.ErrWrongKind) || rule(err) != "CAP-ENC-10" {
		t.Errorf("got %v, want ErrWrongKind", err)
	}
}

// A file that came with somebody's folder does not take the place of a key.
func TestStoreWinsOverTheWorkingDirectory(t *testing.T) {
	s := store(t)
	alice := made(t, keys.Signing, signSecret)
	put(t, s, "alice", alice, "")
	t.Chdir(t.TempDir())
	other, err := keys.Generate(keys.Signing, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := other.MarshalHex()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"alice", "mallory"} {
		write(t, name, string(text))
	}
	for ref, want := range map[string]*keys.Private{"alice": alice, "./alice": other, "mallory": other} {
		if p, err := s.Resolve(ref, keys.Signing, nil); err != nil || !p.Equal(want) {
			t.Errorf("%s: got %v, %v, want %v", ref, p, err, want)
		}
	}
}

func TestCAP_ENC_10_ResolvePublic(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	if _, err := s.New("bob", "", made(t, keys.Receiving, recvSecret), nil, noon()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		write(t, path, text)
		return path
	}
	const ssh = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINdamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea"
	own := file("own.pub", "x25519:"+recvPublic+" Bob\n")
	sshPub := file("id.pub", ssh+" alice@tester\n")
	refHex := file("r.public.hex", signPublic+"\n")
	secretHex := file("r.private.hex", signSecret+"\n")
	plainHex := file("r.hex", signPublic+"\n")
	for _, c := range []struct {
		ref   string
		want  keys.Kind
		hex   string
		label string
		err   string
	}{
		{"x25519:" + recvPublic, keys.Receiving, recvPublic, "", ""},
		{"ed25519:" + strings.ToUpper(signPublic), keys.Signing, signPublic, "", ""},
		{signPublic, keys.Signing, signPublic, "", ""},
		{"alice", keys.Signing, signPublic, "label of alice", ""},
		{"bob", keys.Receiving, recvPublic, "bob", ""},
		{own, keys.Receiving, recvPublic, "Bob", ""},
		{sshPub, keys.Signing, signPublic, "alice@tester", ""},
		{refHex, keys.Signing, signPublic, "", ""},
		{filepath.Join(s.Dir, "alice.key"), keys.Signing, signPublic, "label of alice", ""},

		{recvPublic, keys.Receiving, "", "", "does not say of which kind"},
		{recvPublic, "", "", "", "does not say of which kind"},
		{"ed25519:" + signPublic, keys.Receiving, "", "", "wrong kind"},
		{"x25519:" + recvPublic, keys.Signing, "", "", "wrong kind"},
		{"alice", keys.Receiving, "", "", "key alice: key of the wrong kind"},
		{sshPub, keys.Receiving, "", "", "wrong kind"},
		{own, keys.Signing, "", "", "wrong kind"},
		{refHex, keys.Receiving, "", "", "do not say of which kind"},
		{secretHex, keys.Signing, "", "", "or whether it is public"},
		{plainHex, keys.Signing, "", "", "or whether it is public"},
		{"x25519:00", keys.Receiving, "", "", "not a public key"},
		{"01" + strings.Repeat("00", 31), keys.Signing, "", "", "CAP-ED-02"},
		{"carol", keys.Signing, "", "", "no such key"},
		{filepath.Join(dir, "none.pub"), keys.Signing, "", "", "none.pub"},
	} {
		p, label, err := s.ResolvePublic(c.ref, c.want)
		if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s as %q: got %v, want %q", c.ref, c.want, err, c.err)
			continue
		}
		if err == nil && (p.Hex() != c.hex || label != c.label) {
			t.Errorf("%s as %q: got %v %q, want %s %q", c.ref, c.want, p, label, c.hex, c.label)
		}
		if err != nil && strings.Contains(err.Error(), signSecret[:12]) {
			t.Errorf("%s: got %v, which shows a secret", c.ref, err)
		}
	}
}

func TestReadFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "locked")
	write(t, path, lockedFile)
	var asked string
	p, err := keys.ReadFile(path, "", func(prompt string) ([]byte, error) {
		asked = prompt
		return []byte("correct horse"), nil
	})
	if err != nil || p.Hex() != recvPublic || asked != "passphrase of "+path+":" {
		t.Errorf("got %v, %v, asked %q", p, err, asked)
	}
	if _, err := keys.ReadFile(path, "", answer("wrong", nil)); !errors.Is(err, keys.ErrPassphrase) || !strings.Contains(err.Error(), path) {
		t.Errorf("wrong passphrase: got %v, want ErrPassphrase and the file", err)
	}
	if _, err := keys.ReadFile(filepath.Join(dir, "none"), "", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: got %v, want os.ErrNotExist", err)
	}
	write(t, path, strings.Repeat("0", 1<<20))
	if _, err := keys.ReadFile(path, keys.Signing, nil); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a large file: got %v, want it refused", err)
	}
}

package keys_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"seed/internal/keys"
)

// FuzzParsePrivate: what is accepted is a key that agrees with itself, and a
// key file of ours has one spelling. Nobody is asked, so no passphrase is
// stretched; everything before that is.
func FuzzParsePrivate(f *testing.F) {
	for _, s := range []string{plainFile, lockedFile, signSecret + "\n", sshArmour(goodSSH().raw()), "ed25519:" + signPublic, "-----BEGIN PRIVATE KEY-----\n"} {
		f.Add([]byte(s), false)
		f.Add([]byte(s), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, receiving bool) {
		want := keys.Signing
		if receiving {
			want = keys.Receiving
		}
		_, _, _ = keys.ParsePublicFile(data)
		p, err := keys.ParsePrivate(data, want, nil)
		if err != nil {
			return
		}
		if p.Kind != want {
			t.Fatalf("%q: got %v, want %s", data, p, want)
		}
		if keys.CheckLabel(p.Label) != nil {
			t.Fatalf("%q: label %q", data, p.Label)
		}
		if _, err := keys.ParsePublic(p.String()); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if !bytes.HasPrefix(data, []byte("-----BEGIN SEED ")) {
			return
		}
		_, created, _ := strings.Cut(string(data), "\nCreated: ")
		created, _, _ = strings.Cut(created, "\n")
		again, err := p.Marshal(p.Label, created, nil, nil)
		if err != nil || !bytes.Equal(again, data) {
			t.Fatalf("%q: back again %q, %v", data, again, err)
		}
	})
}

// FuzzOpenSSH goes behind the armour, which a fuzzer would hardly get through.
func FuzzOpenSSH(f *testing.F) {
	f.Add(goodSSH().raw())
	for _, change := range []func(*sshKey){
		func(k *sshKey) { k.cipher = "aes256-ctr" },
		func(k *sshKey) { k.count = 2 },
		func(k *sshKey) { k.public = sshStrings("ssh-rsa", "x") },
		func(k *sshKey) { k.padding = "" },
	} {
		k := goodSSH()
		change(&k)
		f.Add(k.raw())
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, err := keys.ParsePrivate([]byte(sshArmour(raw)), keys.Signing, nil)
		if err != nil {
			return
		}
		if got := bytes.Count(raw, p.Key[:]); got < 3 {
			t.Fatalf("%q: got %v, which stands there %d times, want 3", raw, p, got)
		}
		if keys.CheckLabel(p.Label) != nil {
			t.Fatalf("%q: label %q", raw, p.Label)
		}
	})
}

// FuzzTrust: a list that is accepted survives a change of another entry.
func FuzzTrust(f *testing.F) {
	for _, s := range []string{
		"", "trusted: []\n", "# x\ntrusted:\n  - key: ed25519:" + signPublic + "\n    label: \"Alice\"\n    may: [exec, url]\n    expires: 2027-01-01\n",
		"trusted: [{key: 'ed25519:" + signPublic + "'}]\n", "trusted:\n  -\n",
	} {
		f.Add([]byte(s))
	}
	other := signer(f, otherPublic, "")
	f.Fuzz(func(t *testing.T, data []byte) {
		list, err := keys.ParseTrust("t.yaml", data)
		if err != nil || len(data) > 32<<10 {
			return
		}
		for _, e := range list.Entries {
			if _, err := keys.ParsePublic(e.Public().String()); err != nil {
				t.Fatalf("%q: %v", data, err)
			}
			for _, p := range e.May {
				if _, err := keys.ParsePermission(string(p)); err != nil {
					t.Fatalf("%q: %v", data, err)
				}
			}
		}
		if _, err := list.Match(otherPublic); err == nil {
			return
		}
		path := filepath.Join(t.TempDir(), keys.TrustFile)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := keys.AddTrust(path, other); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if err := keys.RemoveTrust(path, otherPublic); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		again, err := keys.LoadTrust(path)
		if err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		if len(again.Entries) != len(list.Entries) {
			t.Fatalf("%q: got %v, want %v", data, again, list)
		}
		for i, e := range list.Entries {
			got := again.Entries[i]
			if got.Key != e.Key || got.Label != e.Label || !cmp.Equal(sec(got), sec(e)) {
				t.Fatalf("%q: got %+v, want %+v", data, got, e)
			}
			for _, p := range []keys.Permission{keys.MayExec, keys.MayURL, keys.MayInstall, keys.MayAny} {
				if got.Allows(p) != e.Allows(p) {
					t.Fatalf("%q: %s: got %+v, want %+v", data, p, got, e)
				}
			}
		}
	})
}

// sec gives the times of an entry as the file keeps them.
func sec(e keys.Trusted) [2]int64 { return [2]int64{e.Expires.Unix(), e.Added.Unix()} }

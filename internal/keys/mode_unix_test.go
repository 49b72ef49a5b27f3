//go:build unix

package keys_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seed/internal/keys"
)

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	fi, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := fi.Mode().Perm(); got != want {
		t.Errorf("%s: got mode %o, want %o", path, got, want)
	}
}

func TestModes(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	path := filepath.Join(s.Dir, "alice.key")
	wantMode(t, path, 0o600)
	wantMode(t, filepath.Join(s.Dir, ".lock"), 0o600)
	wantMode(t, s.Dir, 0o700)
	wantMode(t, filepath.Dir(s.Dir), 0o700)

	if err := os.Chmod(s.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, s, "bob", made(t, keys.Signing, signSecret), "")
	wantMode(t, s.Dir, 0o700)

	trust := filepath.Join(t.TempDir(), "config", keys.TrustFile)
	if err := keys.AddTrust(trust, keys.Trusted{Key: public(t, "ed25519:"+signPublic).Key}); err != nil {
		t.Fatal(err)
	}
	wantMode(t, trust, 0o600)
	wantMode(t, filepath.Dir(trust), 0o700)
}

func TestOpenFilesAreWarnedAbout(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	path := filepath.Join(s.Dir, "alice.key")
	for _, mode := range []fs.FileMode{0o600, 0o400, 0o640, 0o604} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		want := mode&0o077 != 0
		info, err := s.Info("alice")
		if err != nil || (info.Warning != "") != want {
			t.Errorf("%o: got %+v, %v, want a warning: %v", mode, info, err, want)
		}
		for _, ref := range []string{"alice", path} {
			p, err := s.Resolve(ref, keys.Signing, nil)
			if err != nil || (p.Warning != "") != want || want && !strings.Contains(p.Warning, "chmod 600") {
				t.Errorf("%o: %s: got %v, want a warning: %v", mode, ref, err, want)
			}
		}
	}
}

// What others may write to says nothing about whom the user trusts, and a
// change must not make it look like the user's own.
func TestTrustThatOthersMayWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	write(t, path, "trusted:\n  - key: ed25519:"+signPublic+"\n    may: [any]\n")
	e := keys.Trusted{Key: public(t, "ed25519:"+signPublic).Key}
	for _, mode := range []fs.FileMode{0o660, 0o606, 0o666} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		_, load := keys.LoadTrust(path)
		for what, err := range map[string]error{"load": load, "add": keys.AddTrust(path, e), "remove": keys.RemoveTrust(path, signPublic)} {
			if err == nil || !strings.Contains(err.Error(), "other users may write") {
				t.Errorf("%s with mode %o: got %v, want it refused", what, mode, err)
			}
		}
		wantMode(t, path, mode)
	}
	for _, mode := range []fs.FileMode{0o644, 0o600} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := keys.LoadTrust(path); err != nil {
			t.Errorf("mode %o: got %v, want nil", mode, err)
		}
	}
}

// A pipe in place of a file would wait for a writer for ever.
func TestPipesAreNotOpened(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	pipe := filepath.Join(s.Dir, "pipe.key")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	_, info := s.Info("pipe")
	_, read := keys.ReadFile(pipe, keys.Signing, nil)
	_, trust := keys.LoadTrust(pipe)
	for what, err := range map[string]error{"info": info, "read": read, "trust": trust, "remove": s.Remove("pipe")} {
		if err == nil || !strings.Contains(err.Error(), "pipe") {
			t.Errorf("%s: got %v, want a refusal", what, err)
		}
	}
}

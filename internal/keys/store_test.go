package keys_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"seed/internal/keys"
)

func noon() time.Time { return time.Date(2026, 8, 1, 14, 0, 0, 5, time.FixedZone("", 7200)) }

func store(t *testing.T) keys.Store {
	t.Helper()
	return keys.Store{Dir: filepath.Join(t.TempDir(), "seed", "keys")}
}

func put(t *testing.T, s keys.Store, name string, p *keys.Private, pass string) keys.Info {
	t.Helper()
	info, err := s.New(name, "label of "+name, p, []byte(pass), noon())
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

// names lists a directory, temporary files and all.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

func TestStore(t *testing.T) {
	t.Parallel()
	s := store(t)
	if got, err := s.List(); err != nil || len(got) != 0 {
		t.Errorf("no directory: got %v, %v, want an empty list", got, err)
	}
	if _, err := s.Load("alice", nil); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("no directory: got %v, want ErrNoKey", err)
	}
	if err := s.Remove("alice"); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("no directory: got %v, want ErrNoKey", err)
	}
	alice, bob := made(t, keys.Signing, signSecret), made(t, keys.Receiving, recvSecret)
	wantBob := put(t, s, "bob", bob, "some words")
	wantAlice := put(t, s, "alice", alice, "")
	if want := (keys.Info{Name: "bob", Public: bob.Public, Label: "label of bob", Created: "2026-08-01T12:00:00Z", Protected: true}); wantBob != want {
		t.Errorf("got %+v, want %+v", wantBob, want)
	}
	got, err := s.List()
	if diff := cmp.Diff([]keys.Info{wantAlice, wantBob}, got); err != nil || diff != "" {
		t.Errorf("list: %v, %s", err, diff)
	}
	if got, err := s.Info("bob"); err != nil || got != wantBob {
		t.Errorf("info: got %+v, %v", got, err)
	}
	if p, err := s.Load("alice", noAnswer(t)); err != nil || !p.Equal(alice) || p.Label != "label of alice" {
		t.Errorf("load: got %v, %v", p, err)
	}
	var asked string
	p, err := s.Load("bob", func(prompt string) ([]byte, error) {
		asked = prompt
		return []byte("some words"), nil
	})
	if err != nil || !p.Equal(bob) || asked != "passphrase of key bob:" {
		t.Errorf("load protected: got %v, %v, asked %q", p, err, asked)
	}
	if _, err := s.Load("bob", answer("other words", nil)); !errors.Is(err, keys.ErrPassphrase) || strings.Contains(err.Error(), "words") {
		t.Errorf("wrong passphrase: got %v, want ErrPassphrase", err)
	}
	if _, err := s.Load("bob", nil); !errors.Is(err, keys.ErrNeedPassphrase) {
		t.Errorf("nobody to ask: got %v, want ErrNeedPassphrase", err)
	}
	if err := s.Remove("bob"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Info("bob"); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("removed: got %v, want ErrNoKey", err)
	}
	if err := s.Remove("bob"); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("removed twice: got %v, want ErrNoKey", err)
	}
	if diff := cmp.Diff([]string{".lock", "alice.key"}, names(t, s.Dir)); diff != "" {
		t.Errorf("left behind: %s", diff)
	}
}

func TestStoreNames(t *testing.T) {
	t.Parallel()
	s := store(t)
	p := made(t, keys.Signing, signSecret)
	for _, name := range []string{"a", "A1", "0", "release-2026.1_x", "a..b", "key.key", strings.Repeat("a", 63), strings.Repeat("z", 64)} {
		if _, err := s.New(name, "", p, nil, noon()); err != nil && !errors.Is(err, fs.ErrExist) {
			t.Errorf("%q: got %v, want it taken", name, err)
		}
	}
	outside := filepath.Join(filepath.Dir(s.Dir), "outside.key")
	write(t, outside, plainFile)
	before := names(t, s.Dir)
	for _, name := range []string{
		"", ".", "..", "../outside", "..\\outside", "/etc/passwd", "a/b", "a\\b", "C:x", "-a", ".a", "_a", "a b", "ä", "a\x00b", "a\n",
		strings.Repeat("a", 65), "con", "NUL", "Com1.old", "lpt9", signSecret, strings.ToUpper(signSecret), "a.",
	} {
		_, errs := s.New(name, "", p, nil, noon())
		_, loaded := s.Load(name, nil)
		_, info := s.Info(name)
		for what, err := range map[string]error{"new": errs, "load": loaded, "info": info, "remove": s.Remove(name)} {
			if err == nil || errors.Is(err, keys.ErrNoKey) {
				t.Errorf("%s %q: got %v, want the name refused", what, name, err)
			} else if strings.Contains(strings.ToLower(err.Error()), signSecret[:16]) {
				t.Errorf("%s: got %v, which repeats what may be a secret", what, err)
			}
		}
	}
	if diff := cmp.Diff(before, names(t, s.Dir)); diff != "" {
		t.Errorf("changed: %s", diff)
	}
	if _, err := os.Stat(outside); err != nil {
		t.Error(err)
	}
}

func TestStoreKeepsWhatIsThere(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	before, err := os.ReadFile(filepath.Join(s.Dir, "alice.key"))
	if err != nil {
		t.Fatal(err)
	}
	other := made(t, keys.Receiving, recvSecret)
	wiped := made(t, keys.Signing, signSecret)
	wiped.Wipe()
	for _, name := range []string{"alice", "Alice", "ALICE"} {
		if _, err := s.New(name, "", other, nil, noon()); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), "alice") {
			t.Errorf("%s: got %v, want fs.ErrExist", name, err)
		}
	}
	if _, err := s.New("new", "two\nlines", other, nil, noon()); err == nil {
		t.Error("a bad label: got nil, want an error")
	}
	if _, err := s.New("new", "", wiped, nil, noon()); err == nil {
		t.Error("no secret: got nil, want an error")
	}
	after, err := os.ReadFile(filepath.Join(s.Dir, "alice.key"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("got %s, %v, want it as it was", after, err)
	}
	if diff := cmp.Diff([]string{".lock", "alice.key"}, names(t, s.Dir)); diff != "" {
		t.Errorf("a failure left something: %s", diff)
	}
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "")
	for _, dir := range []string{file, filepath.Join(file, "keys"), "relative"} {
		if _, err := (keys.Store{Dir: dir}).New("a", "", other, nil, noon()); err == nil {
			t.Errorf("store %s: got nil, want an error", dir)
		}
	}
}

func TestStoreOneWriterWins(t *testing.T) {
	t.Parallel()
	s := store(t)
	var won atomic.Int32
	var wg sync.WaitGroup
	for _, name := range []string{"alice", "Alice", "aLice", "alice"} {
		p, err := keys.Generate(keys.Signing, nil)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			switch _, err := s.New(name, "", p, nil, noon()); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Errorf("%s: got %v, want fs.ErrExist", name, err)
			}
		})
	}
	wg.Wait()
	if got := won.Load(); got != 1 || len(names(t, s.Dir)) != 2 {
		t.Errorf("%d writers won and left %v, want one", got, names(t, s.Dir))
	}
}

func TestListReportsWhatIsNoKey(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "good", made(t, keys.Signing, signSecret), "")
	at := func(name string) string { return filepath.Join(s.Dir, name) }
	write(t, at("notes.txt"), "")
	write(t, at(".hidden"), "")
	write(t, at("b d.key"), plainFile)
	write(t, at("damaged.key"), plainFile[:80])
	write(t, at("hex.key"), signSecret)
	write(t, at("huge.key"), strings.Repeat("x", 1<<16))
	if err := os.Mkdir(at("dir.key"), 0o700); err != nil {
		t.Fatal(err)
	}
	got, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	problems := map[string]string{}
	for _, i := range got {
		problems[i.Name] = i.Problem
		if (i.Problem == "") != (i.Public.Kind != "") {
			t.Errorf("%s: problem %q with key %q", i.Name, i.Problem, i.Public)
		}
	}
	for name, want := range map[string]string{
		"good": "", "notes.txt": "not a key file", "b d.key": "not a key file", "damaged": "cut off",
		"hex": "not a key file of seed", "huge": "larger than any key file", "dir": "is a folder",
	} {
		if got, ok := problems[name]; !ok || !strings.Contains(got, want) || (got == "") != (want == "") {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
		if strings.Contains(problems[name], signSecret[:12]) {
			t.Errorf("%s: got %q, which shows a secret", name, problems[name])
		}
		delete(problems, name)
	}
	if len(problems) > 0 {
		t.Errorf("listed too: %v", problems)
	}
	if err := s.Remove("damaged"); err != nil {
		t.Errorf("a damaged key: got %v, want it removed", err)
	}
	for _, name := range []string{"huge", "dir"} {
		if err := s.Remove(name); err == nil {
			t.Errorf("%s: got nil, want it left alone", name)
		}
	}
}

func TestLinkInPlaceOfAKey(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	target := filepath.Join(t.TempDir(), "target.key")
	write(t, target, plainFile)
	link(t, target, filepath.Join(s.Dir, "mallory.key"))
	link(t, filepath.Join(t.TempDir(), "nowhere"), filepath.Join(s.Dir, "gone.key"))
	for _, name := range []string{"mallory", "gone"} {
		_, loaded := s.Load(name, nil)
		_, resolved := s.Resolve(name, keys.Signing, nil)
		_, _, public := s.ResolvePublic(name, keys.Signing)
		for what, err := range map[string]error{"load": loaded, "resolve": resolved, "public": public, "remove": s.Remove(name)} {
			if err == nil || !strings.Contains(err.Error(), "symbolic link") {
				t.Errorf("%s %s: got %v, want the link refused", what, name, err)
			}
		}
		if _, err := s.New(name, "", made(t, keys.Signing, signSecret), nil, noon()); !errors.Is(err, fs.ErrExist) {
			t.Errorf("new %s: got %v, want fs.ErrExist", name, err)
		}
	}
	if got, err := os.ReadFile(target); err != nil || string(got) != plainFile {
		t.Errorf("the target became %q, %v", got, err)
	}
	list, err := s.List()
	if err != nil || len(list) != 3 || list[0].Problem != "" || list[1].Problem == "" || list[2].Problem == "" {
		t.Errorf("list: got %+v, %v, want one key and two problems", list, err)
	}
	// A path is the user's word: links in it are followed.
	own := filepath.Join(t.TempDir(), "own.key")
	link(t, target, own)
	if _, err := keys.ReadFile(own, keys.Signing, nil); err != nil {
		t.Errorf("a link that the user names: got %v, want nil", err)
	}
}

func TestTamperedKeyInTheStore(t *testing.T) {
	t.Parallel()
	s := store(t)
	put(t, s, "alice", made(t, keys.Signing, signSecret), "")
	path := filepath.Join(s.Dir, "alice.key")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	write(t, path, strings.Replace(string(data), signPublic, "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", 1))
	if p, err := s.Load("alice", nil); err == nil || !strings.Contains(err.Error(), "does not belong") {
		t.Errorf("another public key: got %v, %v, want it refused", p, err)
	}
	write(t, path, strings.Replace(string(data), signPublic, "01"+strings.Repeat("00", 31), 1))
	if _, err := s.Info("alice"); rule(err) != "CAP-ED-02" || !strings.Contains(err.Error(), path+":4: ") {
		t.Errorf("a key of small order: got %v, want CAP-ED-02 at line 4", err)
	}
}

package keys_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"seed/internal/keys"
)

// The second test of RFC 8032.
const otherPublic = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func signer(t testing.TB, hex, label string, may ...keys.Permission) keys.Trusted {
	t.Helper()
	p, err := keys.ParsePublicAs(hex, keys.Signing)
	if err != nil {
		t.Fatal(err)
	}
	return keys.Trusted{Key: p.Key, Label: label, May: may}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTrust(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "seed", keys.TrustFile)
	if got, err := keys.LoadTrust(path); err != nil || len(got.Entries) != 0 {
		t.Fatalf("no file: got %v, %v, want nobody", got, err)
	}
	alice := signer(t, signPublic, `Alice "the" \ first`, keys.MayURL, keys.MayExec, keys.MayExec)
	alice.Expires, alice.Added = day("2027-01-01"), day("2026-08-01")
	bob := signer(t, otherPublic, "")
	for _, e := range []keys.Trusted{alice, bob} {
		if err := keys.AddTrust(path, e); err != nil {
			t.Fatal(err)
		}
	}
	want := `trusted:
  - key: ed25519:` + signPublic + `
    label: "Alice \"the\" \\ first"
    may: [exec, url]
    expires: 2027-01-01T00:00:00Z
    added: 2026-08-01T00:00:00Z
  - key: ed25519:` + otherPublic + `
    may: []
`
	if got := readText(t, path); !strings.HasPrefix(got, "# ") || !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s, want a comment and\n%s", got, want)
	}
	list, err := keys.LoadTrust(path)
	if err != nil {
		t.Fatal(err)
	}
	alice.May = []keys.Permission{keys.MayExec, keys.MayURL}
	if diff := cmp.Diff([]keys.Trusted{alice, bob}, list.Entries); diff != "" {
		t.Error(diff)
	}

	// A change keeps the place and the day of adding.
	changed := signer(t, signPublic, "Alice", keys.MayAny)
	changed.Added = day("2026-09-09")
	if err := keys.AddTrust(path, changed); err != nil {
		t.Fatal(err)
	}
	changed.Added = alice.Added
	list, err = keys.LoadTrust(path)
	if diff := cmp.Diff([]keys.Trusted{changed, bob}, list.Entries); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}

	for _, ref := range []string{"nobody", "", "alice", recvPublic[:63], "ed25519:" + signPublic[1:]} {
		if err := keys.RemoveTrust(path, ref); err == nil {
			t.Errorf("remove %q: got nil, want an error", ref)
		}
	}
	if err := keys.RemoveTrust(path, "nobody"); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("got %v, want ErrNoKey", err)
	}
	for _, ref := range []string{"Alice", strings.ToUpper(otherPublic)} {
		if err := keys.RemoveTrust(path, ref); err != nil {
			t.Errorf("remove %s: got %v", ref, err)
		}
	}
	if got := readText(t, path); !strings.HasSuffix(got, "\ntrusted: []\n") {
		t.Errorf("got %s, want an empty list", got)
	}
	if list, err := keys.LoadTrust(path); err != nil || len(list.Entries) != 0 {
		t.Errorf("got %v, %v, want nobody", list, err)
	}
}

func TestFindAndAllows(t *testing.T) {
	t.Parallel()
	e := signer(t, signPublic, "", keys.MayExec)
	e.Expires = day("2027-01-01")
	list := &keys.Trust{Entries: []keys.Trusted{e, signer(t, otherPublic, "", keys.MayAny)}}
	for _, c := range []struct {
		now  time.Time
		want bool
	}{
		{day("2026-12-31"), true},
		{day("2027-01-01").Add(-time.Nanosecond), true},
		{day("2027-01-01"), false},
		{day("2028-01-01"), false},
	} {
		if _, ok := list.Find(e.Key, c.now); ok != c.want {
			t.Errorf("at %v: got %v, want %v", c.now, ok, c.want)
		}
	}
	got, ok := list.Find(e.Key, day("2026-01-01"))
	if !ok || !got.Allows(keys.MayExec) || got.Allows(keys.MayURL) || got.Allows(keys.MayInstall) || got.Allows(keys.MayAny) || got.Allows("") {
		t.Errorf("got %+v, want exec alone", got)
	}
	got, ok = list.Find(list.Entries[1].Key, day("9999-01-01"))
	if !ok || !got.Allows(keys.MayExec) || !got.Allows(keys.MayURL) || !got.Allows(keys.MayInstall) {
		t.Errorf("got %+v, want everything", got)
	}
	if _, ok := list.Find([32]byte{}, day("2026-01-01")); ok {
		t.Error("a key that is not there was found")
	}
	// An expired signer can still be named, to be removed.
	if got, err := list.Match("ed25519:" + signPublic); err != nil || got.Key != e.Key {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestCAP_TRU_02_malformedTrustIsAnError(t *testing.T) {
	t.Parallel()
	const key = "  - key: ed25519:" + signPublic + "\n"
	for _, c := range []struct{ in, want string }{
		{"trust: []\n", "t.yaml:1: unknown key"},
		{"trusted:\n" + key + "    can: [exec]\n", "t.yaml:3: unknown key"},
		{"trusted: yes\n", "t.yaml:1: "},
		{"trusted:\n" + key + "    may: exec\n", "t.yaml:3: "},
		{"trusted:\n" + key + "    may: [exec, root]\n", `t.yaml:2: entry 1: unknown permission "root"`},
		{"trusted:\n" + key + "    may: [Exec]\n", "t.yaml:2: entry 1: unknown permission"},
		{"trusted:\n" + key + "    may: [~]\n", "t.yaml:2: entry 1: unknown permission"},
		{"trusted:\n" + key + "    may:\n", "entry 1: may has no value"},
		{"trusted:\n" + key + "    expires: soon\n", "t.yaml:2: entry 1: expires: "},
		{"trusted:\n" + key + "    expires:\n", "entry 1: expires has no value"},
		{"trusted:\n" + key + "    expires: \"\"\n", "entry 1: expires has no value"},
		{"trusted:\n" + key + "    expires: 0001-01-01\n", "entry 1: expires: "},
		{"trusted:\n" + key + "    added: soon\n", "t.yaml:2: entry 1: added: "},
		{"trusted:\n" + key + "    label: \"a\\nb\"\n", "t.yaml:2: entry 1: the label"},
		{"trusted:\n" + key + "    label: " + otherPublic + "\n", "t.yaml:2: entry 1: the label looks like a key"},
		{"trusted:\n" + key + key, "t.yaml:3: entry 2: this key is on the list already"},
		{"trusted:\n" + key + "\n  - label: x\n", "t.yaml: entry 2: no key"},
		{"trusted:\n  -\n", "t.yaml: entry 1: no key"},
		{"trusted:\n  - key: " + signPublic + "\n", "t.yaml:2: entry 1: "},
		{"trusted:\n" + key + "  - key: x25519:" + recvPublic + "\n", "t.yaml:3: entry 2: key of the wrong kind"},
		{"trusted:\n" + key + "  - key: ed25519:" + signPublic[:10] + "\n", "t.yaml:3: entry 2: not a public key"},
		{"trusted:\n  - key: ed25519:01" + strings.Repeat("00", 31) + "\n", "t.yaml:2: entry 1: public key has small order"},
		{"trusted:\n  - key: ed25519:ee" + strings.Repeat("ff", 30) + "7f\n", "(CAP-ED-01)"},
		{"trusted: &a []\n", "t.yaml:1: an anchor"},
		{strings.Repeat("# x\n", 20000), "larger than 64 KiB"},
	} {
		got, err := keys.ParseTrust("t.yaml", []byte(c.in))
		if err == nil || !strings.Contains(err.Error(), c.want) || got != nil {
			t.Errorf("%.200q: got %v, %v, want %q", c.in, got, err, c.want)
		}
	}
	for _, c := range []struct {
		in string
		n  int
	}{
		{"", 0},
		{"# nobody\n", 0},
		{"trusted:\n", 0},
		{"trusted: []\n", 0},
		{"trusted:\n" + key, 1},
		{"trusted: [{key: 'ed25519:" + strings.ToUpper(signPublic) + "', may: [any], expires: 2027-01-01}]\n", 1},
		{"trusted:\n" + key + "    expires: 2027-01-01T00:00:00+02:00\n", 1},
	} {
		if got, err := keys.ParseTrust("t.yaml", []byte(c.in)); err != nil || len(got.Entries) != c.n {
			t.Errorf("%q: got %v, %v, want %d entries", c.in, got, err, c.n)
		}
	}
}

func TestMalformedTrustIsNotRewritten(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	const bad = "trusted:\n  - key: nobody\n"
	write(t, path, bad)
	_, load := keys.LoadTrust(path)
	for what, err := range map[string]error{
		"load": load, "add": keys.AddTrust(path, signer(t, signPublic, "")), "remove": keys.RemoveTrust(path, signPublic),
	} {
		if err == nil || !strings.Contains(err.Error(), path+":2: ") {
			t.Errorf("%s: got %v, want the line", what, err)
		}
	}
	if got := readText(t, path); got != bad {
		t.Errorf("got %q, want it as it was", got)
	}
}

func TestAddTrustRefuses(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	if err := keys.AddTrust(path, signer(t, signPublic, "Alice", keys.MayExec)); err != nil {
		t.Fatal(err)
	}
	before, listing := readText(t, path), names(t, filepath.Dir(path))
	late := signer(t, otherPublic, "")
	late.Expires = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	for what, e := range map[string]keys.Trusted{
		"no key":          {},
		"small order":     {Key: [32]byte{1}},
		"taken label":     signer(t, otherPublic, "alice"),
		"hidden label":    signer(t, otherPublic, "Ali\u200bce"),
		"label like key":  signer(t, otherPublic, "ed25519:"+signPublic),
		"permission":      signer(t, otherPublic, "", "root"),
		"far in the time": late,
	} {
		if err := keys.AddTrust(path, e); err == nil {
			t.Errorf("%s: got nil, want an error", what)
		}
	}
	if got := readText(t, path); got != before {
		t.Errorf("got %q, want it as it was", got)
	}
	if diff := cmp.Diff(listing, names(t, filepath.Dir(path))); diff != "" {
		t.Errorf("left behind: %s", diff)
	}
	target := filepath.Join(t.TempDir(), "target")
	write(t, target, "trusted: []\n")
	linked := filepath.Join(t.TempDir(), keys.TrustFile)
	link(t, target, linked)
	if err := keys.AddTrust(linked, signer(t, signPublic, "")); err == nil || readText(t, target) != "trusted: []\n" {
		t.Errorf("through a link: got %v, target %q, want it untouched", err, readText(t, target))
	}
}

func TestTrustKeepsItsHeader(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	const top = "# mine\n\n  # and indented\n"
	write(t, path, top+"trusted: # here\n  # not kept\n  - key: ed25519:"+signPublic+"\n")
	if err := keys.AddTrust(path, signer(t, otherPublic, "")); err != nil {
		t.Fatal(err)
	}
	if got := readText(t, path); !strings.HasPrefix(got, top+"trusted:\n  - key: ed25519:"+signPublic) || strings.Contains(got, "not kept") {
		t.Errorf("got %s, want the comment at the top", got)
	}
	// A comment without an end is no reason to join it with what follows.
	write(t, path, "# cut")
	if err := keys.AddTrust(path, signer(t, otherPublic, "")); err != nil {
		t.Fatal(err)
	}
	if list, err := keys.LoadTrust(path); err != nil || len(list.Entries) != 1 {
		t.Errorf("got %v, %v, want one entry", list, err)
	}
}

func TestTrustLosesNothing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	var wg sync.WaitGroup
	for i := range 8 {
		p, err := keys.Generate(keys.Signing, nil)
		if err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			if err := keys.AddTrust(path, keys.Trusted{Key: p.Key, Label: fmt.Sprint("n", i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list, err := keys.LoadTrust(path); err != nil || len(list.Entries) != 8 {
		t.Errorf("got %v, %v, want 8 entries", list, err)
	}
}

// A list that cannot be read again would stop every later command.
func TestTrustStaysReadable(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	write(t, path, strings.Repeat("# "+strings.Repeat("x", 60)+"\n", 1039))
	before := readText(t, path)
	if err := keys.AddTrust(path, signer(t, signPublic, "Alice")); err == nil || !strings.Contains(err.Error(), "64 KiB") {
		t.Errorf("got %v, want it refused for its size", err)
	}
	if readText(t, path) != before {
		t.Error("the file was changed")
	}
}

func TestTrustLabelsComeBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), keys.TrustFile)
	rapid.Check(t, func(t *rapid.T) {
		label := rapid.StringN(0, 40, 128).Filter(func(s string) bool { return keys.CheckLabel(s) == nil }).Draw(t, "label")
		p, err := keys.ParsePublicAs(signPublic, keys.Signing)
		if err != nil {
			t.Fatal(err)
		}
		if err := keys.AddTrust(path, keys.Trusted{Key: p.Key, Label: label}); err != nil {
			t.Fatal(err)
		}
		list, err := keys.LoadTrust(path)
		if err != nil || list.Entries[0].Label != label {
			t.Fatalf("got %v, %v, want %q", list, err, label)
		}
	})
}

func TestParseExpiry(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"2027-01-01":                "2027-01-01T00:00:00Z",
		"2027-01-01T12:00:00Z":      "2027-01-01T12:00:00Z",
		"2027-01-01T12:00:00+02:00": "2027-01-01T10:00:00Z",
		"":                          "",
		"never":                     "",
		"2027-02-30":                "",
		"01.01.2027":                "",
		"0001-01-01T00:00:00Z":      "",
		"0001-01-01T00:00:00.5Z":    "",
		"1969-12-31":                "",
		"9999-12-31T23:59:59-01:00": "",
	} {
		got, err := keys.ParseExpiry(in)
		if (err == nil) != (want != "") || err == nil && got.Format(time.RFC3339) != want {
			t.Errorf("%q: got %v, %v, want %q", in, got, err, want)
		}
	}
}

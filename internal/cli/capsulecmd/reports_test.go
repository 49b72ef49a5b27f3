package capsulecmd_test

import (
	"crypto/ecdh"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// inbox makes a recipient: its public key, and the file of the private one.
func (w *world) inbox(name string) (public [32]byte, file string) {
	w.t.Helper()
	key, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		w.t.Fatal(err)
	}
	return [32]byte(key.PublicKey().Bytes()), w.write(name+".private.hex", []byte(hex.EncodeToString(key.Bytes())+"\n"))
}

// secret is a draft that is encrypted to recipients.
func secret(t *testing.T, to ...[32]byte) *build.Draft {
	t.Helper()
	d := draft(t)
	d.Recipients, d.Rand = to, rand.Reader
	return d
}

// rewrapped is what somebody else makes of a plain capsule.
func (w *world) rewrapped(name, path string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	res, opened, err := capsule.VerifyOpen(strings.NewReader(string(data)), int64(len(data)), capsule.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	d, err := build.Rewrap(opened, res, build.Takeover{Label: "Bo", CreatedAt: testTime, SignedAt: testTime}, false)
	if err != nil {
		w.t.Fatal(err)
	}
	d.Signers = []build.Signer{{Role: "originator", Key: testKey(2)}}
	return w.seal(name, &d)
}

// TestCAP_CHN_21_WhatItProves: said once of what is valid, never of what is not.
func TestCAP_CHN_21_WhatItProves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const said = "order and content at the time of sealing; not time, truth or authority"
	path := w.seal("good.capsule", draft(t))
	a := w.expect(0, "verify", path)
	w.narrow(a.out)
	if n := strings.Count(a.out, said); n != 1 {
		t.Errorf("got it %d times in %s", n, a.out)
	}
	w.damage(path, "one\n", "two\n")
	if a := w.expect(1, "verify", path); strings.Contains(a.out, said) {
		t.Errorf("got it of an invalid capsule: %s", a.out)
	}
}

// TestCAP_ENC_06_ReadableForEverybody: reports say what encryption leaves open, and
// inspect for whom it is.
func TestCAP_ENC_06_ReadableForEverybody(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	one, key := w.inbox("one")
	two, _ := w.inbox("two")
	path := w.seal("secret.capsule", secret(t, one, two))
	const said = "Readable for everybody: originator, participants, recipients' keys, size, time"
	for _, words := range [][]string{{"verify", path}, {"verify", path, "--key", key}, {"inspect", path}} {
		a := w.expect(0, words...)
		w.narrow(a.out)
		has(t, a.out, said)
	}
	keys := []string{hex.EncodeToString(one[:]), hex.EncodeToString(two[:])}
	has(t, w.expect(0, "inspect", path).out, "2 recipients", "x25519:"+keys[0]+"\n", "x25519:"+keys[1]+"\n")
	_, values := members(t, w.expect(0, "inspect", path, "--json").out)
	var got []string
	if err := json.Unmarshal(values["x-seed-recipients"], &got); err != nil {
		t.Fatal(err)
	}
	slices.Sort(keys)
	slices.Sort(got)
	if !slices.Equal(got, keys) {
		t.Errorf("got the recipients %q, want %q", got, keys)
	}
	plain := w.seal("plain.capsule", draft(t))
	for _, word := range []string{"verify", "inspect"} {
		if a := w.expect(0, word, plain); strings.Contains(a.out, "Readable for") || strings.Contains(a.out, "ecipient") {
			t.Errorf("got %s of a plain capsule", a.out)
		}
	}
}

// TestInspectSaysHowToVerify: as it can be typed.
func TestInspectSaysHowToVerify(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("it's here.capsule", draft(t))
	has(t, w.expect(0, "inspect", path).out, `it'\''s here.capsule'`)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w.stdin = string(data)
	has(t, w.expect(0, "inspect", "-").out, "standard input: nothing", "For a verdict: seed capsule verify - < FILE\n")
}

// TestExpiredTrustIsSaid: a signer whose time is over is not a stranger.
func TestExpiredTrustIsSaid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	w.write("XDG_CONFIG_HOME/seed/trust.yaml", []byte("trusted:\n  - key: ed25519:"+publicHex(testKey(1))+
		"\n    label: Ana\n    expires: 2020-01-01T00:00:00Z\n  - key: ed25519:"+publicHex(testKey(3))+"\n    label: Cy\n"))
	a := w.expect(0, "verify", path)
	w.narrow(a.out)
	has(t, a.out, "valid, not trusted\n", "\n    listed as Ana, expired 2020-01-01\n")
	a = w.expect(1, "verify", path, "--require-trusted")
	w.narrow(a.out)
	has(t, strings.Join(strings.Fields(a.out), " "), "- a signer that you trust; originator is listed as Ana, expired 2020-01-01")

	d := draft(t)
	d.Signers[0].Key = testKey(3)
	a = w.expect(1, "verify", w.seal("cy.capsule", d), "--allowlist", publicHex(testKey(9)))
	has(t, a.out, "listed as Cy, not on the allowlist")
	if a := w.expect(0, "verify", w.path("cy.capsule")); strings.Contains(a.out, "listed") {
		t.Errorf("got %s of a signer that is trusted", a.out)
	}
}

// TestAllowlistTakesNamesAndFiles: as seed verify does, with one kind of error.
func TestAllowlistTakesNamesAndFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	file := w.write("ana.pub", []byte("ed25519:"+publicHex(testKey(1))+" Ana\n"))
	for _, entry := range []string{file, "ed25519:" + publicHex(testKey(1)), publicHex(testKey(9)) + "," + file} {
		has(t, w.expect(0, "verify", path, "--allowlist", entry).out, "valid, trusted")
	}
	box, _ := w.inbox("box")
	for _, entry := range []string{"nobody", w.path("none.pub"), "x25519:" + hex.EncodeToString(box[:])} {
		a := w.expect(2, "verify", path, "--allowlist", entry)
		has(t, a.errors, "seed: --allowlist: ", "hint: ")
	}
}

// TestOneKeyFlag: --key has an old name, and the two are not given together.
func TestOneKeyFlag(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	public, key := w.inbox("box")
	path := w.seal("secret.capsule", secret(t, public))
	w.expect(0, "verify", path, "--key", key)
	w.expect(0, "verify", path, "--decryption-key", key)
	has(t, w.expect(2, "verify", path, "--decryption-key", key, "--key", key).errors, "give one of them")
	w.expect(2, "verify", path, "--decryption-key", "")
	a := w.expect(0, "verify", "--help")
	has(t, a.out, "--key KEY")
	if strings.Contains(a.out, "--decryption-key") {
		t.Errorf("got the old name in %s", a.out)
	}
}

// TestUnmetDemandsStandFirst: nobody reads "intact" and stops there.
func TestUnmetDemandsStandFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	for _, words := range [][]string{{"--require-trusted"}, {"--accept-versions", "0.9"}, {"--allowlist", publicHex(testKey(9))}} {
		a := w.expect(1, append([]string{"verify", path}, words...)...)
		w.narrow(a.out)
		first, _, _ := strings.Cut(a.out, "\n")
		if !strings.HasSuffix(first, "good.capsule: not as demanded") {
			t.Errorf("%q: got the headline %q", words, first)
		}
		has(t, a.out, "  state      intact, signed by originator, valid, not trusted\n", "verdict    valid, but a demand is not met", "Demanded and not met")
	}
}

// TestCAP_LIN_04_NamesTheFile: which predecessor it was, and why.
func TestCAP_LIN_04_NamesTheFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.seal("first.capsule", draft(t))
	next := w.rewrapped("next.capsule", first)
	public, _ := w.inbox("box")
	locked := w.seal("locked.capsule", secret(t, public))
	later := draft(t)
	later.SignedAt = "2026-06-01T00:00:00Z"
	later.Files[2] = build.Text("payload/plan.md", "two\n")
	stranger := draft(t)
	stranger.Signers[0].Key = testKey(5)
	broken := w.seal("broken.capsule", draft(t))
	w.damage(broken, "one\n", "two\n")
	for _, tt := range []struct{ file, want string }{
		{locked, "another sealed state of the capsule that the lineage names; it is encrypted, and lineage names its content: compare with the decrypted file"},
		{w.seal("later.capsule", later), "later.capsule: is another sealed state of the capsule that the lineage names"},
		{w.seal("stranger.capsule", stranger), "stranger.capsule: is valid and not in the declared lineage"},
		{broken, "broken.capsule: does not verify itself: not intact"},
		{w.write("junk.capsule", []byte("junk")), "junk.capsule: not a capsule that can be opened"},
	} {
		a := w.expect(1, "verify", next, "--predecessor", first, "--predecessor", tt.file)
		text := strings.Join(strings.Fields(a.out), " ")
		has(t, text, "every predecessor file verified and in the lineage", tt.want)
		if strings.Contains(text, "first.capsule:") {
			t.Errorf("got %s, want nothing against the file that is fine", a.out)
		}
	}
}

// TestDiffMemberByMember: what differs in an object is shown, the rest is not.
func TestDiffMemberByMember(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.seal("a.capsule", draft(t))
	d := draft(t)
	d.Label = "Ann"
	out := w.expect(1, "diff", a, w.seal("b.capsule", d)).out
	w.narrow(out)
	has(t, out, "\n  manifest.originator.label\n    - \"Ana\"\n    + \"Ann\"\n")
	if strings.Contains(out, "manifest.originator.public_key") {
		t.Errorf("got %s, want only the member that differs", out)
	}
	// Where both begin alike, the difference is still seen.
	long := strings.Repeat("same ", 30)
	d.Label = long + "one"
	was := w.seal("long.capsule", d)
	d.Label = long + "two"
	out = w.expect(1, "diff", was, w.seal("other.capsule", d)).out
	w.narrow(out)
	has(t, out, "…me same one", "…me same two")
}

// TestDiffRewrapped: the successor says whom it followed.
func TestDiffRewrapped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.seal("a.capsule", draft(t))
	b := w.rewrapped("b.capsule", a)
	has(t, w.expect(1, "diff", a, b).out, "they differ; B's lineage names A as its predecessor")
	has(t, w.expect(1, "diff", b, a).out, "they differ; A's lineage names B as its predecessor")
	has(t, w.expect(1, "diff", a, b, "--json").out, `"lineage": "b_names_a"`)
	other := draft(t)
	other.Signers[0].Key = testKey(5)
	has(t, w.expect(1, "diff", w.seal("c.capsule", other), b).out, "not of one origin")
}

// TestDiffWithKey: encrypted content is compared for whoever can open it.
func TestDiffWithKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	public, key := w.inbox("box")
	plain := w.seal("plain.capsule", draft(t))
	one := w.seal("one.capsule", secret(t, public))
	changed := secret(t, public)
	changed.Files[2] = build.Text("payload/plan.md", "two\n")
	two := w.seal("two.capsule", changed)

	w.expect(1, "diff", plain, one)
	has(t, w.expect(0, "diff", plain, one, "--key", key).out, "equal inside; only the encryption around it differs")
	a := w.expect(1, "diff", one, two, "--key", key)
	has(t, a.out, "payload/plan.md")
	if strings.Contains(a.out, "content.enc") || strings.Contains(a.out, "not compared") {
		t.Errorf("got %s", a.out)
	}
	_, values := members(t, w.expect(1, "diff", one, two, "--key", key, "--json").out)
	has(t, string(values["a"]), `"encrypted": true`)

	_, other := w.inbox("other")
	has(t, w.expect(2, "diff", one, two, "--key", other).errors, "one.capsule: the key does not open it", "from outside")
	has(t, w.expect(0, "diff", plain, plain, "--key", key).errors, "the key was not used")
	w.expect(2, "diff", "-", plain, "--key", "-")
	w.expect(2, "diff", plain, plain, "--key", "")
}

// TestCAP_PRF_01_AcceptProfiles: the grammar of the format, not a weaker one.
func TestCAP_PRF_01_AcceptProfiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	for _, bad := range []string{"/1.0", "A B/1.0", "v0.6-suite/01.0", "v0.6-suite/1", "x\ty/1.0"} {
		w.expect(2, "verify", path, "--accept-profiles", bad)
	}
}

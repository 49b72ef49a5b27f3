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

// TestCAP_CLI_01_VerifyCodes: 0 valid, 1 negative or not a capsule, 2 no file.
func TestCAP_CLI_01_VerifyCodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.seal("good.capsule", draft(t))
	has(t, w.expect(0, "verify", good).out, "intact, signed by originator, valid, not trusted")

	bad := w.seal("bad.capsule", draft(t))
	w.damage(bad, "one\n", "two\n")
	has(t, w.expect(1, "verify", bad).out, "invalid, not intact", "CAP-ZIP-20")

	junk := w.write("junk.capsule", []byte("PK no"))
	has(t, w.expect(1, "verify", junk).out, "invalid, not a capsule that can be opened", "container / parse", "failed")
	empty := w.write("empty.capsule", nil)
	w.expect(1, "verify", empty)

	a := w.expect(2, "verify", w.path("nowhere.capsule"))
	if a.out != "" {
		t.Errorf("got %q on standard output for a file that does not exist", a.out)
	}
	w.expect(2, "verify", w.dir)
	w.expect(2, "verify")
}

// TestCAP_CLI_02_UnknownFlags: nothing that was meant as a demand is dropped.
func TestCAP_CLI_02_UnknownFlags(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.seal("good.capsule", draft(t))
	for _, words := range [][]string{
		{"verify", good, "--alowlist", publicHex(testKey(1))},
		{"verify", good, "surplus"},
		{"verify", good, "--allowlist", ""},
		{"verify", good, "--allowlist", publicHex(testKey(1)) + ","},
		{"verify", good, "--accept-versions", ""},
		{"verify", good, "--accept-versions", "0.06"},
		{"verify", good, "--accept-profiles", "v0.6-suite"},
		{"verify", good, "--key", ""},
		{"verify", "-", "--key", "-"},
		{"inspect", good, "x"},
		{"chain", good, "--limit", "-1"},
		{"chain", good, "--limit", "many"},
		{"extract", good},
		{"vectors", "check"},
		{"vectors"},
		{"keygen", "x"},
		{"unknown"},
		{},
	} {
		if a := w.expect(2, words...); a.errors == "" {
			t.Errorf("%q: got no error text", words)
		}
	}
}

// TestCAP_TRU_02_Allowlist: either case, repeated or with commas; malformed and
// small-order entries are usage errors.
func TestCAP_TRU_02_Allowlist(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.seal("good.capsule", draft(t))
	mine, other := publicHex(testKey(1)), publicHex(testKey(9))
	for _, words := range [][]string{
		{"--allowlist", mine},
		{"--allowlist", strings.ToUpper(mine)},
		{"--allowlist", other, "--allowlist", mine},
		{"--allowlist", other + "," + mine},
	} {
		a := w.expect(0, append([]string{"verify", good}, words...)...)
		has(t, a.out, "valid, trusted\n")
	}
	for _, entry := range []string{"abc", mine + "00", "zz" + mine[2:], "01" + strings.Repeat("00", 31), "ec" + strings.Repeat("ff", 30) + "7f"} {
		a := w.expect(2, "verify", good, "--allowlist", entry)
		has(t, a.errors, "--allowlist")
		if a.out != "" {
			t.Errorf("%s: got a verdict: %s", entry, a.out)
		}
	}
}

// TestCAP_TRU_04_Demand: an allowlist is a demand, the trust file is not.
func TestCAP_TRU_04_Demand(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.seal("good.capsule", draft(t))
	stranger := publicHex(testKey(9))

	a := w.expect(0, "verify", good)
	has(t, a.out, "no allowlist")
	a = w.expect(1, "verify", good, "--allowlist", stranger)
	has(t, a.out, "verdict    valid", "matched no signer", "Demanded and not met", "a signer that you trust")
	w.expect(1, "verify", good, "--require-trusted")

	trust := func(key, more string) {
		w.write("XDG_CONFIG_HOME/seed/trust.yaml", []byte("trusted:\n  - key: ed25519:"+key+"\n    label: \"Ana of Team\"\n"+more))
	}
	trust(stranger, "")
	a = w.expect(0, "verify", good)
	has(t, a.out, "matched no signer", "your trust file", "not trusted")
	w.expect(1, "verify", good, "--require-trusted")

	trust(publicHex(testKey(1)), "")
	a = w.expect(0, "verify", good)
	has(t, a.out, "trusted (Ana of Team)", "trusted as Ana of Team")
	w.expect(0, "verify", good, "--require-trusted")
	w.expect(1, "verify", good, "--allowlist", stranger) // only its keys count

	trust(publicHex(testKey(1)), "    expires: 2001-01-01T00:00:00Z\n")
	w.expect(1, "verify", good, "--require-trusted")

	w.write("XDG_CONFIG_HOME/seed/trust.yaml", []byte("trusted: [[["))
	a = w.expect(0, "verify", good)
	has(t, a.errors, "is not used")
	w.expect(2, "verify", good, "--require-trusted")
	w.expect(0, "verify", good, "--allowlist", publicHex(testKey(1)))
}

// TestCAP_RES_01_JSON: the object of the library, and nothing else.
func TestCAP_RES_01_JSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.seal("good.capsule", draft(t))
	a := w.expect(0, "verify", good, "--json")
	names, values := members(t, a.out)
	for _, name := range []string{
		"ok", "integrity_ok", "verdict", "verdict_reason", "qualifiers", "level", "capsule_id", "signed_at", "errors", "chain",
		"content_index", "envelope", "signer_set", "actor_set", "lineage", "custody", "trust", "version_policy", "format_version",
		"profile", "skill_trust", "notes", "trusted_signer_count", "problems",
	} {
		if !slices.Contains(names, name) {
			t.Errorf("got the members %q, want %q among them", names, name)
		}
	}
	var res capsule.Result
	if err := json.Unmarshal([]byte(a.out), &res); err != nil || !res.OK || string(values["verdict"]) != `"valid"` {
		t.Errorf("got %+v, %v", res, err)
	}
	if err := json.Unmarshal([]byte(w.expect(1, "verify", w.write("x", []byte("no")), "--json").out), &res); err != nil || res.OK || res.Verdict != capsule.Invalid {
		t.Errorf("got %+v, %v for what is no capsule", res, err)
	}
}

// TestCAP_RES_04_Phrases: no "valid" without the phrase of each qualifier.
func TestCAP_RES_04_Phrases(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	d.NoCommitment, d.Participants, d.Template, d.Chain = true, nil, true, build.File{}
	path := w.seal("bare.capsule", d)
	a := w.expect(1, "verify", path, "--accept-versions", "0.7,0.8", "--accept-profiles", "x-y-z/1.0")
	w.narrow(a.out)
	has(t, a.out, "signer set is not bound by the seal", "actors are not bound to a declared participant set", "no events to walk",
		"not in the declared accepted set", "no allowlist", "verdict    valid, but")
	has(t, w.expect(0, "verify", path, "--accept-versions", "0.6", "--accept-profiles", "v0.6-suite/1.0").out, "intact")
	var res capsule.Result
	if err := json.Unmarshal([]byte(w.run("verify", path, "--json").out), &res); err != nil {
		t.Fatal(err)
	}
	for _, q := range res.Qualifiers {
		has(t, strings.Join(strings.Fields(a.out), " "), q.Phrase())
	}
}

// TestCAP_RES_05_Checks: a line for each check, by its name.
func TestCAP_RES_05_Checks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	line := func(out, name string) string {
		for l := range strings.Lines(out) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(l), name+"  "); ok {
				return strings.TrimSpace(rest)
			}
		}
		return ""
	}
	a := w.expect(0, "verify", w.seal("good.capsule", draft(t)))
	w.narrow(a.out)
	for _, name := range []string{
		"container / parse", "format / version", "capsule_id / manifest_hash", "content_index", "encryption_state", "chain",
		"envelope_signature", "signer_set", "actor_set",
	} {
		if got := line(a.out, name); !strings.HasPrefix(got, "ok") {
			t.Errorf("%s: got %q, want ok", name, got)
		}
	}
	d := draft(t)
	d.NoCommitment, d.Participants = true, nil
	a = w.expect(0, "verify", w.seal("unbound.capsule", d))
	for _, name := range []string{"signer_set", "actor_set"} {
		if got := line(a.out, name); got != "not bound" {
			t.Errorf("%s: got %q, want not bound", name, got)
		}
	}
	for file, want := range map[string]string{"tampered-payload": "content_index", "tampered-envelope": "envelope_signature"} {
		a = w.expect(1, "verify", w.shared("tamper-detection/output/"+file+".capsule"))
		w.narrow(a.out)
		if got := line(a.out, want); got != "failed" {
			t.Errorf("%s: got %q for %s, want failed", file, got, want)
		}
		has(t, a.out, "invalid, not ", "Problems", "CAP-")
	}
}

// TestCAP_ENV_08_Claim: the time of sealing is shown as what it is.
func TestCAP_ENV_08_Claim(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	has(t, w.expect(0, "verify", w.seal("good.capsule", draft(t))).out, testTime+" (the signer's claim)")
}

// TestCAP_ENC_07_VerifyContent: with the recipient's key at L3, without it outside
// only, with a stranger's key a demand that is not met.
func TestCAP_ENC_07_VerifyContent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.shared("tamper-detection/output/clean-encrypted.capsule")
	data, err := os.ReadFile(w.shared("tamper-detection/output/keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]struct{ PrivateKey string }
	if err := json.Unmarshal(data, &keys); err != nil {
		t.Fatal(err)
	}
	secret := keys["recipient"].PrivateKey

	a := w.expect(0, "verify", path)
	w.narrow(a.out)
	has(t, a.out, "content is encrypted and was not read", "intact outside, signed", "deferred")

	file := w.write("inbox.private.hex", []byte(secret+"\n"))
	for _, flag := range []string{"--key", "--decryption-key"} {
		a = w.expect(0, "verify", path, flag, file)
		w.narrow(a.out)
		has(t, a.out, "L3", "inner_content_index", "inner_envelope_signature", "inner / outer")
		if strings.Contains(a.errors, "command line") {
			t.Errorf("got %q for a key in a file", a.errors)
		}
	}
	a = w.expect(0, "verify", path, "--decryption-key", secret)
	has(t, a.errors, "other processes")
	w.stdin = secret + "\n"
	a = w.expect(0, "verify", path, "--key", "-", "--json")
	has(t, a.out, `"level": "L3"`)
	if all := a.out + a.errors; strings.Contains(all, secret) {
		t.Errorf("got the secret in %s", all)
	}

	stranger := w.write("other.private.hex", []byte(strings.Repeat("11", 32)+"\n"))
	a = w.expect(1, "verify", path, "--key", stranger)
	has(t, a.out, "Demanded and not met")
	a = w.expect(2, "verify", path, "--key", w.path("none.hex"))
	if a.out != "" {
		t.Errorf("got a verdict without the key that was named: %s", a.out)
	}
	signing := w.write("sign.key", []byte("ed25519:"+publicHex(testKey(1))+"\n"))
	w.expect(2, "verify", path, "--key", signing)
}

// TestCAP_LIN_04_Predecessors: supplied files are compared with the lineage.
func TestCAP_LIN_04_Predecessors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.seal("first.capsule", draft(t))
	data, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	res, opened, err := capsule.VerifyOpen(strings.NewReader(string(data)), int64(len(data)), capsule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := build.Rewrap(opened, res, build.Takeover{Label: "Bo", CreatedAt: testTime, SignedAt: testTime}, false)
	if err != nil {
		t.Fatal(err)
	}
	d.Signers = []build.Signer{{Role: "originator", Key: testKey(2)}}
	next := w.seal("next.capsule", &d)

	a := w.expect(0, "verify", next)
	w.narrow(a.out)
	has(t, a.out, "declared, not verified", "does not countersign")
	a = w.expect(0, "verify", next, "--predecessor", first)
	has(t, a.out, "1. verified")
	other := draft(t)
	other.Label = "Somebody else"
	a = w.expect(1, "verify", next, "--predecessor", w.seal("other.capsule", other))
	has(t, a.out, "Demanded and not met")
	w.expect(2, "verify", next, "--predecessor", w.path("nowhere"))
	has(t, w.expect(0, "inspect", next).out, "predecessor", res.CapsuleID)
}

// TestCAP_ZIP_24_Strict: an archive comment is named, and refused on demand.
func TestCAP_ZIP_24_Strict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] = 2
	commented := w.write("comment.capsule", append(data, "hi"...))
	has(t, w.expect(0, "verify", commented).out, "comment that nothing seals")
	w.expect(1, "verify", commented, "--strict")
	w.expect(0, "verify", path, "--strict")
}

// TestVerifyStandardInput: - is a capsule that arrives through a pipe.
func TestVerifyStandardInput(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	data, err := os.ReadFile(w.seal("good.capsule", draft(t)))
	if err != nil {
		t.Fatal(err)
	}
	w.stdin = string(data)
	has(t, w.expect(0, "verify", "-").out, "standard input: intact")
}

// TestCAP_RES_04_Outside: what is to be said of the outer capsule does not vanish
// when its content verifies.
func TestCAP_RES_04_Outside(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	secret := strings.Repeat("11", 32)
	raw, err := hex.DecodeString(secret)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdh.X25519().NewPrivateKey(raw)
	if err != nil {
		t.Fatal(err)
	}
	d := draft(t)
	d.Recipients = [][32]byte{[32]byte(key.PublicKey().Bytes())}
	d.Rand = rand.Reader
	data, err := os.ReadFile(w.seal("sealed.capsule", d))
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] = 2
	path := w.write("comment.capsule", append(data, "hi"...))
	file := w.write("inbox.hex", []byte(secret))
	a := w.expect(0, "verify", path, "--key", file)
	w.narrow(a.out)
	has(t, a.out, "outside: the container has a comment that nothing seals", "valid, but")
	a = w.expect(0, "verify", w.seal("plain.capsule", draft(t)), "--key", file)
	has(t, a.errors, "the key was not used")
}

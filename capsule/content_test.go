package capsule_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/crypt"
)

func TestCAP_ENC_07_Decrypt(t *testing.T) {
	t.Parallel()
	plain := sealFile(t, nil)
	outer := sealFor(t, "rita", "sam")
	for _, name := range []string{"rita", "sam"} {
		res := judgeFile(t, outer, capsule.Options{Recipient: readerKey(t, name)})
		if res.Verdict != capsule.Valid || !res.OK || res.Level != "L3" || !res.Decryption.OK || res.Chain.Events != 2 || res.Chain.Note != "" {
			t.Errorf("%s: got %s at %s: %v", name, res.Verdict, res.Level, res.Problems)
		}
		inner, err := openFile(t, outer).Decrypt(readerKey(t, name))
		if err != nil || inner.Encrypted() || !inner.Has("program.md") {
			t.Errorf("%s: Decrypt: %v", name, err)
		}
		_, bytesInside, err := capsule.VerifyDecrypt(bytes.NewReader(outer), int64(len(outer)), capsule.Options{Recipient: readerKey(t, name)})
		if err != nil || !bytes.Equal(bytesInside, plain) {
			t.Errorf("%s: VerifyDecrypt gives other bytes than were sealed: %v", name, err)
		}
	}
	// Not addressed is another answer than a tag that does not fit.
	res := judgeFile(t, outer, capsule.Options{Recipient: readerKey(t, "eve")})
	if res.Verdict != capsule.Valid || res.OK || res.Level != "L2" || res.Decryption.OK || res.Decryption.Reason != capsule.NotAddressed ||
		!strings.Contains(strings.Join(res.Errors, "\n"), "no matching recipient bundle") || len(res.Problems) != 0 {
		t.Errorf("eve: got %s, ok %t, %+v, %v", res.Verdict, res.OK, res.Decryption, res.Errors)
	}
	if _, err := openFile(t, outer).Decrypt(readerKey(t, "eve")); !errors.Is(err, capsule.ErrNotAddressed) {
		t.Errorf("eve: Decrypt: got %v", err)
	}
	damaged := reseal(t, outer, func(p *parts) { p.files["content.enc"][7] ^= 1 })
	res = judgeFile(t, damaged, capsule.Options{Recipient: readerKey(t, "rita")})
	if res.Verdict != capsule.Invalid || res.Level != "L3" || res.Decryption.Reason != capsule.DecryptionFailed || !slices.Equal(reasons(res), []string{"l3/decryption_failed"}) {
		t.Errorf("a bad tag: got %s, %+v, %v", res.Verdict, res.Decryption, res.Problems)
	}
	if l2 := judgeFile(t, damaged, capsule.Options{}); l2.Verdict != capsule.Valid || !l2.Has(capsule.EncryptedOuterOnly) {
		t.Errorf("a bad tag at L2: got %s: the seal outside is in order", l2.Verdict)
	}
	moved := reseal(t, outer, func(p *parts) {
		p.reindex = true
		p.files["payload/keys.json"] = p.files[crypt.MetadataPath]
		delete(p.files, crypt.MetadataPath)
		p.manifest["encryption"] = map[string]any{"cipher": crypt.Cipher, "metadata_path": "payload/keys.json"}
	})
	if res := judgeFile(t, moved, capsule.Options{Recipient: readerKey(t, "sam")}); res.Verdict != capsule.Valid || res.Level != "L3" {
		t.Errorf("CAP-MAN-08: metadata elsewhere: got %s at %s: %v", res.Verdict, res.Level, res.Problems)
	}
	if _, err := openFile(t, plain).Decrypt(readerKey(t, "rita")); err == nil {
		t.Error("a plain capsule was decrypted")
	}
	if res := judgeFile(t, plain, capsule.Options{Recipient: readerKey(t, "rita")}); res.Verdict != capsule.Valid || res.Level != "L2" || res.Decryption != nil {
		t.Errorf("a key for a plain capsule: got %s at %s", res.Verdict, res.Level)
	}
}

// metadata rewrites decryption.json of an encrypted capsule.
func metadata(t *testing.T, outer []byte, change func(m map[string]any)) []byte {
	t.Helper()
	return reseal(t, outer, func(p *parts) {
		var m map[string]any
		if err := json.Unmarshal(p.files[crypt.MetadataPath], &m); err != nil {
			t.Fatal(err)
		}
		change(m)
		p.files[crypt.MetadataPath], p.reindex = canonicalJSON(t, m), true
	})
}

func TestCAP_ENC_08_StrictMetadata(t *testing.T) {
	t.Parallel()
	outer := sealFor(t, "rita", "sam")
	rita := capsule.Options{Recipient: readerKey(t, "rita")}
	bundle := func(m map[string]any, i int) map[string]any { return m["key_bundles"].([]any)[i].(map[string]any) }
	for name, change := range map[string]func(m map[string]any){
		"a cipher we do not know": func(m map[string]any) { m["cipher"] = "AES-GCM" },
		"no cipher":               func(m map[string]any) { delete(m, "cipher") },
		"a short nonce":           func(m map[string]any) { m["content_nonce"] = "00" },
		"an upper-case nonce":     func(m map[string]any) { m["content_nonce"] = strings.Repeat("AB", 12) },
		"bundles that are none":   func(m map[string]any) { m["key_bundles"] = map[string]any{} },
		"a bundle that is none":   func(m map[string]any) { m["key_bundles"] = []any{7} },
		"a short key":             func(m map[string]any) { bundle(m, 1)["ephemeral_public_key"] = "00" },
		"a long wrapped key":      func(m map[string]any) { bundle(m, 1)["wrapped_key"] = strings.Repeat("00", 49) },
		"no wrap nonce":           func(m map[string]any) { delete(bundle(m, 1), "wrap_nonce") },
	} {
		res := judgeFile(t, metadata(t, outer, change), rita)
		if res.Verdict != capsule.Invalid || !slices.Equal(reasons(res), []string{"encryption_metadata_path/encryption_metadata_path"}) {
			t.Errorf("%s: got %s, %v", name, res.Verdict, res.Problems)
		}
	}
	// All bundles with our key are tried in order.
	twice := metadata(t, outer, func(m map[string]any) {
		bad := make(map[string]any)
		for k, v := range bundle(m, 0) {
			bad[k] = v
		}
		bad["wrapped_key"] = strings.Repeat("00", 48)
		m["key_bundles"] = []any{bad, bundle(m, 1), bundle(m, 0)}
	})
	if res := judgeFile(t, twice, rita); res.Verdict != capsule.Valid || res.Level != "L3" {
		t.Errorf("two bundles: got %s at %s: %v", res.Verdict, res.Level, res.Problems)
	}
	only := metadata(t, outer, func(m map[string]any) { bundle(m, 0)["wrapped_key"] = strings.Repeat("00", 48) })
	if res := judgeFile(t, only, rita); res.Verdict != capsule.Invalid || res.Decryption.Reason != capsule.DecryptionFailed {
		t.Errorf("a bundle of ours that does not open: got %s, %+v", res.Verdict, res.Decryption)
	}
	zero := metadata(t, outer, func(m map[string]any) { bundle(m, 0)["ephemeral_public_key"] = strings.Repeat("00", 32) })
	if res := judgeFile(t, zero, rita); res.Verdict != capsule.Invalid {
		t.Errorf("an all-zero secret: got %s at %s", res.Verdict, res.Level)
	}
	odd := metadata(t, outer, func(m map[string]any) { m["hint"], bundle(m, 0)["label"] = "x", "rita" })
	if res := judgeFile(t, odd, capsule.Options{}); res.Verdict != capsule.Valid || !res.Has(capsule.UnknownDecryptionMembers) {
		t.Errorf("unknown members: got %s, %v", res.Verdict, res.Qualifiers)
	}
	empty := metadata(t, outer, func(m map[string]any) { m["key_bundles"] = []any{} })
	res := judgeFile(t, empty, capsule.Options{})
	if res.Verdict != capsule.Valid || !res.Has(capsule.NobodyCanOpen) || !strings.Contains(strings.Join(res.Notes, "\n"), "nobody can open this") {
		t.Errorf("no bundles: got %s, %v, %v", res.Verdict, res.Qualifiers, res.Notes)
	}
}

func TestCAP_ENC_09_NoNestedEncryption(t *testing.T) {
	t.Parallel()
	outer := sealFor(t, "rita")
	nested := rewrite(t, outer, "rita", sealFor(t, "sam"))
	res := judgeFile(t, nested, capsule.Options{Recipient: readerKey(t, "rita")})
	if res.Verdict != capsule.Invalid || res.Level != "L3" || !slices.Equal(reasons(res), []string{"l3/nested_encryption"}) || res.Problems[0].Rule != "CAP-ENC-09" {
		t.Errorf("got %s at %s, %v", res.Verdict, res.Level, res.Problems)
	}
}

// TestCAP_ENC_12_NothingInsideBeforeL2: content of a capsule that fails outside
// is not looked at, and no byte of it is given out.
func TestCAP_ENC_12_NothingInsideBeforeL2(t *testing.T) {
	t.Parallel()
	outer := sealFor(t, "rita")
	rita := capsule.Options{Recipient: readerKey(t, "rita")}
	other := rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.Label = "Mallory" }))
	stolen := openFile(t, other)
	blob, err := stolen.ReadFile("content.enc", 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	// A blob that decrypts, under a seal that speaks of another one.
	swapped := reseal(t, outer, func(p *parts) { p.files["content.enc"] = blob; p.envelope["entry_hash"] = strings.Repeat("ab", 32) })
	c := openFile(t, outer)
	bodies := map[string][]byte{"content.enc": blob}
	for _, path := range []string{"manifest.json", "provenance/envelope.json", crypt.MetadataPath} {
		if bodies[path], err = c.ReadFile(path, 1<<20); err != nil {
			t.Fatal(err)
		}
	}
	for name, data := range map[string][]byte{
		"an exchanged blob": packFiles(t, bodies),
		"a bad id":          reseal(t, outer, func(p *parts) { p.manifest["id"] = strings.Repeat("0", 64) }),
	} {
		res, inside, err := capsule.VerifyDecrypt(bytes.NewReader(data), int64(len(data)), rita)
		if err != nil || res.Verdict != capsule.Invalid || res.Level != "L2" || res.Decryption != nil || inside != nil {
			t.Errorf("%s: got %s at %s with %d bytes, %v", name, res.Verdict, res.Level, len(inside), err)
		}
	}
	res, inside, err := capsule.VerifyDecrypt(bytes.NewReader(swapped), int64(len(swapped)), rita)
	if err != nil || res.Verdict == capsule.Valid || inside != nil {
		t.Errorf("content of another state: got %s with %d bytes, %v", res.Verdict, len(inside), err)
	}
}

func TestCAP_VER_17_InnerAndOuterAreOne(t *testing.T) {
	t.Parallel()
	outer := sealFor(t, "rita")
	plain := sealFile(t, nil)
	for _, c := range []struct {
		name string
		data []byte
		want []string // names in "inner.X does not match outer.X"
	}{
		{"the same", rewrite(t, outer, "rita", plain), nil},
		{"other content of the same state", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.Files = nil })), nil},
		{"another line", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.Chain = build.File{} })), []string{"capsule_id", "first_event_hash", "entry_hash"}},
		{
			"an earlier state", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) {
				r, err := d.Chain.Open()
				if err != nil {
					t.Fatal(err)
				}
				all, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				d.Chain = build.Bytes("chain/events.jsonl", all[:bytes.IndexByte(all, '\n')+1])
			})), []string{"entry_hash"},
		},
		{
			"another originator", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.Signers[0].Key = signerKey("eve") })),
			[]string{"capsule_id", "originator.public_key", "signer_commitment"},
		},
		{
			"an unbound set inside", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.NoCommitment = true })),
			[]string{"signer_commitment"},
		},
		{
			"another version inside", rewrite(t, outer, "rita", sealFile(t, func(d *build.Draft) { d.Version = "0.7" })),
			[]string{"capsule_id", "version"},
		},
	} {
		res := judgeFile(t, c.data, capsule.Options{Recipient: readerKey(t, "rita")})
		var got []string
		for _, e := range res.Errors {
			if rest, ok := strings.CutPrefix(e, "L3: inner."); ok {
				name, tail, _ := strings.Cut(rest, " does not match outer.")
				if name != tail {
					t.Errorf("%s: odd message %q", c.name, e)
				}
				got = append(got, name)
			}
		}
		if res.Level != "L3" || !slices.Equal(got, c.want) || (res.Verdict == capsule.Valid) != (len(c.want) == 0) || len(res.Problems) != len(c.want) {
			t.Errorf("%s: got %s, %v, want %v: %v", c.name, res.Verdict, got, c.want, res.Problems)
		}
	}
}

// TestCAP_VER_18_TrustNeverEntersTheVerdict, and one bad area is enough.
func TestCAP_VER_18_TrustNeverEntersTheVerdict(t *testing.T) {
	t.Parallel()
	plain := sealFile(t, nil)
	for name, c := range map[string]struct {
		change func(p *parts)
		area   capsule.Area
	}{
		"content index": {func(p *parts) { p.files["program.md"] = nil }, capsule.AreaContentIndex},
		"chain": {func(p *parts) {
			p.reindex = true
			p.files["chain/events.jsonl"] = append(p.files["chain/events.jsonl"], "{}\n"...)
		}, capsule.AreaChain},
		"envelope":   {func(p *parts) { p.signers = append(p.signers, p.signers[0]) }, capsule.AreaEnvelope},
		"signer set": {func(p *parts) { p.signers = append(p.signers, [2]string{"legal", "bob"}) }, capsule.AreaSignerSet},
		"originator": {func(p *parts) { p.signers = [][2]string{{"originator", "bob"}} }, capsule.AreaOriginatorBinding},
	} {
		data := reseal(t, plain, c.change)
		for _, o := range []capsule.Options{{}, {Allowlist: []string{signerHex("ana"), signerHex("bob")}, RequireTrusted: true}} {
			res := judgeFile(t, data, o)
			if res.OK || res.IntegrityOK || res.Verdict != capsule.Invalid || !slices.Contains(res.Failing(), c.area) {
				t.Errorf("%s: got %s, %v", name, res.Verdict, res.Failing())
			}
		}
	}
	for _, allow := range [][]string{nil, {signerHex("ana")}, {signerHex("bob")}} {
		if res := judgeFile(t, plain, capsule.Options{Allowlist: allow}); res.Verdict != capsule.Valid || !res.OK {
			t.Errorf("%v: got %s", allow, res.Verdict)
		}
	}
}

// failing reads like its bytes up to some offset.
type failing struct {
	r     *bytes.Reader
	until int64
	err   error
}

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.until {
		return 0, f.err
	}
	return f.r.ReadAt(p, off)
}

// TestCAP_VER_00_AResultForEveryInput: the error is one of reading and of nothing
// else.
func TestCAP_VER_00_AResultForEveryInput(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	for name, in := range map[string][]byte{
		"nothing": nil, "one byte": {0}, "22 zeros": make([]byte, 22), "an empty archive": append([]byte("PK\x05\x06"), make([]byte, 18)...),
		"text": []byte(strings.Repeat("not a capsule\n", 1000)), "doubled": append(bytes.Clone(data), data...),
	} {
		for _, o := range []capsule.Options{{}, {Strict: true, Recipient: readerKey(t, "rita"), RequireTrusted: true, AcceptVersions: []string{"0.6"}, Predecessors: supplied(in).Predecessors}} {
			res := judgeFile(t, in, o)
			if res.Verdict != capsule.Invalid || res.Stage != "open" || res.Reason == "" || len(res.Problems) != 1 || res.OK {
				t.Errorf("%s: got %s, %s, %v", name, res.Verdict, res.Stage, res.Problems)
			}
		}
	}
	gone := errors.New("the disk is gone")
	for _, until := range []int64{0, 100, int64(len(data)) / 2, int64(len(data)) - 1} {
		res, c, err := capsule.VerifyOpen(failing{bytes.NewReader(data), until, gone}, int64(len(data)), capsule.Options{})
		if !errors.Is(err, gone) || res != nil || c != nil {
			t.Errorf("readable up to %d: got %v, %v", until, res, err)
		}
	}
	// A size that is not that of the file is an error of reading or a refusal.
	for _, size := range []int64{-1, 0, int64(len(data)) - 1, int64(len(data)) + 1, 1 << 62} {
		res, err := capsule.Verify(bytes.NewReader(data), size, capsule.Options{})
		if err == nil && res.Verdict == capsule.Valid {
			t.Errorf("size %d: valid", size)
		}
	}
}

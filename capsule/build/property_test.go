package build_test

import (
	"bytes"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
)

// drawDraft draws what a draft is made of, so that it can be made twice.
func drawDraft(t *rapid.T) func() build.Draft {
	name := rapid.StringMatching(`[a-zA-Z0-9é\x{e000}\x{1f600}_.-]{0,6}[a-z]`)
	type file struct{ path, body string }
	var files []file
	seen := make(map[string]bool)
	for i := range rapid.IntRange(0, 6).Draw(t, "files") {
		dir := rapid.SampledFrom([]string{"payload/", "payload/a/", "notes/", "skills/one/", ""}).Draw(t, "dir")
		path := dir + name.Draw(t, "name")
		if !seen[path] {
			seen[path] = true
			files = append(files, file{path, rapid.StringN(0, 40, 200).Draw(t, fmt.Sprint("body ", i))})
		}
	}
	version := rapid.SampledFrom([]string{"", "0.6", "0.7"}).Draw(t, "version")
	label := rapid.StringMatching(`[a-z"\\é\x00-\x1f]{0,8}`).Draw(t, "label")
	declared, unbound, template := rapid.Bool().Draw(t, "declared"), rapid.Bool().Draw(t, "unbound"), rapid.Bool().Draw(t, "template")
	actions := rapid.SliceOfN(name, 0, 3).Draw(t, "actions")
	roles := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"approver", "legal", "notary", "é"}), 0, 3, rapid.ID[string]).Draw(t, "roles")
	recipients := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"rita", "sam", "tom"}), 0, 2, rapid.ID[string]).Draw(t, "recipients")
	minimal := rapid.Bool().Draw(t, "minimal")
	return func() build.Draft {
		d := build.Draft{
			Version: version, Label: label, SignedAt: later, NoCommitment: unbound, Template: template, MinimalOuter: minimal,
			Signers: []build.Signer{{Role: "originator", Key: signing("ana")}}, Rand: constant(5),
			Extra: []chain.Member{{Name: "x-acme-n", Value: []byte(`{"b":1,"a":2}`)}},
		}
		for _, f := range files {
			d.Files = append(d.Files, build.Text(f.path, f.body))
		}
		if declared {
			d.Participants = []build.Participant{{ActorID: "human:ana", Label: label}}
		}
		var log chain.Log
		var lines []byte
		for _, a := range actions {
			line, err := log.Append(chain.Draft{Actor: "human:ana", Action: a, Timestamp: noon})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, line...)
		}
		d.Chain = build.Bytes(chain.Path, lines)
		for _, r := range roles {
			d.Signers = append(d.Signers, build.Signer{Role: r, Key: signing(r)})
		}
		for _, r := range recipients {
			_, key := recipient(t, r)
			d.Recipients = append(d.Recipients, key)
		}
		return d
	}
}

// TestCAP_BLD_05_AcceptedDraftsVerify: whatever is sealed is valid for anybody,
// has what was put in and is the same file every time, in whatever order the
// files were given.
func TestCAP_BLD_05_AcceptedDraftsVerify(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		again := drawDraft(t)
		d := again()
		first, sealed := write(t, d)
		options := capsule.Options{Strict: true, Allowlist: []string{public("ana")}, RequireTrusted: true}
		if len(d.Recipients) > 0 {
			options.Recipient, _ = recipient(t, "rita")
			for _, name := range []string{"rita", "sam", "tom"} {
				key, pub := recipient(t, name)
				if pub == d.Recipients[len(d.Recipients)-1] {
					options.Recipient = key
				}
			}
		}
		res, c := verify(t, first, options)
		if !res.OK || res.Verdict != capsule.Valid || res.CapsuleID != sealed.CapsuleID || res.ManifestHash != sealed.ManifestHash {
			t.Fatalf("got %s, %v, %v", res.Verdict, res.Problems, res.Errors)
		}
		if (res.Level == "L3") != (len(d.Recipients) > 0) {
			t.Fatalf("got %s for %d recipients", res.Level, len(d.Recipients))
		}
		for _, f := range d.Files {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			var want bytes.Buffer
			if _, err := want.ReadFrom(r); err != nil {
				t.Fatal(err)
			}
			if got := content(t, c, f.Path); got != want.String() {
				t.Fatalf("%q: got %q, want %q", f.Path, got, want.String())
			}
		}
		other := again()
		order := rapid.Permutation(other.Files).Draw(t, "order")
		other.Files = order
		second, _ := write(t, other)
		if !bytes.Equal(first, second) {
			t.Fatal("CAP-ZIP-06: the same draft with its files in another order is another file")
		}
	})
}

// TestCAP_BLD_05_NoFlippedBitIsValid: a sealed file with one bit changed is
// either refused or says the same, because the bit was one that nothing seals.
func TestCAP_BLD_05_NoFlippedBitIsValid(t *testing.T) {
	t.Parallel()
	data, sealed := write(t, draft(t))
	rapid.Check(t, func(t *rapid.T) {
		bad := bytes.Clone(data)
		at := rapid.IntRange(0, len(bad)-1).Draw(t, "at")
		bad[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
		res, c := verify(t, bad, capsule.Options{})
		if res.Verdict != capsule.Valid {
			return
		}
		if res.ManifestHash != sealed.ManifestHash {
			t.Fatalf("byte %d: valid with another manifest", at)
		}
		for _, f := range c.Manifest.Files {
			if content(t, c, f.Path) != content(t, opened(t, data), f.Path) {
				t.Fatalf("byte %d: valid with another %s", at, f.Path)
			}
		}
	})
}

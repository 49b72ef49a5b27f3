package capsule_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/capsule/crypt"
)

// TestCAP_ENC_08_LaterBundleOpens: a bundle for our key that holds another content
// key does not hide the one behind it.
func TestCAP_ENC_08_LaterBundleOpens(t *testing.T) {
	t.Parallel()
	data := reseal(t, sealFor(t, "bob"), func(p *parts) {
		meta, err := crypt.ParseMetadata(p.files[crypt.MetadataPath])
		if err != nil {
			t.Fatal(err)
		}
		decoy, err := crypt.Wrap(repeating(9), "0.6", meta.Bundles[0].Recipient, [32]byte{1})
		if err != nil {
			t.Fatal(err)
		}
		meta.Bundles = slices.Insert(meta.Bundles, 0, decoy)
		p.files[crypt.MetadataPath] = meta.Marshal()
		p.reindex = true
	})
	res := judgeFile(t, data, capsule.Options{Recipient: readerKey(t, "bob")})
	if res.Verdict != capsule.Valid || res.Level != "L3" {
		t.Errorf("got %s at %s: %v", res.Verdict, res.Level, reasons(res))
	}
}

// TestCAP_HYD_03_VerdictIsOurOwnWords: nothing that a signer chose stands in the
// part that is trusted whoever signed.
func TestCAP_HYD_03_VerdictIsOurOwnWords(t *testing.T) {
	t.Parallel()
	data := sealFile(t, func(d *build.Draft) {
		d.Label = "LABEL: obey"
		for i := range 100 {
			d.Signers = append(d.Signers, build.Signer{Role: fmt.Sprintf("ROLE %d: obey", i), Key: signerKey("mallory")})
		}
	})
	res, c := verify(t, data, capsule.Options{})
	list, err := c.Context(res, capsule.ContextOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		if p.Trusted && strings.Contains(p.Text, "obey") {
			t.Errorf("%s is trusted and says %q", p.Kind, p.Text)
		}
		if p.Kind == "claims" && (len(p.Text) > 8<<10 || !strings.Contains(p.Text, "and 81 more signers")) {
			t.Errorf("got claims of %d bytes, want them cut: %s", len(p.Text), p.Text)
		}
	}
}

// TestCAP_HYD_03_ManyMarks: what a capsule costs to be shown follows from its size,
// however its events mark their fields.
func TestCAP_HYD_03_ManyMarks(t *testing.T) {
	t.Parallel()
	for name, draft := range map[string]chain.Draft{
		"one field 20,000 times": {
			Payload: []byte(`{"a":"` + strings.Repeat("x", 100_000) + `"}`), Untrusted: slices.Repeat([]string{"payload.a"}, 20_000),
		},
		"60,000 fields": func() chain.Draft {
			var d chain.Draft
			members := make([]string, 60_000)
			for i := range members {
				members[i] = fmt.Sprintf(`"m%d":%d`, i, i)
				d.Untrusted = append(d.Untrusted, fmt.Sprintf("payload.m%d", i))
			}
			d.Payload = []byte("{" + strings.Join(members, ",") + "}")
			return d
		}(),
	} {
		data := sealFile(t, func(d *build.Draft) {
			var log chain.Log
			draft.Actor, draft.Action, draft.Timestamp = "human:ana", "marked", sealedNoon
			line, err := log.Append(draft)
			if err != nil {
				t.Fatal(err)
			}
			d.Chain = build.Bytes(chain.Path, line)
		})
		res, c := verify(t, data, capsule.Options{Allowlist: []string{signerHex("ana")}})
		list, err := c.Context(res, capsule.ContextOptions{})
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, p := range list {
			size += len(p.Text)
		}
		if size > 3*len(data) {
			t.Errorf("%s: got %d bytes of context from a capsule of %d", name, size, len(data))
		}
	}
}

// TestCAP_JSON_08_EnvelopeBounds: what is hashed once for every signer is bounded,
// and so is their number.
func TestCAP_JSON_08_EnvelopeBounds(t *testing.T) {
	t.Parallel()
	data := sealFile(t, nil)
	for name, change := range map[string]func(p *parts){
		"padding": func(p *parts) { p.envelope["x-a-pad"] = strings.Repeat("x", 1<<20) },
		"rows": func(p *parts) {
			for i := range 1024 {
				p.signers = append(p.signers, [2]string{fmt.Sprint("role ", i), "ana"})
			}
		},
	} {
		res := judgeFile(t, reseal(t, data, change), capsule.Options{})
		if res.Verdict != capsule.Invalid || res.Stage != "open" || res.Reason != capsule.DocumentTooLarge {
			t.Errorf("%s: got %s at %s because of %s, want it refused as too large", name, res.Verdict, res.Stage, res.Reason)
		}
	}
	res := judgeFile(t, reseal(t, data, func(p *parts) { p.envelope["x-a-pad"] = strings.Repeat("x", 1<<19) }), capsule.Options{})
	if res.Verdict != capsule.Valid {
		t.Errorf("half a MiB: got %s, %v", res.Verdict, reasons(res))
	}
}

// TestCAP_MAN_06_Flood: a list of bad participants costs a bounded number of texts.
func TestCAP_MAN_06_Flood(t *testing.T) {
	t.Parallel()
	data := reseal(t, sealFile(t, nil), func(p *parts) {
		p.manifest["participants"] = slices.Repeat([]any{0}, 50_000)
	})
	res := judgeFile(t, data, capsule.Options{})
	if res.Verdict != capsule.Invalid || len(res.Problems) > 1100 || len(res.Errors) > 1100 {
		t.Errorf("got %s with %d problems and %d errors", res.Verdict, len(res.Problems), len(res.Errors))
	}
}

// TestCAP_LIN_04_DeclaredOtherwise: a declaration whose anchors are not those of the
// supplied file is a mismatch although id and manifest fit.
func TestCAP_LIN_04_DeclaredOtherwise(t *testing.T) {
	t.Parallel()
	before := sealFile(t, nil)
	res, c := verify(t, before, capsule.Options{})
	d, err := build.Rewrap(c, res, build.Takeover{CreatedAt: sealedNoon, SignedAt: sealedNoon}, false)
	if err != nil {
		t.Fatal(err)
	}
	d.Signers = []build.Signer{{Role: "originator", Key: signerKey("bob")}}
	for entry, want := range map[string]string{d.Predecessors[0].EntryHash: "verified", strings.Repeat("ab", 32): "mismatch"} {
		d.Predecessors[0].EntryHash = entry
		var out memoryFile
		if _, err := build.Write(&out, &d); err != nil {
			t.Fatal(err)
		}
		got := judgeFile(t, out.Bytes(), capsule.Options{Predecessors: []capsule.Source{{Reader: bytes.NewReader(before), Size: int64(len(before))}}})
		if got.Lineage.Entries[0].Status != want {
			t.Errorf("entry hash %.8s: got %s, want %s", entry, got.Lineage.Entries[0].Status, want)
		}
	}
}

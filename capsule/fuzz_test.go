package capsule_test

import (
	"bytes"
	"maps"
	"testing"

	"seed/capsule"
	"seed/internal/zipstore"
	"seed/jcs"
	"seed/testkit"
)

// FuzzVerify takes whole files. No input panics, every input has a consistent
// answer, and what is valid is so again after its files were packed anew.
func FuzzVerify(f *testing.F) {
	for _, name := range []string{
		"base/minimal", "base/july", "base/encrypted", "base/v07-lineage", "zip/ok-comment", "zip/ok-descriptor-signed",
		"zip/duplicate-name", "zip/second-end-record-in-comment", "json/depth-event", "chain/line-not-json", "envelope/row-string",
	} {
		if data := buildVector(f, name); len(data) < 64<<10 {
			f.Add(data)
		}
	}
	rita := testkit.X25519Key("rita")
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			t.Skip("larger than is of use here")
		}
		limits := capsule.Limits{MaxEntries: 1000, MaxTotal: 4 << 20}
		res, c := verify(t, data, capsule.Options{Limits: limits})
		consistent(t, res)
		deep, _ := verify(t, data, capsule.Options{Limits: limits, Recipient: rita, Strict: true})
		consistent(t, deep)
		if res.Verdict != capsule.Valid {
			if deep.Verdict == capsule.Valid {
				t.Errorf("got valid with a key and strict, %s without", res.Verdict)
			}
			return
		}
		packed := repack(t, contents(t, c))
		again, _ := verify(t, packed, capsule.Options{Limits: limits, Strict: true})
		if again.Verdict != capsule.Valid || again.ManifestHash != res.ManifestHash {
			t.Errorf("got %s (%v) after packing anew, want valid as before", again.Verdict, again.Problems)
		}
	})
}

// FuzzManifest puts a document in place of the manifest of a good capsule. The
// seal is over its value: another value is never valid.
func FuzzManifest(f *testing.F) { fuzzDocument(f, manifestFile, "") }

// FuzzEnvelope does the same with the envelope, whose signer rows are outside the
// signed value.
func FuzzEnvelope(f *testing.F) { fuzzDocument(f, envelopeFile, "signers") }

func fuzzDocument(f *testing.F, path, unsigned string) {
	_, c := verify(f, buildVector(f, "base/plain"), capsule.Options{})
	good := contents(f, c)
	want := canonical(f, good[path], unsigned)
	f.Add(good[path])
	family := map[string]string{manifestFile: "manifest", envelopeFile: "envelope"}[path]
	for _, name := range []string{
		"json/" + family + "-bom", "json/" + family + "-duplicate-member", "json/" + family + "-lone-surrogate", "json/" + family + "-array",
		"json/ok-" + family + "-reversed", "profile/mismatch", "version/mismatch", "signers/commitment-unsorted", "envelope/duplicate-signer",
	} {
		if open, err := openContainer(buildVector(f, name)); err == nil {
			f.Add(open[path])
		}
	}
	f.Fuzz(func(t *testing.T, doc []byte) {
		if len(doc) > 1<<20 {
			t.Skip("larger than is of use here")
		}
		files := maps.Clone(good)
		files[path] = doc
		res, _ := verify(t, repack(t, files), capsule.Options{})
		consistent(t, res)
		if res.Verdict != capsule.Valid {
			return
		}
		if got := canonical(t, doc, unsigned); got != want {
			t.Errorf("got valid with the value %s, want only %s", got, want)
		}
		if path == envelopeFile {
			sameSigners(t, doc, good[path])
		}
	})
}

// openContainer reads the files of a container, whatever they hold.
func openContainer(data []byte) (map[string][]byte, error) {
	a, err := zipstore.Open(bytes.NewReader(data), int64(len(data)), zipstore.Options{})
	if err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for i := range a.Entries {
		e := &a.Entries[i]
		if files[e.Name], err = a.ReadFile(e, e.Size); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// sameSigners demands the pairs of role and key that were committed to.
func sameSigners(t *testing.T, got, want []byte) {
	t.Helper()
	if g, w := pairs(t, got), pairs(t, want); !maps.Equal(g, w) {
		t.Errorf("got valid with signers %v, want %v", g, w)
	}
}

func pairs(t *testing.T, doc []byte) map[[2]string]bool {
	t.Helper()
	d, err := jcs.Parse(doc)
	if err != nil {
		t.Fatal(err)
	}
	set := make(map[[2]string]bool)
	for _, row := range d.Root().Member("signers").Elements() {
		set[[2]string{row.Member("role").Str(), row.Member("public_key").Str()}] = true
	}
	return set
}

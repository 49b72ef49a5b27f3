package seedfile_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"seed/seedfile"
	"seed/seedfile/transport"
)

// everyProfile packs something for each canonical transport.
func everyProfile(t testing.TB) map[transport.Profile]string {
	t.Helper()
	_, doc := packDoc(t, "# Hello\n", seedfile.PackOptions{Base: "hello.md", URL: "https://seed.example/s/abc12"})
	_, run := packDoc(t, "#!/bin/sh\necho hi\n", seedfile.PackOptions{Base: "run.sh", Grow: []string{"show", "exec"}})
	text := fstest.MapFS{"a": {Data: []byte("no newline"), Mode: 0o644}, "bin/b c": {Data: []byte("#!/bin/sh\n"), Mode: 0o755}}
	binary := fstest.MapFS{"a": {Data: []byte("\x00\xff"), Mode: 0o600}}
	return map[transport.Profile]string{
		transport.Doc:  doc,
		transport.Full: run,
		transport.Tree: packTree(t, text, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree"}, Root: "tree"}),
		transport.Bin:  packTree(t, binary, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "bin"}, Binary: seedfile.Encode}),
	}
}

// SIG-10: signing adds two lines to the metadata and changes nothing else but
// what the transport says about the document; taking them off gives the seed back.
func TestSignedSeeds_SIG_10_SignChangesNothingElse(t *testing.T) {
	t.Parallel()
	for profile, text := range everyProfile(t) {
		out := signed(t, text, testKey, seedfile.PackOptions{})
		if got := signatureOf(t, out); got != "valid" {
			t.Errorf("%v: got %s, want valid", profile, got)
		}
		was, is := mustOpen(t, text), mustOpen(t, out)
		if is.URL != was.URL || is.Filename != was.Filename || payloadOf(t, is) != payloadOf(t, was) {
			t.Errorf("%v: got %s %s, want URL, file name and payload as before", profile, is.URL, is.Filename)
		}
		if !is.Transport.Canonical || is.Transport.Profile != profile {
			t.Errorf("%v: got transport %+v", profile, is.Transport)
		}
		added, ok := bytes.CutPrefix(is.Meta.Raw(), was.Meta.Raw())
		lines := strings.SplitAfter(string(added), "\n")
		if !ok || len(lines) != 3 || lines[0] != "signer: "+signerOf(testKey)+"\n" || lines[1] != is.Meta.Field("signature") {
			t.Errorf("%v: got %q added to the metadata", profile, added)
		}
		if before, after := findings(t, text), findings(t, out); !slices.Equal(before, after) {
			t.Errorf("%v: got findings %q, want %q as before", profile, after, before)
		}
		if unsigned(t, out) != text {
			t.Errorf("%v: taking the signature off gave another seed", profile)
		}
		if unsigned(t, text) != text {
			t.Errorf("%v: taking off no signature changed the seed", profile)
		}
	}
}

// findings lists the rules that Check has something to say about.
func findings(t testing.TB, text string) []string {
	t.Helper()
	_, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{Hidden: true})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range rep.Findings {
		out = append(out, f.Rule.ID+" "+f.Msg)
	}
	return out
}

// SIG-10: the same seed and key give the same bytes, and signing again changes
// nothing; another key takes the place of the first.
func TestSignedSeeds_SIG_10_Deterministic(t *testing.T) {
	t.Parallel()
	for profile, text := range everyProfile(t) {
		once := signed(t, text, testKey, seedfile.PackOptions{})
		if signed(t, text, testKey, seedfile.PackOptions{}) != once || signed(t, once, testKey, seedfile.PackOptions{}) != once {
			t.Errorf("%v: signing again gave other bytes", profile)
		}
		other := signed(t, once, otherKey, seedfile.PackOptions{})
		if other == once || signed(t, other, testKey, seedfile.PackOptions{}) != once {
			t.Errorf("%v: the key made no difference, or the first one left a trace", profile)
		}
		s, err := mustOpen(t, other).Signature()
		if err != nil || s.SignerText() != signerOf(otherKey) {
			t.Errorf("%v: got %+v, %v, want the other signer", profile, s, err)
		}
	}
}

// SIG-10: whatever stands in the two fields is replaced, with all its lines; the
// signer keeps its place.
func TestSignedSeeds_SIG_10_ReplacesOddFields(t *testing.T) {
	t.Parallel()
	clean := "seed: \"1.0\"\ngrow: show\ntype: context\nname: note\n# c\nx: y\n"
	want := mustOpen(t, signed(t, wrap("---\n"+clean+"---\n\nhello\n"), testKey, seedfile.PackOptions{})).Meta.Raw()
	for _, odd := range []string{
		"signature: x\n", "signer:\n  - a\n  - b\n", "signature: |\n  a\n\n  # b\n  c\nsigner: d\n", "signature: x\nsignature: y\nsigner: z # w\nsigner:\n", "signer: &a b\nsignature: *a\n",
	} {
		f := mustOpen(t, signed(t, wrap("---\n"+clean+odd+"---\n\nhello\n"), testKey, seedfile.PackOptions{}))
		if !bytes.Equal(f.Meta.Raw(), want) || verdictOf(t, f) != "valid" {
			t.Errorf("%q: got %q, want %q", odd, f.Meta.Raw(), want)
		}
		if f = mustOpen(t, unsigned(t, wrap("---\n"+clean+odd+"---\n\nhello\n"))); string(f.Meta.Raw()) != clean {
			t.Errorf("%q: got %q without signature, want %q", odd, f.Meta.Raw(), clean)
		}
	}
	between := "seed: \"1.0\"\nsigner: x\ngrow:\n  - show\n"
	f := mustOpen(t, signed(t, wrap("---\n"+between+"---\n\nhello\n"), testKey, seedfile.PackOptions{}))
	if got := strings.Join(f.Meta.Keys(), " "); got != "seed signer grow signature" || verdictOf(t, f) != "valid" {
		t.Errorf("got fields %s, want the signer in its place", got)
	}
}

// SIG-10: fields named in the options are set before signing.
func TestSignedSeeds_SIG_10_Options(t *testing.T) {
	t.Parallel()
	text := everyProfile(t)[transport.Doc]
	o := seedfile.PackOptions{Name: "other", Grow: []string{"exec"}, URL: "https://new.example/s/1"}
	f := mustOpen(t, signed(t, text, testKey, o))
	if f.Meta.Name != "other" || f.URL != o.URL || f.Transport.Profile != transport.Full || verdictOf(t, f) != "valid" {
		t.Errorf("got %s %s %v %s", f.Meta.Name, f.URL, f.Transport.Profile, verdictOf(t, f))
	}
	if _, err := seedfile.Sign(f, testKey, seedfile.PackOptions{Name: "a\nb"}); ruleOf(err) != "SP-META-01" {
		t.Errorf("got %v, want a refusal of the name", err)
	}
	if _, err := seedfile.Unsign(f, seedfile.PackOptions{URL: "ftp://x"}); ruleOf(err) != "SP-FMT-03" {
		t.Errorf("got %v, want a refusal of the URL", err)
	}
}

// A key whose halves do not belong together signs twice with one nonce, which
// gives its secret away: nothing is signed with it.
func TestSignedSeeds_SIG_10_DamagedKey(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, everyProfile(t)[transport.Doc])
	mixed := append(ed25519.PrivateKey{}, testKey...)
	copy(mixed[32:], otherKey[32:])
	for what, key := range map[string]ed25519.PrivateKey{"none": nil, "seed only": testKey[:32], "long": append(append(ed25519.PrivateKey{}, testKey...), 0), "mixed": mixed} {
		p, err := seedfile.Sign(f, key, seedfile.PackOptions{})
		if p != nil || err == nil || strings.Contains(err.Error(), fmt.Sprintf("%x", testKey[:4])) {
			t.Errorf("%s: got %v, %v, want an error and no key in it", what, p, err)
		}
	}
}

// The two lines count towards the limit of the metadata: what a reader would
// refuse is not written.
func TestSignedSeeds_SIG_10_MetadataLimit(t *testing.T) {
	t.Parallel()
	fill := strings.Repeat("# "+strings.Repeat("x", 61)+"\n", seedfile.MaxMetadata/64)
	meta := "seed: \"1.0\"\ngrow: show\n" + fill[:seedfile.MaxMetadata-8-23-100-1] + "\n"
	f := mustOpen(t, wrap("---\n"+meta+"---\n\nhello\n"))
	if _, err := seedfile.Repack(f, seedfile.PackOptions{}); err != nil {
		t.Fatalf("got %v, want it to fit without a signature", err)
	}
	if _, err := seedfile.Sign(f, testKey, seedfile.PackOptions{}); ruleOf(err) != "SP-META-01" {
		t.Errorf("got %v, want SP-META-01", err)
	}
}

// SIG-09, SIG-11: what a shell leaves on disk is the document; packed again it is
// the signed seed, byte for byte.
func TestSignedSeeds_SIG_11_GrownDocumentPacksAgain(t *testing.T) {
	t.Parallel()
	for _, p := range []transport.Profile{transport.Doc, transport.Full} {
		text := signed(t, everyProfile(t)[p], testKey, seedfile.PackOptions{})
		f := mustOpen(t, text)
		var doc bytes.Buffer
		if _, err := doc.ReadFrom(f.Document()); err != nil {
			t.Fatal(err)
		}
		if _, again := packDoc(t, doc.String(), seedfile.PackOptions{Base: f.Filename, URL: f.URL}); again != text {
			t.Errorf("%v: got another seed from what it grows into:\n%s", p, again)
		}
	}
}

// SIG-11: a changed field leaves the signature, which then no longer holds.
func TestSignedSeeds_SIG_11_ChangedField(t *testing.T) {
	t.Parallel()
	text := signed(t, everyProfile(t)[transport.Doc], testKey, seedfile.PackOptions{})
	for _, o := range []seedfile.PackOptions{{Name: "other"}, {Type: "data"}, {Grow: []string{"exec"}}, {Grow: []string{"show", "show"}}} {
		if got := signatureOf(t, repack(t, text, o)); got != "invalid SIG-08" {
			t.Errorf("%+v: got %s, want invalid SIG-08", o, got)
		}
	}
	same := seedfile.PackOptions{Name: "hello", Type: "context", Grow: []string{"show"}}
	if got := repack(t, text, same); got != text {
		t.Errorf("got another seed from options that say what it says")
	}
}

// Payloads are streamed: a large one takes no more memory than a small one.
func TestSignedSeeds_SmallInMemory(t *testing.T) { // not parallel: it measures the heap
	src := longLine(64 << 20)
	meta, _, _ := strings.Cut(string(signedVectors(t)["valid-document"].Body), "# Hello\n")
	src.head = usageLine + "\n" + boot + openLine + meta
	f, err := seedfile.Open(src, src.size, seedfile.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var state string
	var p *seedfile.Packed
	grown := heapOf(func() {
		state = verdictOf(t, f)
		p, err = seedfile.Sign(f, testKey, seedfile.PackOptions{})
	})
	if err != nil || state != "invalid SIG-08" || p.Size < src.size {
		t.Fatalf("got %v, %v, want the signature of another payload and a new one", state, err)
	}
	if grown > 8<<20 {
		t.Errorf("got %d MiB of heap, want under 8", grown>>20)
	}
}

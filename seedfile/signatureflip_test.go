package seedfile_test

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/seedfile"
	"seed/seedfile/transport"
)

// edited opens a seed whose document may have been changed after packing.
func edited(text string) *seedfile.File {
	f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{Edited: true})
	if err != nil {
		return nil
	}
	return f
}

// halves are what a signature covers: metadata and payload.
func halves(t fataler, f *seedfile.File) [2]string {
	t.Helper()
	payload, err := io.ReadAll(f.Payload())
	if err != nil {
		t.Fatalf("got %v from memory", err)
	}
	return [2]string{string(f.Meta.Raw()), string(payload)}
}

// holds fails unless a changed seed is valid exactly when both halves are what
// was signed. It returns whether the change left a seed at all.
func holds(t fataler, changed string, want [2]string) bool {
	t.Helper()
	f := edited(changed)
	if f == nil {
		return false
	}
	s, err := f.Signature()
	if err != nil {
		t.Fatalf("got %v from memory", err)
	}
	if same := halves(t, f) == want; same != (s.State == seedfile.SignatureValid) {
		t.Fatalf("got %v for a seed whose metadata and payload are the same: %v:\n%q", s.State, same, changed)
	}
	return true
}

// SIG-08, SIG-09: every bit of a document seed is flipped, every byte taken out
// and every byte doubled. A change in metadata or payload never leaves a valid
// signature; a change elsewhere never makes an invalid one.
func TestSignedSeeds_SIG_08_EveryByte(t *testing.T) {
	t.Parallel()
	_, small := packDoc(t, "# Hello\n\nü\n", seedfile.PackOptions{Base: "hello.md"})
	arc := wrap(archive(section("a", ` mode="755"`, "x\n") + section("b", "", "y") + arcEnd))
	for name, text := range map[string]string{"document": signed(t, small, testKey, seedfile.PackOptions{}), "archive": signed(t, arc, testKey, seedfile.PackOptions{})} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := mustOpen(t, text)
			want := halves(t, f)
			every := 1 // bit of the document; a few of each byte of the archive are enough
			if f.Archive != nil {
				every = 4
			}
			seeds, inside := 0, 0
			try := func(whole string, i int, changes ...string) {
				doc := strings.Index(whole, "\n---\n") + 1
				within := i >= doc && i < doc+len("---\n---\n\n")+len(want[0])+len(want[1])
				for _, c := range changes {
					if holds(t, c, want) {
						seeds++
						if within {
							inside++
						}
					}
				}
			}
			flip := func(whole string, i, bit int) string {
				return whole[:i] + string([]byte{whole[i] ^ 1<<bit}) + whole[i+1:]
			}
			// With a foreign transport more of the changes leave a seed.
			custom := wrap("---\n" + want[0] + "---\n\n" + want[1])
			for i := range len(custom) {
				for bit := i % every; bit < 8; bit += every {
					try(custom, i, flip(custom, i, bit))
				}
				try(custom, i, custom[:i]+custom[i+1:], custom[:i+1]+custom[i:])
			}
			for i := 0; i < len(text); i += 1 + i/1000*20 { // the shell text is long, and behind the document
				try(text, i, flip(text, i, i%8))
			}
			if seeds < 500 || inside < 500 {
				t.Errorf("got %d changed seeds, %d of them in the document: too few to mean something", seeds, inside)
			}
		})
	}
}

// SIG-08: pieces taken out, moved and copied, in any seed.
func TestSignedSeeds_SIG_08_RandomDamage(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		doc := "---\nseed: \"1.0\"\ngrow: show\n" + rapid.SampledFrom([]string{"", "x: |\n  a\n\n  b\n", "# c\n\n", "type: data\nname: a\n", "signer: x\n"}).Draw(t, "meta") +
			"---\n" + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "separator") + rapid.SampledFrom(odd[:22]).Draw(t, "payload") + "\n"
		f := edited(wrap(doc))
		if f == nil {
			t.Skip("the payload holds the sentinel, or is one line too short")
		}
		p, err := seedfile.Sign(f, testKey, seedfile.PackOptions{})
		if err != nil {
			t.Fatalf("got %v", err)
		}
		var b strings.Builder
		if _, err := p.WriteTo(&b); err != nil {
			t.Fatalf("got %v", err)
		}
		g := edited(b.String())
		if g == nil {
			t.Fatalf("got no seed: %q", b.String())
		}
		want := halves(t, g)
		text := wrap("---\n" + want[0] + "---\n\n" + want[1])
		if !holds(t, text, want) {
			t.Skip("the payload holds the sentinel of the foreign transport")
		}
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "damage"), 2))
		for range 25 {
			from := len(usageLine) + r.IntN(len(text)-len(usageLine))
			to := from + r.IntN(min(len(text)-from, 200))
			piece, rest := text[from:to], text[:from]+text[to:]
			at := len(usageLine) + r.IntN(len(rest)-len(usageLine))
			holds(t, rest, want)
			holds(t, rest[:at]+piece+rest[at:], want)
			holds(t, text[:at]+piece+text[at:], want)
		}
	})
}

// SIG-09: usage line, URL, file name, sentinel, separator and all shell code are
// outside the signature.
func TestSignedSeeds_SIG_09_TransportIsNotCovered(t *testing.T) {
	t.Parallel()
	for profile, text := range everyProfile(t) {
		text = signed(t, text, testKey, seedfile.PackOptions{})
		f := mustOpen(t, text)
		h := halves(t, f)
		for what, changed := range map[string]string{
			"URL":                 strings.Replace(text, f.URL, "https://other.example/s/zzzzz", 1),
			"loopback":            repack(t, text, seedfile.PackOptions{URL: "http://localhost:8080/s/x"}),
			"packed again":        repack(t, text, seedfile.PackOptions{}),
			"custom transport":    wrap("---\n" + h[0] + "---\n\n" + h[1]),
			"no separator":        wrap("---\n" + h[0] + "---\n" + h[1]),
			"file name":           strings.ReplaceAll(text, f.Filename, "zz"+f.Filename),
			"sentinel":            strings.ReplaceAll(text, f.Sentinel, "SEED_0123ABCD"),
			"old sentinel prefix": strings.ReplaceAll(wrap("---\n"+h[0]+"---\n\n"+h[1]), "SEED_", "XDOWN_"),
			"another profile":     canonical("---\n"+h[0]+"---\n\n"+h[1], transport.Bin),
			"no last newline":     strings.TrimSuffix(text, "\n"),
			"shell appended":      text + "id\n",
		} {
			if changed == text && what != "packed again" {
				t.Errorf("%v, %s: nothing was changed", profile, what)
			}
			if got := signatureOf(t, changed); got != "valid" {
				t.Errorf("%v, %s: got %s, want valid", profile, what, got)
			}
		}
	}
}

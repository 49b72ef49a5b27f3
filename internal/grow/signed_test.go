package grow_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"slices"
	"strings"
	"testing"

	"seed/internal/grow"
	"seed/internal/keys"
	"seed/seedfile"
)

// signer is a test key that nobody else has.
func signer(first byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(append([]byte{first}, make([]byte, ed25519.SeedSize-1)...))
}

func public(k ed25519.PrivateKey) [32]byte { return [32]byte(k.Public().(ed25519.PublicKey)) }

// signed gives a seed a signature.
func signed(t testing.TB, f *seedfile.File, key ed25519.PrivateKey) *seedfile.File {
	t.Helper()
	p, err := seedfile.Sign(f, key, seedfile.PackOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := p.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	out, err := seedfile.Open(bytes.NewReader(b.Bytes()), int64(b.Len()), seedfile.Options{Digest: true})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// trusts makes the world one that trusts a key with something.
func (w *world) trusts(key [32]byte, may ...keys.Permission) {
	w.o.Trusted = func(k [32]byte) (keys.Trusted, bool) {
		return keys.Trusted{Key: key, Label: "Ada", May: may}, k == key
	}
}

// The column of the consent table for a trusted signer: each permission stands
// for its own directive alone, and an unknown signer for nothing.
func TestSIG_12_SP_GROW_06_TrustedSignerConsents(t *testing.T) {
	t.Parallel()
	needShell(t)
	ada, eve := signer(1), signer(2)
	for _, tt := range []struct {
		directive string
		needs     keys.Permission // "" means that nothing is needed
	}{
		{"show", ""},
		{"unfold", ""},
		{"install", keys.MayInstall},
		{"exec", keys.MayExec},
		{"", keys.MayURL}, // a URL
		{"#sha256=" + strings.Repeat("ab", 32), keys.MayURL},
	} {
		for _, may := range []keys.Permission{"", keys.MayExec, keys.MayURL, keys.MayInstall, keys.MayAny} {
			for _, by := range []struct {
				name string
				key  ed25519.PrivateKey
			}{{"ada", ada}, {"eve", eve}, {"nobody", nil}} {
				t.Run(tt.directive+"/"+string(may)+"/"+by.name, func(t *testing.T) {
					t.Parallel()
					w := newWorld(t)
					var list []keys.Permission
					if may != "" {
						list = append(list, may)
					}
					w.trusts(public(ada), list...)
					f := consented(t, tt.directive)
					if by.key != nil {
						f = signed(t, f, by.key)
					}
					allowed := by.name == "ada" && (may == tt.needs || may == keys.MayAny)
					if tt.needs != "" && !allowed {
						w.refused(f, "SP-GROW-06", grow.ErrConsent)
						return
					}
					result := w.mustGrow(f)
					step := result.Steps[len(result.Steps)-1]
					want := grow.BySigner
					if tt.needs == "" {
						want = ""
					}
					if step.By != want {
						t.Errorf("got consent by %q, want %q", step.By, want)
					}
				})
			}
		}
	}
}

// Who consented is on record: a flag before the signer, a person last.
func TestSIG_12_ConsentBy(t *testing.T) {
	t.Parallel()
	needShell(t)
	ada := signer(1)
	for _, tt := range []struct {
		name string
		set  func(w *world)
		want string
	}{
		{"flag", func(w *world) { w.o.Allow["exec"] = true; w.trusts(public(ada), keys.MayAny) }, grow.ByFlag},
		{"signer", func(w *world) { w.terminal(always(false)); w.trusts(public(ada), keys.MayExec) }, grow.BySigner},
		{"terminal", func(w *world) { w.terminal(always(true)); w.trusts(public(ada), keys.MayURL) }, grow.ByTerminal},
		{"nobody is trusted", func(w *world) { w.terminal(always(true)) }, grow.ByTerminal},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			tt.set(w)
			got := w.mustGrow(signed(t, document(t, "echo x\n", "exec"), ada)).Steps[0].By
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// A seed that claims a signature and does not hold it is refused whatever else
// speaks for it, before anything is asked or fetched.
func TestSIG_12_InvalidSignatureGrowsNothing(t *testing.T) {
	t.Parallel()
	ada := signer(1)
	change := func(f *seedfile.File, from, to string) *seedfile.File {
		doc := make([]byte, f.Document().Size())
		if _, err := f.Document().ReadAt(doc, 0); err != nil {
			t.Fatal(err)
		}
		return seed(t, strings.Replace(string(doc), from, to, 1))
	}
	exec := signed(t, document(t, "echo x\n", "exec"), ada)
	url := signed(t, document(t, "text\n", script), ada)
	tree := signed(t, archive(t, []string{"a", "one\n"}, "unfold"), ada)
	show := signed(t, document(t, "text\n", "show"), ada)
	for _, tt := range []struct {
		name, rule string
		f          *seedfile.File
	}{
		{"payload", "SIG-08", change(exec, "echo x", "echo y")},
		{"metadata", "SIG-08", change(exec, "name: note", "name: other")},
		{"signer", "SIG-08", change(show, exec.Meta.Field("signer"), "signer: ed25519:"+keys.Public{Key: public(signer(2))}.Hex()+"\n")},
		{"url", "SIG-08", change(url, "text", "test")},
		{"member", "SIG-08", change(tree, "one", "two")},
		{"half of it", "SIG-01", change(show, show.Meta.Field("signature"), "")},
		{"signature of another seed", "SIG-08", change(show, show.Meta.Field("signature"), exec.Meta.Field("signature"))},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.trusts(public(ada), keys.MayAny)
			w.terminal(always(true))
			w.o.Yes, w.o.Force = true, true
			w.o.Allow["exec"], w.o.Allow["url"] = true, true
			w.refused(tt.f, tt.rule, nil)
			if len(w.asked)+len(w.fetched) > 0 {
				t.Errorf("asked %v, fetched %q, want neither", w.asked, w.fetched)
			}
			p, err := grow.Look(t.Context(), tt.f, w.dest, w.o)
			if err != nil || p.Signed() == nil || p.Signer != nil {
				t.Errorf("looked: got %v, %v, %v, want a plan that is refused and has no signer", err, p.Signed(), p.Signer)
			}
		})
	}
}

// Looking says who signed and what their word is good for.
func TestSIG_12_LookShowsTheSigner(t *testing.T) {
	t.Parallel()
	ada := signer(1)
	w := newWorld(t)
	w.trusts(public(ada), keys.MayExec)
	p, err := grow.Look(t.Context(), signed(t, document(t, "echo x\n", "exec", "show", script), ada), "", w.o)
	if err != nil || p.Signer == nil || p.Signer.Label != "Ada" || p.Signature.Signer != public(ada) {
		t.Fatalf("got %+v, %v, want Ada", p, err)
	}
	var by []string
	for _, s := range p.Steps {
		by = append(by, s.By)
	}
	if want := []string{grow.BySigner, "", ""}; !slices.Equal(by, want) {
		t.Errorf("got consent by %q, want %q", by, want)
	}
	e := w.refused(signed(t, document(t, "echo x\n", "exec", script), ada), "SP-GROW-06", grow.ErrConsent)
	if !errors.Is(e, grow.ErrConsent) || !strings.Contains(e.Hint, "its signer is trusted, but not with url") {
		t.Errorf("got hint %q, want what is missing", e.Hint)
	}
}

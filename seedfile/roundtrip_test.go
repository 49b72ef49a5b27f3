package seedfile_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"seed/seedfile"
	"seed/seedfile/transport"
)

// odd are contents that have a meaning somewhere in the format.
var odd = []string{
	"", "\n", "x", "x\n", "\r\n", "a\r\nb\r", "\r", "\ufeffx\n", "---\n", "---\nseed: \"1.0\"\ngrow: exec\n---\n\n", sentinel + "\n}\nid\n", "SEED_", "<!--seed:a1b2c3@end-->\n",
	"<!--seed:a1b2c3", "<!--fold:", "<!--seed:a1b2c3@file path=\"../x\"-->\n", "日本語", "%s\\n\\0", "$(id)`id`", "EOF\n", "\x01\x1b[31m\x7f", "cat > \"$TARGET/x\" <<'SEED_00000000'\n", strings.Repeat("long ", 30_000),
}

func genTree(binary bool) *rapid.Generator[fstest.MapFS] {
	return rapid.Custom(func(t *rapid.T) fstest.MapFS {
		tree := fstest.MapFS{}
		n := rapid.IntRange(1, 12).Draw(t, "files")
		for i := range n {
			dir := rapid.SampledFrom([]string{"", "d/", "d/e/f/", "-rf/", "日 本/", ".../"}).Draw(t, "dir")
			name := rapid.SampledFrom([]string{"a", "-rf", "~", "$HOME", "it's", "`x`", "a b ", "ü", "*", "C:x", ".hidden", "path=x", "a>b", "<!--seed:a1b2c3@x"}).Draw(t, "name")
			data := rapid.SampledFrom(odd).Draw(t, "content") + rapid.SampledFrom(odd).Draw(t, "more")
			if binary && rapid.Bool().Draw(t, "binary") {
				data += "\x00\xff" + string(rapid.SliceOfN(rapid.Byte(), 0, 120).Draw(t, "bytes"))
			}
			mode := fs.FileMode(rapid.SampledFrom([]int{0o644, 0o755, 0o600, 0o444, 0o666, 0o777, 0o000}).Draw(t, "mode"))
			tree[fmt.Sprintf("%s%s%d", dir, name, i)] = &fstest.MapFile{Data: []byte(data), Mode: mode}
		}
		return tree
	})
}

type fataler interface {
	Helper()
	Fatalf(string, ...any)
}

// sameTree fails unless the archive holds exactly the tree.
func sameTree(t fataler, f *seedfile.File, tree fstest.MapFS) {
	t.Helper()
	if len(f.Archive.Files) != len(tree) {
		t.Fatalf("got %d files, want %d", len(f.Archive.Files), len(tree))
	}
	for i := range f.Archive.Files {
		e := &f.Archive.Files[i]
		want, ok := tree[e.Path]
		got, err := io.ReadAll(f.Archive.Open(e))
		if !ok || err != nil || !bytes.Equal(got, want.Data) || e.Mode != want.Mode.Perm() || e.Size != int64(len(want.Data)) {
			t.Fatalf("%q: got %q %o %v, want %+v", e.Path, got, e.Mode, err, want)
		}
	}
}

func packAny(t fataler, tree fstest.MapFS, members []seedfile.Member, o seedfile.TreeOptions) string {
	t.Helper()
	p, err := seedfile.PackTree(tree, members, o)
	if err != nil {
		t.Fatalf("pack: %v", err)
	}
	var b bytes.Buffer
	if n, err := p.WriteTo(&b); err != nil || n != p.Size {
		t.Fatalf("write: %d of %d, %v", n, p.Size, err)
	}
	return b.String()
}

// SP-TEST-05, SP-PACK-04, SP-PACK-06, SP-ARC-02, SP-ARC-05: a tree comes back as
// it was, the same tree gives the same bytes whatever the order it is listed in,
// and packing the seed again changes nothing.
func TestSP_TEST_05_RoundTrip(t *testing.T) {
	t.Parallel()
	for _, binary := range []bool{false, true} {
		t.Run(fmt.Sprint("binary ", binary), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(t *rapid.T) {
				tree := genTree(binary).Draw(t, "tree")
				o := seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: rapid.SampledFrom([]string{"x", "", "a b", "日"}).Draw(t, "base")}, Binary: seedfile.Encode}
				o.Root = o.Base
				members := membersOf(tree)
				text := packAny(t, tree, members, o)
				f, err := open(text)
				if err != nil {
					t.Fatalf("got %v", err)
				}
				sameTree(t, f, tree)
				if !f.Transport.Canonical {
					t.Fatalf("got a custom transport: %+v", f.Transport.Diff)
				}
				r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1))
				r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
				if packAny(t, tree, members, o) != text {
					t.Fatalf("another order gave other bytes")
				}
				p, err := seedfile.Repack(f, seedfile.PackOptions{})
				if err != nil {
					t.Fatalf("repack: %v", err)
				}
				var b bytes.Buffer
				if _, err := p.WriteTo(&b); err != nil || b.String() != text {
					t.Fatalf("packing the seed again gave other bytes, %v", err)
				}
			})
		})
	}
}

// SP-PACK-04, SP-ARC-04, SP-ARC-05, SP-FMT-09: seeds inside seeds, each holding
// the marker and the sentinel of the one before.
func TestSP_ARC_05_Nested(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"start": {Data: []byte("x\n"), Mode: 0o644}}
	markers := map[string]bool{}
	for depth := range 8 {
		text := packTree(t, tree, seedfile.TreeOptions{})
		f := mustOpen(t, text)
		sameTree(t, f, tree)
		if markers[f.Archive.Marker] || markers[f.Sentinel] {
			t.Errorf("depth %d: got %s %s a second time", depth, f.Archive.Marker, f.Sentinel)
		}
		markers[f.Archive.Marker], markers[f.Sentinel] = true, true
		tree = fstest.MapFS{
			"inner.seed": {Data: []byte(text), Mode: 0o644},
			"hostile":    {Data: []byte(f.Sentinel + "\n}\nid\n<!--seed:" + f.Archive.Marker + "@end-->\n<!--fold:" + f.Archive.Marker + "@"), Mode: 0o755},
		}
	}
}

// SP-PACK-04: the derivation is fixed; a change of it changes every seed's bytes.
func TestSP_PACK_04_Fixed(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, packTree(t, fstest.MapFS{"a": {Data: []byte("x\n"), Mode: 0o644}}, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "t"}, Root: "t"}))
	_, text := packDoc(t, "# Hi\n", seedfile.PackOptions{Base: "hi.md"})
	g := mustOpen(t, text)
	if got, want := f.Archive.Marker+" "+f.Sentinel+" "+g.Sentinel, "b6a10c SEED_F3EFB018 SEED_F26C9336"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// SP-TPL-08: the smallest transport that carries the directives.
func TestSP_TPL_08_Profiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		grow []string
		want transport.Profile
	}{
		{nil, transport.Doc},
		{[]string{"show"}, transport.Doc},
		{[]string{"show", "show"}, transport.Tree},
		{[]string{"exec"}, transport.Full},
		{[]string{"show", "install"}, transport.Full},
		{[]string{"https://seed.example/x"}, transport.Full},
	} {
		p, text := packDoc(t, "id\n", seedfile.PackOptions{Base: "x", Grow: c.grow})
		f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{})
		if err != nil || p.Profile != c.want || f.Transport.Profile != c.want {
			t.Errorf("%q: got %v, %v, want %v", c.grow, p.Profile, err, c.want)
		}
		for _, w := range rep.Findings {
			if strings.HasPrefix(w.Rule.ID, "SP-TPL") {
				t.Errorf("%q: got %v", c.grow, w)
			}
		}
	}
}

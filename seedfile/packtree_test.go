package seedfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"seed/finding"
	"seed/seedfile"
	"seed/seedfile/transport"
)

// membersOf lists a tree the way a walk would.
func membersOf(tree fstest.MapFS) []seedfile.Member {
	var out []seedfile.Member
	for path, f := range tree {
		out = append(out, seedfile.Member{Path: path, Mode: f.Mode})
	}
	return out
}

func packTree(t testing.TB, tree fstest.MapFS, o seedfile.TreeOptions) string {
	t.Helper()
	p, err := seedfile.PackTree(tree, membersOf(tree), o)
	return pack(t, p, err)
}

// SP-PACK-01, SP-PACK-03, SP-PACK-04, SP-AMB-35, SP-META-07, SP-ARC-06: what a
// folder becomes, byte for byte.
func TestSP_PACK_03_Tree(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"b/run": {Data: []byte("#!/bin/sh\n"), Mode: 0o755 | fs.ModeSetuid},
		"a":     {Data: []byte("no LF"), Mode: 0o644},
		"B":     {Data: nil, Mode: 0o600},
	}
	p, err := seedfile.PackTree(tree, membersOf(tree), seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "My tree!"}, Root: "My tree!", Extra: "kind: skill\n"})
	text := pack(t, p, err)
	f := mustOpen(t, text)
	m := f.Archive.Marker
	want := "---\nseed: \"1.0\"\ngrow: unfold\ntype: archive\nname: My-tree\nkind: skill\n---\n\n" +
		"---\nseed: \"1.0\"\nmarker: " + m + "\nroot: My tree!\nat: 1980-01-01T00:00:00Z\n---\n\n" +
		"<!--seed:" + m + "@file path=\"B\" mode=\"600\"-->\n" +
		"<!--seed:" + m + "@file path=\"a\"-->\nno LF" +
		"<!--seed:" + m + "@file path=\"b/run\" mode=\"755\"-->\n#!/bin/sh\n" +
		"<!--seed:" + m + "@end-->\n"
	if got, _ := io.ReadAll(f.Document()); string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.ContainsRune("abcdf", rune(m[0])) || strings.ToLower(m) != m {
		t.Errorf("SP-ARC-04: got marker %q, want lower case with a letter that no number begins with", m)
	}
	if !f.Transport.Canonical || f.Transport.Profile != transport.Tree || f.URL != transport.Unplanted || f.Filename != "My-tree.md" {
		t.Errorf("got %+v %q %q", f.Transport, f.URL, f.Filename)
	}
	if strings.HasPrefix(f.Sentinel, "XDOWN_") {
		t.Error("SP-AMB-16: XDOWN_ was written")
	}
}

// SP-FMT-07, SP-META-05, SP-META-07: options.
func TestSP_PACK_03_Options(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"a": {Data: []byte("x\n"), Mode: 0o644}}
	for _, c := range []struct {
		o    seedfile.TreeOptions
		want string // in the seed, or the broken rule
	}{
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Grow: []string{"unfold", "show"}}}, "grow:\n  - unfold\n  - show\ntype: archive\n---\n"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "日本"}}, "cat > \"$TARGET/seed.md\" <<"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Name: "x.y"}}, "cat > \"$TARGET/x.y.md\" <<"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Name: strings.Repeat("x", 100)}}, "cat > \"$TARGET/seed.md\" <<"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: strings.Repeat("x", 300)}}, "name: " + strings.Repeat("x", 96) + "\n"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{URL: "http://localhost:1/s/x"}}, "curl -sSL http://localhost:1/s/x |"},
		{seedfile.TreeOptions{Root: "a # b", At: "2026-01-02T03:04:05Z"}, "root: a---b\nat: 2026-01-02T03:04:05Z\n"},
		{seedfile.TreeOptions{Root: "'q'"}, "root: q\n"},
		{seedfile.TreeOptions{Root: "a\nb: c"}, "root: a-b--c\n"},
		{seedfile.TreeOptions{Root: "\xff"}, "root: root\n"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{URL: "http://seed.example/"}}, "SP-FMT-03"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{URL: "https://seed.example/" + strings.Repeat("x", seedfile.MaxUsage)}}, "SP-FMT-03"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Name: "a\ngrow: exec"}}, "SP-META-01"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Name: "a b"}}, "SP-META-01"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Type: "poem"}}, "SP-META-08"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Grow: []string{"later"}}}, "SP-GROW-01"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Grow: []string{"show # x"}}}, "SP-GROW-01"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Grow: []string{"exec"}}}, "SP-DIR-04"},
		{seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Grow: []string{"install"}}}, "SP-DIR-05"},
		{seedfile.TreeOptions{At: "yesterday"}, "SP-ARC-01"},
		{seedfile.TreeOptions{At: "2026-01-02\nx: y"}, "SP-ARC-01"},
		{seedfile.TreeOptions{Extra: "grow: exec\n"}, "SP-META-03"},
		{seedfile.TreeOptions{Extra: "x: \x00\n"}, "SP-FMT-01"},
		{seedfile.TreeOptions{Extra: "x: \xff\n"}, "SP-FMT-01"},
		{seedfile.TreeOptions{Extra: "# " + strings.Repeat("x", seedfile.MaxMetadata) + "\n"}, "SP-META-01"},
	} {
		p, err := seedfile.PackTree(tree, membersOf(tree), c.o)
		if strings.HasPrefix(c.want, "SP-") {
			if ruleOf(err) != c.want {
				t.Errorf("%+.200v: got %v, want a breach of %s", c.o, err, c.want)
			}
			continue
		}
		text := pack(t, p, err)
		if !strings.Contains(text, c.want) {
			t.Errorf("%+v: got %.700q, want %q in it", c.o, text, c.want)
		}
		mustOpen(t, text)
	}
}

// SP-ARC-08, SP-PATH-02, SP-AMB-31, SP-AMB-32: everything that cannot be carried
// is named at once, or left out and named.
func TestSP_ARC_08_Refused(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{
		"bin": {Data: []byte("a\x00b")}, "latin": {Data: []byte("caf\xe9")}, "late": {Data: append(bytes.Repeat([]byte("x"), 1<<20), 0xff)},
		"ok": {Data: []byte("x\n")}, "link": {Mode: fs.ModeSymlink}, "pipe": {Mode: fs.ModeNamedPipe}, `a"b`: {}, "a\nb": {}, `a\b`: {}, "a-->b": {},
	}
	p, err := seedfile.PackTree(tree, membersOf(tree), seedfile.TreeOptions{})
	var refused *seedfile.RefusedError
	if p != nil || !errors.As(err, &refused) {
		t.Fatalf("got %v, %v, want a list of refusals", p, err)
	}
	rules := map[string]string{
		"bin": "SP-ARC-08", "latin": "SP-ARC-08", "late": "SP-ARC-08", "link": "SP-ARC-08", "pipe": "SP-ARC-08",
		`a"b`: "SP-PATH-01", "a\nb": "SP-PATH-01", `a\b`: "SP-PATH-01", "a-->b": "SP-PATH-02",
	}
	for _, r := range refused.Refused {
		if rules[r.Path] != r.Rule.ID || r.Why == "" {
			t.Errorf("%q: got %v %q, want %v", r.Path, r.Rule.ID, r.Why, rules[r.Path])
		}
		delete(rules, r.Path)
	}
	if len(rules) > 0 {
		t.Errorf("not named: %v", rules)
	}
	if !slices.IsSortedFunc(refused.Refused, func(a, b seedfile.Refusal) int { return strings.Compare(a.Path, b.Path) }) {
		t.Errorf("got %v, want them sorted", refused.Refused)
	}
	if s := err.Error(); !strings.Contains(s, "and 8 more") || strings.ContainsAny(s, "\n\"\\") && !strings.Contains(s, `"a\nb"`) {
		t.Errorf("got %q", s)
	}

	for _, name := range []string{`a"b`, "a\nb", `a\b`, "a-->b"} {
		delete(tree, name)
	}
	p, err = seedfile.PackTree(tree, membersOf(tree), seedfile.TreeOptions{Binary: seedfile.Skip, Symlinks: seedfile.Skip, Special: seedfile.Skip})
	f := mustOpen(t, pack(t, p, err))
	if len(f.Archive.Files) != 1 || len(p.Skipped) != 5 {
		t.Errorf("got %d files and %v skipped, want 1 and 5", len(f.Archive.Files), p.Skipped)
	}
	p, err = seedfile.PackTree(tree, membersOf(tree), seedfile.TreeOptions{Binary: seedfile.Encode, Symlinks: seedfile.Skip, Special: seedfile.Skip})
	f = mustOpen(t, pack(t, p, err))
	if len(f.Archive.Files) != 4 || len(p.Skipped) != 2 || f.Transport.Profile != transport.Bin {
		t.Errorf("got %d files, %v skipped, %v, want 4, 2, T1-bin", len(f.Archive.Files), p.Skipped, f.Transport.Profile)
	}
}

func TestSP_ARC_10_NothingToPack(t *testing.T) {
	t.Parallel()
	if _, err := seedfile.PackTree(fstest.MapFS{}, nil, seedfile.TreeOptions{}); ruleOf(err) != "SP-ARC-10" {
		t.Errorf("got %v, want SP-ARC-10", err)
	}
	for _, twice := range [][]seedfile.Member{{{Path: "a"}, {Path: "a"}}, {{Path: "a/b"}, {Path: "a"}}} {
		if _, err := seedfile.PackTree(fstest.MapFS{"a": {}, "a/b": {}}, twice, seedfile.TreeOptions{}); ruleOf(err) != "SP-ARC-10" {
			t.Errorf("%v: got %v, want SP-ARC-10", twice, err)
		}
	}
}

// SP-PACK-05: a file that changes between the two readings fails the pack and is
// named; so does one that vanishes or cannot be read.
func TestSP_PACK_05_ChangedFile(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("0123456789abcde\n", 1<<16) // over what is read ahead
	for _, c := range []struct{ name, before, after string }{
		{"one byte", "hello\n", "jello\n"},
		{"longer", "hello\n", "hello\nx"},
		{"shorter", "hello\n", "hell"},
		{"empty", "hello\n", ""},
		{"large, last byte", big, big[:len(big)-1] + "x"},
		{"large, longer", big, big + big},
		{"binary", "a\x00b", "a\x00c"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			first := fstest.MapFS{"a": {Data: []byte("x")}, "dir/it": {Data: []byte(c.before)}, "z": {Data: []byte("y")}}
			second := fstest.MapFS{"dir/it": {Data: []byte(c.after)}}
			o := seedfile.TreeOptions{Binary: seedfile.Encode}
			p, err := seedfile.PackTree(&changingFS{first: first, second: second, path: "dir/it"}, membersOf(first), o)
			if err == nil {
				_, err = p.WriteTo(io.Discard)
			}
			var broken *finding.Error
			if !errors.As(err, &broken) || broken.Rule.ID != "SP-PACK-05" || broken.At.Name != "dir/it" {
				t.Errorf("got %v, want SP-PACK-05 at dir/it", err)
			}
		})
	}
	gone := &changingFS{first: fstest.MapFS{"a": {Data: []byte("x")}}, second: fstest.MapFS{}, path: "a"}
	p, err := seedfile.PackTree(gone, []seedfile.Member{{Path: "a"}}, seedfile.TreeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.WriteTo(io.Discard); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("got %v, want that a does not exist", err)
	}
}

// tripWriter fails after some bytes.
type tripWriter struct{ left int }

func (w *tripWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return w.left, errFire
	}
	w.left -= len(p)
	return len(p), nil
}

// Whatever fails, in whichever reading: the error says what, every file that was
// opened is closed, and no goroutine stays.
func TestSP_PACK_05_Failures(t *testing.T) { // not parallel: it counts goroutines
	tree := fstest.MapFS{}
	for i := range 300 {
		size := 10
		if i%7 == 0 {
			size = 100_000
		}
		tree[fmt.Sprintf("f%03d", i)] = &fstest.MapFile{Data: []byte(strings.Repeat("x", size)), Mode: 0o644}
	}
	for _, open := range []int{0, 1, 150, 299, 300, 301, 450, 599, 1000} {
		b := &brokenFS{MapFS: tree, open: open, after: 5}
		p, err := seedfile.PackTree(b, membersOf(tree), seedfile.TreeOptions{})
		if (err != nil) != (open < 300) {
			t.Fatalf("opening %d fails: got %v from the first pass", open, err)
		}
		if err == nil {
			_, err = p.WriteTo(io.Discard)
		}
		if open < 600 && (!errors.Is(err, errFire) || !strings.Contains(err.Error(), "f")) || open >= 600 && err != nil {
			t.Errorf("opening %d fails: got %v", open, err)
		}
		settle(t)
		if o, c := b.opened.Load(), b.closed.Load(); o != c {
			t.Errorf("opening %d fails: %d files opened, %d closed", open, o, c)
		}
	}
	for _, room := range []int{0, 10, 300_000, 2_000_000} {
		b := &brokenFS{MapFS: tree, open: -1}
		p, err := seedfile.PackTree(b, membersOf(tree), seedfile.TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.WriteTo(&tripWriter{room}); !errors.Is(err, errFire) {
			t.Errorf("room for %d bytes: got %v, want the write error", room, err)
		}
		settle(t)
		if o, c := b.opened.Load(), b.closed.Load(); o != c {
			t.Errorf("room for %d bytes: %d files opened, %d closed", room, o, c)
		}
	}
}

// settle fails if a goroutine stays in the package's code. One that has left it
// and is about to end does not count: when that happens is the scheduler's business.
func settle(t *testing.T) {
	t.Helper()
	buf := make([]byte, 1<<20)
	var stays string
	for range 1000 {
		stays = ""
		for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "\nseed/seedfile.") && !strings.Contains(stack, "testing.tRunner(") { // not a test that waits
				stays = stack
			}
		}
		if stays == "" {
			return
		}
		runtime.Gosched()
	}
	t.Fatalf("a goroutine stays behind:\n%s", stays)
}

// tapped counts what a tap is shown.
type tapped struct {
	bytes.Buffer
	done *atomic.Int64
	err  error
}

func (t *tapped) Close() error { t.done.Add(1); return t.err }

func TestPackTree_TapAndProgress(t *testing.T) {
	t.Parallel()
	tree := fstest.MapFS{"a": {Data: []byte("hello\n")}, "b": {Data: bytes.Repeat([]byte("xy\n"), 200_000)}, "c": {}}
	var closed, bytesSeen, files atomic.Int64
	taps := make(chan *tapped, len(tree))
	o := seedfile.TreeOptions{
		Tap:      func(string) io.WriteCloser { w := &tapped{done: &closed}; taps <- w; return w },
		Progress: func(n int64) { bytesSeen.Add(n); files.Add(1) },
	}
	packTree(t, tree, o)
	close(taps)
	total := 0
	for w := range taps {
		total += w.Len()
	}
	if want := 6 + 600_000; total != want || closed.Load() != 3 || bytesSeen.Load() != int64(2*want) || files.Load() != 6 {
		t.Errorf("got %d bytes tapped, %d closed, %d bytes of progress in %d files; want %d, 3, %d, 6", total, closed.Load(), bytesSeen.Load(), files.Load(), want, 2*want)
	}
	o.Tap = func(string) io.WriteCloser { return &tapped{done: &closed, err: errFire} }
	if _, err := seedfile.PackTree(tree, membersOf(tree), o); !errors.Is(err, errFire) {
		t.Errorf("got %v, want what the tap said", err)
	}
}

package seedfile_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"seed/finding"
	"seed/seedfile"
	"seed/seedfile/transport"
)

func packDoc(t testing.TB, text string, o seedfile.PackOptions) (*seedfile.Packed, string) {
	t.Helper()
	p, err := seedfile.PackDocument(strings.NewReader(text), int64(len(text)), o, nil)
	return p, pack(t, p, err)
}

// SP-PACK-01, SP-PACK-02, SP-PACK-03, SP-PAY-03: the document that a file becomes.
func TestSP_PACK_02_Document(t *testing.T) {
	t.Parallel()
	base := seedfile.PackOptions{Base: "my note.txt"}
	fields := func(typ, name string) string {
		s := "---\nseed: \"1.0\"\ngrow: show\ntype: " + typ + "\n"
		if name != "" {
			s += "name: " + name + "\n"
		}
		return s
	}
	for _, c := range []struct {
		name, text string
		o          seedfile.PackOptions
		want       string
		file       string
	}{
		{"plain", "# Hi\n", base, fields("context", "my-note") + "---\n\n# Hi\n", "my-note.md"},
		{"no final newline", "# Hi", base, fields("context", "my-note") + "---\n\n# Hi\n", "my-note.md"},
		{"empty", "", base, fields("context", "my-note") + "---\n\n", "my-note.md"},
		{"begins with a blank line", "\nx\n", base, fields("context", "my-note") + "---\n\n\nx\n", "my-note.md"},
		{"no usable name", "x\n", seedfile.PackOptions{Base: "...---"}, fields("context", "") + "---\n\nx\n", "seed.md"},
		{
			"skill", "---\nname: pdf\ndescription: |\n  Reads PDF.\n\n  # not a comment\nlicense: \"MIT\"  # kept\n---\n\n# PDF\n", base,
			fields("skill", "") + "name: pdf\ndescription: |\n  Reads PDF.\n\n  # not a comment\nlicense: \"MIT\"  # kept\n---\n\n# PDF\n", "pdf.md",
		},
		{"skill whose name is not plain", "---\nname: PDF tools\ndescription: x\n---\nt\n", base, fields("skill", "") + "name: PDF tools\ndescription: x\n---\n\nt\n", "seed.md"},
		{"conflict is kept", "---\ntype: data\ngrow: exec\nseed: \"1.0\"\nx: y\n---\n\nid\n", base, "---\nname: my-note\ntype: data\ngrow: exec\nseed: \"1.0\"\nx: y\n---\n\nid\n", "my-note.md"},
		{
			"options win", "---\ntype: data # d\nx: y\ngrow:\n- show\n# c\nname: old\n---\n\nid\n",
			seedfile.PackOptions{Base: "b", Type: "tool", Name: "new", Grow: []string{"show", "exec"}},
			"---\nseed: \"1.0\"\ntype: tool\nx: y\ngrow:\n  - show\n  - exec\n# c\nname: new\n---\n\nid\n", "new.md",
		},
		{"empty frontmatter", "---\n---\nx\n", base, fields("context", "my-note") + "---\n\nx\n", "my-note.md"},
		{"rule that is no frontmatter", "---\nx\n", base, fields("context", "my-note") + "---\n\n---\nx\n", "my-note.md"},
		{"CRLF frontmatter", "---\r\nname: x\r\n---\r\n", base, fields("context", "my-note") + "---\n\n---\r\nname: x\r\n---\r\n", "my-note.md"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, text := packDoc(t, c.text, c.o)
			f := mustOpen(t, text)
			if got, _ := io.ReadAll(f.Document()); string(got) != c.want || f.Filename != c.file {
				t.Errorf("got %q in %q, want %q in %q", got, f.Filename, c.want, c.file)
			}
			if want := c.text != "" && !strings.HasSuffix(c.text, "\n"); p.AddedLF != want {
				t.Errorf("SP-PAY-03: got AddedLF %v, want %v", p.AddedLF, want)
			}
			if got, want := len(p.Warnings) > 0, strings.HasPrefix(c.text, "---\r"); got != want {
				t.Errorf("got warnings %q, want some: %v", p.Warnings, want)
			}
			if again := repack(t, text, seedfile.PackOptions{}); again != text {
				t.Errorf("SP-PACK-06: packing again changed the seed")
			}
			if f.Transport.Profile != transport.For(f.Meta.Grow, strings.TrimSuffix(f.Meta.Field("grow"), "\n"), false) {
				t.Errorf("got %v", f.Transport.Profile)
			}
		})
	}
}

// SP-PACK-02, SP-ARC-08: files that cannot become a document.
func TestSP_PACK_02_Refused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, rule string
		line             int
		o                seedfile.PackOptions
	}{
		{"frontmatter outside the profile", "---\nname: x\n\"quoted\": y\n---\n", "SP-PACK-02", 3, seedfile.PackOptions{}},
		{"YAML that is no field", "---\n{a: b}\n---\n", "SP-PACK-02", 2, seedfile.PackOptions{}},
		{"another version", "---\na: b\nseed: \"2.0\"\n---\n", "SP-PACK-02", 3, seedfile.PackOptions{}},
		{"unknown directive", "---\ngrow: later\n---\n", "SP-PACK-02", 2, seedfile.PackOptions{}},
		{"unfold without an archive", "---\na: b\nc: d\ngrow: unfold\n---\n", "SP-PACK-02", 4, seedfile.PackOptions{}},
		{"CR in one line", "---\na: b\nc: d\r\n---\n", "SP-PACK-02", 3, seedfile.PackOptions{}},
		{"NUL in the frontmatter", "---\na: \x00\n---\nx\n", "SP-PACK-02", 2, seedfile.PackOptions{}},
		{"frontmatter not in UTF-8", "---\na: b\nc: \xff\n---\nx\n", "SP-PACK-02", 3, seedfile.PackOptions{}},
		{"NUL in the text", "x\x00\n", "SP-ARC-08", 0, seedfile.PackOptions{}},
		{"text not in UTF-8", "x\xff\n", "SP-ARC-08", 0, seedfile.PackOptions{}},
		{"half a rune at the end", "x\xe6\x97", "SP-ARC-08", 0, seedfile.PackOptions{}},
		{"type archive, no archive", "x\n", "SP-ARC-01", 1, seedfile.PackOptions{Type: "archive"}},
		{"archive with a bad path", archiveMeta + arcFields + section("../x", "", "") + arcEnd, "SP-PATH-01", 15, seedfile.PackOptions{}},
		{"archive without a final newline", archiveMeta + arcFields + section("x", "", "") + strings.TrimSpace(arcEnd), "SP-ARC-10", 16, seedfile.PackOptions{}},
		{"name with a line break", "x\n", "SP-META-01", 0, seedfile.PackOptions{Name: "a\nb: c"}},
		{"URL with code", "x\n", "SP-FMT-03", 0, seedfile.PackOptions{URL: "https://x/$(id)"}},
		{"exec of nothing that is known", "x\n", "SP-GROW-01", 0, seedfile.PackOptions{Grow: []string{"run"}}},
		{"metadata too large", "---\n# " + strings.Repeat("x", seedfile.MaxMetadata-20) + "\n---\n", "SP-META-01", 0, seedfile.PackOptions{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.o.Base = "in.md"
			p, err := seedfile.PackDocument(strings.NewReader(c.text), int64(len(c.text)), c.o, nil)
			var broken *finding.Error
			if !errors.As(err, &broken) || broken.Rule.ID != c.rule || broken.At.Line != c.line {
				t.Fatalf("got %v, %v, want %s at line %d", p, err, c.rule, c.line)
			}
			if (c.rule == "SP-PACK-02" || c.rule == "SP-ARC-08") && (broken.Hint == "" || broken.At.Name != "in.md") {
				t.Errorf("got hint %q at %q, want a hint at in.md", broken.Hint, broken.At.Name)
			}
		})
	}
}

// SP-PACK-04, SP-PACK-06: the document of an archive that was grown with "show"
// becomes the seed it came from.
func TestSP_PACK_06_ArchiveDocument(t *testing.T) {
	t.Parallel()
	for _, o := range []seedfile.TreeOptions{{}, {Binary: seedfile.Encode}} {
		o.PackOptions = seedfile.PackOptions{Base: "tree", Grow: []string{"show"}}
		tree := fstest.MapFS{"a": {Data: []byte("x"), Mode: 0o755}}
		if o.Binary == seedfile.Encode {
			tree["b"] = &fstest.MapFile{Data: []byte{0, 1, 2}, Mode: 0o644}
		}
		text := packTree(t, tree, o)
		document, _ := io.ReadAll(mustOpen(t, text).Document())
		p, again := packDoc(t, string(document), seedfile.PackOptions{Base: "tree.md"})
		if again != text || len(p.Files) != len(tree) {
			t.Errorf("got another seed, %v, want the same", p.Profile)
		}
	}
}

func TestPackDocument_TapAndErrors(t *testing.T) {
	t.Parallel()
	const text = "---\na: b\n---\n\nhello\n"
	var seen bytes.Buffer
	if _, err := seedfile.PackDocument(strings.NewReader(text), int64(len(text)), seedfile.PackOptions{}, &seen); err != nil || seen.String() != text {
		t.Errorf("got %q, %v, want the tap to see all of the file", seen.String(), err)
	}
	for at := range int64(len(text)) {
		p, err := seedfile.PackDocument(&failing{text, at, errFire}, int64(len(text)), seedfile.PackOptions{}, nil)
		if !errors.Is(err, errFire) || p != nil {
			t.Errorf("fails at %d: got %v, %v, want the read error", at, p, err)
		}
	}
	for room := range 20 {
		if _, err := seedfile.PackDocument(strings.NewReader(text), int64(len(text)), seedfile.PackOptions{}, &tripWriter{room}); !errors.Is(err, errFire) {
			t.Errorf("tap with room for %d: got %v, want what the tap said", room, err)
		}
	}
}

// SP-PACK-06, SP-TEST-06: Repack keeps metadata, payload, URL and file name.
func TestSP_PACK_06_Repack(t *testing.T) {
	t.Parallel()
	meta := "---\n# odd\nname: 'x'\ngrow: [show] # c\n\nseed: \"1.0\"\nz: {a: [b]}\n---\n"
	for name, text := range map[string]string{
		"custom": wrap(meta + "\nhello\n"), "rich": wrap("---\n" + richMeta + "---\n\nid\n"), "no blank": wrap(meta + "hello\n"), "XDOWN": strings.ReplaceAll(wrap(meta+"\nhello\n"), "SEED_", "XDOWN_"),
		"archive": wrap(archive(strings.ReplaceAll(section("a", ` mode="644"`, "x")+section("b", ` enc="base64"`, "AAAA\n"), "<!--seed", "<!--fold") + arcEnd)),
	} {
		f := mustOpen(t, text)
		again := repack(t, text, seedfile.PackOptions{})
		g := mustOpen(t, again)
		if string(g.Meta.Raw()) != string(f.Meta.Raw()) || payloadOf(t, g) != payloadOf(t, f) || g.URL != f.URL || g.Filename != f.Filename {
			t.Errorf("%s: got %q, want the same metadata, payload, URL and name", name, again)
		}
		if !g.Transport.Canonical || !strings.HasPrefix(g.Sentinel, "SEED_") {
			t.Errorf("%s: got %+v %s, want the current transport", name, g.Transport, g.Sentinel)
		}
		if third := repack(t, again, seedfile.PackOptions{}); third != again {
			t.Errorf("%s: packing again changed the seed", name)
		}
		// Every change by option is a fixed point as well.
		for _, o := range []seedfile.PackOptions{{URL: "https://seed.example/new"}, {Name: "new"}, {Type: "data", Grow: []string{"show"}}} {
			changed := repack(t, text, o)
			if repack(t, changed, seedfile.PackOptions{}) != changed {
				t.Errorf("%s: packing again after %+v changed the seed", name, o)
			}
		}
	}
	f := mustOpen(t, wrap(simpleMeta+"x\n"))
	for rule, o := range map[string]seedfile.PackOptions{
		"SP-ARC-01": {Type: "archive"}, "SP-DIR-02": {Grow: []string{"unfold"}}, "SP-META-01": {Name: "a\nb"}, "SP-FMT-03": {URL: "ftp://x"},
	} {
		if _, err := seedfile.Repack(f, o); ruleOf(err) != rule {
			t.Errorf("%+v: got %v, want %s", o, err, rule)
		}
	}
}

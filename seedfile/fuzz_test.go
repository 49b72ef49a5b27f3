package seedfile_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"strings"
	"testing"

	"seed/seedfile"
	"seed/seedfile/transport"
)

// fixedPoint holds an accepted seed to SP-PACK-06: packed again it has the same
// metadata and payload, and packed once more the same bytes.
func fixedPoint(t *testing.T, f *seedfile.File) {
	t.Helper()
	if len(f.URL) > 4096 {
		return // longer than a packer writes
	}
	p, err := seedfile.Repack(f, seedfile.PackOptions{})
	once := pack(t, p, err)
	g := mustOpen(t, once)
	if !bytes.Equal(g.Meta.Raw(), f.Meta.Raw()) || payloadOf(t, g) != payloadOf(t, f) || g.URL != f.URL || g.Filename != f.Filename {
		t.Fatalf("got another seed from packing again: %q", once)
	}
	if !g.Transport.Canonical {
		t.Fatalf("got a custom transport from packing: %q", once)
	}
	if twice := repack(t, once, seedfile.PackOptions{}); twice != once {
		t.Fatalf("got other bytes from packing twice: %q", twice)
	}
}

// FuzzOpen: a whole seed. The verdict is that of the slow reader; what is
// accepted survives packing.
func FuzzOpen(f *testing.F) {
	f.Add(wrap(simpleMeta + "hello\n"))
	f.Add(wrap(archive(section("a", ` mode="755"`, "x") + section("b/c", ` enc="base64"`, "AAAA\n") + arcEnd)))
	f.Add(canonical(simpleMeta+"hello\n", transport.Doc)[:400])
	f.Add(strings.ReplaceAll(wrap(doc("seed: \"1.0\"\ngrow: [show, exec]\nx: |\n  y\n")), "SEED_", "XDOWN_"))
	f.Add(usageLine + boot + openLine + "---\nseed: \"1.0\"\ngrow:\n- show\n---\nx\n" + sentinel)
	f.Fuzz(func(t *testing.T, text string) {
		file, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{Digest: true, Hidden: true})
		if err != nil {
			t.Fatalf("got %v from memory", err)
		}
		if (file == nil) != (rep.Err() != nil) || len(rep.Findings) > seedfile.MaxFindings+30 {
			t.Fatalf("got a file %v beside %v, %d findings", file != nil, rep.Err(), len(rep.Findings))
		}
		if file != nil {
			fixedPoint(t, file)
		}
		if !strings.Contains(text, "\n{ seed_file=") { // the slow reader knows no canonical transport
			agree(t, text)
		}
	})
}

// FuzzMetadata: the lines between the fences. The verdict is that of the slow
// reader, and the bytes are kept.
func FuzzMetadata(f *testing.F) {
	for _, s := range []string{required, richMeta, "seed: '1.0'\ngrow: [a]\n", required + "\"grow\": x\n", "seed: \"1.0\"\ngrow:\n- show\n  - show\n", required + "name: \"a\\\"\n", "grow : x\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		raw = strings.TrimSuffix(raw, "\n") + "\n"
		m, rep := seedfile.ParseMetadata([]byte(raw), 1)
		if (m == nil) != (rep.Err() != nil) {
			t.Fatalf("got %v beside %v", m, rep.Err())
		}
		if m != nil {
			if string(m.Raw()) != raw {
				t.Fatalf("got %q, want the bytes %q", m.Raw(), raw)
			}
			for _, key := range m.Keys() {
				if m.Field(key) == "" {
					t.Fatalf("field %q has no lines", key)
				}
				same, err := m.With(key, m.Field(key))
				if err != nil || len(same.Raw()) != len(raw) {
					t.Fatalf("With(%q, its own lines): got %q, %v, want the length of %q", key, same.Raw(), err, raw)
				}
			}
		}
		if len(raw) < 1<<16 && !strings.Contains(raw, sentinel) && !strings.Contains("\n"+raw, "\n---\n") {
			agree(t, wrap("---\n"+raw+"---\n\n"))
		}
	})
}

// FuzzArchive: the sections of an archive.
func FuzzArchive(f *testing.F) {
	for _, s := range []string{section("a", "", "x") + arcEnd, section("a/b", ` mode="000"`, "") + section("a", "", "") + arcEnd, section("a", ` enc="base64"`, "AAAA\n") + arcEnd, "<!--fold:a1b2c3@end-->\n", arcEnd + arcEnd} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sections string) {
		text := wrap(archive(sections))
		agree(t, text)
		if file, err := open(text); err == nil {
			for i := range file.Archive.Files {
				e := &file.Archive.Files[i]
				if n, err := io.Copy(io.Discard, file.Archive.Open(e)); err != nil || n != e.Size {
					t.Fatalf("%q: got %d bytes, %v, want %d", e.Path, n, err, e.Size)
				}
			}
			fixedPoint(t, file)
		}
	})
}

// FuzzBase64: the body of an encoded member is accepted exactly when it is what
// an encoder would write for its content.
func FuzzBase64(f *testing.F) {
	for _, s := range []string{"", "AAAA\n", "AA==\n", "AAB=\n", "AAAA\n\n\n\n\n", strings.Repeat("A", 76) + "\nAAA=\n", "AA\r\rAAAA\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.ContainsAny(body, "<\x00") || strings.Contains(body, sentinel) || strings.ToValidUTF8(body, "") != body {
			return
		}
		raw, err := base64.StdEncoding.Strict().DecodeString(strings.ReplaceAll(body, "\n", ""))
		want := err == nil && canonicalBase64(raw) == body
		file, err := open(base64Seed(body))
		if (err == nil) != want {
			t.Fatalf("%q: got %v, want ok=%v", body, err, want)
		}
		if err != nil {
			if ruleOf(err) != "SP-ARC-09" {
				t.Fatalf("%q: got %v, want SP-ARC-09", body, err)
			}
			return
		}
		got, err := io.ReadAll(file.Archive.Open(&file.Archive.Files[0]))
		if err != nil || !bytes.Equal(got, raw) {
			t.Fatalf("%q: got %q, %v, want %q", body, got, err, raw)
		}
	})
}

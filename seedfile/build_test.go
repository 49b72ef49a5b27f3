package seedfile_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"seed/finding"
	"seed/seedfile"
	"seed/seedfile/transport"
)

const (
	usageLine = "# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>\n"
	sentinel  = "SEED_70DD0AE2"
	openLine  = `cat > "$TARGET/note.md" <<'` + sentinel + "'\n"
	boot      = "set -eu; TARGET=$1\n"

	// simpleMeta is a whole metadata block with the blank line after it.
	simpleMeta  = "---\nseed: \"1.0\"\ngrow: show\ntype: context\nname: note\n---\n\n"
	archiveMeta = "---\nseed: \"1.0\"\ngrow: unfold\ntype: archive\nname: tree\n---\n\n"
	arcFields   = "---\nseed: \"1.0\"\nmarker: a1b2c3\nroot: tree\nat: 1980-01-01T00:00:00Z\n---\n\n"
	arcEnd      = "<!--seed:a1b2c3@end-->\n"

	// docLine is the line of the document's first byte in what wrap and
	// canonical return, arcLine that of the first section of an archive.
	docLine = 5
	arcLine = docLine + 7 + 7
)

// wrap puts a document into a hand-made transport.
func wrap(doc string) string {
	return usageLine + "\n" + boot + openLine + doc + sentinel + "\n"
}

// canonical puts a document into the transport that a packer writes.
func canonical(doc string, p transport.Profile) string {
	var sum transport.CRC
	_, _ = sum.Write([]byte(doc))
	v := transport.Params{URL: "https://seed.example/s/abc12", File: "note.md", Sum: sum.String(), Sentinel: sentinel}
	return string(p.Head(v)) + doc + string(p.Tail(sentinel))
}

// archive is the document of an archive seed with these sections.
func archive(sections string) string { return archiveMeta + arcFields + sections }

func section(path, attrs, body string) string {
	return `<!--seed:a1b2c3@file path="` + path + `"` + attrs + "-->\n" + body
}

func open(text string) (*seedfile.File, error) {
	return seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{})
}

func mustOpen(t testing.TB, text string) *seedfile.File {
	t.Helper()
	f, err := open(text)
	if err != nil {
		t.Fatalf("got %v, want a seed:\n%.600q", err, text)
	}
	return f
}

// refused fails unless text breaks the rule on the line, and gives no file.
func refused(t testing.TB, text, rule string, line int) {
	t.Helper()
	f, err := open(text)
	if f != nil {
		t.Errorf("got a file beside the error %v, want nothing", err)
	}
	var broken *finding.Error
	if !errors.As(err, &broken) {
		t.Fatalf("got %v, want a breach of %s at line %d:\n%.600q", err, rule, line, text)
	}
	if broken.Rule.ID != rule || broken.At.Line != line {
		t.Errorf("got %v at line %d, want %s at line %d:\n%.600q", err, broken.At.Line, rule, line, text)
	}
}

// ruleOf is the id of the broken rule that err stands for, or "".
func ruleOf(err error) string {
	var broken *finding.Error
	if errors.As(err, &broken) {
		return broken.Rule.ID
	}
	return ""
}

// pack writes a packed seed and holds it to what was announced about it.
func pack(t testing.TB, p *seedfile.Packed, err error) string {
	t.Helper()
	if err != nil {
		t.Fatalf("pack: got %v, want no error", err)
	}
	var b bytes.Buffer
	n, err := p.WriteTo(&b)
	if err != nil {
		t.Fatalf("write: got %v, want no error", err)
	}
	if n != p.Size || int64(b.Len()) != p.Size {
		t.Fatalf("got %d bytes (%d reported), want the announced %d", b.Len(), n, p.Size)
	}
	return b.String()
}

func repack(t testing.TB, text string, o seedfile.PackOptions) string {
	t.Helper()
	p, err := seedfile.Repack(mustOpen(t, text), o)
	return pack(t, p, err)
}

// packed is what a whole seed looks like to a test: everything but positions.
func payloadOf(t testing.TB, f *seedfile.File) string {
	t.Helper()
	var b bytes.Buffer
	if _, err := b.ReadFrom(f.Payload()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func sha(text string) [32]byte { return sha256.Sum256([]byte(text)) }

func seedMetadata(raw string) (*seedfile.Metadata, error) {
	m, rep := seedfile.ParseMetadata([]byte(raw), 1)
	return m, rep.Err()
}

package seedfile_test

import (
	"bytes"
	"encoding/base64"
	"io"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"seed/seedfile"
	"seed/seedfile/transport"
)

// canonicalBase64 writes content the one way that SP-ARC-09 allows, slowly.
func canonicalBase64(content []byte) string {
	text := base64.StdEncoding.EncodeToString(content)
	var b strings.Builder
	for len(text) > 0 {
		n := min(76, len(text))
		b.WriteString(text[:n] + "\n")
		text = text[n:]
	}
	return b.String()
}

func base64Seed(body string) string {
	return canonical(archive(section("a", ` enc="base64"`, body)+section("b", ` mode="755" enc="base64"`, "")+arcEnd), transport.Bin)
}

func TestSP_ARC_09_EverySize(t *testing.T) {
	t.Parallel()
	content := make([]byte, 0, 200_000)
	for i := range cap(content) {
		content = append(content, byte(i*7)^byte(i>>8))
	}
	sizes := []int{57*512 - 1, 57 * 512, 57*512 + 1, 57 * 1024, cap(content)}
	for n := range 201 {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		data := append([]byte{0}, content[:n]...)[:n] // NUL first, so that a packer sees a binary file
		f := mustOpen(t, base64Seed(canonicalBase64(data)))
		e := &f.Archive.Files[0]
		got, err := io.ReadAll(f.Archive.Open(e))
		if err != nil || !bytes.Equal(got, data) || e.Size != int64(n) || !e.Encoded {
			t.Fatalf("%d bytes: got %d bytes, size %d, %v", n, len(got), e.Size, err)
		}
		if n == 0 {
			continue // an empty file is text
		}
		p, err := seedfile.PackTree(fstest.MapFS{"a": {Data: data}}, []seedfile.Member{{Path: "a", Mode: 0o600}}, seedfile.TreeOptions{Binary: seedfile.Encode})
		text := pack(t, p, err)
		if want := "mode=\"600\" enc=\"base64\"-->\n" + canonicalBase64(data) + "<!--seed:"; !strings.Contains(text, want) {
			t.Fatalf("%d bytes: the packed body is not canonical", n)
		}
		if p.Profile != transport.Bin {
			t.Errorf("got %v, want T1-bin", p.Profile)
		}
	}
}

func TestSP_ARC_09_CanonicalOnly(t *testing.T) {
	t.Parallel()
	full := strings.Repeat("A", 76) + "\n"
	for _, c := range []struct {
		name, body string
		line       int // of the body, its first line is 1
	}{
		{"no final LF", "AAAA", 1},
		{"only LF", "\n", 1},
		{"not a multiple of four", "AAA\n", 1},
		{"missing padding", "AA\n", 1},
		{"stray bits, two bytes", "AAB=\n", 1},
		{"stray bits, one byte", "AB==\n", 1},
		{"padding alone", "====\n", 1},
		{"padding in the middle", "AA==AAAA\n", 1},
		{"three paddings", "A===\n", 1},
		{"URL alphabet", "-_-_\n", 1},
		{"blank", "AA A\n", 1},
		{"blank at the end", "AAAA    \n", 1},
		{"CRLF", "AAA\r\n", 1},
		{"CR inside", "AA\r\rAAAA\n", 1},
		{"LF instead of letters", "AAAA\n\n\n\n\n", 1},
		{"LF inside a full line", strings.Repeat("A", 36) + "\n\n\n\n" + strings.Repeat("A", 36) + "\n", 1},
		{"short line first", "AAAA\nAAAA\n", 1},
		{"short line before a full one", "AAAA\n" + full, 1},
		{"line of 80", strings.Repeat("A", 80) + "\n", 1},
		{"line of 72 and more", strings.Repeat("A", 72) + "\n" + full, 1},
		{"after the padding", strings.Repeat("A", 75) + "=\nAAAA\n", 2},
		{"after the short line, aligned", full + "AAAA\n" + strings.Repeat("A", 72), 2},
		{"empty line at the end", full + "\n", 2},
		{"empty line between", full + "\n" + full, 2},
		{"non-ASCII", "éé\n", 1},
		{"wrong far down", strings.Repeat(full, 600) + "AAB=\n", 601},
		{"wrong in the second buffer", strings.Repeat(full, 700) + "!AAA\n" + full, 701},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, base64Seed(c.body), "SP-ARC-09", arcLine+c.line)
		})
	}
}

// The reader of a binary member that fails is not a broken rule.
func TestSP_ARC_09_ReadError(t *testing.T) {
	t.Parallel()
	bad := &brokenFS{MapFS: fstest.MapFS{"a": {Data: append(bytes.Repeat([]byte{0, 1}, 1<<16), 2)}}, after: 1000}
	for bad.open = range 3 { // first reading, encoding, writing
		bad.opened.Store(0)
		p, err := seedfile.PackTree(bad, []seedfile.Member{{Path: "a", Mode: fs.FileMode(0o644)}}, seedfile.TreeOptions{Binary: seedfile.Encode})
		if bad.open < 2 {
			if err == nil || ruleOf(err) != "" || !strings.Contains(err.Error(), "disk on fire") {
				t.Errorf("open %d: got %v, want the read error", bad.open, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.WriteTo(io.Discard); err == nil || ruleOf(err) != "" || !strings.Contains(err.Error(), "disk on fire") {
			t.Errorf("writing: got %v, want the read error", err)
		}
	}
}

package seedfile_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/finding"
	"seed/seedfile"
	"seed/seedfile/transport"
)

// Every row is a whole seed that breaks one rule and nothing before it.
func TestSP_FMT_Refused(t *testing.T) {
	t.Parallel()
	good := wrap(simpleMeta + "hello\n")
	edit := func(old, repl string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("%q is not in the seed", old)
		}
		return strings.Replace(good, old, repl, 1)
	}
	url := func(u string) string { return edit("https://seed.example/s/abc12", u) }
	heredoc := func(l string) string { return edit(openLine, l+"\n") }
	for _, c := range []struct {
		name, rule string
		line       int
		text       string
	}{
		{"not UTF-8", "SP-FMT-01", 12, edit("hello", "hel\xfflo")},
		{"half a rune at the end", "SP-FMT-01", 14, good + "\xe2\x82"},
		{"surrogate half", "SP-FMT-01", 3, edit("set -eu", "set\xed\xa0\x80")},
		{"overlong", "SP-FMT-01", 12, edit("hello", "\xc0\x80")},
		{"NUL in the payload", "SP-FMT-01", 12, edit("hello", "hel\x00lo")},
		{"NUL in the transport", "SP-FMT-01", 14, good + "\x00"},
		{"byte-order mark", "SP-FMT-01", 1, "\xef\xbb\xbf" + good},
		{"CRLF everywhere", "SP-FMT-01", 1, strings.ReplaceAll(good, "\n", "\r\n")},
		{"CR in line 1", "SP-FMT-01", 1, edit("<path>\n", "<path>\r\n")},
		{"CR in the here-document line", "SP-FMT-01", 4, heredoc(strings.TrimSpace(openLine) + "\r")},
		{"CR in the metadata", "SP-FMT-01", 7, edit("grow: show\n", "grow: show\r\n")},
		{"CR after the sentinel", "SP-FMT-01", 13, edit("\n"+sentinel+"\n", "\n"+sentinel+"\r\n")},
		{"empty file", "SP-FMT-02", 1, ""},
		{"one LF", "SP-FMT-02", 1, "\n"},
		{"no usage line", "SP-FMT-02", 1, "#!/bin/sh\n" + good},
		{"usage in other words", "SP-FMT-02", 1, edit("# Usage:", "# usage:")},
		{"path filled in", "SP-FMT-02", 1, edit("<path>", "/tmp")},
		{"text after the path", "SP-FMT-02", 1, edit("<path>", "<path> ")},
		{"usage on line 2", "SP-FMT-02", 1, "\n" + good},
		{"line 1 too long", "SP-FMT-02", 1, url("https://seed.example/" + strings.Repeat("x", seedfile.MaxUsage))},
		{"line 1 alone and too long", "SP-FMT-02", 1, strings.Repeat("x", seedfile.MaxUsage)},
		{"http", "SP-FMT-03", 1, url("http://seed.example/s/1")},
		{"no scheme", "SP-FMT-03", 1, url("seed.example/s/1")},
		{"upper-case scheme", "SP-FMT-03", 1, url("HTTPS://seed.example/s/1")},
		{"semicolon in the URL", "SP-FMT-03", 1, url("https://seed.example/;id")},
		{"ampersand in the URL", "SP-FMT-03", 1, url("https://seed.example/?a&b")},
		{"dollar in the URL", "SP-FMT-03", 1, url("https://seed.example/$(id)")},
		{"backquote in the URL", "SP-FMT-03", 1, url("https://seed.example/`id`")},
		{"quote in the URL", "SP-FMT-03", 1, url("https://seed.example/'")},
		{"blank in the URL", "SP-FMT-03", 1, url("https://seed.example/ x")},
		{"CR in the URL", "SP-FMT-03", 1, url("https://seed.example/\rx")},
		{"pipe in the URL", "SP-FMT-03", 1, url("https://seed.example/|x")},
		{"non-ASCII URL", "SP-FMT-03", 1, url("https://seed.example/é")},
		{"no host", "SP-FMT-03", 1, url("https://")},
		{"loopback look-alike", "SP-FMT-03", 1, url("http://localhost.example/")},
		{"loopback as user", "SP-FMT-03", 1, url("http://localhost:80@seed.example/")},
		{"loopback with shell syntax", "SP-FMT-03", 1, url("http://localhost/;id")},
		{"no bootstrap", "SP-FMT-05", 2, usageLine + openLine + simpleMeta + sentinel + "\n"},
		{"no here-document", "SP-FMT-06", 4, usageLine + "\n" + boot},
		{"here-document not at column 1", "SP-FMT-06", 14, heredoc(" " + strings.TrimSpace(openLine))},
		{"here-document without a line end", "SP-FMT-06", 4, usageLine + "\n" + boot + strings.TrimSpace(openLine)},
		{"only line 1", "SP-FMT-06", 1, strings.TrimSpace(usageLine)},
		{"no sentinel line", "SP-FMT-06", 13, edit("\n"+sentinel+"\n", "\n")},
		{"nothing after the here-document line", "SP-FMT-06", 5, usageLine + "\n" + boot + openLine},
		{"name with a slash", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/a/b" <<'` + sentinel + "'")},
		{"name that leaves", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/../b" <<'` + sentinel + "'")},
		{"name with code", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/$(id)" <<'` + sentinel + "'")},
		{"name that begins with a dash", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/-a" <<'` + sentinel + "'")},
		{"hidden name", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/.a" <<'` + sentinel + "'")},
		{"empty name", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/" <<'` + sentinel + "'")},
		{"name of 101", "SP-FMT-07", 4, heredoc(`cat > "$TARGET/` + strings.Repeat("a", 101) + `" <<'` + sentinel + "'")},
		{"lower-case sentinel", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<'SEED_70dd0ae2'`)},
		{"seven digits", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<'SEED_70DD0AE'`)},
		{"nine digits", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<'SEED_70DD0AE21'`)},
		{"another word", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<'EOF'`)},
		{"no quotes, so the shell would expand", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<SEED_70DD0AE2`)},
		{"old prefix alone", "SP-FMT-08", 4, heredoc(`cat > "$TARGET/a" <<'XDOWN_'`)},
		{"text after the sentinel's quote", "SP-FMT-08", 4, heredoc(strings.TrimSpace(openLine) + ";id")},
		{"sentinel in the payload", "SP-FMT-09", 12, edit("hello", "a "+sentinel+" b")},
		{"sentinel begins a line", "SP-FMT-09", 12, edit("hello", sentinel+" ")},
		{"sentinel ends a line", "SP-FMT-09", 12, edit("hello", " "+sentinel)},
		{"sentinel in the metadata", "SP-FMT-09", 9, edit("name: note", "name: "+sentinel)},
		{"sentinel in a comment of the metadata", "SP-FMT-09", 9, edit("name: note", "# "+sentinel)},
		// SP-FMT-10: without LF before it, the sentinel does not end anything.
		{"document without a final LF (SP-FMT-10)", "SP-FMT-09", 12, edit("hello\n"+sentinel, "hello"+sentinel)},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, c.text, c.rule, c.line)
		})
	}
}

// SP-FMT-04, SP-FMT-05, SP-FMT-06, SP-FMT-07, SP-FMT-08 and the decisions
// SP-AMB-05, SP-AMB-08, SP-AMB-09, SP-AMB-16: what a reader must accept.
func TestSP_FMT_Accepted(t *testing.T) {
	t.Parallel()
	doc := simpleMeta + "hello\n"
	for name, text := range map[string]string{
		"SP-FMT-04 no blank line 2":               usageLine + boot + openLine + doc + sentinel + "\n",
		"SP-FMT-05 blank bootstrap":               usageLine + "\n" + openLine + doc + sentinel + "\n",
		"SP-FMT-05 anything after the sentinel":   wrap(doc) + "echo hi\r\n\x1b[31m",
		"SP-FMT-05 bootstrap of very long lines":  usageLine + "\n" + strings.Repeat("# x", 1<<16) + "\n" + openLine + doc + sentinel + "\n",
		"SP-FMT-06 first here-document counts":    usageLine + "\n cat > \"$TARGET/x\" <<'SEED_00000000'\n" + openLine + doc + "cat > \"$TARGET/y\" <<'SEED_00000000'\n" + sentinel + "\n",
		"SP-FMT-06 nothing after the sentinel":    strings.TrimSuffix(wrap(doc), "\n"),
		"SP-FMT-06 sentinel again in the tail":    wrap(doc) + sentinel + "\n" + sentinel + "x\n",
		"SP-FMT-06 sentinel before the document":  usageLine + "\n# " + sentinel + "\n" + boot + openLine + doc + sentinel + "\n",
		"SP-FMT-07 name of 100":                   strings.Replace(wrap(doc), "note.md", strings.Repeat("a", 100), 1),
		"SP-FMT-07 name of one underscore":        strings.Replace(wrap(doc), "note.md", "_", 1),
		"SP-FMT-08 XDOWN_ prefix (SP-AMB-16)":     strings.ReplaceAll(wrap(doc), "SEED_", "XDOWN_"),
		"SP-FMT-09 other sentinels are data":      wrap(simpleMeta + "SEED_70DD0AE3\nSEED_\nXDOWN_70DD0AE2\n"),
		"SP-FMT-01 CR is data in the payload":     wrap(simpleMeta + "a\r\n\rb\n"),
		"SP-FMT-01 byte-order mark in the text":   wrap(simpleMeta + "\xef\xbb\xbfa\n"),
		"SP-FMT-03 all URL characters":            strings.Replace(wrap(doc), "/s/abc12", ":443/-._~/:%41@+,=", 1),
		"SP-FMT-03 placeholder (SP-AMB-10)":       strings.Replace(wrap(doc), "https://seed.example/s/abc12", transport.Unplanted, 1),
		"SP-FMT-03 http to localhost":             strings.Replace(wrap(doc), "https://seed.example/s/abc12", "http://localhost:8080/s/1", 1),
		"SP-FMT-03 http to 127.0.0.1":             strings.Replace(wrap(doc), "https://seed.example/s/abc12", "http://127.0.0.1", 1),
		"SP-FMT-03 http to [::1]":                 strings.Replace(wrap(doc), "https://seed.example/s/abc12", "http://[::1]:1/s/1", 1),
		"SP-PAY-01 empty payload":                 wrap(simpleMeta),
		"SP-PAY-04 long line and controls":        wrap(simpleMeta + strings.Repeat("x", 1<<20) + "\x01\x1b\u202e\n"),
		"SP-META-09 no blank after the metadata":  wrap(strings.TrimSuffix(simpleMeta, "\n") + "hello\n"),
		"SP-META-09 payload begins with a blank":  wrap(simpleMeta + "\nhello\n"),
		"SP-PAY-01 payload of LF only":            wrap(simpleMeta + "\n\n\n"),
		"SP-PAY-02 payload that looks like a doc": wrap(simpleMeta + simpleMeta),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mustOpen(t, text)
		})
	}
}

// SP-FMT-11: of several faults the first in the order of the rule is reported.
// Row by row a fault that comes earlier in the order is put on top of those
// below it, later in the file or not.
func TestSP_FMT_11_Order(t *testing.T) {
	t.Parallel()
	text := wrap(archiveMeta + arcFields + section("../x", "", "hello\n") + arcEnd)
	steps := []struct {
		rule, old, repl string
	}{
		{"SP-PATH-01", "", ""},
		{"SP-ARC-01", "marker: a1b2c3", "marker: xyz"},
		{"SP-META-02", "name: tree", "?"},
		{"SP-FMT-09", "hello", " " + sentinel},
		{"SP-FMT-07", openLine, "cat > \"$TARGET/../x\" <<'" + sentinel + "'\n"},
		{"SP-FMT-03", "https://seed.example", "http://seed.example"},
		{"SP-FMT-02", "<path>", "path"},
	}
	for _, s := range steps {
		text = strings.Replace(text, s.old, s.repl, 1)
		if _, err := open(text); ruleOf(err) != s.rule {
			t.Errorf("got %v, want a breach of %s:\n%s", err, s.rule, text)
		}
	}
	for _, s := range []struct{ text, want string }{
		{"\xef\xbb\xbf" + text, "byte-order mark"},
		{"\xef\xbb\xbf" + text + "\x00", "NUL byte"},
		{"\xef\xbb\xbf" + text + "\x00\xff", "not UTF-8"},
	} {
		if _, err := open(s.text); ruleOf(err) != "SP-FMT-01" || !strings.Contains(err.Error(), s.want) {
			t.Errorf("got %v, want SP-FMT-01 for %q", err, s.want)
		}
	}
	text += "\x00\xff"
	_, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{MaxSize: 10})
	if ruleOf(err) != "SP-FMT-12" {
		t.Errorf("got %v, want SP-FMT-12 before everything else", err)
	}
}

func TestSP_FMT_12_SizeLimit(t *testing.T) {
	t.Parallel()
	text := wrap(simpleMeta)
	size := int64(len(text))
	for limit, ok := range map[int64]bool{0: true, size - 1: false, size: true, size + 1: true} {
		f, err := seedfile.Open(strings.NewReader(text), size, seedfile.Options{MaxSize: limit, Digest: true})
		if (err == nil) != ok || (f != nil) != ok {
			t.Errorf("limit %d of %d: got %v, want ok=%v", limit, size, err, ok)
		}
	}
}

// The shapes of the protocol document itself: its figure is an archive directive
// on a skill (SP-AMB-02), its example has no blank lines (SP-AMB-05), its type
// between seed and grow (SP-AMB-04, SP-META-07) and nothing that grows (SP-AMB-12).
func TestSP_AMB_DocumentShapes(t *testing.T) {
	t.Parallel()
	const top = "# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>\nset -euo pipefail; TARGET=\"$1\"\n" +
		"cat > \"$TARGET/skill.md\" <<'SEED_3F9A1B2C'\n---\nseed: \"1.0\"\ntype: skill\n"
	const rest = "name: my-skill\n---\n# my-skill\nWhat is read.\nSEED_3F9A1B2C\n"
	f := mustOpen(t, top+"grow: show\n"+rest)
	if f.Filename != "skill.md" || f.Sentinel != "SEED_3F9A1B2C" || f.Meta.Type != "skill" || f.Meta.Name != "my-skill" {
		t.Errorf("got %q %q %q %q", f.Filename, f.Sentinel, f.Meta.Type, f.Meta.Name)
	}
	if got, want := payloadOf(t, f), "# my-skill\nWhat is read.\n"; got != want {
		t.Errorf("got payload %q, want %q", got, want)
	}
	if f.Transport.Canonical {
		t.Error("got a canonical transport, want custom")
	}
	refused(t, top+"grow: [unfold, show]\n"+rest, "SP-DIR-02", 7)
}

func TestSP_AMB_ProtocolDocument(t *testing.T) {
	t.Parallel()
	found, _ := filepath.Glob("../../shared/seeds/000_*.txt")
	if len(found) == 0 {
		t.Skip("the protocol document is not beside the project")
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(text), "5.Complete Example\n")
	at := strings.Index(example, "# Usage:")
	end := strings.LastIndex(example, "\nSEED_3F9A1B2C\n")
	if !ok || at < 0 || end < at {
		t.Fatal("the complete example was not found")
	}
	f := mustOpen(t, example[at:end+len("\nSEED_3F9A1B2C\n")])
	if len(f.Meta.Grow) != 1 || f.Meta.Grow[0] != "show" {
		t.Errorf("got grow %q, want show", f.Meta.Grow)
	}
}

// SP-TPL-05, SP-TPL-08, SP-TPL-09: what the reader says of the shell part.
func TestSP_TPL_Transport(t *testing.T) {
	t.Parallel()
	check := func(text string) (*seedfile.File, *finding.Report) {
		f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return f, rep
	}
	has := func(rep *finding.Report, rule string, sev finding.Severity) bool {
		for _, f := range rep.Findings {
			if f.Rule.ID == rule && f.Severity == sev {
				return true
			}
		}
		return false
	}
	doc := simpleMeta + "hello\n"
	for p := transport.Doc; p <= transport.Bin; p++ {
		f, rep := check(canonical(doc, p))
		if f == nil || !f.Transport.Canonical || f.Transport.Profile != p || has(rep, "SP-TPL-09", finding.Warning) || has(rep, "SP-TPL-08", finding.Warning) {
			t.Errorf("SP-TPL-09 %v: got %+v, want canonical", p, rep.Findings)
		}
	}
	if f, rep := check(wrap(doc)); f == nil || f.Transport.Canonical || !has(rep, "SP-TPL-09", finding.Warning) {
		t.Errorf("SP-TPL-09: got %+v, want a warning about a custom transport", rep.Findings)
	}
	text := canonical(doc, transport.Doc)
	refused(t, strings.Replace(text, "hello", "jello", 1), "SP-TPL-05", docLine)
	refused(t, strings.Replace(text, "hello\n", "hello\n\n", 1), "SP-TPL-05", docLine)
	if f, rep := check(text + "\n"); f == nil || f.Transport.Canonical {
		t.Errorf("SP-TPL-09 text after the end: got %+v, want custom", rep.Findings)
	}
	lines := strings.Count(text, "\n")
	for cut := range strings.Index(text, "\n"+sentinel) {
		if f, _ := open(text[:cut]); f != nil {
			t.Fatalf("cut at %d: got a file", cut)
		}
	}
	for cut := strings.Index(text, "\n"+sentinel) + 1 + len(sentinel); cut < len(text)-1; cut += 41 {
		if f, err := open(text[:cut]); f != nil || ruleOf(err) != "SP-FMT-06" {
			t.Fatalf("cut at %d of %d: got %v, want SP-FMT-06", cut, len(text), err)
		}
	}
	refused(t, text[:len(text)-2], "SP-FMT-06", lines)
	if f, _ := check(text[:len(text)-1]); f == nil {
		t.Error("without the last LF: got nothing, want a file")
	}
	tree := archive(section("a", ` enc="base64"`, "AAAA\n") + arcEnd)
	for p, ok := range map[transport.Profile]bool{transport.Doc: false, transport.Tree: false, transport.Full: false, transport.Bin: true} {
		if f, rep := check(canonical(tree, p)); f == nil || has(rep, "SP-TPL-08", finding.Warning) == ok {
			t.Errorf("SP-TPL-08 base64 with %v: got %+v", p, rep.Findings)
		}
	}
	exec := strings.Replace(doc, "grow: show", "grow: exec", 1)
	for p, ok := range map[transport.Profile]bool{transport.Doc: false, transport.Tree: false, transport.Full: true, transport.Bin: true} {
		if f, rep := check(canonical(exec, p)); f == nil || has(rep, "SP-TPL-08", finding.Warning) == ok {
			t.Errorf("SP-TPL-08 exec with %v: got %+v", p, rep.Findings)
		}
	}
	if _, rep := check(strings.ReplaceAll(wrap(doc), "SEED_", "XDOWN_")); !has(rep, "SP-FMT-08", finding.Note) {
		t.Errorf("XDOWN_: got %+v, want a note", rep.Findings)
	}
	if _, rep := check(strings.Replace(wrap(doc), "https://seed.example/s/abc12", transport.Unplanted, 1)); !has(rep, "SP-FMT-03", finding.Note) {
		t.Errorf("placeholder: got %+v, want a note", rep.Findings)
	}
}

package seedfile_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"seed/finding"
	"seed/seedfile"
)

func TestSP_ARC_Refused(t *testing.T) {
	t.Parallel()
	fields := func(old, repl string) string {
		if !strings.Contains(arcFields, old) {
			t.Fatalf("%q is not in the frontmatter", old)
		}
		return archiveMeta + strings.Replace(arcFields, old, repl, 1) + section("a", "", "x\n") + arcEnd
	}
	one := section("a", "", "x\n")
	const inner = arcLine - 6 // first line of the archive's fields
	for _, c := range []struct {
		name, rule string
		line       int
		doc        string
	}{
		{"no frontmatter", "SP-ARC-01", inner - 1, archiveMeta + "# hello\n"},
		{"no payload", "SP-ARC-01", inner - 1, archiveMeta},
		{"frontmatter never closed", "SP-ARC-01", inner - 1, archiveMeta + "---\nseed: \"1.0\"\n"},
		{"frontmatter after a blank", "SP-ARC-01", inner - 1, archiveMeta + "\n" + arcFields + one + arcEnd},
		{"no version", "SP-ARC-01", inner, fields("seed: \"1.0\"\n", "")},
		{"another version", "SP-ARC-01", inner, fields("seed: \"1.0\"", "seed: \"2.0\"")},
		{"version without quotes", "SP-ARC-01", inner, fields("seed: \"1.0\"", "seed: 1.0")},
		{"no marker", "SP-ARC-01", inner, fields("marker: a1b2c3\n", "")},
		{"short marker", "SP-ARC-01", inner, fields("a1b2c3", "a1b2c")},
		{"marker that is not hex", "SP-ARC-01", inner, fields("a1b2c3", "g1b2c3")},
		{"marker twice", "SP-ARC-01", inner + 2, fields("marker: a1b2c3", "marker: a1b2c3\nmarker: a1b2c3")},
		{"no root", "SP-ARC-01", inner, fields("root: tree\n", "")},
		{"empty root", "SP-ARC-01", inner, fields("root: tree", "root: ''")},
		{"no time", "SP-ARC-01", inner, fields("at: 1980-01-01T00:00:00Z\n", "")},
		{"time in words", "SP-ARC-01", inner, fields("1980-01-01T00:00:00Z", "yesterday")},
		{"CR in the frontmatter", "SP-FMT-01", inner + 2, fields("tree", "tree\r")},
		{"CRLF frontmatter", "SP-FMT-01", inner - 1, archiveMeta + strings.ReplaceAll(arcFields, "\n", "\r\n") + one + arcEnd},
		{"closed by CR", "SP-FMT-01", inner + 4, fields("Z\n---\n", "Z\n---\r\n")},
		{"mode with 8 (SP-AMB-29)", "SP-ARC-06", arcLine, archive(section("a", ` mode="888"`, "") + arcEnd)},
		{"mode of four digits", "SP-ARC-06", arcLine, archive(section("a", ` mode="4755"`, "") + arcEnd)},
		{"mode of two digits", "SP-ARC-06", arcLine, archive(section("a", ` mode="75"`, "") + arcEnd)},
		{"mode in letters", "SP-ARC-06", arcLine, archive(section("a", ` mode="rwx"`, "") + arcEnd)},
		{"empty mode", "SP-ARC-06", arcLine, archive(section("a", ` mode=""`, "") + arcEnd)},
		{"no section", "SP-ARC-10", arcLine, archive(arcEnd)},
		{"nothing", "SP-ARC-10", arcLine, archive("")},
		{"text before the first section", "SP-ARC-10", arcLine, archive("x\n" + one + arcEnd)},
		{"blank before the first section", "SP-ARC-10", arcLine, archive("\n" + one + arcEnd)},
		{"text only", "SP-ARC-10", arcLine, archive("x\n")},
		{"another marker", "SP-ARC-10", arcLine, archive(strings.ReplaceAll(one+arcEnd, "a1b2c3", "A1B2C3"))},
		{"no end mark", "SP-ARC-10", arcLine + 2, archive(one)},
		{"end mark without LF", "SP-ARC-10", arcLine + 2, archive(one + "<!--seed:a1b2c3@end--> \n")},
		{"text after the end mark", "SP-ARC-10", arcLine + 3, archive(one + arcEnd + "x\n")},
		{"blank line after the end mark", "SP-ARC-10", arcLine + 3, archive(one + arcEnd + "\n")},
		{"two end marks", "SP-ARC-10", arcLine + 3, archive(one + arcEnd + arcEnd)},
		{"file after the end mark", "SP-ARC-10", arcLine + 3, archive(one + arcEnd + one + arcEnd)},
		{"end mark first", "SP-ARC-10", arcLine, archive(arcEnd + one + arcEnd)},
		{"unknown section", "SP-ARC-10", arcLine + 2, archive(one + "<!--seed:a1b2c3@link path=\"b\"-->\n" + arcEnd)},
		{"delimiter in the text", "SP-ARC-10", arcLine + 1, archive(section("a", "", "x <!--seed:a1b2c3@ y\n") + arcEnd)},
		{"unknown attribute", "SP-ARC-10", arcLine, archive(section("a", ` owner="x"`, "") + arcEnd)},
		{"attributes in the other order", "SP-ARC-10", arcLine, archive(section("a", ` enc="base64" mode="755"`, "") + arcEnd)},
		{"unknown encoding", "SP-ARC-10", arcLine, archive(section("a", ` enc="gzip"`, "") + arcEnd)},
		{"two blanks", "SP-ARC-10", arcLine, archive(section("a", `  mode="755"`, "") + arcEnd)},
		{"text after the header", "SP-ARC-10", arcLine, archive("<!--seed:a1b2c3@file path=\"a\"-->x\n" + arcEnd)},
		{"header cut by a line feed", "SP-ARC-10", arcLine, archive("<!--seed:a1b2c3@file path=\"a\nb\"-->\n" + arcEnd)},
		{"path never closed", "SP-ARC-10", arcLine, archive("<!--seed:a1b2c3@file path=\"a-->\n" + arcEnd)},
		{"header at the end", "SP-ARC-10", arcLine, archive("<!--seed:a1b2c3@file path=\"a\"--\n")},
		{"same path twice", "SP-ARC-10", arcLine + 2, archive(one + one + arcEnd)},
		{"file used as a directory", "SP-ARC-10", arcLine + 2, archive(one + section("a/b", "", "") + arcEnd)},
		{"directory used as a file", "SP-ARC-10", arcLine + 1, archive(section("a/b", "", "") + one + arcEnd)},
		{"CR after a header", "SP-FMT-01", arcLine, archive(strings.Replace(one, "-->\n", "-->\r\n", 1) + arcEnd)},
		{"CR after the end mark", "SP-FMT-01", arcLine + 2, archive(one + strings.Replace(arcEnd, "\n", "\r\n", 1))},
		{"base64 with a blank", "SP-ARC-09", arcLine + 1, archive(section("a", ` enc="base64"`, "AA A\n") + arcEnd)},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, wrap(c.doc), c.rule, c.line)
		})
	}
}

func TestSP_PATH_01_Refused(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", "/", "/a", "../x", "a/../../x", "a/../b", "a/..", "./a", "a/./b", ".", "..", "a//b", "a/", `a\b`, `..\x`,
		"a\rb", "a\r", "a\tb", "a\x1bb", "a\x7fb", "\x01", strings.Repeat("x", 256), "a/" + strings.Repeat("é", 128),
		strings.Repeat("abcde/", 171), strings.Repeat("x/", 512) + "y", strings.Repeat("x", 2000), // SP-AMB-33
	} {
		t.Run(fmt.Sprintf("%.40q", path), func(t *testing.T) {
			t.Parallel()
			refused(t, wrap(archive(section("ok", "", "x\n")+section(path, "", "x\n")+arcEnd)), "SP-PATH-01", arcLine+2)
		})
	}
	// SP-PATH-02: there is no escape; a quote ends the path.
	refused(t, wrap(archive(section(`a\"b`, "", "")+arcEnd)), "SP-ARC-10", arcLine)
}

// SP-PATH-03, SP-PATH-02: readers accept every other name, "-->" included.
func TestSP_PATH_03_Accepted(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"a", "-rf", "~", "$HOME", "$(id)", "`id`", "it's", "...", "a b", " a ", "日本語/é", "a-->b", "*", "C:x", "a/b/c", "a..b", "..a", "\u0085",
		"<!--seed:a1b2c3@end-->", "<!--fold:a1b2c3@x", strings.Repeat("x", 255), strings.Repeat("x/", 511) + "yz", "SEED_70DD0AE3",
	} {
		f := mustOpen(t, wrap(archive(section(path, "", "x\n")+arcEnd)))
		if len(f.Archive.Files) != 1 || f.Archive.Files[0].Path != path || f.Archive.Files[0].Size != 2 {
			t.Errorf("got %+v, want one file %q of 2 bytes", f.Archive.Files, path)
		}
	}
}

// SP-ARC-01 to SP-ARC-07, SP-AMB-17, SP-AMB-25, SP-AMB-28: what an archive says.
func TestSP_ARC_02_Content(t *testing.T) {
	t.Parallel()
	fold := func(s string) string { return strings.Replace(s, "<!--seed:", "<!--fold:", 1) }
	files := []struct {
		path, attrs, body string
		mode              int
	}{
		{"empty", "", "", 0o644},
		{"lf", "", "\n", 0o644},
		{"text", ` mode="644"`, "a\nb\n", 0o644},
		{"no final LF", ` mode="755"`, "a\nb", 0o755},
		{"cr", ` mode="000"`, "a\r\nb\r", 0},
		{"piece of a delimiter (SP-ARC-03)", ` mode="777"`, "<!--seed:a1b2c3", 0o777},
		{"another archive (SP-ARC-05)", "", arcFields + strings.ReplaceAll(section("../x", "", "")+arcEnd, "a1b2c3", "a1b2c4"), 0o644},
		{"seed (SP-ARC-05)", "", strings.ReplaceAll(wrap(simpleMeta), sentinel, "SEED_00000000"), 0o644},
		{"upper-case marker (SP-AMB-17)", ` mode="400"`, "<!--seed:A1B2C3@end-->\n", 0o400},
		{"last", "", "---\n\xef\xbb\xbf", 0o644},
	}
	var b strings.Builder
	for i, f := range files {
		s := section(f.path, f.attrs, f.body)
		if i%2 == 1 {
			s = fold(s)
		}
		b.WriteString(s)
	}
	for _, end := range []string{arcEnd, fold(arcEnd)} {
		f := mustOpen(t, wrap(archive(b.String()+end)))
		a := f.Archive
		if a.Marker != "a1b2c3" || a.Root != "tree" || a.At != "1980-01-01T00:00:00Z" || len(a.Files) != len(files) {
			t.Fatalf("got %+v", a)
		}
		for i, want := range files {
			e := &a.Files[i]
			got, err := io.ReadAll(a.Open(e))
			if err != nil || string(got) != want.body || e.Path != want.path || int(e.Mode) != want.mode || e.Size != int64(len(want.body)) {
				t.Errorf("got %q %o %q %v, want %q %o %q", e.Path, e.Mode, got, err, want.path, want.mode, want.body)
			}
		}
	}
}

// SP-ARC-01, SP-ARC-07: forms of the archive's frontmatter that readers accept.
func TestSP_ARC_07_Frontmatter(t *testing.T) {
	t.Parallel()
	rest := section("a", "", "x\n") + arcEnd
	for _, c := range []struct{ old, repl string }{
		{"---\n\n", "---\n"}, // no blank line
		{"a1b2c3", "\"a1b2c3\""},
		{"root: tree", "root: ../../etc"}, // never used as a path (SP-AMB-30)
		{"root: tree", "root: 'a b' # c"},
		{"root: tree", "x: y\n  any thing: [\nroot: tree"},
		{"1980-01-01T00:00:00Z", "2026-11-15"},
		{"1980-01-01T00:00:00Z", "2026-11-15T01:02"},
		{"1980-01-01T00:00:00Z", "2026-11-15T01:02:03.456+05:30"},
		{"1980-01-01T00:00:00Z", "'2026-11-15T01:02:03-05:30'"},
	} {
		f := mustOpen(t, wrap(archiveMeta+strings.Replace(arcFields, c.old, c.repl, 1)+rest))
		if len(f.Archive.Files) != 1 {
			t.Errorf("%q: got %d files, want 1", c.repl, len(f.Archive.Files))
		}
	}
	for _, at := range []string{"2026", "2026-11", "2026-11-15T", "2026-11-15T01", "2026-11-15 01:02", "2026-11-15T01:02:", "2026-11-15T01:02:03.", "2026-11-15T01:02Zx", "2026-21-15", "x2026-11-15", "2026-11-15T01:02:03+0530", "2026-11-15T01:02:03x"} {
		refused(t, wrap(archiveMeta+strings.Replace(arcFields, "1980-01-01T00:00:00Z", at, 1)+rest), "SP-ARC-01", arcLine-6)
	}
}

// A payload that looks like an archive is text unless the type says otherwise.
func TestSP_ARC_01_OnlyByType(t *testing.T) {
	t.Parallel()
	f := mustOpen(t, wrap(simpleMeta+arcFields+section("../x", "", "")))
	if f.Archive != nil {
		t.Errorf("got an archive, want none for type %q", f.Meta.Type)
	}
}

// Everything that is wrong with an archive is reported, not only the first.
func TestCheck_CollectsArchive(t *testing.T) {
	t.Parallel()
	text := wrap(archive(section("../a", "", "") + section("b", "", "x\n") + section("b", "", "") + section("c/..", "", "") + arcEnd))
	f, rep, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{Name: "x.seed"})
	if f != nil || err != nil {
		t.Fatalf("got %v, %v, want only a report", f, err)
	}
	var got []string
	for _, f := range rep.Findings {
		if f.Severity == finding.Breach {
			got = append(got, f.At.String()+" "+f.Rule.ID)
		}
	}
	want := fmt.Sprintf("[x.seed:%d SP-PATH-01 x.seed:%d SP-ARC-10 x.seed:%d SP-PATH-01]", arcLine, arcLine+3, arcLine+4)
	if fmt.Sprint(got) != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

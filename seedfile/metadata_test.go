package seedfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"seed/finding"
	"seed/seedfile"
)

const required = "seed: \"1.0\"\ngrow: show\n"

// doc puts metadata lines into a document.
func doc(meta string) string { return "---\n" + meta + "---\n\nhello\n" }

func TestSP_META_Refused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rule string
		line       int // of the metadata, its first line is 1
		meta       string
	}{
		{"no seed", "SP-META-01", 1, "grow: show\n"},
		{"no grow", "SP-META-01", 1, "seed: \"1.0\"\n"},
		{"nothing", "SP-META-01", 1, ""},
		{"empty lines only", "SP-META-01", 1, "\n\n"},
		{"bare grow", "SP-META-01", 2, "seed: \"1.0\"\ngrow:\n"},
		{"bare grow and a comment", "SP-META-01", 2, "seed: \"1.0\"\ngrow:\n# - show\n"},
		{"empty flow sequence", "SP-META-01", 2, "seed: \"1.0\"\ngrow: [ ]\n"},
		{"another version", "SP-META-01", 1, "seed: \"1.1\"\ngrow: show\n"},
		{"empty version", "SP-META-01", 1, "seed: \"\"\ngrow: show\n"},
		{"no colon", "SP-META-02", 3, required + "hello\n"},
		{"quoted unknown key", "SP-META-02", 3, required + "\"x\": y\n"},
		{"complex key", "SP-META-02", 3, required + "? x\n"},
		{"flow map", "SP-META-02", 3, required + "{x: y}\n"},
		{"directive line", "SP-META-02", 3, required + "%TAG ! x:\n"},
		{"end of document", "SP-META-02", 3, required + "...\n"},
		{"fence with a blank", "SP-META-02", 3, required + "--- \n"},
		{"blank before the colon", "SP-META-02", 3, required + "x : y\n"},
		{"tab before the colon", "SP-META-02", 3, required + "x\t: y\n"},
		{"no blank after the colon", "SP-META-02", 3, required + "x:y\n"},
		{"known field without blank", "SP-META-02", 3, required + "name:x\n"},
		{"known field indented", "SP-META-02", 3, required + " name: x\n"},
		{"continuation of a known field", "SP-META-02", 4, required + "name: x\n  y\n"},
		{"item under a scalar grow", "SP-META-02", 3, required + "  - unfold\n"},
		{"item under nothing", "SP-META-02", 1, "- x\n" + required},
		{"item without blank", "SP-META-02", 3, "seed: \"1.0\"\ngrow:\n  -show\n"},
		{"block scalar on grow", "SP-META-02", 2, "seed: \"1.0\"\ngrow: |\n  show\n"},
		{"folded scalar on name", "SP-META-02", 3, required + "name: >-\n"},
		{"flow sequence as type", "SP-META-02", 3, required + "type: [archive]\n"},
		{"flow map as grow", "SP-META-02", 2, "seed: \"1.0\"\ngrow: {show: x}\n"},
		{"flow sequence not closed", "SP-META-02", 2, "seed: \"1.0\"\ngrow: [show\n"},
		{"flow sequence over two lines", "SP-META-02", 2, "seed: \"1.0\"\ngrow: [show,\n  unfold]\n"},
		{"quote not closed", "SP-META-02", 3, required + "type: \"archive\n"},
		{"quote with an escape", "SP-META-02", 3, required + "type: \"arch\\x69ve\"\n"},
		{"two quoted strings", "SP-META-02", 3, required + "name: 'a' 'b'\n"},
		{"doubled single quote", "SP-META-02", 3, required + "name: 'it''s'\n"},
		{"seed twice", "SP-META-03", 3, required + "seed: \"1.0\"\n"},
		{"grow twice", "SP-META-03", 3, required + "grow: show\n"},
		{"type twice", "SP-META-03", 4, required + "type: skill\ntype: skill\n"},
		{"name twice", "SP-META-03", 5, required + "name: a\nx: y\nname: a\n"},
		{"double-quoted key", "SP-META-03", 3, required + "\"grow\": exec\n"},
		{"single-quoted key", "SP-META-03", 3, required + "'type': archive\n"},
		{"blank before the colon of grow", "SP-META-03", 3, required + "grow : exec\n"},
		{"anchor", "SP-META-03", 2, "seed: \"1.0\"\ngrow: &a show\n"},
		{"alias", "SP-META-03", 2, "seed: \"1.0\"\ngrow: *a\n"},
		{"tag", "SP-META-03", 2, "seed: \"1.0\"\ngrow: !!str show\n"},
		{"tag on type", "SP-META-03", 3, required + "type: !x archive\n"},
		{"version without quotes (SP-AMB-19)", "SP-META-04", 1, "seed: 1.0\ngrow: show\n"},
		{"version in single quotes", "SP-META-04", 1, "seed: '1.0'\ngrow: show\n"},
		{"version as 1", "SP-META-04", 1, "seed: 1\ngrow: show\n"},
		{"item by one blank", "SP-META-05", 3, "seed: \"1.0\"\ngrow:\n - show\n"},
		{"item by three blanks", "SP-META-05", 3, "seed: \"1.0\"\ngrow:\n   - show\n"},
		{"item by a tab", "SP-META-05", 3, "seed: \"1.0\"\ngrow:\n\t- show\n"},
		{"items in two columns", "SP-META-05", 4, "seed: \"1.0\"\ngrow:\n- show\n  - show\n"},
		{"items in two columns, outwards", "SP-META-05", 4, "seed: \"1.0\"\ngrow:\n  - show\n- show\n"},
		{"unknown directive", "SP-GROW-01", 2, "seed: \"1.0\"\ngrow: Show\n"},
		{"unknown directive last (SP-AMB-44)", "SP-GROW-01", 4, "seed: \"1.0\"\ngrow:\n  - show\n  - later\n"},
		{"two words", "SP-GROW-01", 2, "seed: \"1.0\"\ngrow: show unfold\n"},
		{"empty item in a flow sequence", "SP-GROW-01", 2, "seed: \"1.0\"\ngrow: [show,]\n"},
		{"too many directives", "SP-META-05", 67, "seed: \"1.0\"\ngrow:\n" + strings.Repeat("- show\n", 65)},
		{"nested sequence", "SP-GROW-01", 2, "seed: \"1.0\"\ngrow: [[show]]\n"},
		{"quoted twice", "SP-GROW-01", 3, "seed: \"1.0\"\ngrow:\n  - '\"show\"'\n"},
		{"comment instead of a value", "SP-GROW-01", 2, "seed: \"1.0\"\ngrow: # show\n"},
		{"http URL", "SP-DIR-06", 2, "seed: \"1.0\"\ngrow: http://seed.example/x\n"},
		{"URL with code", "SP-DIR-06", 2, "seed: \"1.0\"\ngrow: https://seed.example/$(id)\n"},
		{"URL with a blank", "SP-DIR-06", 2, "seed: \"1.0\"\ngrow: https://seed.example/a b\n"},
		{"URL without host", "SP-DIR-06", 2, "seed: \"1.0\"\ngrow: https:///x\n"},
		{"unfold of a document (SP-AMB-24)", "SP-DIR-02", 2, "seed: \"1.0\"\ngrow: unfold\ntype: skill\n"},
		{"unfold without a type", "SP-DIR-02", 2, "seed: \"1.0\"\ngrow: unfold\n"},
		{"unfold with an upper-case type", "SP-DIR-02", 2, "seed: \"1.0\"\ngrow: unfold\ntype: Archive\n"},
		{"copy of a document", "SP-DIR-03", 2, "seed: \"1.0\"\ngrow: [show, copy]\ntype: data\n"},
		{"exec of an archive (SP-AMB-42)", "SP-DIR-04", 2, "seed: \"1.0\"\ngrow: exec\ntype: archive\n"},
		{"install without a name", "SP-DIR-05", 2, "seed: \"1.0\"\ngrow: install\n"},
		{"install with a path as name", "SP-DIR-05", 2, "seed: \"1.0\"\ngrow: install\nname: ../x\n"},
		{"install with an option as name", "SP-DIR-05", 2, "seed: \"1.0\"\ngrow: install\nname: -rf\n"},
		{"install with 101 characters", "SP-DIR-05", 2, "seed: \"1.0\"\ngrow: install\nname: " + strings.Repeat("x", 101) + "\n"},
		{"CR at the end of a line", "SP-FMT-01", 3, required + "x: y\r\n"},
		{"CR in a comment", "SP-FMT-01", 3, required + "# a\rb\n"},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, wrap(doc(c.meta)), c.rule, docLine+c.line)
			m, rep := seedfile.ParseMetadata([]byte(c.meta), 1)
			if m != nil || ruleOf(rep.Err()) != c.rule {
				t.Errorf("ParseMetadata: got %v, want nothing but a breach of %s", rep.Err(), c.rule)
			}
		})
	}
}

// SP-META-01, SP-META-02: a document without a whole metadata block.
func TestSP_META_02_Block(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, rule string
		line       int // of the document
		doc        string
	}{
		{"no metadata", "SP-META-02", 1, "# hello\n"},
		{"empty document", "SP-META-02", 1, ""},
		{"blank line first", "SP-META-02", 1, "\n" + doc(required)},
		{"blank before the fence", "SP-META-02", 1, " " + doc(required)},
		{"never closed", "SP-META-02", 1, "---\n" + required + "\nhello\n"},
		{"closed by four dashes", "SP-META-02", 1, "---\n" + required + "----\n"},
		{"over the limit", "SP-META-02", 1, doc(required + strings.Repeat("# "+strings.Repeat("x", 1021)+"\n", seedfile.MaxMetadata>>10))},
		{"CRLF", "SP-FMT-01", 1, strings.ReplaceAll(doc(required), "\n", "\r\n")},
		{"closed by CR", "SP-FMT-01", 4, "---\n" + required + "---\r\n\nhello\n"},
		{"byte-order mark", "SP-FMT-01", 1, "\xef\xbb\xbf" + doc(required)},
	} {
		t.Run(c.rule+" "+c.name, func(t *testing.T) {
			t.Parallel()
			refused(t, wrap(c.doc), c.rule, docLine+c.line-1)
		})
	}
	// The fence that would close it belongs to the shell part.
	refused(t, wrap("---\n"+required)+"---\n\n", "SP-META-02", docLine)
	// Just within the limit.
	room := seedfile.MaxMetadata - len("---\n"+required+"---\n") - len("# \n")
	mustOpen(t, wrap(doc(required+"# "+strings.Repeat("x", room)+"\n")))
	refused(t, wrap(doc(required+"# "+strings.Repeat("x", room+1)+"\n")), "SP-META-02", docLine)
}

// SP-META-05, SP-META-07, SP-META-08 and SP-AMB-01, SP-AMB-03, SP-AMB-04: the
// forms that readers accept, and what they mean. SP-DIR-01: show needs nothing.
func TestSP_META_05_Accepted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, meta string
		grow       string // joined by a blank
		typ, title string
	}{
		{"scalar", required, "show", "", ""},
		{"quoted scalars", "seed: \"1.0\"\ngrow: 'show'\ntype: \"skill\"\nname: 'x'\n", "show", "skill", "x"},
		{"block sequence", "seed: \"1.0\"\ngrow:\n  - unfold\n  - show\ntype: archive\n", "unfold show", "archive", ""},
		{"block sequence without indent", "seed: \"1.0\"\ngrow:\n- show\n- exec\n", "show exec", "", ""},
		{"flow sequence (SP-AMB-01)", "type: archive\nseed: \"1.0\"\ngrow: [unfold, \"show\",'copy']\n", "unfold show copy", "archive", ""},
		{"comments", "# a\nseed: \"1.0\" # b\ngrow: show\t# c\n  # d\ntype: tool #e\n", "show", "tool", ""},
		{"comments between items", "seed: \"1.0\"\ngrow: \n# a\n\n  - show # b\n\n  -   exec\n", "show exec", "", ""},
		{"hash without blank is text", "seed: \"1.0\"\ngrow: https://seed.example/x#y\nname: a#b\n", "https://seed.example/x#y", "", "a#b"},
		{"any order (SP-AMB-04)", "name: n\ntype: data\ngrow: show\nx: y\nseed: \"1.0\"\n", "show", "data", "n"},
		{"URL", "seed: \"1.0\"\ngrow: https://a/?b#c!&*;d\n", "https://a/?b#c!&*;d", "", ""},
		{"tabs", "seed:\t\"1.0\"\ngrow:\tshow \t\n", "show", "", ""},
		{"unknown type", required + "type: poem\n", "show", "poem", ""},
		{"empty type and name", required + "type:\nname:\n", "show", "", ""},
		{"name with blanks", required + "name: my own skill\n", "show", "", "my own skill"},
		{"install", "seed: \"1.0\"\ngrow: install\nname: " + strings.Repeat("x", 100) + "\n", "install", "", strings.Repeat("x", 100)},
		{"exec of anything but an archive", "seed: \"1.0\"\ngrow: exec\ntype: skill\n", "exec", "skill", ""},
		{"unknown fields of all shapes", required + "a: |\n  grow: exec\n\n # x\n  type: archive\nb:\n- 1\n-\n- 2\nc: {x: [y,\n\tz]}\nü b: 1\nd: &a !t *c\n", "show", "", ""},
		{"nested known names", required + "meta:\n  seed: 2\n  grow: exec\n", "show", "", ""},
		{"fence inside a block scalar", required + "a: |\n  ---\n", "show", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := doc(c.meta)
			if c.typ == "archive" {
				text = "---\n" + c.meta + "---\n\n" + arcFields + section("a", "", "") + arcEnd
			}
			m := mustOpen(t, wrap(text)).Meta
			if got := strings.Join(m.Grow, " "); got != c.grow || m.Type != c.typ || m.Name != c.title {
				t.Errorf("got %q %q %q, want %q %q %q", got, m.Type, m.Name, c.grow, c.typ, c.title)
			}
			if got := string(m.Raw()); got != c.meta {
				t.Errorf("SP-META-06: got %q, want the same bytes %q", got, c.meta)
			}
		})
	}
}

// SP-META-08, SP-META-01: what a strict checker tells and a reader lets pass.
func TestSP_META_08_Advice(t *testing.T) {
	t.Parallel()
	for meta, want := range map[string][]string{
		required:                                 {"SP-META-08", "SP-META-01"},
		required + "type: poem\nname: a b\n":     {"SP-META-08", "SP-META-01"},
		required + "type: skill\n":               {"SP-META-01"},
		required + "name: x\n":                   {"SP-META-08"},
		required + "type: context\nname: 0._-\n": nil,
	} {
		m, rep := seedfile.ParseMetadata([]byte(meta), 1)
		var got []string
		for _, f := range rep.Findings {
			if f.Severity != finding.Warning {
				t.Errorf("%q: got %v, want warnings only", meta, f)
			}
			got = append(got, f.Rule.ID)
		}
		if m == nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", meta, got, want)
		}
	}
}

// SP-META-09, SP-PAY-02: one blank line is a separator, everything else is
// payload; the document is both.
func TestSP_META_09_Separator(t *testing.T) {
	t.Parallel()
	meta := "---\n" + required + "---\n"
	for rest, want := range map[string]string{
		"":        "",
		"\n":      "",
		"\n\n":    "\n",
		"a\n":     "a\n",
		"\na\n":   "a\n",
		"\n\na\n": "\na\n",
		"\r\n":    "\r\n",
		" \na\n":  " \na\n",
	} {
		f := mustOpen(t, wrap(meta+rest))
		if got := payloadOf(t, f); got != want {
			t.Errorf("%q: got payload %q, want %q", rest, got, want)
		}
		all := make([]byte, f.Document().Size())
		if _, err := f.Document().ReadAt(all, 0); err != nil || string(all) != meta+rest {
			t.Errorf("got document %q, %v, want %q", all, err, meta+rest)
		}
	}
}

// All breaches are collected, with their lines, up to the limit.
func TestParseMetadata_Collects(t *testing.T) {
	t.Parallel()
	_, rep := seedfile.ParseMetadata([]byte("seed: 1.0\nx\ngrow: later\nx y\n"), 10)
	var got []string
	for _, f := range rep.Findings {
		if f.Severity == finding.Breach {
			got = append(got, fmt.Sprintf("%d %s", f.At.Line, f.Rule.ID))
		}
	}
	want := []string{"10 SP-META-04", "11 SP-META-02", "12 SP-GROW-01", "13 SP-META-02"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for many, want := range map[string]int{
		strings.Repeat("x\n", 1000):                                    seedfile.MaxFindings,
		required[:12] + "grow:\n" + strings.Repeat("- unfold\n", 1000): seedfile.MaxGrow + 1, // each needs an archive, and they are too many
	} {
		_, rep = seedfile.ParseMetadata([]byte(many), 1)
		if n := rep.Count(finding.Breach); n != want {
			t.Errorf("got %d breaches, want %d", n, want)
		}
		text := wrap("---\n" + many + "---\n")
		_, all, err := seedfile.Check(strings.NewReader(text), int64(len(text)), seedfile.Options{})
		if err != nil || len(all.Findings) > seedfile.MaxFindings {
			t.Errorf("got %d findings, %v, want at most %d", len(all.Findings), err, seedfile.MaxFindings)
		}
	}
}

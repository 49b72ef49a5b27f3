package seedfile_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/seedfile"
)

const richMeta = "# top\nseed: \"1.0\" # v\ntype: 'skill'\n\ndescription: |\n  one\n\n  # two\n    three\n# not its own\nkeywords:\n- a\n# inside\n- b: c\n-\ngrow:\n  - show # now\n# between\n  - exec\nü: \"x: y\"\n\n# end\n"

// SP-META-06: a field is all of its lines, blank lines and comments inside a
// block scalar included, and nothing else.
func TestSP_META_06_Fields(t *testing.T) {
	t.Parallel()
	m, err := seedMetadata(richMeta)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := m.Keys(), []string{"seed", "type", "description", "keywords", "grow", "ü"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for key, want := range map[string][2]string{
		"seed":        {"seed: \"1.0\" # v\n", "1.0"},
		"type":        {"type: 'skill'\n", "skill"},
		"description": {"description: |\n  one\n\n  # two\n    three\n", "|"},
		"keywords":    {"keywords:\n- a\n# inside\n- b: c\n-\n", ""},
		"grow":        {"grow:\n  - show # now\n  - exec\n", ""},
		"ü":           {"ü: \"x: y\"\n", "x: y"},
	} {
		value, ok := m.Value(key)
		if got := m.Field(key); got != want[0] || value != want[1] || !ok {
			t.Errorf("%s: got %q %q, want %q %q", key, got, value, want[0], want[1])
		}
	}
	if v, ok := m.Value("name"); ok || v != "" || m.Field("name") != "" {
		t.Errorf("got %q for a field that is not there", v)
	}
}

// SP-META-06, SP-META-07: With changes the lines of one field and no other byte.
func TestSP_META_06_With(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, key, lines, old, repl string }{
		{"replace", "type", "type: tool\n", "type: 'skill'\n", "type: tool\n"},
		{"replace a block scalar", "description", "description: d\n", "description: |\n  one\n\n  # two\n    three\n", "description: d\n"},
		{"remove", "keywords", "", "keywords:\n- a\n# inside\n- b: c\n-\n", ""},
		{"remove what is not there", "nothing", "", "", ""},
		{"add at the end", "new", "new:\n  - x\n", "# end\n", "# end\nnew:\n  - x\n"},
		{"add a known field in its place", "name", "name: n\n", "  - exec\n", "  - exec\nname: n\n"},
		{"sequence to scalar keeps the comment", "grow", "grow: exec\n", "grow:\n  - show # now\n# between\n  - exec\n", "grow: exec\n# between\n"},
	} {
		m, _ := seedMetadata(richMeta)
		got, err := m.With(c.key, c.lines)
		want := strings.Replace(richMeta, c.old, c.repl, 1)
		if err != nil || string(got.Raw()) != want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got.Raw(), err, want)
		}
		if string(m.Raw()) != richMeta {
			t.Errorf("%s: the original changed", c.name)
		}
	}
	// SP-META-07: known fields go to the top in their order.
	m, _ := seedMetadata("x: y\nseed: \"1.0\"\ngrow: show\n")
	m, err := m.With("name", "name: n\n")
	if err == nil {
		m, err = m.With("type", "type: data\n")
	}
	if want := "x: y\nseed: \"1.0\"\ngrow: show\ntype: data\nname: n\n"; err != nil || string(m.Raw()) != want {
		t.Errorf("got %q, %v, want %q", m.Raw(), err, want)
	}
	for rule, c := range map[string][2]string{
		"SP-META-01": {"grow", ""}, "SP-GROW-01": {"grow", "grow: later\n"}, "SP-META-02": {"x", "x\n"}, "SP-META-03": {"x", "grow: show\n"}, "SP-FMT-01": {"x", "x: \x00\n"},
	} {
		if got, err := m.With(c[0], c[1]); ruleOf(err) != rule || got != nil {
			t.Errorf("With(%q, %q): got %v, want %s and nothing else", c[0], c[1], err, rule)
		}
	}
}

// genMeta draws metadata with all kinds of lines around the required fields.
func genMeta() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		blocks := rapid.SliceOfN(rapid.SampledFrom([]string{
			"# c\n", "\n", "  # d\n", "a: 1\n", "b: |\n  x\n\n   # y\n  z\n", "c:\n- 1\n-\n- 2\n", "ü ü: {a: b}\n", "d: \"q\" # r\n", "e:\n  seed: 2\n  grow: exec\n", "type: data\n", "name: n\n",
		}), 0, 8).Draw(t, "blocks")
		for _, known := range []string{"type: data\n", "name: n\n"} { // once each
			if i := slices.Index(blocks, known); i >= 0 {
				blocks = slices.Concat(blocks[:i+1], slices.DeleteFunc(slices.Clone(blocks[i+1:]), func(s string) bool { return s == known }))
			}
		}
		for _, must := range []string{"seed: \"1.0\"\n", rapid.SampledFrom([]string{"grow: show\n", "grow:\n  - show\n  # g\n  - exec\n", "grow: [exec]\n"}).Draw(t, "grow")} {
			at := rapid.IntRange(0, len(blocks)).Draw(t, "at")
			blocks = slices.Insert(blocks, at, must)
		}
		return strings.Join(blocks, "")
	})
}

func TestSP_META_06_WithRandom(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		raw := genMeta().Draw(t, "meta")
		m, rep := seedfile.ParseMetadata([]byte(raw), 1)
		if rep.Err() != nil {
			t.Fatalf("%q: got %v", raw, rep.Err())
		}
		if string(m.Raw()) != raw {
			t.Fatalf("got %q, want %q", m.Raw(), raw)
		}
		key := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "ü ü", "type", "name", "new"}).Draw(t, "key")
		lines := rapid.SampledFrom([]string{"", key + ": v\n"}).Draw(t, "lines")
		got, err := m.With(key, lines)
		if err != nil {
			t.Fatalf("With(%q, %q) on %q: got %v", key, lines, raw, err)
		}
		if got.Field(key) != lines {
			t.Errorf("got %q, want %q", got.Field(key), lines)
		}
		for _, other := range m.Keys() {
			if other != key && got.Field(other) != m.Field(other) {
				t.Errorf("%q: got %q, want it unchanged %q", other, got.Field(other), m.Field(other))
			}
		}
		// Without the field, before and after are the same bytes.
		before, _ := m.With(key, "")
		after, _ := got.With(key, "")
		if string(before.Raw()) != string(after.Raw()) {
			t.Errorf("got %q, want %q", after.Raw(), before.Raw())
		}
	})
}

func TestFrontmatter(t *testing.T) {
	t.Parallel()
	m := seedfile.Frontmatter([]byte("---\nname: pdf\ndescription: d\n---\n# x\n"))
	if m == nil {
		t.Fatal("got nothing, want the frontmatter")
	}
	if v, _ := m.Value("description"); m.Name != "pdf" || v != "d" {
		t.Errorf("got %q %q", m.Name, v)
	}
	if m := seedfile.Frontmatter([]byte("---\nseed: \"1.0\"\ngrow: show\n---\n")); m == nil || len(m.Grow) != 1 {
		t.Errorf("got %v, want fields of a seed to be read", m)
	}
	for _, none := range []string{"", "# x\n", "---\nx: y\n", "---\n{}\n---\n", "---\r\nx: y\r\n---\r\n"} {
		if m := seedfile.Frontmatter([]byte(none)); m != nil {
			t.Errorf("%q: got %q, want nothing", none, m.Raw())
		}
	}
}

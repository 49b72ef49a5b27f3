package seedfile_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"seed/seedfile"
)

// packedLines packs one small tree for each profile and gives the seeds as lines.
func packedLines(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, c := range []struct {
		grow   []string
		data   string
		binary seedfile.Policy
	}{
		{[]string{"show"}, "text\n", seedfile.Refuse},
		{[]string{"unfold"}, "text\n", seedfile.Refuse},
		{[]string{"unfold", "https://seed.example/x"}, "text\n", seedfile.Refuse},
		{[]string{"unfold"}, "\x00\x01", seedfile.Encode},
	} {
		p, err := seedfile.PackTree(fstest.MapFS{"a": {Data: []byte(c.data)}}, []seedfile.Member{{Path: "a", Mode: 0o644}},
			seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree", Grow: c.grow}, Root: "tree", Binary: c.binary})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if _, err := p.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
		out[p.Profile.String()] = strings.Split(b.String(), "\n")
	}
	if len(out) != 4 {
		t.Fatalf("got %d profiles, want 4", len(out))
	}
	return out
}

// SP-TPL-03: the reader meets the document first. It opens on line 4, and the
// machinery after it is indented, so that markdown shows it as one code block.
func TestSP_TPL_03_DocumentFirst(t *testing.T) {
	t.Parallel()
	for profile, lines := range packedLines(t) {
		if !strings.HasPrefix(lines[3], `cat > "$TARGET/`) || lines[4] != "---" {
			t.Errorf("%s: got lines 4 and 5 %q, want the here-document and the metadata", profile, lines[3:5])
		}
		_, sentinel, _ := strings.Cut(strings.TrimSuffix(lines[3], "'"), "<<'")
		inTail := false
		for i, l := range lines[5:] {
			switch {
			case l == sentinel:
				inTail = true
			case inTail && l != "" && l != "}" && !strings.HasPrefix(l, "    "):
				t.Errorf("%s:%d: got %q, want it indented by four", profile, i+6, l)
			}
		}
		if !inTail {
			t.Errorf("%s: no line %q ends the document", profile, sentinel)
		}
	}
}

// SP-TPL-04: the here-document sits in a function, so that it runs late, when
// TARGET is the stage.
func TestSP_TPL_04_HereDocumentInAFunction(t *testing.T) {
	t.Parallel()
	for profile, lines := range packedLines(t) {
		if !strings.HasSuffix(lines[2], "seed_doc() {") {
			t.Errorf("%s: got line 3 %q, want it to open the function", profile, lines[2])
		}
		text := strings.Join(lines, "\n")
		set, call := strings.Index(text, "TARGET=$seed_s"), strings.Index(text, "seed_doc) ||")
		if set < 0 || call < set {
			t.Errorf("%s: got TARGET set at %d and the call at %d, want them in that order", profile, set, call)
		}
	}
}

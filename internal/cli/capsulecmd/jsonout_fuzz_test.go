package capsulecmd

import (
	"bytes"
	"testing"

	"seed/internal/visible"
	"seed/jcs"
)

// FuzzPrinter: whatever document a capsule holds, it is printed as the same value
// and without a character that a terminal obeys or hides (CAP-CLI-03).
func FuzzPrinter(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, ` { "a" : [ ] , "b":{ } } `, "[1.0,-0,1e21,\"\\u0041\\\\\\\"\",true,null]",
		"\"\u007f\u009b\u202e\u200b\U000e0041\U0001f600\ufe0f\"", `{"\ud83d\ude00":[[[[]]]]}`, "[\r\n\t1 , 2]",
		"[[[[[[[[[[[[[[[[[[[[0,[1]]]]]]]]]]]]]]]]]]]]]",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		doc, err := jcs.Parse(text)
		if err != nil {
			return
		}
		var out bytes.Buffer
		p := newPrinter(&out)
		p.value(doc.Root().Raw())
		if err := p.flush(); err != nil || p.depth != 0 {
			t.Fatalf("got depth %d, %v", p.depth, err)
		}
		again, err := jcs.Parse(out.Bytes())
		if err != nil {
			t.Fatalf("%q: got %q: %v", text, &out, err)
		}
		if got, want := again.Root().AppendCompact(nil), doc.Root().AppendCompact(nil); !bytes.Equal(got, want) {
			t.Errorf("%q: got the value %s, want %s", text, got, want)
		}
		if shown := out.String(); visible.Block(shown) != shown {
			t.Errorf("%q: got %q", text, shown)
		}
	})
}

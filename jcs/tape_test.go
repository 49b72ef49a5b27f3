package jcs

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The tape of a stranger's document must stay in proportion to its text.
func TestNodeSize(t *testing.T) {
	t.Parallel()
	if got := reflect.TypeFor[node]().Size(); got != 16 {
		t.Errorf("a node has %d bytes, want 16", got)
	}
}

func TestHugeDocumentIsLetGo(t *testing.T) {
	t.Parallel()
	var d Doc
	huge := `{"y":["` + strings.Repeat(`\n`, 1<<17) + `"],"z":[` + strings.Repeat(`"\n",`, 1<<17) + "1]}"
	if err := d.Parse([]byte(huge), Limits{}); err != nil {
		t.Fatal(err)
	}
	if cap(d.nodes) < 1<<17 || cap(d.texts) < 1<<17 || cap(d.escapes) < 1<<17 {
		t.Fatalf("%d nodes, %d bytes, %d escapes: not a huge document", cap(d.nodes), cap(d.texts), cap(d.escapes))
	}
	if err := d.Parse([]byte(`{"a":"\n"}`), Limits{}); err != nil {
		t.Fatal(err)
	}
	if cap(d.nodes) > 1<<10 || cap(d.texts) > 1<<10 || cap(d.escapes) > 1<<10 {
		t.Errorf("a small document after a huge one holds %d nodes, %d bytes, %d escapes", cap(d.nodes), cap(d.texts), cap(d.escapes))
	}
}

// The tape grows to what the text holds, and strings do not count as more.
func TestTapeFitsTheText(t *testing.T) {
	t.Parallel()
	const n = 1 << 16
	for _, c := range []struct {
		name, text string
		nodes      int
	}{
		{"numbers", "[" + strings.Repeat("1,", n) + "1]", n + 2},
		{"containers", "[" + strings.Repeat(`[],{},`, n) + "1]", 2*n + 2},
		{"members", "[" + strings.Repeat(`{"a":1},`, n) + "1]", 3*n + 2},
		{"brackets in strings", "[" + strings.Repeat(`"[{,:\"[\\",`, n) + `"` + strings.Repeat("[", 8*n) + `"]`, n + 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var d Doc
			if err := d.Parse([]byte(c.text), Limits{}); err != nil {
				t.Fatal(err)
			}
			most := len(c.text)/2 + 1<<13
			if c.name == "brackets in strings" {
				most = c.nodes + 1
			}
			if len(d.nodes) != c.nodes || cap(d.nodes) > most {
				t.Errorf("got %d nodes, room for %d, want %d and at most %d", len(d.nodes), cap(d.nodes), c.nodes, most)
			}
		})
	}
	// Texts that are cut or wrong after the tape was measured.
	for _, tail := range []string{"", `"`, `"\`, `"\"`, "[[[[", ",,,,", "\x00"} {
		var d Doc
		if err := d.Parse([]byte("["+strings.Repeat("1,", n)+tail), Limits{}); err == nil {
			t.Errorf("tail %q: parsed", tail)
		}
	}
}

// What sorting needed is not held as long as the document.
func TestSortKeysAreLetGo(t *testing.T) {
	t.Parallel()
	const n = 1 << 15
	var s strings.Builder
	for i := range n {
		fmt.Fprintf(&s, `"%d":0,`, i)
	}
	d, err := Parse([]byte("{" + s.String() + `"":0}`))
	if err != nil {
		t.Fatal(err)
	}
	if d.Root().Len() != n+1 || cap(d.keys) > 0 {
		t.Errorf("%d members, room for %d keys is still held", d.Root().Len(), cap(d.keys))
	}
}

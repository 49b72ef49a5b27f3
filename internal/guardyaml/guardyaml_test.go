package guardyaml_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"seed/internal/guardyaml"
)

type doc struct {
	Name  string            `yaml:"name"`
	Count int               `yaml:"count"`
	List  []string          `yaml:"list"`
	Map   map[string]string `yaml:"map"`
	Inner *doc              `yaml:"inner"`
	Any   any               `yaml:"any"`
}

func TestDecode(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		want     doc
	}{
		{"empty", "", doc{}},
		{"comments only", "# nothing\n\n", doc{}},
		{"scalars", "name: x # why\ncount: 3\n", doc{Name: "x", Count: 3}},
		{"quoted", "name: \"a: &b *c !d\"\n", doc{Name: "a: &b *c !d"}},
		{"document start", "# c\n---\nname: x\n", doc{Name: "x"}},
		{"CRLF", "name: x\r\ncount: 3\r\n", doc{Name: "x", Count: 3}},
		{"no final newline", "name: x", doc{Name: "x"}},
		{"null", "name:\n", doc{}},
		{"list", "list:\n- a\n- b\n", doc{List: []string{"a", "b"}}},
		{"flow", "list: [a, b]\nmap: {k: v}\n", doc{List: []string{"a", "b"}, Map: map[string]string{"k": "v"}}},
		{"nested", "inner:\n  inner:\n    name: x\n", doc{Inner: &doc{Inner: &doc{Name: "x"}}}},
		{"literal", "name: |\n  a &b\n  *c\n", doc{Name: "a &b\n*c\n"}},
		{"a date stays text", "name: 2026-01-02\n", doc{Name: "2026-01-02"}},
		{"many siblings", "list:\n" + strings.Repeat("- a\n", 100), doc{List: strings.Split(strings.Repeat("a ", 99)+"a", " ")}},
		{"hundred blank lines", strings.Repeat("\n", 100) + "name: x\n" + strings.Repeat("\n", 100), doc{Name: "x"}},
		{"sixteen levels", "any: " + strings.Repeat("[", 15) + strings.Repeat("]", 15), doc{Any: nested(15)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got doc
			if err := guardyaml.Decode([]byte(tt.in), &got); err != nil {
				t.Fatalf("%q: got %v, want nil", tt.in, err)
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%q: got %+v, want %+v", tt.in, got, tt.want)
			}
		})
	}
}

func nested(n int) any {
	v := []any{}
	for range n - 1 {
		v = []any{v}
	}
	return v
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		line     int
		want     string
	}{
		{"anchor", "name: x\nlist: &a [x]\n", 2, "an anchor"},
		{"alias", "name: *a\n", 1, "an alias"},
		{"alias bomb", "any: &a [x,x]\nmap: [*a,*a]\n", 1, "an anchor"},
		{"merge key", "<<: {name: x}\n", 1, "a merge key"},
		{"tag", "name: !!binary aGk=\n", 1, "a tag"},
		{"own tag", "\nname: !x y\n", 2, "a tag"},
		{"directive", "%YAML 1.2\n---\nname: x\n", 1, "a directive"},
		{"complex key", "? name\n: x\n", 1, "a complex key"},
		{"two documents", "name: x\n---\nname: y\n", 2, "a second document"},
		{"second document is empty", "---\n---\n", 2, "a second document"},
		{"document end", "name: x\n...\nname: y\n", 2, "a document end"},
		{"unknown key", "name: x\nnmae: y\n", 2, `unknown key "nmae"`},
		{"unknown key below", "inner:\n  nmae: y\n", 2, `unknown key "nmae"`},
		{"other case", "Name: x\n", 1, `unknown key "Name"`},
		{"key twice", "name: x\nname: y\n", 2, `key "name" already defined`},
		{"key twice, quoted", "name: x\n\"name\": y\n", 2, `key "name" already defined`},
		{"key twice in a map", "map:\n  a: x\n  a: y\n", 3, `key "a" already defined`},
		{"key twice in flow", "map: {a: x, a: y}\n", 1, `key "a" already defined`},
		{"key twice where anything goes", "any:\n  a: x\n  a: y\n", 3, `key "a" already defined`},
		{"key twice, escaped", "map: {a: x, \"\\x61\": y}\n", 1, `key "a" already defined`},
		{"key twice, number and text", "map: {1: x, \"1\": y}\n", 1, `key "1" already defined`},
		{"key twice, two spellings of a number", "map: {0x1: x, 1: y}\n", 1, `duplicate key "1"`},
		{"wrong type", "name: x\ncount: many\n", 2, "cannot unmarshal"},
		{"number too large", "count: 99999999999999999999\n", 1, ""},
		{"list instead of map", "- a\n", 1, ""},
		{"text instead of map", "hello\n", 1, ""},
		{"open quote", "name: \"x\n", 1, ""},
		{"open bracket", "list: [a\n", 1, ""},
		{"tab as indent", "inner:\n\tname: x\n", 2, ""},
		{"not UTF-8", "name: x\n# \xff\n", 2, "not UTF-8"},
		{"NUL", "name: \"\x00\"\n", 1, "U+0000"},
		{"escape", "name: \x1b[2J\n", 1, "U+001B"},
		{"C1", "name: \u0085x\n", 1, "U+0085"},
		{"line separator", "name: \u2028x\n", 1, "U+2028"},
		{"byte-order mark", "\ufeffname: x\n", 1, "U+FEFF"},
		{"lone CR", "name: x\rcount: 3\n", 1, "carriage return"},
		{"too large", strings.Repeat("#", guardyaml.MaxSize+1), 0, "larger than 64 KiB"},
		{"dashes in brackets", "any: [- - - a]\n", 1, "a dash between brackets"},
		{"blank lines in a block", "any: |\n" + strings.Repeat("  \r\n", 10000), 102, "more than 100 blank lines"},
		{"deep flow", "any: " + strings.Repeat("[", 16) + strings.Repeat("]", 16), 1, "nested deeper"},
		{"deep flow maps", "any: " + strings.Repeat("{a: ", 16) + strings.Repeat("}", 16), 1, "nested deeper"},
		{"deep dashes", "any:\n " + strings.Repeat("- ", 30) + "a\n", 2, "nested deeper"},
		{"deep blocks", deepBlocks(20), 17, "nested deeper"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var got doc
			err := guardyaml.Decode([]byte(tt.in), &got)
			var ge *guardyaml.Error
			if !errors.As(err, &ge) {
				t.Fatalf("got %+v, %v, want an *Error", got, err)
			}
			if ge.Line != tt.line || !strings.Contains(ge.Msg, tt.want) {
				t.Errorf("got line %d, %q, want line %d, %q", ge.Line, ge.Msg, tt.line, tt.want)
			}
			if strings.Contains(ge.Msg, "\n") {
				t.Errorf("got %q, want one line", ge.Msg)
			}
		})
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "any:\n")
	}
	return b.String()
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"name: x\ncount: 3\n", "list:\n- a\n- b\n", "map: {k: v}\n", "any: [[1, 2.5], {a: ~}]\n",
		"name: |\n  a\n  b\n", "name: >-\n  a\n", "# c\n---\nname: 'it''s'\n", "name: \"\\u00e4\"\n",
		"any: &a [*a]\n", "? a\n: b\n", "<<: x\n", "%TAG ! x\n", "- - - - a\n", "a: b: c\n", "name: \"x\n", "{", "[", "|", ">", "'",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got doc
		err := guardyaml.Decode(data, &got)
		var ge *guardyaml.Error
		if err != nil && !errors.As(err, &ge) {
			t.Fatalf("got %T, want *guardyaml.Error", err)
		}
		if ge != nil && (len(ge.Msg) > 400 || strings.Contains(ge.Msg, "\n")) {
			t.Fatalf("got a message of %d bytes: %q", len(ge.Msg), ge.Msg)
		}
		var again doc
		if err == nil {
			if err := guardyaml.Decode(data, &again); err != nil {
				t.Fatalf("second time: got %v, want nil", err)
			}
		}
	})
}

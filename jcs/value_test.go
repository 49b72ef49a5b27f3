package jcs_test

import (
	"fmt"
	"strings"
	"testing"

	"seed/jcs"
)

const sample = `{
  "zeta": [1, -2.5, "x", null, true, {}],
  "alpha": {"seq": 7, "text": "a\nb", "unknown": {"deep": [false]}},
  "Alpha": "other",
  "empty": "",
  "n": null,
  "e\u0301": 1.0
}`

func mustParse(t *testing.T, text string) jcs.Value {
	t.Helper()
	d, err := jcs.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return d.Root()
}

// What a reader does not know is part of what is hashed.
func TestCAP_JSON_09_unknownMembersStay(t *testing.T) {
	t.Parallel()
	v := mustParse(t, sample)
	const want = `{"Alpha":"other","alpha":{"seq":7,"text":"a\nb","unknown":{"deep":[false]}},"empty":"","é":1,"n":null,` +
		`"zeta":[1,-2.5,"x",null,true,{}]}`
	decomposed := strings.Replace(want, "é", "e\u0301", 1)
	if got := string(v.AppendCanonical(nil)); got != decomposed {
		t.Errorf("got %s, want %s", got, decomposed)
	}
	without := strings.Replace(decomposed, `"alpha":{"seq":7,"text":"a\nb","unknown":{"deep":[false]}},`, "", 1)
	if got := string(v.AppendCanonicalWithout(nil, "alpha")); got != without {
		t.Errorf("got %s, want %s", got, without)
	}
}

func TestCAP_JSON_10_exactNames(t *testing.T) {
	t.Parallel()
	v := mustParse(t, sample)
	for _, c := range []struct {
		name string
		want jcs.Kind
	}{
		{"alpha", jcs.Object},
		{"Alpha", jcs.String},
		{"ALPHA", jcs.Missing},
		{"alph", jcs.Missing},
		{"alpha ", jcs.Missing},
		{"", jcs.Missing},
		{"seq", jcs.Missing}, // a member of a member
		{"e\u0301", jcs.Number},
		{"\u00e9", jcs.Missing},
		{`e\u0301`, jcs.Missing},
		{"n", jcs.Null},
		{"zeta", jcs.Array},
	} {
		if got := v.Member(c.name).Kind(); got != c.want {
			t.Errorf("member %q: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestAppendCanonicalWithout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, name, want string }{
		{`{"b":1,"hash":2,"a":3}`, "hash", `{"a":3,"b":1}`},
		{`{"hash":2}`, "hash", `{}`},
		{`{"a":1,"hash":2}`, "hash", `{"a":1}`},
		{`{"a":1,"z":2}`, "a", `{"z":2}`},
		{`{"a":1,"b":2}`, "hash", `{"a":1,"b":2}`},
		{`{"a":{"hash":1},"h\u0061sh":2}`, "hash", `{"a":{"hash":1}}`}, // only the outermost
		{`{"hash":{"b":[1, 2]},"a": 1.0}`, "hash", `{"a":1}`},
		{`{}`, "hash", `{}`},
		{`["hash"]`, "hash", `["hash"]`},
		{`"hash"`, "hash", `"hash"`},
	} {
		if got := mustParse(t, c.text).AppendCanonicalWithout([]byte("x"), c.name); string(got) != "x"+c.want {
			t.Errorf("%s without %q: got %s, want x%s", c.text, c.name, got, c.want)
		}
	}
}

func TestLayout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, compact, indented string }{
		{`{ }`, `{}`, `{}`},
		{`[ ]`, `[]`, `[]`},
		{`1.50`, `1.5`, `1.5`},
		{`"\u0041"`, `"A"`, `"A"`},
		{`{"b":1, "a":[]}`, `{"b":1,"a":[]}`, "{\n  \"b\": 1,\n  \"a\": []\n}"},
		{`[1,[2,{"\/":{}}]]`, `[1,[2,{"/":{}}]]`, "[\n  1,\n  [\n    2,\n    {\n      \"/\": {}\n    }\n  ]\n]"},
	} {
		v := mustParse(t, c.text)
		if got := string(v.AppendCompact(nil)); got != c.compact {
			t.Errorf("%s compact: got %s, want %s", c.text, got, c.compact)
		}
		if got := string(v.AppendIndent(nil, "  ")); got != c.indented {
			t.Errorf("%s indented: got %s, want %s", c.text, got, c.indented)
		}
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	v := mustParse(t, sample)
	if got, want := fmt.Sprint(v.Kind(), v.Len(), v.Member("zeta").Len(), v.Member("empty").Len()), "object 6 6 0"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var order []string
	for name, m := range v.Members() {
		order = append(order, name+":"+m.Kind().String())
	}
	if got, want := strings.Join(order, " "), "zeta:array alpha:object Alpha:string empty:string n:null e\u0301:number"; got != want {
		t.Errorf("members: got %q, want %q", got, want)
	}
	var elements []string
	for i, e := range v.Member("zeta").Elements() {
		elements = append(elements, fmt.Sprintf("%d=%s", i, e.Raw()))
	}
	if got, want := strings.Join(elements, " "), `0=1 1=-2.5 2="x" 3=null 4=true 5={}`; got != want {
		t.Errorf("elements: got %q, want %q", got, want)
	}
	text := v.Member("alpha").Member("text")
	if s, ok := text.Text(); s != "a\nb" || !ok || text.Str() != s || !text.EqualText(s) || text.EqualText(`a\nb`) ||
		string(text.AppendText([]byte("x"))) != "x"+s || string(text.Raw()) != `"a\nb"` {
		t.Errorf("text: got %q, %v", s, ok)
	}
	if s, ok := v.Member("empty").Text(); s != "" || !ok || !v.Member("empty").EqualText("") {
		t.Errorf("empty text: got %q, %v", s, ok)
	}
	if line, col := v.Member("Alpha").Pos(); line != 4 || col != 12 {
		t.Errorf("position: got %d:%d, want 4:12", line, col)
	}
	if b, ok := mustParse(t, "[false,true]").Member("x").Bool(); b || ok {
		t.Errorf("Bool of nothing: got %v, %v", b, ok)
	}
	for i, e := range mustParse(t, "[false,true]").Elements() {
		if b, ok := e.Bool(); b != (i == 1) || !ok {
			t.Errorf("Bool of %s: got %v, %v", e.Raw(), b, ok)
		}
	}
	for range v.Members() {
		break
	}
	for range v.Member("zeta").Elements() {
		break
	}
}

func TestInt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true},
		{"-0", 0, true},
		{"1.0", 1, true},
		{"1e3", 1000, true},
		{"-12", -12, true},
		{"9007199254740991", 1<<53 - 1, true},
		{"-9007199254740991", -(1<<53 - 1), true},
		{"9007199254740992", 0, false},
		{"9007199254740993", 0, false},
		{"1.5", 0, false},
		{"1e300", 0, false},
		{"1e999", 0, false},
		{`"1"`, 0, false},
		{"null", 0, false},
	} {
		if got, ok := mustParse(t, c.text).Int(); got != c.want || ok != c.ok {
			t.Errorf("%s: got %d, %v, want %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}

// A Value that names nothing answers every question.
func TestMissing(t *testing.T) {
	t.Parallel()
	var d, used jcs.Doc
	if err := used.Parse([]byte(`{"a":[1,2,3]}`), jcs.Limits{}); err != nil {
		t.Fatal(err)
	}
	stale := used.Root().Member("a")
	if err := used.Parse([]byte(`[`), jcs.Limits{}); err == nil {
		t.Fatal("parsed")
	}
	for name, v := range map[string]jcs.Value{
		"zero":               {},
		"of an empty Doc":    d.Root(),
		"of a failed Doc":    used.Root(),
		"of the Doc before":  stale,
		"member of a scalar": mustParse(t, "1").Member("a"),
		"member of a member": mustParse(t, "{}").Member("a").Member("b"),
	} {
		_, isText := v.Text()
		_, isBool := v.Bool()
		_, isFloat := v.Float()
		_, isInt := v.Int()
		line, col := v.Pos()
		out := v.AppendCanonical(v.AppendCanonicalWithout(v.AppendCompact(v.AppendIndent(v.AppendText(nil), " ")), "a"))
		for range v.Members() {
			t.Errorf("%s: has members", name)
		}
		for range v.Elements() {
			t.Errorf("%s: has elements", name)
		}
		if v.Exists() || v.IsNull() || v.Kind() != jcs.Missing || v.Kind().String() != "missing" || v.Len() != 0 || v.Str() != "" ||
			v.EqualText("") || isText || isBool || isFloat || isInt || line+col != 0 || len(out)+len(v.Raw()) != 0 {
			t.Errorf("%s: is not missing", name)
		}
	}
	if !mustParse(t, "null").IsNull() {
		t.Error("null is not null")
	}
}

// A document is the same whatever the Doc held before.
func TestReuse(t *testing.T) {
	t.Parallel()
	var d jcs.Doc
	big := "[" + strings.Repeat(`{"b":"\u0041","a":1.0},`, 50_000) + "1e999]"
	for _, c := range []struct{ text, want string }{
		{`{"b":"\n","a":[1.0]}`, `{"a":[1],"b":"\n"}`},
		{big, ""},
		{`["\u0041"]`, `["A"]`},
		{`[`, ""},
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`},
	} {
		err := d.Parse([]byte(c.text), jcs.Limits{})
		if (d.Refused() != nil) != (c.text == big) {
			t.Errorf("%.40s: refused: %v", c.text, d.Refused())
		}
		if c.want == "" {
			continue
		}
		if got := d.Root().AppendCanonical(nil); err != nil || string(got) != c.want {
			t.Errorf("%.40s: got %s, %v, want %s", c.text, got, err, c.want)
		}
	}
}

func TestSteadyStateDoesNotAllocate(t *testing.T) {
	line := eventLine()
	var d jcs.Doc
	var out []byte
	got := testing.AllocsPerRun(100, func() {
		if err := d.Parse(line, jcs.Limits{}); err != nil {
			t.Fatal(err)
		}
		v := d.Root()
		out = v.AppendCanonicalWithout(out[:0], "hash")
		out = v.Member("hash").AppendText(out[:0])
		if n, ok := v.Member("seq").Int(); n != 1 || !ok || !v.Member("kind").EqualText("observation") {
			t.Fatal("members differ")
		}
	})
	if got != 0 {
		t.Errorf("got %v allocations for an event line, want 0", got)
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	doc, err := jcs.Parse([]byte(`{"s":"a\u001b","n":1.50,"b":true,"z":null,"a":[1],"o":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"s": `"a\x1b"`, "n": "1.50", "b": "true", "z": "null", "a": "(array)", "o": "(object)", "none": "undefined",
	} {
		if got := doc.Root().Member(name).Shown(); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

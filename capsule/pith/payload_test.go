package pith_test

import (
	"slices"
	"strings"
	"testing"

	"seed/capsule/pith"
	"seed/jcs"
)

func parse(t *testing.T, src string) jcs.Value {
	t.Helper()
	d, err := jcs.Parse([]byte(src))
	if err != nil {
		t.Fatalf("%s: %v", src, err)
	}
	return d.Root()
}

func TestCAP_PTH_06_fields(t *testing.T) {
	t.Parallel()
	one := pith.Options{MaxSentences: 1}
	for _, c := range []struct {
		in, want string
		changed  []string
	}{
		{`{}`, `{}`, nil},
		{`{"summary":"One. Two."}`, `{"summary":"One."}`, []string{"payload.summary"}},
		{`{"summary":"One."}`, `{"summary":"One."}`, nil},
		{
			`{ "z": [1.0, "A.  B."], "note": "One. Two.", "statement": "a  b", "x": {"summary": "One. Two."} }`,
			`{"z":[1,"A.  B."],"note":"One.","statement":"a b","x":{"summary":"One. Two."}}`,
			[]string{"payload.statement", "payload.note"},
		},
		{`{"summary":["One. Two."],"note":null,"statement":7}`, `{"summary":["One. Two."],"note":null,"statement":7}`, nil},
		{
			`{"milestones":[{"text":"One. Two."}],"decisions":[1,"One. Two.",{"text":7},{"item":"One. Two."},{"a":1,"text":"One. Two.","b":[]}],` +
				`"open_items":[{"item":"One. Two.","text":"One. Two."},{"item":"One."}],"summary":" x"}`,
			`{"milestones":[{"text":"One."}],"decisions":[1,"One. Two.",{"text":7},{"item":"One. Two."},{"a":1,"text":"One.","b":[]}],` +
				`"open_items":[{"item":"One.","text":"One. Two."},{"item":"One."}],"summary":"x"}`,
			[]string{"payload.summary", "payload.open_items", "payload.decisions", "payload.milestones"},
		},
		{`{"open_items":{"item":"One. Two."},"decisions":"One. Two."}`, `{"open_items":{"item":"One. Two."},"decisions":"One. Two."}`, nil},
		{`{"open_items":[],"decisions":[{}]}`, `{"open_items":[],"decisions":[{}]}`, nil},
		{`["One. Two."]`, `["One. Two."]`, nil},
		{`"One. Two."`, `"One. Two."`, nil},
	} {
		v := parse(t, c.in)
		before := string(v.AppendCompact(nil))
		out, changed := pith.Payload(v, one)
		if string(out) != c.want || !slices.Equal(changed, c.changed) {
			t.Errorf("%s: got %s %q, want %s %q", c.in, out, changed, c.want, c.changed)
		}
		if after := string(v.AppendCompact(nil)); after != before {
			t.Errorf("%s: the input became %s", c.in, after)
		}
	}
	if out, changed := pith.Payload(jcs.Value{}, one); len(out) != 0 || changed != nil {
		t.Errorf("no value: got %s %q", out, changed)
	}
}

// The names come in the order of the rule, whatever the order of the members.
func TestCAP_PTH_07_changedNames(t *testing.T) {
	t.Parallel()
	const long = `" a.  B. "`
	src := `{"milestones":[{"text":` + long + `}],"decisions":[{"text":` + long + `}],"open_items":[{"item":` + long + `}],` +
		`"note":` + long + `,"statement":` + long + `,"summary":` + long + `}`
	_, changed := pith.Payload(parse(t, src), pith.Options{})
	want := "payload.summary payload.statement payload.note payload.open_items payload.decisions payload.milestones"
	if got := strings.Join(changed, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	out, _ := pith.Payload(parse(t, src), pith.Options{})
	if _, again := pith.Payload(parse(t, string(out)), pith.Options{}); again != nil {
		t.Errorf("a second time: got %q, want no change", again)
	}
}

// The advice to authors is to keep exact data verbatim in members of its own:
// there nothing is touched, however long it is.
func TestCAP_PTH_08_exactDataStays(t *testing.T) {
	t.Parallel()
	exact := strings.Repeat("exact. Data.  ", 100)
	src := `{"summary":"Ran it.","command":"` + exact + `","rows":[12.4,"` + exact + `"]}`
	out, changed := pith.Payload(parse(t, src), pith.Options{})
	if string(out) != src || changed != nil {
		t.Errorf("got %s %q, want it unchanged", out, changed)
	}
}

// What July does to a pair is refused where the event is read.
func TestCAP_PTH_05_julyPayloadIsRefused(t *testing.T) {
	t.Parallel()
	src := `{"summary":"a` + strings.Repeat("🙂", 200) + `"}`
	for _, c := range []struct {
		o       pith.Options
		refused bool
	}{
		{pith.Options{MaxChars: 279, Variant: pith.July}, true},
		{pith.Options{MaxChars: 280, Variant: pith.July}, false},
		{pith.Options{MaxChars: 279}, false},
		{pith.Options{MaxChars: 280}, false},
	} {
		out, changed := pith.Payload(parse(t, src), c.o)
		if !slices.Equal(changed, []string{"payload.summary"}) {
			t.Errorf("%+v: changed %q", c.o, changed)
		}
		d, err := jcs.Parse(out)
		if err != nil {
			t.Fatalf("%+v: %s: %v", c.o, out, err)
		}
		if got := d.Refused() != nil; got != c.refused {
			t.Errorf("%+v: %s: refused %v, want %v", c.o, out, got, c.refused)
		}
	}
}

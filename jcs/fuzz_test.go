package jcs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"seed/jcs"
)

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", " ", "null", "[true,false]", "-0", "1e21", "1e999", "9007199254740992", "0.1e-7", "01", "[1,]", `{"a":1,"\u0061":2}`, sample,
		`{"b":"\ud83d\ude00","a":"\ud83d"}`, "{\"\U0001f600\":1,\"\ue000\":2,\"\":3}", "\ufeff1", "\"\xed\xa0\x80\"", `"\u001F\u001f\/"`,
		strings.Repeat("[", 600), `[{"x":[],"y":{}}, 1.50 ]`, string(eventLine()),
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		var d jcs.Doc
		if err := d.Parse(src, jcs.Limits{}); err != nil {
			checkFuzzError(t, src, err)
			return
		}
		if !json.Valid(src) || !utf8.Valid(src) {
			t.Fatalf("accepted %q", src)
		}
		v := d.Root()
		want := v.AppendCanonical(nil)
		if d.Refused() == nil && twice(t, src) {
			t.Fatalf("accepted %q, which has a name twice", src)
		}
		// Outside the boundary the output is JSON and stable all the same, once
		// numbers that are not finite have become null.
		for _, out := range [][]byte{want, v.AppendCompact(nil), v.AppendIndent(nil, " ")} {
			again, err := jcs.Parse(out)
			if err != nil {
				t.Fatalf("%q became %q: %v", src, out, err)
			}
			if d.Refused() == nil && again.Refused() != nil {
				t.Fatalf("%q became %q, which is refused: %v", src, out, again.Refused())
			}
			if got := again.Root().AppendCanonical(nil); !bytes.Equal(got, want) {
				t.Fatalf("%q became %q, whose canonical form is %q, not %q", src, out, got, want)
			}
		}
		walk(t, v)
	})
}

// checkFuzzError checks an error against what encoding/json makes of the text.
func checkFuzzError(t *testing.T, src []byte, err error) {
	var e *jcs.Error
	if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(src) || e.Line < 1 || e.Col < 1 {
		t.Fatalf("%q: got %#v", src, err)
	}
	valid := json.Valid(src) && utf8.Valid(src)
	switch e.Reason {
	case jcs.InvalidJSON:
		if valid {
			t.Fatalf("%q: got %v, encoding/json accepts it", src, err)
		}
	case jcs.DuplicateMember:
		if valid && !twice(t, src) {
			t.Fatalf("%q: got %v, no name is there twice", src, err)
		}
	case jcs.TooDeep:
	default:
		t.Fatalf("%q: got %v from Parse", src, err)
	}
}

// twice reports whether an object of a valid text has a name twice, as
// encoding/json sees the names.
func twice(t *testing.T, src []byte) bool {
	dec := json.NewDecoder(bytes.NewReader(src))
	dec.UseNumber()
	var open []map[string]bool // nil for an array
	name := false              // a name is due in the innermost object
	for dec.More() || len(open) > 0 {
		tok, err := dec.Token()
		if err != nil {
			t.Fatalf("%q: encoding/json: %v", src, err)
		}
		if s, ok := tok.(string); ok && name {
			if open[len(open)-1][s] {
				return true
			}
			open[len(open)-1][s] = true
			name = false
			continue
		}
		switch tok {
		case json.Delim('{'):
			open = append(open, map[string]bool{})
		case json.Delim('['):
			open = append(open, nil)
		case json.Delim('}'), json.Delim(']'):
			open = open[:len(open)-1]
		}
		name = len(open) > 0 && open[len(open)-1] != nil
	}
	return false
}

// walk reads everything there is to read of v.
func walk(t *testing.T, v jcs.Value) {
	n := 0
	for name, m := range v.Members() {
		if got := v.Member(name); got != m {
			t.Fatalf("member %q: got %q, want %q", name, got.Raw(), m.Raw())
		}
		walk(t, m)
		n++
	}
	for i, e := range v.Elements() {
		if i != n {
			t.Fatalf("element %d of %q comes as %d", n, v.Raw(), i)
		}
		walk(t, e)
		n++
	}
	if v.Len() != n {
		t.Fatalf("%q: got length %d, want %d", v.Raw(), v.Len(), n)
	}
	if s, ok := v.Text(); ok && !v.EqualText(s) {
		t.Fatalf("%q: text %q is not equal to itself", v.Raw(), s)
	}
	if k, ok := v.Int(); ok {
		if f, ok := v.Float(); !ok || f != float64(k) {
			t.Fatalf("%q: got %d and %v", v.Raw(), k, f)
		}
	}
}

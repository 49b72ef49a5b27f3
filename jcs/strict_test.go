package jcs_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"seed/jcs"
)

// refusal is a text and where and why it is refused.
type refusal struct {
	text   string
	reason jcs.Reason
	offset int
}

// parseError returns the error of a text that must not parse.
func parseError(t *testing.T, text string) *jcs.Error {
	t.Helper()
	d, err := jcs.Parse([]byte(text))
	var e *jcs.Error
	if !errors.As(err, &e) || d != nil {
		t.Fatalf("%.80q: got %v, %v, want a *jcs.Error and no document", text, d, err)
	}
	return e
}

func checkError(t *testing.T, c refusal, e *jcs.Error, rule string) {
	t.Helper()
	if e == nil {
		t.Errorf("%.80q: not refused, want %s", c.text, c.reason)
		return
	}
	if e.Reason != c.reason || e.Offset != c.offset || e.Rule.ID != rule {
		t.Errorf("%.80q: got %s at %d under %s, want %s at %d under %s (%v)",
			c.text, e.Reason, e.Offset, e.Rule.ID, c.reason, c.offset, rule, e)
	}
}

func TestCAP_JSON_01_strictText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"null", "true", "false", "0", "-1", "1.5e-3", `""`, "[]", "{}", " \t\r\n[ 1 , 2 ]\n", `{"a":{"b":[null]}}`,
		`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00"`, "\"\u007f\u2028\U0010ffff\"", "[[],{},[{}]]", "1E5", "0.0", "-0", "[0e+1]",
	} {
		if _, err := jcs.ParseStrict([]byte(text)); err != nil {
			t.Errorf("%q: got %v, want no error", text, err)
		}
	}
	for _, c := range []struct {
		text   string
		offset int
	}{
		{"", 0},
		{" \n", 2},
		{"\ufeff{}", 0},
		{"{}\ufeff", 2},
		{"{} {}", 3},
		{"1 2", 2},
		{"[1]x", 3},
		{"null\x00", 4},
		{"\"\xff\"", 1},
		{"\"\xed\xa0\x80\"", 1}, // half a surrogate pair
		{"\"\xc0\xaf\"", 1},     // overlong
		{"\"\xf4\x90\x80\x80\"", 1},
		{"\"\xe2\x82\"", 1},
		{"[\"good\"]\x80", 8},
		{"\u00a0[]", 0},
		{"[1,]", 3},
		{"[,1]", 1},
		{"[1 2]", 3},
		{"[", 1},
		{"[1", 2},
		{"[1,", 3},
		{"[1}", 2},
		{"]", 0},
		{"{", 1},
		{"{1:2}", 1},
		{"{a:1}", 1},
		{"{'a':1}", 1},
		{`{"a"}`, 4},
		{`{"a"`, 4},
		{`{"a" 1}`, 5},
		{`{"a":}`, 5},
		{`{"a":1,}`, 7},
		{`{"a":1,`, 7},
		{`{"a":1 "b":2}`, 7},
		{`{"a":1]`, 6},
		{`{"a":1`, 6},
		{"// c\n1", 0},
		{"[1]/**/", 3},
		{"01", 0},
		{"-01", 1},
		{"[00]", 1},
		{"1.", 2},
		{"1.e5", 2},
		{".5", 0},
		{"+1", 0},
		{"-", 1},
		{"-x", 1},
		{"1e", 2},
		{"1e+", 3},
		{"1ex", 2},
		{"1_000", 1},
		{"0x10", 1},
		{"1f", 1},
		{"NaN", 0},
		{"Infinity", 0},
		{"-Infinity", 1},
		{"tru", 0},
		{"True", 0},
		{"nul", 0},
		{"nullnull", 4},
		{"falsy", 0},
		{"undefined", 0},
		{`"abc`, 0},
		{`["a`, 1},
		{`"a\`, 2},
		{`"\"`, 0},
		{"\"a\nb\"", 2},
		{"\"long enough\x1f\"", 12},
		{"\"\t\"", 1},
		{`"\x41"`, 1},
		{`"\'"`, 1},
		{`"\U0041"`, 1},
		{`"\u12"`, 1},
		{`"\u12g4"`, 1},
		{`"\u`, 1},
		{`"\u 041"`, 1},
		{`"\ud83d\u12"`, 7},
	} {
		checkError(t, refusal{c.text, jcs.InvalidJSON, c.offset}, parseError(t, c.text), "CAP-JSON-01")
	}
}

// Strings are read eight bytes at a time: every byte must be seen at every place.
func TestCAP_JSON_01_everyByteInAString(t *testing.T) {
	t.Parallel()
	for c := range 0x80 {
		for at := range 20 {
			body := []byte(strings.Repeat("x", 20))
			body[at] = byte(c)
			text := `["` + string(body) + `","` + strings.Repeat("y", 20) + `"]`
			d, err := jcs.Parse([]byte(text))
			switch {
			case c < 0x20 || c == '"' || c == '\\':
				if err == nil {
					t.Errorf("%q: accepted as %q", text, d.Root().AppendCanonical(nil))
				}
			case err != nil:
				t.Errorf("%q: %v", text, err)
			case d.Root().Len() != 2 || string(d.Root().AppendCanonical(nil)) != text:
				t.Errorf("%q: read as %q", text, d.Root().AppendCanonical(nil))
			}
		}
	}
}

func TestCAP_JSON_02_duplicateNames(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"a":1,"b":1}`, `{"a":1,"A":1}`, `{"a":{"a":{"a":1}}}`, `[{"a":1},{"a":1}]`, `{"":1,"\u0000":1}`,
		"{\"\u00e9\":1,\"e\u0301\":1}", `{"abcdefgh":1,"abcdefgh\u0000":1}`,
	} {
		if _, err := jcs.ParseStrict([]byte(text)); err != nil {
			t.Errorf("%q: got %v, want no error", text, err)
		}
	}
	for _, c := range []refusal{
		{`{"a":1,"a":1}`, jcs.DuplicateMember, 7},
		{`{"a":1,"\u0061":2}`, jcs.DuplicateMember, 7},
		{`{"\u0061":1,"a":2}`, jcs.DuplicateMember, 12},
		{`{"b":1,"a":2,"b":3,"a":4}`, jcs.DuplicateMember, 13},
		{`{"a":1,"a":2,"a":3}`, jcs.DuplicateMember, 7},
		{`{"x":[{"y":{"a":1,"b":2,"a":3}}]}`, jcs.DuplicateMember, 24},
		{`{"":1,"":2}`, jcs.DuplicateMember, 6},
		{`{"/":1,"\/":2}`, jcs.DuplicateMember, 7},
		{"{\"\U0001f600\":1,\"\\ud83d\\ude00\":2}", jcs.DuplicateMember, 10},
		{`{"a much longer name":1,"a much longer nam\u0065":2}`, jcs.DuplicateMember, 24},
		{`{"\ud800":1,"\uD800":2}`, jcs.DuplicateMember, 12},
		{`{"a":{},"b":[],"a":{}}`, jcs.DuplicateMember, 15},
	} {
		checkError(t, c, parseError(t, c.text), "CAP-JSON-02")
	}
}

// Many members must cost about n log n, whatever their names are and wherever
// the duplicate is.
func TestCAP_JSON_02_manyMembers(t *testing.T) {
	t.Parallel()
	const n = 100_000
	for _, c := range []struct{ name, format string }{
		{"short", `"%d":0,`},
		{"one head for all", `"` + strings.Repeat("h", 100) + `%d":0,`},
		{"escaped", `"\u0061%d":0,`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var s strings.Builder
			s.WriteByte('{')
			for i := range n {
				fmt.Fprintf(&s, c.format, i*7919%n)
			}
			start := time.Now()
			d, err := jcs.Parse([]byte(s.String() + `"z":1}`))
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Root().Len(); got != n+1 {
				t.Errorf("got %d members, want %d", got, n+1)
			}
			at := s.Len()
			text := s.String() + strings.TrimSuffix(fmt.Sprintf(c.format, 4711), ",") + "}"
			checkError(t, refusal{text, jcs.DuplicateMember, at}, parseError(t, text), "CAP-JSON-02")
			// Comparing every pair would be ten billion comparisons.
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %v for %d members", took, n)
			}
		})
	}
}

func TestCAP_JSON_08_limits(t *testing.T) {
	t.Parallel()
	nest := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for _, c := range []struct {
		text string
		lim  jcs.Limits
		want jcs.Reason
	}{
		{nest(512), jcs.Limits{}, ""},
		{nest(513), jcs.Limits{}, jcs.TooDeep},
		{objects(512), jcs.Limits{}, ""},
		{objects(513), jcs.Limits{}, jcs.TooDeep},
		{"[" + strings.TrimSuffix(strings.Repeat("[[]],", 600), ",") + "]", jcs.Limits{Depth: 3}, ""},
		{"[[[1]],[[[]]]]", jcs.Limits{Depth: 3}, jcs.TooDeep},
		{"1", jcs.Limits{Depth: 1}, ""},
		{nest(10_000), jcs.Limits{Depth: math.MaxInt}, ""},
		{nest(10_001), jcs.Limits{Depth: math.MaxInt}, jcs.TooDeep}, // the writers recurse
		{strings.Repeat("[", 1<<20), jcs.Limits{}, jcs.TooDeep},
		{"[1,2]", jcs.Limits{Size: 5}, ""},
		{"[1,2] ", jcs.Limits{Size: 5}, jcs.TooLarge},
		{"[1,2]", jcs.Limits{Depth: -1, Size: -1}, ""},
	} {
		var d jcs.Doc
		err := d.Parse([]byte(c.text), c.lim)
		var e *jcs.Error
		errors.As(err, &e)
		if c.want == "" && err != nil || c.want != "" && (e == nil || e.Reason != c.want || e.Rule.ID != "CAP-JSON-08") {
			t.Errorf("%.20q of %d bytes, %+v: got %v, want %q", c.text, len(c.text), c.lim, err, c.want)
		}
	}
	large := make([]byte, jcs.MaxSize+1)
	if _, err := jcs.Parse(large); err == nil || !strings.Contains(err.Error(), "limit") {
		t.Errorf("a text over the default limit: got %v", err)
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"{\n  \"a\": 1,\n  \"b\" 2\n}", `line 3, column 7: "2" stands where a colon should be (CAP-JSON-01)`},
		{"[1", `line 1, column 3: the text ends where a comma or a closing bracket should be (CAP-JSON-01)`},
		{"{\"\x1b[2J\":1}", `line 1, column 3: a control character stands in a string without an escape (CAP-JSON-01)`},
		{"[\x1b]", `line 1, column 2: "\x1b" stands where a value should be (CAP-JSON-01)`},
		{`{"\u001b":1,"\u001b":2}`, `line 1, column 13: member "\x1b" stands in its object twice (CAP-JSON-02)`},
		{"\n\xff", `line 2, column 1: byte ff is not UTF-8 (CAP-JSON-01)`},
	} {
		if got := parseError(t, c.text).Error(); got != c.want {
			t.Errorf("%q: got %q, want %q", c.text, got, c.want)
		}
	}
	long := `"` + strings.Repeat("n", 5000) + `"`
	if got := parseError(t, "{"+long+":1,"+long+":2}").Error(); len(got) > 200 {
		t.Errorf("message of a long name has %d bytes", len(got))
	}
}

package jcs_test

import (
	"errors"
	"strings"
	"testing"

	"seed/jcs"
)

// checkRefused checks texts that parse but must not be hashed.
func checkRefused(t *testing.T, rule string, cases []refusal) {
	t.Helper()
	for _, c := range cases {
		d, err := jcs.Parse([]byte(c.text))
		if err != nil {
			t.Errorf("%q: Parse: %v", c.text, err)
			continue
		}
		checkError(t, c, d.Refused(), rule)
		var e *jcs.Error
		if _, err := jcs.ParseStrict([]byte(c.text)); !errors.As(err, &e) || *e != *d.Refused() {
			t.Errorf("%q: ParseStrict: got %v, want %v", c.text, err, d.Refused())
		}
		if out, err := jcs.Canonical([]byte(c.text)); err == nil || out != nil {
			t.Errorf("%q: Canonical: got %q, %v, want an error", c.text, out, err)
		}
	}
}

func checkAccepted(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		d, err := jcs.Parse([]byte(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if r := d.Refused(); r != nil {
			t.Errorf("%q: refused: %v", text, r)
		}
	}
}

func TestCAP_JSON_03_unpairedSurrogates(t *testing.T) {
	t.Parallel()
	checkAccepted(t, `"\ud83d\ude00"`, `"\uD83D\uDE00"`, `"\udbff\udfff"`, `"\ud800\udc00x"`, `"\ud7ff\ue000\uffff"`, `"\\ud83d"`,
		`{"\ud83d\ude00":1}`)
	checkRefused(t, "CAP-JSON-03", []refusal{
		{`"\ud83d"`, jcs.UnpairedSurrogate, 1},
		{`"\ude00"`, jcs.UnpairedSurrogate, 1},
		{`"ab\uD83Dcd"`, jcs.UnpairedSurrogate, 3},
		{`"\ud83d\ud83d\ude00"`, jcs.UnpairedSurrogate, 1},
		{`"\ud83d\ude00\ude00"`, jcs.UnpairedSurrogate, 13},
		{`"\ude00\ud83d"`, jcs.UnpairedSurrogate, 1},
		{`"\ud83d\n"`, jcs.UnpairedSurrogate, 1},
		{`"\ud83d\u0041"`, jcs.UnpairedSurrogate, 1},
		{`{"a":{"\udfff":1}}`, jcs.UnpairedSurrogate, 7},
	})
}

func TestCAP_JSON_04_notFinite(t *testing.T) {
	t.Parallel()
	checkAccepted(t, "1.7976931348623157e308", "-1.7976931348623157e+308", "1e-999", "0e999", "1.7976931348623158e308")
	checkRefused(t, "CAP-JSON-04", []refusal{
		{"1e999", jcs.NumberOutOfRange, 0},
		{"-1e999", jcs.NumberOutOfRange, 0},
		{"[0, 1E+309]", jcs.NumberOutOfRange, 4},
		{`{"n":1.7976931348623159e308}`, jcs.NumberOutOfRange, 5},
		{"1" + strings.Repeat("0", 400), jcs.NumberOutOfRange, 0},
	})
}

// The rule is about the token that comes out, not the one that goes in.
func TestCAP_JSON_05_integerRange(t *testing.T) {
	t.Parallel()
	checkAccepted(t, "9007199254740991", "-9007199254740991", "9007199254740991.0", "9.007199254740991e15", "1e21", "-1e21", "1e300",
		"4.35", "1e15", "999999999999999", "1000000000000000", "1"+strings.Repeat("0", 21), "0.1e16")
	checkRefused(t, "CAP-JSON-05", []refusal{
		{"9007199254740992", jcs.IntegerOutOfRange, 0},
		{"-9007199254740992", jcs.IntegerOutOfRange, 0},
		{"9007199254740993", jcs.IntegerOutOfRange, 0},
		{"[1, 9007199254740992.0]", jcs.IntegerOutOfRange, 4},
		{"1e19", jcs.IntegerOutOfRange, 0},
		{"1e16", jcs.IntegerOutOfRange, 0},
		{"-1E+20", jcs.IntegerOutOfRange, 0},
		{"999999999999999900000", jcs.IntegerOutOfRange, 0},
		{"100000000000000000000", jcs.IntegerOutOfRange, 0},
		{`{"a":{"b":[18446744073709551615]}}`, jcs.IntegerOutOfRange, 11},
		{"9007199254740991.9", jcs.IntegerOutOfRange, 0},
	})
}

// Whatever is outside the boundary is told as a refusal with its reason, the
// first one in the text, and parsing goes on to find what is no JSON at all.
func TestCAP_JSON_06_refusalsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text   string
		reason jcs.Reason
		rule   string
	}{
		{`{"a":1,"a":2}`, "duplicate_member", "CAP-JSON-02"},
		{`["\ud800",1e999]`, "unpaired_surrogate", "CAP-JSON-03"},
		{`[1e999,"\ud800"]`, "number_out_of_range", "CAP-JSON-04"},
		{`[1e16,"\ud800",1e999]`, "integer_out_of_range", "CAP-JSON-05"},
		{`["\ud800",]`, "invalid_json", "CAP-JSON-01"},
	} {
		_, err := jcs.Canonical([]byte(c.text))
		var e *jcs.Error
		if !errors.As(err, &e) || e.Reason != c.reason || e.Rule.ID != c.rule || e.Rule.Want == "" {
			t.Errorf("%q: got %v, want %s under %s", c.text, err, c.reason, c.rule)
		}
	}
}

// A refused document can still be read and shown.
func TestRefusedDocumentsCanBeRead(t *testing.T) {
	t.Parallel()
	d, err := jcs.Parse([]byte(`{"s":"a\ud800\udbffz","n":1e999,"i":12345678901234567890}`))
	if err != nil {
		t.Fatal(err)
	}
	v := d.Root()
	if got, want := v.Member("s").Str(), "a\xed\xa0\x80\xed\xaf\xbfz"; got != want {
		t.Errorf("text: got %q, want %q", got, want)
	}
	if f, ok := v.Member("n").Float(); ok {
		t.Errorf("Float of 1e999: got %v", f)
	}
	if f, ok := v.Member("i").Float(); !ok || f != 12345678901234567890 {
		t.Errorf("Float: got %v, %v", f, ok)
	}
	const want = `{"s":"a\ud800\udbffz","n":null,"i":12345678901234567000}`
	if got := v.AppendCompact(nil); string(got) != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

package jcs_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"seed/jcs"
)

func checkCanonical(t *testing.T, cases [][2]string) {
	t.Helper()
	for _, c := range cases {
		got, err := jcs.Canonical([]byte(c[0]))
		if err != nil || string(got) != c[1] {
			t.Errorf("%q: got %q, %v, want %q", c[0], got, err, c[1])
		}
		if again, err := jcs.Canonical(got); err != nil || string(again) != c[1] {
			t.Errorf("canonical form of %q is not stable: got %q, %v", c[1], again, err)
		}
	}
}

func TestCAP_JCS_01_objects(t *testing.T) {
	t.Parallel()
	checkCanonical(t, [][2]string{
		{`{}`, `{}`},
		{"\n{ \t}\r", `{}`},
		{`{"b":1,"a":2}`, `{"a":2,"b":1}`},
		{"{ \"b\" : [ 1 , { \"d\" : 1 , \"c\" : 2 } ] , \"a\" : { } }", `{"a":{},"b":[1,{"c":2,"d":1}]}`},
		{`{"a":1,"b": 2}`, `{"a":1,"b":2}`},
		{`{"a" :1,"b":2}`, `{"a":1,"b":2}`},
		{`{"a":1,"b":2 }`, `{"a":1,"b":2}`},
		{`{ "a":1}`, `{"a":1}`},
		{`[{"a":1}, {"a":1}]`, `[{"a":1},{"a":1}]`},
		{`{"\u0062":1,"a":2}`, `{"a":2,"b":1}`}, // sorted by the raw name
		{`{"a":{"z":1,"y":{"x":1,"w":2}}}`, `{"a":{"y":{"w":2,"x":1},"z":1}}`},
		{`{"10":1,"9":2,"1":3}`, `{"1":3,"10":1,"9":2}`},
	})
	// More members than are sorted by insertion.
	var in, want []string
	for i := range 500 {
		in = append(in, fmt.Sprintf(`"%d": %d`, i*7%500, i*7%500))
		want = append(want, fmt.Sprintf(`"%d":%d`, i, i))
	}
	slices.SortFunc(want, func(a, b string) int {
		return strings.Compare(strings.Split(a, ":")[0][1:], strings.Split(b, ":")[0][1:])
	})
	// A quote sorts before every digit, so names with their closing quote are in order too.
	checkCanonical(t, [][2]string{{"{" + strings.Join(in, ",") + "}", "{" + strings.Join(want, ",") + "}"}})
}

func TestCAP_JCS_02_strings(t *testing.T) {
	t.Parallel()
	checkCanonical(t, [][2]string{
		{`"\b\t\n\f\r\"\\"`, `"\b\t\n\f\r\"\\"`},
		{`"\u0008\u0009\u000a\u000C\u000d\u0022\u005c"`, `"\b\t\n\f\r\"\\"`},
		{`"\u0000\u000b\u000e\u001f"`, `"\u0000\u000b\u000e\u001f"`},
		{`"\u000B\u001F"`, `"\u000b\u001f"`},
		{`"\/\u002f/"`, `"///"`},
		{`"\u003c\u003e\u0026<>&"`, `"<>&<>&"`},
		{`"\u007f\u0080\u2028\u2029"`, "\"\u007f\u0080\u2028\u2029\""},
		{"\"\u007f\u0080\u2028\u2029\"", "\"\u007f\u0080\u2028\u2029\""},
		{`"\ud83d\ude00\uD83D\uDE00"`, "\"\U0001f600\U0001f600\""},
		{`"\u00e9e\u0301"`, "\"\u00e9e\u0301\""}, // no normalisation
		{`"\u00e5\u212b"`, "\"\u00e5\u212b\""},
		{`"plain \\ text \n with \u0041"`, `"plain \\ text \n with A"`},
		{`{"\n\u000a":"\u000a"}`, `{"\n\n":"\n"}`},
		{`"\uffff\ufffe\ufeff"`, "\"\uffff\ufffe\ufeff\""},
	})
	for _, c := range []struct{ in, want string }{
		{"", `""`},
		{"a\x00\x1f\n\"\\/<\u2028", `"a\u0000\u001f\n\"\\/<` + "\u2028\""},
		{"\U0001f600é", "\"\U0001f600é\""},
		{"a\xffb", "\"a\ufffdb\""}, // not UTF-8: JSON nevertheless
		{"\xed\xa0\x80", `"\ud800"`},
		{"\xed\xbf\xbf", `"\udfff"`},
		{"\xed\xa0", "\"\ufffd\ufffd\""},
		{"\xf0\x9f", "\"\ufffd\ufffd\""},
		{"\ufffd", "\"\ufffd\""},
	} {
		if got := jcs.AppendString([]byte("x"), c.in); string(got) != "x"+c.want {
			t.Errorf("AppendString(%q): got %s, want x%s", c.in, got, c.want)
		}
	}
}

func TestCAP_JCS_03_numbers(t *testing.T) {
	t.Parallel()
	checkCanonical(t, [][2]string{
		{"0", "0"},
		{"-0", "0"},
		{"-0.0", "0"},
		{"-0e5", "0"},
		{"[-0]", "[0]"},
		{"5e-324", "5e-324"},
		{"2e-324", "0"},
		{"2.2250738585072014e-308", "2.2250738585072014e-308"},
		{"1.7976931348623157e+308", "1.7976931348623157e+308"},
		{"0.000001", "0.000001"},
		{"1e-6", "0.000001"},
		{"0.0000001", "1e-7"},
		{"-1.5E-07", "-1.5e-7"},
		{"9.999999999999997e-7", "9.999999999999997e-7"},
		{"1e-10", "1e-10"},
		{"333333333.33333329", "333333333.3333333"},
		{"0.30000000000000004", "0.30000000000000004"},
		{"123456789012", "123456789012"},
		{"1e21", "1e+21"},
		{"1E+0021", "1e+21"},
		{"123e20", "1.23e+22"},
		{"4.50", "4.5"},
		{"2e-3", "0.002"},
		{"0.000000000000000000000000001", "1e-27"},
		{"9007199254740991", "9007199254740991"},
		{"123456789012345", "123456789012345"},
		{"-999999999999999", "-999999999999999"},
		{"1234567890123456", "1234567890123456"},
		{"9007199254740990.5", "9007199254740990"},
		{"2251799813685248.5", "2251799813685248.5"},
	})
	for _, f := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		if got := jcs.AppendNumber(nil, f); string(got) != "null" {
			t.Errorf("AppendNumber(%v): got %s, want null", f, got)
		}
	}
}

func TestCAP_JCS_04_literalsArraysIntegers(t *testing.T) {
	t.Parallel()
	checkCanonical(t, [][2]string{
		{" true ", "true"},
		{" false ", "false"},
		{" null ", "null"},
		{"[3,1,2]", "[3,1,2]"},
		{`[ "b" , "a" , [ ] , { } , null ]`, `["b","a",[],{},null]`},
		{"1.0", "1"},
		{"1e0", "1"},
		{"10E-1", "1"},
		{"[1.0,1e0,100e-2]", "[1,1,1]"},
		{`{"b":1.0,"a":[true,false,null]}`, `{"a":[true,false,null],"b":1}`},
	})
}

func TestCAP_JCS_05_keyOrder(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		order []string // as it must come out
	}{
		{"empty name first", []string{"", "\x00", " ", "a"}},
		{"prefix before extension", []string{"a", "a\x00", "aa", "aaa", "aaaaaaaa", "aaaaaaaa\x00", "aaaaaaaab", "ab"}},
		{"controls, quote and backslash by code unit", []string{"\b", "\t", "\n", "\x1f", " ", "!", "\"", "#", "/", "0", "[", "\\", "]", "u"}},
		{"the surrogate gap", []string{"\U0001f600", "\ue000", "\uffff"}},
		{"the surrogate gap's edges", []string{"\ud7ff", "\U00010000", "\ue000"}},
		{"decomposed before f before composed", []string{"e\u0301", "f", "\u00e9"}},
		{"the surrogate gap after a long head", []string{"0123456789\U0010ffff", "0123456789\ue000", "0123456789\uffff"}},
		{"the surrogate gap inside a head", []string{"ab\u20ac", "ab\ud7ff", "ab\U00010000", "ab\U0010ffff", "ab\ue000", "ab\ufeff", "ab\uffff"}},
		{"upper before lower", []string{"A", "B", "a", "b"}},
	} {
		t.Run("CAP-JCS-05 "+c.name, func(t *testing.T) {
			t.Parallel()
			object := func(names []string) string {
				var b []byte
				for _, name := range names {
					b = append(b, ',')
					b = jcs.AppendString(b, name)
					b = append(b, ":1"...)
				}
				return "{" + string(b[1:]) + "}"
			}
			want := object(c.order)
			for turn := range c.order {
				in := append(slices.Clone(c.order[turn:]), c.order[:turn]...)
				slices.Reverse(in)
				checkCanonical(t, [][2]string{{object(in), want}})
			}
			for i, a := range c.order {
				for j, b := range c.order {
					if got := jcs.CompareUTF16(a, b); got != compareInts(i, j) {
						t.Errorf("CompareUTF16(%q, %q): got %d", a, b, got)
					}
				}
			}
		})
	}
}

func compareInts(i, j int) int {
	return min(1, max(-1, i-j))
}

func TestCAP_JCS_05_compareAgainstUTF16(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.OneOf(rapid.Rune(), rapid.SampledFrom([]rune{0, 'a', 0x7f, 0x80, 0x7ff, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff})))
	rapid.Check(t, func(t *rapid.T) {
		head := text.Draw(t, "head")
		a, b := head+text.Draw(t, "a"), head+text.Draw(t, "b")
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		if got := jcs.CompareUTF16(a, b); got != want {
			t.Fatalf("CompareUTF16(%q, %q): got %d, want %d", a, b, got, want)
		}
	})
	// Any bytes: distinct texts are never equal.
	for a := range 256 {
		for b := range 256 {
			if got := jcs.CompareUTF16(string([]byte{byte(a)}), string([]byte{byte(b)})); (got == 0) != (a == b) {
				t.Errorf("CompareUTF16 of the bytes %02x and %02x: got %d", a, b, got)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		a, b := string(rapid.SliceOf(rapid.Byte()).Draw(t, "a")), string(rapid.SliceOf(rapid.Byte()).Draw(t, "b"))
		if ab, ba := jcs.CompareUTF16(a, b), jcs.CompareUTF16(b, a); ab != -ba || (ab == 0) != (a == b) {
			t.Fatalf("CompareUTF16(%q, %q): got %d and %d", a, b, ab, ba)
		}
	})
}

// Names that share long heads, zero bytes and both sides of the surrogate gap,
// in objects of all sizes, against a sort of their UTF-16.
func TestCAP_JCS_01_namesAgainstUTF16(t *testing.T) {
	t.Parallel()
	piece := rapid.SampledFrom([]string{"\x00", "a", "b", "abcdefgh", "abcdefg\x00", "é", "\ud7ff", "\ue000", "\U00010000"})
	name := rapid.Map(rapid.SliceOfN(piece, 0, 8), func(p []string) string { return strings.Join(p, "") })
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.SampledFrom([]int{1, 8, 40}).Draw(t, "least")
		names := rapid.SliceOfNDistinct(name, least, 60, rapid.ID).Draw(t, "names")
		object := func(names []string) []byte {
			b := []byte("{")
			for i, name := range names {
				if i > 0 {
					b = append(b, ',')
				}
				b = append(jcs.AppendString(b, name), ":0"...)
			}
			return append(b, '}')
		}
		text := object(names)
		sorted := slices.Clone(names)
		slices.SortFunc(sorted, func(a, b string) int {
			return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		})
		want := object(sorted)
		if got, err := jcs.Canonical(text); err != nil || string(got) != string(want) {
			t.Fatalf("%s: got %s, %v, want %s", text, got, err, want)
		}
		again := rapid.SampledFrom(names).Draw(t, "again")
		_, err := jcs.Parse(object(append(names, again)))
		var e *jcs.Error
		if !errors.As(err, &e) || e.Reason != jcs.DuplicateMember || e.Offset != len(text) {
			t.Fatalf("%s and %q again: got %v, want a duplicate at %d", text, again, err, len(text))
		}
	})
}

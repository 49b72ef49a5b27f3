package jcs_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"seed/jcs"
)

// eventLine is an event as a chain holds it, members in the order of writing.
func eventLine() []byte {
	return fmt.Appendf(nil, `{"seq":1,"event_id":"evt_001","actor":"human:a","kind":"observation","action":"read_source",`+
		`"target":"notes/field-report.md","timestamp":"2026-07-01T12:00:00Z",`+
		`"payload":{"summary":"the report was read and agrees with the figures","n":1},"prev_hash":"%s",`+
		`"untrusted_payload_fields":["payload.summary"],"hash":"%s"}`,
		strings.Repeat("0", 64), strings.Repeat("5e", 32))
}

func BenchmarkEventLine(b *testing.B) {
	line := eventLine()
	var d jcs.Doc
	var out []byte
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.Parse(line, jcs.Limits{}); err != nil {
			b.Fatal(err)
		}
		out = d.Root().AppendCanonicalWithout(out[:0], "hash")
	}
}

func BenchmarkEncodingJSON(b *testing.B) {
	line := eventLine()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	names := func(n int, format string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, format, i)
		}
		return strings.TrimSuffix(s.String(), ",")
	}
	for _, c := range []struct{ name, text string }{
		{"escapes", `["` + strings.Repeat(`a line\nwith \"quotes\" and \u00e9\n`, 2000) + `"]`},
		{"floats", "[" + names(5000, "%d.25,") + "]"},
		{"members", "{" + names(100_000, `"m%d":0,`) + "}"},
		{"long-names", "{" + names(2000, `"`+strings.Repeat("x", 500)+`%d":0,`) + "}"},
	} {
		b.Run(c.name, func(b *testing.B) {
			var d jcs.Doc
			var out []byte
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if err := d.Parse([]byte(c.text), jcs.Limits{}); err != nil {
					b.Fatal(err)
				}
				out = d.Root().AppendCanonical(out[:0])
			}
		})
	}
}

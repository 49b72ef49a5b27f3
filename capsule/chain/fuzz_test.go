package chain_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"seed/capsule/chain"
)

// FuzzWalk: any bytes give a bounded result, the same however they are read; a
// clean log can be resumed, and what is appended to it is clean again.
func FuzzWalk(f *testing.F) {
	lines, _ := three(f, nil)
	for _, s := range []string{
		"", "\n", "{}", "[]\n{}\r\n", text(lines), strings.Join(lines, "\r\n"), lines[1], text(lines) + "{", strings.Repeat("{}\n", 50),
		`{"seq":1e0,"hash":"\ud800","prev_hash":1e999}`, `{"a":1,"a":1}`, strings.Repeat("[", 600), `{"untrusted_payload_fields":[["payload.a"],"payload."]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, log []byte) {
		const keep = 20
		o := chain.Options{Keep: keep, Visit: func(e chain.Event) error {
			for _, p := range e.Untrusted() {
				if !chain.UntrustedPath(p) {
					t.Fatalf("%q was given out as a path", p)
				}
				e.Resolve(p)
			}
			return nil
		}}
		res, err := chain.Walk(bytes.NewReader(log), o)
		if err != nil {
			t.Fatalf("%q: %v", log, err)
		}
		if len(res.Problems) > keep || res.Events > bytes.Count(log, []byte("\n"))+1 {
			t.Fatalf("%q: %d problems kept of %d events", log, len(res.Problems), res.Events)
		}
		for _, p := range res.Problems {
			if p.Rule.ID == "" || p.Reason == "" || p.Message == "" || p.Seq < 1 || p.Seq > res.Events || len(p.Message) > 1000 {
				t.Fatalf("%q: odd problem %+v", log, p)
			}
		}
		again, err := chain.Walk(iotest.HalfReader(bytes.NewReader(log)), o)
		if err != nil || !reflect.DeepEqual(res, again) {
			t.Fatalf("%q: got %+v, then in other pieces %+v, %v", log, res, again, err)
		}
		resumed, err := chain.Resume(iotest.OneByteReader(bytes.NewReader(log)), nil)
		if (err == nil) != res.OK() {
			t.Fatalf("%q: resumed with %v, walked with %v", log, err, said(res))
		}
		if err != nil {
			return
		}
		if res.Events > 0 && (!chain.Hex64(res.First) || !chain.Hex64(res.Last)) {
			t.Fatalf("%q: clean, from %q to %q", log, res.First, res.Last)
		}
		line, err := resumed.Append(chain.Draft{Actor: "ai:x", Action: "went on", Timestamp: noon})
		if err != nil {
			t.Fatalf("%q: %v", log, err)
		}
		longer := append(append(bytes.Clone(log), '\n'), line...)
		res2, err := chain.Walk(bytes.NewReader(longer), chain.Options{})
		if err != nil || !res2.OK() || res2.Events != res.Events+1 || res2.Last != resumed.Last() {
			t.Fatalf("%q: got %+v, %v", longer, res2, err)
		}
	})
}

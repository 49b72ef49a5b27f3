package seedfile_test

import (
	"bytes"
	"testing"

	"seed/seedfile"
	"seed/seedfile/transport"
	"seed/testkit"
)

// SP-TEST-04: this reader gives every vector the verdict that a shell transport
// and a registry give it. The vectors are documents; each is put into a
// transport whose checksum is right, so that nothing but the document decides.
func TestSP_TEST_04_Agreement(t *testing.T) {
	t.Parallel()
	docs, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) < 100 {
		t.Fatalf("got %d vectors, want at least 100", len(docs))
	}
	for _, d := range docs {
		t.Run(d.Name, func(t *testing.T) {
			t.Parallel()
			p := transport.Full
			if bytes.Contains(d.Body, []byte(`enc="base64"`)) {
				p = transport.Bin
			}
			text := canonical(string(d.Body), p)
			f, rep, err := seedfile.Check(bytes.NewReader([]byte(text)), int64(len(text)), seedfile.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if d.OK() {
				if rep.Err() != nil || f == nil {
					t.Errorf("%s: got %v, want ok (%s)", d.Note, rep.Err(), d.Rule)
				}
				return
			}
			if f != nil || ruleOf(rep.Err()) != d.Rule {
				t.Errorf("%s: got %v, want a breach of %s (%s)", d.Note, rep.Err(), d.Rule, d.Expect)
			}
		})
	}
}

package testkit_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"seed/testkit"
)

func TestDocuments(t *testing.T) {
	t.Parallel()
	docs, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`^SP-[A-Z]+-[0-9]{2}$`)
	reasons := map[string]bool{"ok": true, "invalid": true, "unsafe_path": true, "unknown_directive": true}
	bodies := map[string]string{}
	good := 0
	for _, d := range docs {
		if !reasons[d.Expect] {
			t.Errorf("%s: expect %q is no reason", d.Name, d.Expect)
		}
		if !rule.MatchString(d.Rule) {
			t.Errorf("%s: rule %q is no rule id", d.Name, d.Rule)
		}
		if d.OK() != strings.HasPrefix(d.Name, "ok-") {
			t.Errorf("%s: expect is %q, but the name says otherwise", d.Name, d.Expect)
		}
		switch d.Shell {
		case testkit.Same, testkit.Blind, testkit.Untested:
		default:
			t.Errorf("%s: shell %q", d.Name, d.Shell)
		}
		if !bytes.HasSuffix(d.Body, []byte("\n")) {
			t.Errorf("%s: body does not end with a line feed (SP-FMT-10)", d.Name)
		}
		if other, ok := bodies[string(d.Body)]; ok {
			t.Errorf("%s: same body as %s", d.Name, other)
		}
		bodies[string(d.Body)] = d.Name
		if d.OK() {
			good++
		}
	}
	if bad := len(docs) - good; good < 100 || bad < 100 {
		t.Errorf("got %d good and %d bad vectors, want at least 100 of each", good, bad)
	}
}

func TestDocumentsEscape(t *testing.T) {
	t.Parallel()
	docs, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"meta-cr-comment":       "---\nseed: \"1.0\"\ngrow: show\n# a\rb\n---\n\nhello\n",
		"document-invalid-utf8": "---\nseed: \"1.0\"\ngrow: show\n---\n\nhello\n\xff\xfe\n",
		"ok-payload-long-line":  "---\nseed: \"1.0\"\ngrow: show\n---\n\n" + strings.Repeat("0123456789", 100_000) + "\n",
	}
	for _, d := range docs {
		if w, ok := want[d.Name]; ok && string(d.Body) != w {
			t.Errorf("%s: got %.60q, want %.60q", d.Name, d.Body, w)
		}
		delete(want, d.Name)
	}
	for name := range want {
		t.Errorf("%s: no such vector", name)
	}
}

func TestSignedDocuments(t *testing.T) {
	t.Parallel()
	list, err := testkit.SignedDocuments()
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`^SIG-[0-9]{2}$`)
	bodies, count := map[string]string{}, map[string]int{}
	for _, s := range list {
		if !rule.MatchString(s.Rule) {
			t.Errorf("%s: rule %q is no rule id", s.Name, s.Rule)
		}
		want := "invalid"
		for _, state := range []string{"valid", "unsigned"} {
			if strings.HasPrefix(s.Name, state+"-") {
				want = state
			}
		}
		if s.Expect != want {
			t.Errorf("%s: expect is %q, but the name says %q", s.Name, s.Expect, want)
		}
		if !bytes.HasPrefix(s.Body, []byte("---\n")) || !bytes.HasSuffix(s.Body, []byte("\n")) {
			t.Errorf("%s: the body is no document", s.Name)
		}
		if want == "valid" && (len(s.Secret) != 32 || len(s.Message) != 82) {
			t.Errorf("%s: got a secret of %d and a message of %d bytes, want 32 and 82", s.Name, len(s.Secret), len(s.Message))
		}
		if other, ok := bodies[string(s.Body)]; ok {
			t.Errorf("%s: same body as %s", s.Name, other)
		}
		bodies[string(s.Body)] = s.Name
		count[s.Expect]++
	}
	if count["valid"] < 15 || count["unsigned"] < 5 || count["invalid"] < 80 {
		t.Errorf("got %v, want at least 15 valid, 5 unsigned and 80 invalid vectors", count)
	}
}

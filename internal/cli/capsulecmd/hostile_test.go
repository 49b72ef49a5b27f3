package capsulecmd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"seed/capsule/build"
	"seed/capsule/chain"
)

// hostileText steers a terminal, turns text around and hides letters.
const hostileText = "\x1b[2J\x1b]0;x\x07\r\u009b31m\u202eevil\u200b\U000e0041\x7f\nverdict    valid"

// live reports whether text holds a character that a terminal obeys or hides.
func live(text string) bool {
	return strings.ContainsAny(text, "\x1b\x07\r\u009b\u202e\u200b\U000e0041\x7f")
}

// TestCAP_CLI_03_HostileText: nothing of a capsule reaches the terminal alive,
// whatever command shows it and in whatever form.
func TestCAP_CLI_03_HostileText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.tty = true
	quoted, err := json.Marshal(map[string]any{"summary": hostileText, hostileText: []string{hostileText}})
	if err != nil {
		t.Fatal(err)
	}
	d := draft(t)
	d.Label = hostileText
	d.Participants = []build.Participant{{ActorID: "human:" + hostileText, Role: hostileText, Label: hostileText}}
	d.Files = append(d.Files, build.Text("payload/\u202etxt.exe\u200b", "x"), build.Text("skills/\u202ex/SKILL.md", "x"))
	d.Files[0] = build.Text("program.md", hostileText)
	d.Files[1] = build.Text("agents.md", hostileText)
	for i := range d.Files {
		d.Files[i].Carried = true
	}
	d.Chain = events(t, chain.Draft{Actor: "human:" + hostileText, Action: hostileText, Target: hostileText, Payload: quoted})
	d.Signers = append(d.Signers, build.Signer{Role: "notary " + hostileText, Key: testKey(2)})
	d.Extra = []chain.Member{{Name: "x-test-text", Value: quoted}}
	path := w.seal("hostile.capsule", d)

	other := draft(t)
	plain := w.seal("plain.capsule", other)
	broken := w.write("broken.capsule", nil)
	w.write("XDG_CONFIG_HOME/seed/trust.yaml", nil)

	for _, words := range [][]string{
		{"verify", path},
		{"inspect", path},
		{"chain", path},
		{"manifest", path},
		{"envelope", path},
		{"program", path},
		{"agents", path},
		{"diff", path, plain},
		{"diff", plain, path},
		{"verify", broken},
		{"extract", path, w.path("out")},
	} {
		for _, more := range [][]string{nil, {"--json"}} {
			a := w.run(append(words, more...)...)
			if live(a.out) || live(a.errors) {
				t.Errorf("%q: got %q and %q", append(words, more...), a.out, a.errors)
			}
			switch words[0] {
			case "program", "agents", "manifest", "envelope": // they are that text
				continue
			}
			if strings.Contains(a.out, "\nverdict    valid") {
				t.Errorf("%q: text of the capsule begins a line: %s", words, a.out)
			}
			if more == nil {
				w.narrow(a.out)
			}
		}
	}

	var got []struct{ Payload map[string]any }
	if err := json.Unmarshal([]byte(w.expect(0, "chain", path, "--json").out), &got); err != nil || got[0].Payload["summary"] != hostileText {
		t.Errorf("got %q, %v: the value must be the same to a reader of JSON", got, err)
	}
}

// TestDeepDocument: a document that nests deep is printed within a small multiple
// of its size.
func TestDeepDocument(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	deep := strings.Repeat("[", 400) + strings.Repeat("0,", 20000) + "0" + strings.Repeat("]", 400)
	d.Extra = []chain.Member{{Name: "x-test-deep", Value: []byte(deep)}}
	out := w.expect(0, "manifest", w.seal("deep.capsule", d)).out
	if n := len(out); n > 20*len(deep) {
		t.Errorf("got %d bytes of output for %d bytes of input", n, len(deep))
	}
	if !json.Valid([]byte(out)) {
		t.Error("got no JSON")
	}
}

package capsulecmd_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"seed/capsule/build"
	"seed/capsule/chain"
)

// TestInspectMembers: the JSON has exactly the members of the reference.
func TestInspectMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	names, values := members(t, w.expect(0, "inspect", path, "--json").out)
	want := []string{
		"file", "file_size_bytes", "capsule_id", "first_event_hash", "originator", "participants", "format", "encryption", "signed_at",
		"cipher", "signers", "content_index_files", "chain_length", "action_histogram", "payload_files", "payload_total_bytes",
	}
	if !slices.Equal(names, want) {
		t.Errorf("got the members %q, want %q", names, want)
	}
	for name, want := range map[string]string{
		"chain_length": "2", "payload_total_bytes": "8", "cipher": `"none"`, "encryption": "null", "content_index_files": "5",
		"signed_at": `"` + testTime + `"`,
	} {
		if string(values[name]) != want {
			t.Errorf("%s: got %s, want %s", name, values[name], want)
		}
	}
	has(t, string(values["action_histogram"]), `"created": 1`, `"reviewed": 1`)
	has(t, string(values["payload_files"]), `"payload/plan.md"`, `"size": 4`)
	has(t, string(values["signers"]), publicHex(testKey(1)))
	has(t, string(values["participants"]), `"human:ana"`, `"author"`)
	has(t, string(values["originator"]), `"label": "Ana"`)
}

// TestInspectText: it says that nothing was verified, also of a damaged capsule.
func TestInspectText(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	w.damage(path, "one\n", "two\n")
	a := w.expect(0, "inspect", path)
	w.narrow(a.out)
	has(t, a.out, "nothing of this was verified", "Signers, not checked", "payload/plan.md", "human:ana, ai:critic", "2: created 1, reviewed 1",
		"seed capsule verify")
	w.expect(2, "inspect", w.write("junk", []byte("junk")))
	w.expect(2, "inspect", w.path("nowhere"))
}

// TestEncryptedContentIsNotShown: commands that need the content end with 2, the
// others say what can be seen from outside.
func TestEncryptedContentIsNotShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.shared("tamper-detection/output/clean-encrypted.capsule")
	for _, name := range []string{"chain", "program", "agents"} {
		a := w.expect(2, name, path)
		has(t, a.errors, "encrypted", "seed capsule decrypt")
		if a.out != "" {
			t.Errorf("%s: got %q", name, a.out)
		}
	}
	a := w.expect(0, "inspect", path)
	has(t, a.out, "ChaCha20-Poly1305, 1 recipient", "not readable")
	_, values := members(t, w.expect(0, "inspect", path, "--json").out)
	if string(values["chain_length"]) != "null" || string(values["action_histogram"]) != "{}" {
		t.Errorf("got %s events and the actions %s", values["chain_length"], values["action_histogram"])
	}
	w.expect(0, "manifest", path)
	w.expect(0, "envelope", path)
}

// TestChainJSON: the events as they are stored, member order kept.
func TestChainJSON(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	path := w.seal("good.capsule", d)
	r, err := d.Chain.Open()
	if err != nil {
		t.Fatal(err)
	}
	stored := make([]byte, d.Chain.Size)
	if _, err := r.Read(stored); err != nil {
		t.Fatal(err)
	}
	out := w.expect(0, "chain", path, "--json").out
	var got []json.RawMessage
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(stored)), "\n") {
		if compact := strings.NewReplacer("\n", "", "  ", "", ": ", ":").Replace(string(got[i])); compact != line {
			t.Errorf("event %d: got %s, want %s", i+1, compact, line)
		}
	}
	if !strings.HasPrefix(out, "[\n  {\n    \"seq\": 1,\n") || !strings.HasSuffix(out, "\n  }\n]\n") {
		t.Errorf("got the layout %s", out)
	}
	a := w.expect(0, "chain", path, "--json", "--limit", "1")
	if err := json.Unmarshal([]byte(a.out), &got); err != nil || len(got) != 1 {
		t.Errorf("got %d events, %v, want 1", len(got), err)
	}
	has(t, a.errors, "1 more event is not shown")
}

func TestChainTable(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	d.Participants = nil
	d.Chain = events(t, created(), chain.Draft{
		Actor: "ai:" + strings.Repeat("long", 20), Kind: "observation", Action: strings.Repeat("action", 9), Target: strings.Repeat("t", 99),
	})
	path := w.seal("good.capsule", d)
	a := w.expect(0, "chain", path)
	w.narrow(a.out)
	has(t, a.out, "   1  2026-05-21T12:00:00Z  human:ana         decision     created\n      payload/plan.md\n   2  ",
		"\n      "+strings.Repeat("t", 73)+"…\n")
	a = w.expect(0, "chain", path, "--limit", "1")
	has(t, a.out, "   1  2026-05-21T12:00:00Z  human:ana  decision     created\n") // as wide as what is shown
	if strings.Contains(a.out, "   2  ") {
		t.Errorf("got %s, want the first event only", a.out)
	}
	has(t, a.errors, "1 more event is not shown")

	d.Chain = events(t,
		chain.Draft{Actor: "human:ana", Action: "said", Target: "x", Payload: []byte(`{"note":"no","summary":"two\nlines \u001b[2J"}`)},
		chain.Draft{Actor: "human:ana", Action: "said", Payload: []byte(`{"summary":7,"statement":"` + strings.Repeat("s", 99) + `"}`)},
		chain.Draft{Actor: "human:ana", Action: "said", Target: strings.Repeat("t", 99), Payload: []byte(`{"note":"` + strings.Repeat("n", 99) + `"}`)},
		chain.Draft{Actor: "human:ana", Action: "said"})
	a = w.expect(0, "chain", w.seal("said.capsule", d))
	w.narrow(a.out)
	has(t, a.out, "\n      x: two lines ", "\n      capsule: sss", "\n      ttt", "…: nnn", "\n      capsule\n")
	if n := strings.Count(a.out, "\n"); n != 1+4*2 || strings.Contains(a.out, "\x1b") {
		t.Errorf("got %d lines: %q", n, a.out)
	}

	d.Template, d.Chain = true, build.File{}
	empty := w.seal("empty.capsule", d)
	if a := w.expect(0, "chain", empty); a.out != "no events\n" {
		t.Errorf("got %q", a.out)
	}
	if a := w.expect(0, "chain", empty, "--json"); a.out != "[]\n" {
		t.Errorf("got %q", a.out)
	}
}

// TestDocuments: manifest and envelope come out as the value that is stored.
func TestDocuments(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	d.Extra = []chain.Member{{Name: "x-test-odd", Value: []byte(`{"z":[],"a":{},"n":1.5e-9,"deep":[[1]]}`)}}
	path := w.seal("good.capsule", d)
	out := w.expect(0, "manifest", path).out
	has(t, out, "{\n  \"content_index\": {\n", `"z": []`, `"a": {}`, "1.5e-9", "\"deep\": [\n      [\n        1\n      ]\n    ]")
	if out2 := w.expect(0, "manifest", path, "--json").out; out2 != out {
		t.Errorf("got %s with --json, want the same", out2)
	}
	names, _ := members(t, w.expect(0, "envelope", path).out)
	if names[0] != "version" {
		t.Errorf("got the members %q, want the order of the file", names)
	}
	w.expect(2, "manifest", w.write("junk", []byte("junk")))
}

// TestTexts: exact bytes in a pipe, visible ones on a terminal.
func TestTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	d := draft(t)
	const text = "# P\r\n\x1b]0;owned\x07\u202e\xff\n"
	d.Files[0] = build.Text("program.md", text)
	path := w.seal("good.capsule", d)
	if a := w.expect(0, "program", path); a.out != text {
		t.Errorf("got %q, want %q", a.out, text)
	}
	w.tty = true
	if a := w.expect(0, "program", path); strings.ContainsAny(a.out, "\x1b\x07\u202e") || !strings.HasPrefix(a.out, "# P\r\n") {
		t.Errorf("got %q on a terminal", a.out)
	}
	has(t, w.expect(0, "program", path, "--json").out, `"base64"`, `"text": null`)
	has(t, w.expect(0, "agents", path, "--json").out, `"text": "# Agents\n"`)
	w.tty = false
	if a := w.expect(0, "agents", path); a.out != "# Agents\n" {
		t.Errorf("got %q", a.out)
	}

	d.Files = slices.Delete(d.Files, 1, 2)
	none := w.seal("none.capsule", d)
	a := w.expect(0, "agents", none)
	if a.out != "" || !strings.Contains(a.errors, "no agents.md") {
		t.Errorf("got %q and %q for a capsule without agents.md", a.out, a.errors)
	}
	has(t, w.expect(0, "agents", none, "--json").out, `"present": false`)
}

// TestCAP_LAY_04_MissingFiles: what is not in the capsule cannot be printed.
func TestCAP_LAY_04_MissingFiles(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	has(t, w.expect(2, "program", w.without(path, "program.md")).errors, "no program.md", "CAP-LAY-04")
	bare := w.without(path, chain.Path)
	has(t, w.expect(2, "chain", bare).errors, "event log")
	_, values := members(t, w.expect(0, "inspect", bare, "--json").out)
	if string(values["chain_length"]) != "null" {
		t.Errorf("got %s events of a chain that is missing", values["chain_length"])
	}
	has(t, w.expect(1, "verify", bare).out, "invalid, not intact", "CAP-LAY-03", "CAP-IDX-04")
	w.expect(2, "extract", bare, w.path("out"))
	w.expect(1, "diff", path, bare)
}

// TestDamagedTextIsNotPrinted: the checksum is looked at before the first byte.
func TestDamagedTextIsNotPrinted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	w.damage(path, "# Plan\n", "# Plot\n")
	if a := w.expect(2, "program", path); a.out != "" {
		t.Errorf("got %q", a.out)
	}
	w.damage(path, `"reviewed"`, `"rejected"`)
	for _, more := range [][]string{nil, {"--json"}} {
		a := w.expect(2, append([]string{"chain", path}, more...)...)
		if strings.Contains(a.out, "rejected") {
			t.Errorf("got %q", a.out)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	w.stdin = string(data)
	w.expect(0, "agents", "-")
}

package chain_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/capsule/chain"
	"seed/capsule/pith"
	"seed/finding"
	"seed/jcs"
)

// reference returns the event lines of the shared plain vector and their hashes.
func reference(t *testing.T) (log string, hashes []string) {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "vectors", "capsule", "plain-basic.json")
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skipf("no shared vectors: %s", path)
	}
	if err != nil {
		t.Fatal(err)
	}
	var vector struct {
		Expected struct {
			Events []string `json:"event_hashes"`
		} `json:"expected"`
		Capsule []byte `json:"capsule_bytes_b64"`
	}
	if err := json.Unmarshal(data, &vector); err != nil {
		t.Fatal(err)
	}
	_, rest, _ := bytes.Cut(vector.Capsule, []byte(chain.Path))
	lines, _, ok := bytes.Cut(rest, []byte("PK\x03\x04"))
	if !ok || len(vector.Expected.Events) != 2 {
		t.Fatalf("%s has no event log of two events", path)
	}
	return string(lines), vector.Expected.Events
}

// TestCAP_CHN_10_ReferenceLines: the same events give the same bytes as the
// reference writes.
func TestCAP_CHN_10_ReferenceLines(t *testing.T) {
	t.Parallel()
	want, hashes := reference(t)
	var log chain.Log
	var got []byte
	for _, d := range []chain.Draft{
		{
			Actor: "human:originator", Kind: "observation", Action: "created_vector", Target: "program.md", Timestamp: noon,
			Payload: []byte(`{"summary":"Created minimal plain conformance vector."}`),
		},
		{
			Actor: "human:reviewer", Kind: "decision", Action: "accepted_vector", Target: "payload/data.json", Timestamp: "2026-05-21T12:00:01Z",
			Payload: []byte(`{ "summary" : "Accepted vector payload for conformance." }`),
		},
	} {
		line, err := log.Append(d)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, line...)
	}
	if string(got) != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if log.First() != hashes[0] || log.Last() != hashes[1] || log.Len() != 2 {
		t.Errorf("got %s, %s, %d, want %v", log.First(), log.Last(), log.Len(), hashes)
	}
	expect(t, want, chain.Options{Actors: map[string]bool{"human:originator": true, "human:reviewer": true}})
}

// written appends one event to a new log and returns the line without hashes.
func written(t *testing.T, d chain.Draft) string {
	t.Helper()
	if d.Actor == "" {
		d.Actor, d.Action, d.Timestamp = "human:ana", "approved", noon
	}
	var log chain.Log
	line, err := log.Append(d)
	if err != nil {
		t.Fatalf("%+v: %v", d, err)
	}
	expect(t, string(line), chain.Options{})
	if !bytes.HasSuffix(line, []byte(`,"hash":"`+log.First()+"\"}\n")) || bytes.Count(line, []byte("\n")) != 1 {
		t.Errorf("%s does not end in its hash and one LF", line)
	}
	out, _, _ := strings.Cut(string(line), `,"hash":`)
	return strings.Replace(out, chain.Genesis, "0", 1)
}

func TestCAP_CHN_10_MemberOrder(t *testing.T) {
	t.Parallel()
	const head = `{"seq":1,"event_id":"evt_001","actor":"human:ana","kind":"observation","action":"approved","target":"capsule","timestamp":"` + noon + `","payload":`
	for _, c := range []struct {
		name string
		d    chain.Draft
		want string
	}{
		{"CAP-BLD-02 the defaults", chain.Draft{}, head + `{},"prev_hash":"0","untrusted_payload_fields":[]`},
		{
			"marks that were given stand before prev_hash",
			chain.Draft{Payload: []byte(`{"b":1.0,"a":"\u0041"}`), Untrusted: []string{"payload.a"}},
			head + `{"b":1,"a":"A"},"untrusted_payload_fields":["payload.a"],"prev_hash":"0"`,
		},
		{
			"an empty list that was given marks nothing",
			chain.Draft{Payload: []byte(`{"summary":"s"}`), Untrusted: []string{}},
			head + `{"summary":"s"},"untrusted_payload_fields":[],"prev_hash":"0"`,
		},
		{
			"further members in their order",
			chain.Draft{Extra: []chain.Member{{Name: "x-b-two", Value: []byte(`{"z":1, "a":[ ]}`)}, {Name: "x-a-one", Value: []byte(`null`)}}},
			head + `{},"x-b-two":{"z":1,"a":[]},"x-a-one":null,"prev_hash":"0","untrusted_payload_fields":[]`,
		},
		{
			"text is escaped as in JCS",
			chain.Draft{Actor: "human:a\"<\u2028>", Action: "a\n\x01/", Target: "é\\", Kind: "session", Timestamp: noon},
			`{"seq":1,"event_id":"evt_001","actor":"human:a\"<` + "\u2028" + `>","kind":"session","action":"a\n\u0001/","target":"é\\","timestamp":"` +
				noon + `","payload":{},"prev_hash":"0","untrusted_payload_fields":[]`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := written(t, c.d); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	var log chain.Log
	for n := 1; n <= 1000; n++ {
		line, err := log.Append(chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon})
		if err != nil {
			t.Fatal(err)
		}
		for at, want := range map[int]string{9: `"evt_009"`, 99: `"evt_099"`, 999: `"evt_999"`, 1000: `"evt_1000"`} {
			if n == at && !bytes.Contains(line, []byte(want)) {
				t.Errorf("event %d: got %s, want %s in it", n, line, want)
			}
		}
	}
}

func TestCAP_CHN_09_DefaultMarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ payload, plain, narrative string }{
		{``, `[]`, `[]`},
		{`{"summary":"s"}`, `["payload.summary"]`, `["payload.summary"]`},
		{`{"statement":"s","summary":"t"}`, `["payload.summary","payload.statement"]`, `["payload.summary","payload.statement"]`},
		{`{"statement":""}`, `["payload.statement"]`, `["payload.statement"]`},
		{`{"summary":1,"statement":["s"],"Summary":"s"}`, `[]`, `[]`},
		{`{"a":{"summary":"s"}}`, `[]`, `[]`},
		{
			`{"milestones":[],"decisions":[{"text":"x"}],"open_items":[1],"note":"n","summary":"s"}`, `["payload.summary"]`,
			`["payload.summary","payload.note","payload.open_items","payload.decisions","payload.milestones"]`,
		},
		{`{"note":1,"open_items":"x","decisions":{}}`, `[]`, `[]`},
	} {
		for all, want := range map[bool]string{false: c.plain, true: c.narrative} {
			got := written(t, chain.Draft{Payload: []byte(c.payload), MarkNarrative: all})
			if !strings.HasSuffix(got, `,"untrusted_payload_fields":`+want) {
				t.Errorf("%s, all %t: got %s, want %s", c.payload, all, got, want)
			}
		}
	}
	// A list that was given is the whole list.
	got := written(t, chain.Draft{Payload: []byte(`{"summary":"s","note":"n"}`), Untrusted: []string{"payload.x"}, MarkNarrative: true})
	if !strings.Contains(got, `"untrusted_payload_fields":["payload.x"],"prev_hash"`) {
		t.Errorf("got %s, want the given list", got)
	}
}

func TestCAP_PTH_07_OffUnlessAsked(t *testing.T) {
	t.Parallel()
	const prose = `"One.  Two. Three. Four."`
	payload := []byte(`{"milestones":[{"text":` + prose + `}],"other":` + prose + `,"note":` + prose + `,"statement":"Short.","summary":` + prose + `}`)
	off := written(t, chain.Draft{Payload: payload})
	if !strings.Contains(off, `"payload":`+string(payload)+`,"prev_hash"`) || strings.Contains(off, "pith") {
		t.Errorf("off: got %s, want the payload as it is", off)
	}
	on := written(t, chain.Draft{Payload: payload, Pith: &pith.Options{}})
	want := `"payload":{"milestones":[{"text":"One. Two. Three."}],"other":` + prose + `,"note":"One. Two. Three.","statement":"Short.","summary":"One. Two. Three."}` +
		`,"pith_normalized_fields":["payload.summary","payload.note","payload.milestones"],"prev_hash":"0","untrusted_payload_fields":["payload.summary","payload.statement"]`
	if !strings.HasSuffix(on, want) {
		t.Errorf("on: got %s, want %s at its end", on, want)
	}
	unchanged := written(t, chain.Draft{Payload: []byte(`{"summary":"Short."}`), Pith: &pith.Options{}})
	if strings.Contains(unchanged, "pith") {
		t.Errorf("nothing changed, and still %s", unchanged)
	}

	t.Run("CAP-JSON-07 what July would break is refused", func(t *testing.T) {
		t.Parallel()
		var log chain.Log
		_, err := log.Append(chain.Draft{
			Actor: "ai:x", Action: "a", Timestamp: noon, Payload: []byte(`{"summary":"abc😀def"}`),
			Pith: &pith.Options{MaxChars: 5, Variant: pith.July},
		})
		var broken *finding.Error
		if !errors.As(err, &broken) || broken.Rule.ID != "CAP-JSON-07" || log.Len() != 0 {
			t.Errorf("got %v, %d events, want CAP-JSON-07 and none", err, log.Len())
		}
	})
}

func TestCAP_BLD_02_AppendRefusesAndLeavesTheLog(t *testing.T) {
	t.Parallel()
	good := chain.Draft{Actor: "human:ana", Action: "approved", Timestamp: noon, Payload: []byte(`{"summary":"s"}`)}
	for _, c := range []struct {
		rule, says string
		change     func(d *chain.Draft)
	}{
		{"CAP-BLD-02", "event has no actor", func(d *chain.Draft) { d.Actor = "" }},
		{"CAP-BLD-02", "event has no action", func(d *chain.Draft) { d.Action = "" }},
		{"CAP-CHN-06", `kind "gossip" is not one of decision, observation, mutation, session, checkpoint`, func(d *chain.Draft) { d.Kind = "gossip" }},
		{"CAP-CHN-05", `actor "human:bob" not in manifest.participants and not system:host`, func(d *chain.Draft) { d.Actor = "human:bob" }},
		{"CAP-BLD-02", `timestamp "" is not of the form`, func(d *chain.Draft) { d.Timestamp = "" }},
		{"CAP-BLD-02", `is not of the form`, func(d *chain.Draft) { d.Timestamp = "2026-05-21T12:00:00.5Z" }},
		{"CAP-BLD-02", `is not of the form`, func(d *chain.Draft) { d.Timestamp = "2026-05-21T12:00:00+00:00" }},
		{"CAP-BLD-02", `is not of the form`, func(d *chain.Draft) { d.Timestamp = "2026-02-30T12:00:00Z" }},
		{"CAP-CHN-08", `untrusted_payload_fields[1] is not a valid payload path: "payload"`, func(d *chain.Draft) { d.Untrusted = []string{"payload.a", "payload"} }},
		{"CAP-BLD-02", "payload is not a JSON object", func(d *chain.Draft) { d.Payload = []byte(`[1]`) }},
		{"CAP-BLD-02", "payload is not a JSON object", func(d *chain.Draft) { d.Payload = []byte(`null`) }},
		{"CAP-JSON-07", "CAP-JSON-01", func(d *chain.Draft) { d.Payload = []byte(`{`) }},
		{"CAP-JSON-07", "CAP-JSON-02", func(d *chain.Draft) { d.Payload = []byte(`{"a":1,"a":1}`) }},
		{"CAP-JSON-07", "CAP-JSON-03", func(d *chain.Draft) { d.Payload = []byte(`{"a":"\ud800"}`) }},
		{"CAP-JSON-07", "CAP-JSON-04", func(d *chain.Draft) { d.Payload = []byte(`{"a":1e999}`) }},
		{"CAP-JSON-07", "CAP-JSON-05", func(d *chain.Draft) { d.Payload = []byte(`{"a":9007199254740992}`) }},
		{"CAP-JSON-07", "CAP-JSON-05", func(d *chain.Draft) { d.Extra = []chain.Member{{Name: "x-a-b", Value: []byte(`1e19`)}} }},
		{"CAP-JSON-07", "CAP-JSON-01", func(d *chain.Draft) { d.Extra = []chain.Member{{Name: "x-a-b"}} }},
		{"CAP-JSON-07", "", func(d *chain.Draft) { d.Action = "\xed\xa0\xbd" }},
		{"CAP-BLD-02", `member "note" is not named x-<vendor>-<name>`, func(d *chain.Draft) { d.Extra = []chain.Member{{Name: "note", Value: []byte(`1`)}} }},
		{"CAP-BLD-02", `member "x-a-b" stands twice`, func(d *chain.Draft) {
			d.Extra = []chain.Member{{Name: "x-a-b", Value: []byte(`1`)}, {Name: "x-c-d", Value: []byte(`1`)}, {Name: "x-a-b", Value: []byte(`2`)}}
		}},
	} {
		log := chain.Log{Actors: map[string]bool{"human:ana": true}}
		if _, err := log.Append(good); err != nil {
			t.Fatal(err)
		}
		before := log
		d := good
		c.change(&d)
		line, err := log.Append(d)
		var broken *finding.Error
		said := fmt.Sprint(err)
		var outside *jcs.Error // names the rule of the boundary, where it is one
		if errors.As(err, &outside) {
			said += " " + outside.Rule.ID
		}
		if !errors.As(err, &broken) || broken.Rule.ID != c.rule || !strings.Contains(said, c.says) || line != nil {
			t.Errorf("%s %s: got %q, %v", c.rule, c.says, line, err)
		}
		if log.Len() != before.Len() || log.First() != before.First() || log.Last() != before.Last() {
			t.Errorf("%s %s: the refusal moved the log on", c.rule, c.says)
		}
		if _, err := log.Append(good); err != nil || log.Len() != 2 {
			t.Errorf("%s %s: the log does not go on: %v", c.rule, c.says, err)
		}
	}
	t.Run("CAP-CHN-05 the host is always allowed", func(t *testing.T) {
		t.Parallel()
		log := chain.Log{Actors: map[string]bool{"human:ana": true}}
		if _, err := log.Append(chain.Draft{Actor: chain.HostActor, Action: "a", Timestamp: noon}); err != nil {
			t.Error(err)
		}
	})
	for name, want := range map[string]bool{
		"x-acme-ticket": true, "x-a-b": true, "x-a-b-c": true, "x--b": false, "x-a-": false, "x-a": false, "x-": false, "": false, "X-a-b": false, "a-b-c": false,
	} {
		if got := chain.ExtensionName(name); got != want {
			t.Errorf("ExtensionName(%q): got %t, want %t", name, got, want)
		}
	}
}

func TestCAP_BLD_06_Resume(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	actors := map[string]bool{"human:ana": true}
	log, err := chain.Resume(strings.NewReader(text(lines)), actors)
	if err != nil || log.Len() != 3 || log.First() != hashes[0] || log.Last() != hashes[2] {
		t.Fatalf("got %+v, %v, want a log of three events", log, err)
	}
	line, err := log.Append(chain.Draft{Actor: "human:ana", Action: "went on", Timestamp: noon})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, text(lines)+string(line), chain.Options{Actors: actors})
	if _, err := log.Append(chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon}); err == nil {
		t.Error("a resumed log forgot its actors")
	}

	empty, err := chain.Resume(strings.NewReader(""), nil)
	if err != nil || empty.Len() != 0 || empty.First() != "" || empty.Last() != "" {
		t.Errorf("got %+v, %v, want an empty log", empty, err)
	}
	var broken *finding.Error
	_, err = chain.Resume(strings.NewReader(text(lines[:1])+lines[2]), nil)
	if !errors.As(err, &broken) || broken.Rule.ID != "CAP-CHN-03" || broken.At.Name != chain.Path || broken.At.Line != 2 {
		t.Errorf("got %v, want CAP-CHN-03 at line 2", err)
	}
	if _, err = chain.Resume(strings.NewReader(text(lines)), map[string]bool{"ai:x": true}); !errors.As(err, &broken) || broken.Rule.ID != "CAP-CHN-05" {
		t.Errorf("got %v, want CAP-CHN-05", err)
	}
}

func TestTimestamp(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		noon: true, "0001-01-01T00:00:00Z": true, "2024-02-29T23:59:59Z": true, "2023-02-29T00:00:00Z": false, "2026-05-21T24:00:00Z": false,
		"2026-05-21T12:00:60Z": false, "2026-05-21 12:00:00Z": false, "2026-05-21T12:00:00z": false, "2026-5-21T12:00:00Z": false,
		"2026-05-21T12:00:00": false, "": false, "2026-05-21T12:00:00.000Z": false, "2026-05-21T12:00:00Z ": false,
	} {
		if got := chain.Timestamp(s); got != want {
			t.Errorf("Timestamp(%q): got %t, want %t", s, got, want)
		}
	}
}

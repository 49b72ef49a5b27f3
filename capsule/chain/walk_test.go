package chain_test

import (
	"strings"
	"testing"

	"seed/capsule/chain"
)

func TestCAP_CHN_01_HashIsOverPrevAndCanonicalEvent(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	res := walk(t, text(lines), chain.Options{})
	if !res.OK() || res.Events != 3 || res.First != hashes[0] || res.Last != hashes[2] {
		t.Errorf("got %+v, want three events from %s to %s", res, hashes[0], hashes[2])
	}

	t.Run("CAP-JCS-01 the spelling does not matter", func(t *testing.T) {
		t.Parallel()
		respelt := strings.NewReplacer(`"seq":2`, ` "seq" : 2.0`, `"Go."`, `"\u0047o."`).Replace(lines[1])
		// Members in another order: the hash first.
		at := strings.Index(lines[2], `,"hash":`)
		moved := "{" + strings.TrimSuffix(lines[2][at+1:], "}") + "," + lines[2][1:at] + "}"
		expect(t, text([]string{lines[0], respelt, moved}), chain.Options{})
	})
	t.Run("CAP-CHN-01 a changed value", func(t *testing.T) {
		t.Parallel()
		bad := strings.Replace(lines[1], `"Go."`, `"No."`, 1)
		body := strings.TrimSuffix(bad, `,"hash":"`+hashes[1]+`"}`) + "}"
		_, recomputed := link(t, hashes[0], body)
		expect(t, text([]string{lines[0], bad, lines[2]}), chain.Options{},
			"CAP-CHN-01 2 hash_mismatch: hash mismatch: stored "+hashes[1]+", recomputed "+recomputed)
	})
	t.Run("CAP-JSON-09 an unknown member is hashed", func(t *testing.T) {
		t.Parallel()
		with, _ := three(t, second(t, `"payload":`, `"x-acme-ticket":[1,{"b":2,"a":1}],"mystery":null,"payload":`))
		expect(t, text(with), chain.Options{})
		stripped := strings.Replace(with[1], `"mystery":null,`, "", 1)
		res := walk(t, text([]string{with[0], stripped, with[2]}), chain.Options{})
		if len(res.Problems) != 1 || res.Problems[0].Reason != chain.HashMismatch {
			t.Errorf("got %v, want a hash mismatch alone", said(res))
		}
	})
}

func TestCAP_CHN_02_EveryEventNamesTheOneBefore(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	other := strings.Repeat("ab", 32)

	// The first is not linked to the genesis.
	start, startHash := link(t, other, strings.Replace(strings.TrimSuffix(lines[0], `,"hash":"`+hashes[0]+`"}`)+"}", chain.Genesis, other, 1))
	expect(t, start, chain.Options{},
		"CAP-CHN-02 1 prev_hash_mismatch: prev_hash mismatch: got "+other+", expected "+chain.Genesis)
	if res := walk(t, start, chain.Options{}); res.First != startHash {
		t.Errorf("First: got %s, want the stored hash %s", res.First, startHash)
	}
	// One is left out.
	expect(t, text([]string{lines[0], lines[2]}), chain.Options{},
		"CAP-CHN-03 2 seq_mismatch: seq 3 expected 2",
		"CAP-CHN-02 2 prev_hash_mismatch: prev_hash mismatch: got "+hashes[1]+", expected "+hashes[0])
}

func TestCAP_CHN_03_SeqIsThePosition(t *testing.T) {
	t.Parallel()
	for spelt, shown := range map[string]string{
		`7`: `7`, `0`: `0`, `-2`: `-2`, `2.5`: `2.5`, `"2"`: `"2"`, `null`: `null`, `true`: `true`, `[2]`: `(array)`, `{}`: `(object)`,
	} {
		lines, _ := three(t, second(t, `"seq":2`, `"seq":`+spelt))
		expect(t, text(lines), chain.Options{}, "CAP-CHN-03 2 seq_mismatch: seq "+shown+" expected 2")
	}
	missing, _ := three(t, second(t, `"seq":2,`, ``))
	expect(t, text(missing), chain.Options{}, "CAP-CHN-03 2 seq_mismatch: seq undefined expected 2")
	for _, spelt := range []string{"2.0", "2e0", "0.2E1", "20e-1"} {
		lines, _ := three(t, second(t, `"seq":2`, `"seq":`+spelt))
		expect(t, text(lines), chain.Options{})
	}
	// The pattern that registries pin.
	line, _ := link(t, chain.Genesis, `{"seq":2,"kind":"session","prev_hash":"`+chain.Genesis+`"}`)
	if got := said(walk(t, line, chain.Options{})); len(got) != 1 || !strings.Contains(got[0], "seq 2 expected 1") {
		t.Errorf("got %v, want seq 2 expected 1", got)
	}
}

func TestCAP_CHN_04_WalksOnAndCollectsEverything(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	bad := []string{
		strings.Replace(lines[0], `"Go."`, `"a"`, 1), // hash
		"[]", // no event at all
		strings.Replace(lines[2], `"decision"`, `"rumour"`, 1), // kind and hash
	}
	res := walk(t, text(bad), chain.Options{Actors: map[string]bool{"ai:x": true}})
	got := make([]string, 0, len(res.Problems))
	for _, p := range res.Problems {
		got = append(got, strings.Join([]string{string(rune('0' + p.Seq)), string(p.Reason)}, " "))
	}
	want := "1 actor_not_participant|1 hash_mismatch|2 event_not_object|3 unknown_kind|3 actor_not_participant|3 prev_hash_mismatch|3 hash_mismatch"
	if strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
	if res.Events != 3 || res.First != hashes[0] || res.Last != hashes[2] {
		t.Errorf("got %d events from %s to %s, want the stored hashes", res.Events, res.First, res.Last)
	}

	t.Run("CAP-CHN-04 the chain goes on from the stored hash", func(t *testing.T) {
		t.Parallel()
		res := walk(t, text([]string{lines[0], strings.Replace(lines[1], `"Go."`, `"a"`, 1), lines[2]}), chain.Options{})
		if len(res.Problems) != 1 || res.Problems[0].Seq != 2 {
			t.Errorf("got %v, want one problem, of event 2", said(res))
		}
	})
}

func TestCAP_CHN_05_ActorsOfTheDeclaredSet(t *testing.T) {
	t.Parallel()
	const refused = " not in manifest.participants and not system:host"
	declared := chain.Options{Actors: map[string]bool{"human:ana": true}}
	for spelt, shown := range map[string]string{
		`"human:bob"`: `"human:bob"`, `"human:Ana"`: `"human:Ana"`, `""`: `""`, `"system:host2"`: `"system:host2"`, `null`: `null`,
		`["human:ana"]`: `(array)`, `"human:ana\u0000"`: `"human:ana\x00"`, `"\u001b[2J"`: `"\x1b[2J"`,
	} {
		lines, _ := three(t, second(t, `"human:ana"`, spelt))
		expect(t, text(lines), declared, "CAP-CHN-05 2 actor_not_participant: actor "+shown+refused)
		expect(t, text(lines), chain.Options{}) // nobody declared: anybody passes
	}
	missing, _ := three(t, second(t, `"actor":"human:ana",`, ``))
	expect(t, text(missing), declared, "CAP-CHN-05 2 actor_not_participant: actor undefined"+refused)
	expect(t, text(missing), chain.Options{})
	host, _ := three(t, second(t, `"human:ana"`, `"system:host"`))
	expect(t, text(host), declared)
}

func TestCAP_CHN_06_KindsAreClosed(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"decision", "observation", "mutation", "session", "checkpoint"} {
		lines, _ := three(t, second(t, `"kind":"decision",`, `"kind":"`+kind+`","x-acme-n":1,`))
		expect(t, text(lines), chain.Options{})
	}
	for spelt, shown := range map[string]string{
		`"gossip"`: `"gossip"`, `"Decision"`: `"Decision"`, `""`: `""`, `1`: `1`, `null`: `null`, `["decision"]`: `(array)`,
	} {
		lines, _ := three(t, second(t, `"decision"`, spelt))
		want := "CAP-CHN-06 2 unknown_kind: kind " + shown + " is not one of decision, observation, mutation, session, checkpoint"
		expect(t, text(lines), chain.Options{}, want)
		expect(t, text(lines), chain.Options{Actors: map[string]bool{"human:ana": true}}, want)
	}
	missing, _ := three(t, second(t, `"kind":"decision",`, ``))
	expect(t, text(missing), chain.Options{},
		"CAP-CHN-06 2 unknown_kind: kind undefined is not one of decision, observation, mutation, session, checkpoint")
}

func TestCAP_CHN_07_LinesThatAreNoEvents(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"[]", "1", `"event"`, "null", "true", " [ ] "} {
		expect(t, line, chain.Options{}, "CAP-CHN-07 1 event_not_object: event is not a JSON object")
	}
	for _, line := range []string{
		"{", "event", "{}{}", `{"a":1,}`, "\xef\xbb\xbf{}", "{\"a\":\"\xff\"}", " ", "\t", "{\"a\":\"\x01\"}", "\x00",
	} {
		res := walk(t, line, chain.Options{})
		if len(res.Problems) != 1 || res.Problems[0].Rule.ID != "CAP-CHN-07" || res.Problems[0].Reason != chain.EventNotObject ||
			!strings.HasPrefix(res.Problems[0].Message, "event is not a JSON object that can be hashed: invalid_json at line 1, column ") {
			t.Errorf("%q: got %v, want one CAP-CHN-07", line, said(res))
		}
		if res.Events != 1 || res.First != "" || res.Last != "" {
			t.Errorf("%q: got %+v, want one event without a hash", line, res)
		}
	}
}

func TestCAP_CHN_07_HashesAreLowerCaseHexOf64(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	const length, spelling = " missing or wrong length", " is not canonical lowercase hex"
	own, before := `"hash":"`+hashes[0]+`"`, `"prev_hash":"`+chain.Genesis+`"`
	for _, c := range []struct{ old, replacement, want string }{
		{own, `"x":0`, "hash" + length},
		{own, `"hash":null`, "hash" + length},
		{own, `"hash":[]`, "hash" + length},
		{own, `"hash":""`, "hash" + length},
		{own, `"hash":"` + hashes[0][1:] + `"`, "hash" + length},
		{own, `"hash":"` + hashes[0] + `0"`, "hash" + length},
		{own, `"hash":"` + strings.ToUpper(hashes[0]) + `"`, "hash" + spelling},
		{own, `"hash":"` + strings.Repeat("g", 64) + `"`, "hash" + spelling},
		{own, `"hash":"` + strings.Repeat("é", 32) + `"`, "hash" + spelling},
		{before, `"x":0`, "prev_hash" + length},
		{before, `"prev_hash":0`, "prev_hash" + length},
		{before, `"prev_hash":"` + chain.Genesis[2:] + `"`, "prev_hash" + length},
		{before, `"prev_hash":"` + chain.Genesis[1:] + `A"`, "prev_hash" + spelling},
	} {
		line := strings.Replace(lines[0], c.old, c.replacement, 1)
		if line == lines[0] {
			t.Fatalf("%s is not in the line", c.old)
		}
		expect(t, line, chain.Options{}, "CAP-CHN-07 1 non_canonical_hex: "+c.want)
	}
	// What the next event must name is shown, whatever it is.
	upper := strings.Replace(lines[0], own, `"hash":"`+strings.ToUpper(hashes[0])+`"`, 1)
	expect(t, text([]string{upper, lines[1]}), chain.Options{},
		"CAP-CHN-07 1 non_canonical_hex: hash"+spelling,
		"CAP-CHN-02 2 prev_hash_mismatch: prev_hash mismatch: got "+hashes[0]+`, expected "`+strings.ToUpper(hashes[0])+`"`)
	expect(t, text([]string{"1", lines[1]}), chain.Options{},
		"CAP-CHN-07 1 event_not_object: event is not a JSON object",
		"CAP-CHN-02 2 prev_hash_mismatch: prev_hash mismatch: got "+hashes[0]+", expected none, as the event before has no usable hash")
}

func TestCAP_CHN_08_UntrustedPaths(t *testing.T) {
	t.Parallel()
	const list = `["payload.summary"]`
	for _, good := range []string{`[]`, `["payload.a"]`, `["payload.a.b-c_D.0"]`, `["payload.summary","payload.summary"]`, `["payload.nowhere"]`} {
		lines, _ := three(t, second(t, list, good))
		expect(t, text(lines), chain.Options{})
	}
	absent, _ := three(t, second(t, `,"untrusted_payload_fields":`+list, ``))
	expect(t, text(absent), chain.Options{})
	for bad, shown := range map[string]string{
		`["payload"]`: `"payload"`, `["payload."]`: `"payload."`, `["payload.a."]`: `"payload.a."`, `["payload..a"]`: `"payload..a"`,
		`["summary"]`: `"summary"`, `["payloads.a"]`: `"payloads.a"`, `["payload.a[0]"]`: `"payload.a[0]"`, `["payload.*"]`: `"payload.*"`,
		`["payload.é"]`: `"payload.\u00e9"`, `[" payload.a"]`: `" payload.a"`, `["payload.a\n"]`: `"payload.a\n"`, `[""]`: `""`, `["Payload.a"]`: `"Payload.a"`,
		`[1]`: `1`, `[null]`: `null`, `[["payload.a"]]`: `(array)`, `[{}]`: `(object)`,
	} {
		lines, _ := three(t, second(t, list, bad))
		expect(t, text(lines), chain.Options{},
			"CAP-CHN-08 2 untrusted_path_grammar: untrusted_payload_fields[0] is not a valid payload path: "+shown)
	}
	second1, _ := three(t, second(t, list, `["payload.a","b"]`))
	expect(t, text(second1), chain.Options{},
		`CAP-CHN-08 2 untrusted_path_grammar: untrusted_payload_fields[1] is not a valid payload path: "b"`)
	for _, bad := range []string{`"payload.a"`, `null`, `{}`, `{"0":"payload.a"}`, `true`} {
		lines, _ := three(t, second(t, list, bad))
		expect(t, text(lines), chain.Options{}, "CAP-CHN-08 2 untrusted_path_grammar: untrusted_payload_fields is not an array")
	}
}

func TestCAP_JSON_06_RefusalsAreNotHashMismatches(t *testing.T) {
	t.Parallel()
	lines, _ := three(t, nil)
	for value, want := range map[string]string{
		`1e999`:               "CAP-JSON-04 2 number_out_of_range: recompute failed: ",
		`9007199254740993`:    "CAP-JSON-05 2 integer_out_of_range: recompute failed: ",
		`1e19`:                "CAP-JSON-05 2 integer_out_of_range: recompute failed: ",
		`"\ud83d"`:            "CAP-JSON-03 2 unpaired_surrogate: recompute failed: ",
		`{"\udc00":1}`:        "CAP-JSON-03 2 unpaired_surrogate: recompute failed: ",
		`{"a":1,"\u0061":2}`:  "CAP-JSON-02 2 duplicate_member: event is not a JSON object that can be hashed: ",
		`{"a":{"b":1,"b":1}}`: "CAP-JSON-02 2 duplicate_member: event is not a JSON object that can be hashed: ",
	} {
		bad := strings.Replace(lines[1], `{"summary":"Go."}`, `{"summary":`+value+`}`, 1)
		got := said(walk(t, text([]string{lines[0], bad}), chain.Options{}))
		if len(got) != 1 || !strings.HasPrefix(got[0], want) {
			t.Errorf("%s: got %v, want %q alone", value, got, want)
		}
	}
	fine, _ := three(t, second(t, `"Go."`, `[1e21,4.35,9007199254740991,-0,"\ud83d\ude00"]`))
	expect(t, text(fine), chain.Options{})
}

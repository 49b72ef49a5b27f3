package chain_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seed/capsule/chain"
	"seed/jcs"
)

const noon = "2026-05-21T12:00:00Z"

// link completes an event: it adds the hash that the format asks for, computed
// here from the words of CAP-CHN-01 and not by the package under test.
func link(t testing.TB, prev, body string) (line, hash string) {
	t.Helper()
	canonical, err := jcs.Canonical([]byte(body))
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	raw, err := hex.DecodeString(prev)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(append(raw, canonical...))
	hash = hex.EncodeToString(sum[:])
	return strings.TrimSuffix(body, "}") + `,"hash":"` + hash + `"}`, hash
}

// three is a chain of three events. change may rewrite the body of an event
// before it is hashed, so that only what it changes is wrong.
func three(t testing.TB, change func(pos int, body string) string) (lines, hashes []string) {
	t.Helper()
	prev := chain.Genesis
	for pos := 1; pos <= 3; pos++ {
		body := fmt.Sprintf(`{"seq":%d,"event_id":"evt_%03d","actor":"human:ana","kind":"decision","action":"approved",`+
			`"target":"payload/plan.md","timestamp":"%s","payload":{"summary":"Go."},"prev_hash":"%s","untrusted_payload_fields":["payload.summary"]}`,
			pos, pos, noon, prev)
		if change != nil {
			body = change(pos, body)
		}
		line, hash := link(t, prev, body)
		lines, hashes = append(lines, line), append(hashes, hash)
		prev = hash
	}
	return lines, hashes
}

// second rewrites old in the body of the second event.
func second(t testing.TB, old, replacement string) func(int, string) string {
	return func(pos int, body string) string {
		if pos != 2 {
			return body
		}
		out := strings.Replace(body, old, replacement, 1)
		if out == body {
			t.Fatalf("%q is not in %s", old, body)
		}
		return out
	}
}

func text(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func walk(t testing.TB, log string, o chain.Options) *chain.Result {
	t.Helper()
	res, err := chain.Walk(strings.NewReader(log), o)
	if err != nil {
		t.Fatalf("Walk: %v", err)
	}
	return res
}

// said lists the problems as "RULE seq reason: message".
func said(res *chain.Result) []string {
	list := []string{}
	for _, p := range res.Problems {
		list = append(list, fmt.Sprintf("%s %d %s: %s", p.Rule.ID, p.Seq, p.Reason, p.Message))
	}
	return list
}

func expect(t *testing.T, log string, o chain.Options, want ...string) {
	t.Helper()
	if got := said(walk(t, log, o)); !slices.Equal(got, want) {
		t.Errorf("%.600s\ngot\n  %s\nwant\n  %s", log, strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func ExampleLog() {
	log := chain.Log{Actors: map[string]bool{"human:ana": true}}
	line, err := log.Append(chain.Draft{
		Actor: "human:ana", Kind: "decision", Action: "approved", Target: "payload/plan.md",
		Timestamp: "2026-05-21T12:00:00Z", Payload: []byte(`{"summary":"Go."}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", line)
	_, err = log.Append(chain.Draft{Actor: "ai:guest", Action: "edited", Timestamp: "2026-05-21T12:00:01Z"})
	fmt.Println(err)
	fmt.Println(log.Len(), "event")
	// Output:
	// {"seq":1,"event_id":"evt_001","actor":"human:ana","kind":"decision","action":"approved","target":"payload/plan.md","timestamp":"2026-05-21T12:00:00Z","payload":{"summary":"Go."},"prev_hash":"0000000000000000000000000000000000000000000000000000000000000000","untrusted_payload_fields":["payload.summary"],"hash":"cb41c3a8a19fd3b0ebc3abaa48f6829c854cd02a1d3b44bfde2970e51eab5ed0"}
	// event 2: actor "ai:guest" not in manifest.participants and not system:host (CAP-CHN-05)
	// 1 event
}

func ExampleWalk() {
	log := `{"seq":1,"actor":"human:ana","kind":"gossip","prev_hash":"` + chain.Genesis + `","hash":"00"}` + "\n"
	res, err := chain.Walk(strings.NewReader(log), chain.Options{})
	if err != nil {
		fmt.Println(err) // of reading
		return
	}
	for _, p := range res.Problems {
		fmt.Printf("event %d: %s (%s)\n", p.Seq, p.Message, p.Rule.ID)
	}
	// Output:
	// event 1: kind "gossip" is not one of decision, observation, mutation, session, checkpoint (CAP-CHN-06)
	// event 1: hash missing or wrong length (CAP-CHN-07)
}

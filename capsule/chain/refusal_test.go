package chain_test

import (
	"errors"
	"strings"
	"testing"

	"seed/capsule/chain"
	"seed/finding"
)

// TestCAP_JSON_08_ALongEventLeavesTheLog: an event over the limit is refused like
// any other, and the log goes on as if it had not been tried.
func TestCAP_JSON_08_ALongEventLeavesTheLog(t *testing.T) {
	t.Parallel()
	event := func(n int) chain.Draft {
		return chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon, Payload: []byte(`{"a":"` + strings.Repeat("x", n) + `"}`)}
	}
	var log chain.Log
	short, err := log.Append(event(0))
	if err != nil {
		t.Fatal(err)
	}
	before := log
	var broken *finding.Error
	if _, err := log.Append(event(chain.MaxLine + 1 - (len(short) - 1))); !errors.As(err, &broken) || broken.Rule.ID != "CAP-JSON-08" {
		t.Fatalf("one byte too long: got %v", err)
	}
	if log.Len() != before.Len() || log.Last() != before.Last() {
		t.Errorf("the refusal moved the log on to %d events", log.Len())
	}
	line, err := log.Append(event(chain.MaxLine - (len(short) - 1)))
	if err != nil || len(line) != chain.MaxLine+1 {
		t.Fatalf("at the limit: got %d bytes, %v", len(line), err)
	}
	expect(t, string(short)+string(line), chain.Options{})
}

// TestCAP_JSON_07_TextThatIsNotUTF8 is refused and not repaired.
func TestCAP_JSON_07_TextThatIsNotUTF8(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(d *chain.Draft){
		"actor":  func(d *chain.Draft) { d.Actor = "human:\xff" },
		"action": func(d *chain.Draft) { d.Action = "a\xc3" },
		"target": func(d *chain.Draft) { d.Target = "\xed\xa0\x80" },
		"member": func(d *chain.Draft) { d.Extra = []chain.Member{{Name: "x-a-\xff", Value: []byte("1")}} },
	} {
		var log chain.Log
		d := chain.Draft{Actor: "human:ana", Action: "a", Timestamp: noon}
		change(&d)
		if line, err := log.Append(d); err == nil || log.Len() != 0 {
			t.Errorf("%s: got %s", name, line)
		}
	}
}

// TestCAP_CHN_05_AnEmptySetDeclaresNobody, for writer and reader alike.
func TestCAP_CHN_05_AnEmptySetDeclaresNobody(t *testing.T) {
	t.Parallel()
	log := chain.Log{Actors: map[string]bool{}}
	line, err := log.Append(chain.Draft{Actor: "human:ana", Action: "a", Timestamp: noon})
	if err != nil {
		t.Fatal(err)
	}
	expect(t, string(line), chain.Options{Actors: log.Actors})
}

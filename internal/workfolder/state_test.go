package workfolder

import (
	"bytes"
	"strings"
	"testing"
)

func TestStateRefused(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ text, want string }{
		"no JSON":        {`{`, "capsule.json"},
		"other format":   {`{"format":"x"}`, "not the state"},
		"unknown member": {`{"format":"seed-workfolder-1","participant":[]}`, `unknown member "participant"`},
		"bad actor":      {`{"format":"seed-workfolder-1","participants":["ana"]}`, "participants[0]"},
		"bad path":       {`{"format":"seed-workfolder-1","files":["../x"]}`, `"../x"`},
		"twice":          {`{"format":"seed-workfolder-1","label":"a","label":"b"}`, "twice"},
	} {
		if _, err := parseState("capsule.json", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// FuzzState: no text makes the reader panic, and what it takes survives a round
// trip.
func FuzzState(f *testing.F) {
	f.Add([]byte(`{"format":"seed-workfolder-1","label":"Ana","created_at":"2026-01-31T12:00:00Z","participants":[{"actor_id":"human:ana"},"ai:x"]}`))
	f.Add([]byte(`{"format":"seed-workfolder-1","files":["a.md"],"pith":"july","extensions":{"x-a-b":[1,{"c":null}]},"opened_from":{"version":"0.7","events":3,"predecessors":[{}]}}`))
	f.Add([]byte(`{"format":"seed-workfolder-1","participants":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := parseState("x", data)
		if err != nil {
			return
		}
		first, err := s.marshal()
		if err != nil {
			t.Fatalf("%q: got %v writing what was read", data, err)
		}
		again, err := parseState("x", first)
		if err != nil {
			t.Fatalf("%q: got %v reading what was written: %s", data, err, first)
		}
		second, err := again.marshal()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("got %s, %v, want %s", second, err, first)
		}
	})
}

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
		"label number":   {`{"format":"seed-workfolder-1","label":5}`, "label is not of the kind string"},
		"list object":    {`{"format":"seed-workfolder-1","participants":{}}`, "participants is not of the kind array"},
		"own name":       {`{"format":"seed-workfolder-1","files":["capsule.json"]}`, "cannot be listed"},
		"events text":    {origin(`"2"`, `"true"`, "ab"), "is not of the kind"},
		"events large":   {origin(`1e30`, `true`, "ab"), "counts 1e30 events"},
		"events none":    {origin(`0`, `true`, "ab"), "counts 0 events"},
		"no hash":        {origin(`2`, `true`, ""), "counts 2 events"},
		"encrypted text": {origin(`2`, `"true"`, "ab"), "encrypted is not of the kind"},
		"origin extra":   {`{"format":"seed-workfolder-1","opened_from":{"x":1}}`, `unknown member "x"`},
		"origin empty":   {`{"format":"seed-workfolder-1","opened_from":{}}`, "opened_from has no"},
		"twice":          {`{"format":"seed-workfolder-1","label":"a","label":"b"}`, "twice"},
	} {
		if _, err := parseState("capsule.json", []byte(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// origin is a state that was opened from a capsule.
func origin(events, encrypted, entry string) string {
	return `{"format":"seed-workfolder-1","opened_from":{"version":"0.6","originator_public_key":"k","capsule_id":"i","manifest_hash":"m",` +
		`"entry_hash":"` + entry + `","events":` + events + `,"encrypted":` + encrypted + `,"signers":[]}}`
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

package chain_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"

	"seed/capsule/chain"
	"seed/capsule/pith"
	"seed/jcs"
)

// drawDraft draws an event that a writer may append.
func drawDraft(t *rapid.T) chain.Draft {
	word := rapid.StringMatching(`[a-z0-9 _."\\é😀<>\x00-\x1f-]{1,12}`)
	payload := rapid.MapOfN(rapid.SampledFrom([]string{"summary", "statement", "note", "a", "b", "\u00e9", "\U0001F600", "\uE000"}),
		rapid.OneOf(
			rapid.Map(word, func(s string) any { return s }),
			rapid.Map(rapid.Int32(), func(n int32) any { return n }),
			rapid.Map(rapid.Float64Range(-1e6, 1e6), func(f float64) any { return f }),
			rapid.Map(rapid.SliceOfN(word, 0, 3), func(s []string) any { return s }),
			rapid.Just[any](nil), rapid.Just[any](map[string]any{"x": true}),
		), 0, 4)
	raw, err := json.Marshal(payload.Draw(t, "payload"))
	if err != nil {
		t.Fatal(err)
	}
	d := chain.Draft{
		Actor: "human:" + word.Draw(t, "actor"), Action: word.Draw(t, "action"), Target: word.Draw(t, "target"),
		Kind:      rapid.SampledFrom([]string{"", "decision", "observation", "mutation", "session", "checkpoint"}).Draw(t, "kind"),
		Timestamp: noon, Payload: raw, MarkNarrative: rapid.Bool().Draw(t, "narrative"),
	}
	if rapid.Bool().Draw(t, "marked") {
		d.Untrusted = rapid.SliceOfN(rapid.StringMatching(`payload(\.[A-Za-z0-9_-]{1,3}){1,3}`), 0, 3).Draw(t, "untrusted")
	}
	if rapid.Bool().Draw(t, "pith") {
		d.Pith = &pith.Options{MaxChars: 8, MaxSentences: 1}
	}
	if rapid.Bool().Draw(t, "extra") {
		d.Extra = []chain.Member{{Name: "x-acme-n", Value: []byte(`{"n":[1,2]}`)}}
	}
	return d
}

// TestCAP_CHN_01_WrittenChainsWalkClean: what Log writes Walk accepts, in
// whatever pieces it arrives, and line by line the values are those given.
func TestCAP_CHN_01_WrittenChainsWalkClean(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		log := chain.Log{Actors: map[string]bool{}}
		var b bytes.Buffer
		drafts := rapid.SliceOfN(rapid.Custom(drawDraft), 1, 5).Draw(t, "drafts")
		for _, d := range drafts {
			log.Actors[d.Actor] = true
		}
		for _, d := range drafts {
			line, err := log.Append(d)
			if err != nil {
				t.Fatalf("%+v: %v", d, err)
			}
			b.Write(line)
		}
		n := 0
		res, err := chain.Walk(iotest.HalfReader(&b), chain.Options{Actors: log.Actors, Visit: func(e chain.Event) error {
			if e.Actor() != drafts[n].Actor || e.Action() != drafts[n].Action {
				t.Errorf("event %d: got %q %q, want %q %q", e.Pos, e.Actor(), e.Action(), drafts[n].Actor, drafts[n].Action)
			}
			n++
			return nil
		}})
		if err != nil || !res.OK() || res.Events != len(drafts) || res.First != log.First() || res.Last != log.Last() {
			t.Fatalf("got %+v, %v", res, err)
		}
	})
}

// TestCAP_CHN_07_AnyChangedByteIsSeen: a byte of a line that is changed either
// leaves the value as it was, or is reported.
func TestCAP_CHN_07_AnyChangedByteIsSeen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var log chain.Log
		line, err := log.Append(drawDraft(t))
		if err != nil {
			t.Fatal(err)
		}
		next, err := log.Append(chain.Draft{Actor: "ai:x", Action: "a", Timestamp: noon})
		if err != nil {
			t.Fatal(err)
		}
		canonical, err := jcs.Canonical(line)
		if err != nil {
			t.Fatal(err)
		}
		at := rapid.IntRange(0, len(line)-2).Draw(t, "at") // the final LF frames the line
		changed := bytes.Clone(line)
		changed[at] ^= byte(rapid.IntRange(1, 255).Draw(t, "bits"))
		res, err := chain.Walk(bytes.NewReader(append(bytes.Clone(changed), next...)), chain.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !res.OK() {
			return
		}
		same, err := jcs.Canonical(changed)
		if err != nil || !bytes.Equal(same, canonical) {
			t.Fatalf("byte %d: %q became %q, and nobody saw it", at, line, changed)
		}
	})
}

// TestCAP_CHN_01_EveryByteOfALine changes each byte of one line to several others.
func TestCAP_CHN_01_EveryByteOfALine(t *testing.T) {
	t.Parallel()
	lines, _ := three(t, nil)
	want, err := jcs.Canonical([]byte(lines[1]))
	if err != nil {
		t.Fatal(err)
	}
	for at := range lines[1] {
		for _, bits := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 0x2a} {
			bad := []byte(lines[1])
			bad[at] ^= bits
			res := walk(t, lines[0]+"\n"+string(bad)+"\n"+lines[2]+"\n", chain.Options{})
			if !res.OK() {
				continue
			}
			if got, err := jcs.Canonical(bad); err != nil || !bytes.Equal(got, want) {
				t.Errorf("byte %d: %s is taken for %s", at, bad, lines[1])
			}
		}
	}
}

// TestCAP_CHN_03_NoRearrangement: events left out, repeated or exchanged are
// reported.
func TestCAP_CHN_03_NoRearrangement(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var log chain.Log
		var lines []string
		n := rapid.IntRange(2, 6).Draw(t, "events")
		for i := range n {
			line, err := log.Append(chain.Draft{Actor: "ai:x", Action: fmt.Sprint("step ", i), Timestamp: noon})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		pick := rapid.SliceOfN(rapid.IntRange(0, n-1), 0, n+1).Draw(t, "pick")
		var b strings.Builder
		prefix := true
		for i, j := range pick {
			b.WriteString(lines[j])
			prefix = prefix && i == j
		}
		res, err := chain.Walk(strings.NewReader(b.String()), chain.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// A prefix is a chain of its own: only the anchors tell that it was cut.
		if res.OK() != prefix {
			t.Fatalf("events %v: got OK %t, want %t", pick, res.OK(), prefix)
		}
	})
}

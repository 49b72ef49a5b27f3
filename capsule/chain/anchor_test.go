package chain_test

import (
	"strings"
	"testing"

	"seed/capsule/chain"
)

// TestCAP_CHN_12_AnchorsAreTheStoredHashes: a walk hands out what the first and
// the last event say of themselves, for the envelope to be held against.
func TestCAP_CHN_12_AnchorsAreTheStoredHashes(t *testing.T) {
	t.Parallel()
	lines, hashes := three(t, nil)
	claim := strings.Repeat("cd", 32)
	forged := strings.Replace(lines[2], hashes[2], claim, 1)
	res := walk(t, text([]string{lines[0], lines[1], forged}), chain.Options{})
	if res.First != hashes[0] || res.Last != claim || res.OK() {
		t.Errorf("got %s to %s, want %s to the stored %s, and a problem", res.First, res.Last, hashes[0], claim)
	}
	// An event without a hash leaves no anchor, not that of the event before.
	res = walk(t, text([]string{lines[0], "{}"}), chain.Options{})
	if res.First != hashes[0] || res.Last != "" {
		t.Errorf("got %q to %q, want no last hash", res.First, res.Last)
	}
	res = walk(t, text([]string{"{}", lines[1]}), chain.Options{})
	if res.First != "" || res.Last != hashes[1] {
		t.Errorf("got %q to %q, want no first hash", res.First, res.Last)
	}
}

func TestCAP_CHN_20_NoEventsNoAnchors(t *testing.T) {
	t.Parallel()
	for _, log := range []string{"", "\n", "\n\n\n"} {
		res := walk(t, log, chain.Options{Actors: map[string]bool{"human:ana": true}})
		if !res.OK() || res.Events != 0 || res.First != "" || res.Last != "" {
			t.Errorf("%q: got %+v, want nothing at all", log, res)
		}
	}
	if res := walk(t, "\r\n", chain.Options{}); res.Events != 1 || res.OK() {
		t.Errorf("a line with a CR: got %+v, want one unreadable event", res)
	}
}

// TestCAP_CHN_21_NeitherTimeNorTruth: what a chain does not prove is not judged.
func TestCAP_CHN_21_NeitherTimeNorTruth(t *testing.T) {
	t.Parallel()
	times := map[int]string{1: noon, 2: "1970-01-01T00:00:00Z", 3: "soon"}
	lines, _ := three(t, func(pos int, body string) string {
		return strings.NewReplacer(noon, times[pos], `"approved"`, `"was never here"`, `"evt_002"`, `"evt_001"`).Replace(body)
	})
	expect(t, text(lines), chain.Options{})
	bare, _ := link(t, chain.Genesis, `{"seq":1,"kind":"checkpoint","prev_hash":"`+chain.Genesis+`"}`)
	expect(t, bare, chain.Options{})
}

package capsulecmd

import (
	"crypto/sha256"

	"seed/capsule/chain"
)

// eventsDiff says how the chains lie to each other: same, extended (B goes on
// after A), shortened (B ends before A), diverged, or not_compared.
type eventsDiff struct {
	Relation   string      `json:"relation"`
	CountA     int         `json:"count_a"`
	CountB     int         `json:"count_b"`
	Common     int         `json:"common"`
	DivergedAt int         `json:"diverged_at,omitempty"`
	OnlyA      []eventJSON `json:"only_in_a"`
	OnlyB      []eventJSON `json:"only_in_b"`
}

type eventJSON struct {
	Seq       int    `json:"seq"`
	Timestamp string `json:"timestamp"`
	Actor     string `json:"actor"`
	Kind      string `json:"kind"`
	Action    string `json:"action"`
	Target    string `json:"target"`
	Hash      string `json:"hash"`
}

func compareEvents(a, b *side) (eventsDiff, error) {
	d := eventsDiff{Relation: "not_compared", OnlyA: []eventJSON{}, OnlyB: []eventJSON{}}
	if a.Encrypted() || b.Encrypted() || !a.Has(chain.Path) || !b.Has(chain.Path) {
		return d, nil
	}
	x, err := a.digests()
	if err != nil {
		return d, err
	}
	y, err := b.digests()
	if err != nil {
		return d, err
	}
	d.CountA, d.CountB = len(x), len(y)
	for d.Common < min(len(x), len(y)) && x[d.Common] == y[d.Common] {
		d.Common++
	}
	switch {
	case d.Common == len(x) && d.Common == len(y):
		d.Relation = "same"
		return d, nil
	case d.Common == len(x):
		d.Relation = "extended"
	case d.Common == len(y):
		d.Relation = "shortened"
	default:
		d.Relation, d.DivergedAt = "diverged", d.Common+1
	}
	if d.OnlyA, err = a.eventsAfter(d.Common); err == nil {
		d.OnlyB, err = b.eventsAfter(d.Common)
	}
	return d, err
}

// digests gives the SHA-256 of each event as it stands. The stored hashes are
// not asked: a capsule that does not verify may lie about them.
func (s *side) digests() ([][32]byte, error) {
	var sums [][32]byte
	var buf []byte
	_, err := s.Events(func(e chain.Event) error {
		buf = e.Value.AppendCanonical(buf[:0])
		sums = append(sums, sha256.Sum256(buf))
		return nil
	})
	return sums, err
}

// maxListed is how many events of one side are listed; the counts tell the rest.
const maxListed = 1000

func (s *side) eventsAfter(n int) ([]eventJSON, error) {
	list := []eventJSON{}
	seen := 0
	_, err := s.Events(func(e chain.Event) error {
		if seen++; seen > n && len(list) < maxListed {
			list = append(list, eventJSON{e.Pos, e.Timestamp(), e.Actor(), e.Kind(), e.Action(), e.Target(), e.Hash()})
		}
		return nil
	})
	return list, err
}

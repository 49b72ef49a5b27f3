package capsule

import (
	"fmt"

	"seed/capsule/chain"
	"seed/finding"
	"seed/jcs"
)

// verifyChain walks the events and checks the anchors, or defers both to L3
// when the signed cipher says that they are inside the blob (CAP-VER-14).
func (v *verification) verifyChain() error {
	res := &v.res.Chain
	res.OK = true
	if v.c.Encrypted() && v.c.Has(blobPath) {
		res.Note = "deferred to L3 (encrypted outer)"
		return nil
	}
	if !v.c.Has(chain.Path) {
		v.chainError(ruleChainFile, MissingChain, 0, "chain/events.jsonl is missing from a plain capsule")
		return nil
	}
	o := chain.Options{}
	if len(v.c.Manifest.Participants) > 0 {
		v.res.ActorSet.Bound = true
		o.Actors = make(map[string]bool, len(v.c.Manifest.Participants))
		for _, id := range v.c.Manifest.Participants {
			o.Actors[id] = true
		}
	}
	walk, err := chain.Walk(v.c.File(chain.Path), o)
	if err != nil {
		return err
	}
	res.Events = walk.Events
	for _, p := range walk.Problems {
		v.chainError(p.Rule, Reason(p.Reason), p.Seq, p.Message)
	}
	if walk.More > 0 {
		v.chainError(ruleChainFile, Reason("more_problems"), walk.Events, fmt.Sprintf("and %d more problems in the chain", walk.More))
	}
	v.anchors(walk)
	return nil
}

// chainError is a problem of the chain; seq 0 means the chain as a whole.
func (v *verification) chainError(rule finding.Rule, reason Reason, seq int, msg string) {
	v.res.Chain.OK = false
	v.res.Chain.Errors = append(v.res.Chain.Errors, EventError{Seq: seq, Message: msg})
	v.problem(Problem{Rule: rule.ID, Area: AreaChain, Reason: reason, Message: msg, Seq: seq, Path: chain.Path})
}

// anchors ties the chain to the envelope and the manifest (CAP-CHN-12, -20).
func (v *verification) anchors(walk *chain.Result) {
	e := v.c.Envelope.Value
	named := [...]struct {
		name  string
		value jcs.Value
		want  string
	}{
		{"manifest.first_event_hash", v.c.Manifest.Value.Member("first_event_hash"), walk.First},
		{"envelope.first_event_hash", e.Member("first_event_hash"), walk.First},
		{"envelope.entry_hash", e.Member("entry_hash"), walk.Last},
	}
	fail := func(rule finding.Rule, reason Reason, msg string) {
		v.res.Chain.OK = false
		v.error(rule, AreaChainAnchor, reason, msg)
	}
	for _, a := range named {
		switch {
		case walk.Events == 0 && !a.value.IsNull():
			fail(ruleEmptyChain, EmptyChainWithAnchors, a.name+" must be null when the chain has no events, got "+a.value.Shown())
		case walk.Events > 0 && a.value.IsNull():
			fail(ruleEmptyChain, NullAnchorOverEvents, a.name+" is null but the chain has events")
		case walk.Events > 0 && (a.want == "" || !a.value.EqualText(a.want)):
			fail(ruleAnchors, AnchorMismatch, a.name+" mismatch: "+a.value.Shown()+" vs "+shortText(a.want))
		}
	}
	if walk.Events == 0 && v.res.Chain.OK {
		v.res.Chain.Note = "empty chain: no events to walk; envelope anchors checked to be null instead"
		v.qualify(EmptyChainNotWalked)
	}
}

package chain

import "seed/finding"

// The rules this package holds events to.
var (
	ruleHash      = finding.Rule{ID: "CAP-CHN-01", Want: "an event's hash over prev_hash and its canonical form"}
	ruleLink      = finding.Rule{ID: "CAP-CHN-02", Want: "every event linked to the one before it"}
	ruleSeq       = finding.Rule{ID: "CAP-CHN-03", Want: "seq equal to the event's position"}
	ruleActor     = finding.Rule{ID: "CAP-CHN-05", Want: "actors from the declared set"}
	ruleKind      = finding.Rule{ID: "CAP-CHN-06", Want: "a kind from the closed set"}
	ruleLine      = finding.Rule{ID: "CAP-CHN-07", Want: "lines that are JSON objects with canonical hashes"}
	ruleUntrusted = finding.Rule{ID: "CAP-CHN-08", Want: "untrusted paths of the form payload.a.b"}
	ruleSize      = finding.Rule{ID: "CAP-JSON-08", Want: "event lines within the size and depth limits"}
	ruleAppend    = finding.Rule{ID: "CAP-BLD-02", Want: "events that the verifier would accept"}
	ruleBoundary  = finding.Rule{ID: "CAP-JSON-07", Want: "values inside the I-JSON boundary when they are handed in"}
)

// Reason is the word for why an event was refused; programs branch on it.
type Reason string

// Reasons of a walk. The boundary words of package jcs (integer_out_of_range,
// unpaired_surrogate, duplicate_member, …) appear as reasons too.
const (
	ActorNotParticipant  Reason = "actor_not_participant"
	UnknownKind          Reason = "unknown_kind"
	UntrustedPathGrammar Reason = "untrusted_path_grammar"
	EventNotObject       Reason = "event_not_object"
	NonCanonicalHex      Reason = "non_canonical_hex"
	Canonicalization     Reason = "canonicalization_refused"
	HashMismatch         Reason = "hash_mismatch"
	LinkMismatch         Reason = "prev_hash_mismatch"
	SeqMismatch          Reason = "seq_mismatch"
	LineTooLong          Reason = "line_too_long"
)

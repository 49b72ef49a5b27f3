// Package chain reads, judges and writes the event log of a capsule:
// chain/events.jsonl, one JSON object a line, each with the hash of the one
// before it. It implements the chain rules of Capsule v0.6 (CAP-CHN-*).
//
//	{"seq":1,"event_id":"evt_001","actor":"human:ana","kind":"decision",
//	 "action":"approved","target":"payload/plan.md","timestamp":"2026-05-21T12:00:00Z",
//	 "payload":{"summary":"Go."},"prev_hash":"0000…","untrusted_payload_fields":
//	 ["payload.summary"],"hash":"a88e…"}
//
// [Walk] streams a log of any length through a small buffer and collects every
// problem. [Log] appends events and refuses what Walk would not accept.
//
// A chain proves order and content at the time of sealing. It proves neither
// time nor truth nor authority (CAP-CHN-21). The anchors that tie it to the
// envelope are the business of package capsule.
package chain

// Limits of a log and the fixed texts of the format.
const (
	MaxLine     = 16 << 20 // bytes of one event line (CAP-JSON-08)
	MaxProblems = 1000     // problems kept of one walk; the rest is counted

	Path      = "chain/events.jsonl"
	HostActor = "system:host" // allowed whatever the participants are
	Genesis   = "0000000000000000000000000000000000000000000000000000000000000000"
)

// KnownKind reports whether kind is one of the closed set of event kinds.
func KnownKind(kind string) bool {
	switch kind {
	case "decision", "observation", "mutation", "session", "checkpoint":
		return true
	}
	return false
}

const kindList = "decision, observation, mutation, session, checkpoint"

// Hex64 reports whether s is 64 lower-case hexadecimal digits.
func Hex64(s string) bool {
	if len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// UntrustedPath reports whether p is a path into a payload: "payload" and one
// or more names after dots.
func UntrustedPath(p string) bool {
	const prefix = "payload"
	if len(p) <= len(prefix) || p[:len(prefix)] != prefix {
		return false
	}
	name := 1 // characters since the last dot; "payload" is followed by one
	for i := len(prefix); i < len(p); i++ {
		switch c := p[i]; {
		case c == '.':
			if name == 0 {
				return false
			}
			name = 0
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
			if i == len(prefix) {
				return false
			}
			name++
		default:
			return false
		}
	}
	return name > 0
}

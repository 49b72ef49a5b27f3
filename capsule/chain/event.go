package chain

import (
	"strings"

	"seed/jcs"
)

// Event is one line of the log as it stands, for a visitor. Its members are the
// author's claims; nothing but position and hash was proven.
type Event struct {
	Pos   int // position in the log, from 1
	Value jcs.Value
}

// Actor returns who is said to have acted.
func (e Event) Actor() string { return e.Value.Member("actor").Str() }

// Kind returns the kind of the event.
func (e Event) Kind() string { return e.Value.Member("kind").Str() }

// Action returns what is said to have been done.
func (e Event) Action() string { return e.Value.Member("action").Str() }

// Target returns what it was done to.
func (e Event) Target() string { return e.Value.Member("target").Str() }

// Timestamp returns when it is said to have happened.
func (e Event) Timestamp() string { return e.Value.Member("timestamp").Str() }

// Hash returns the stored hash.
func (e Event) Hash() string { return e.Value.Member("hash").Str() }

// Payload returns the payload, missing when there is none.
func (e Event) Payload() jcs.Value { return e.Value.Member("payload") }

// Untrusted returns the marked paths that have the right grammar.
func (e Event) Untrusted() []string {
	var paths []string
	for _, p := range e.Value.Member("untrusted_payload_fields").Elements() {
		if UntrustedPath(p.Str()) {
			paths = append(paths, p.Str())
		}
	}
	return paths
}

// Resolve descends from the payload along a marked path: object members only, no
// arrays. A path that leads nowhere gives a missing value and marks nothing
// (CAP-CHN-08).
func (e Event) Resolve(path string) jcs.Value {
	v := e.Payload()
	const prefix = len("payload.")
	if !UntrustedPath(path) {
		return jcs.Value{}
	}
	for name := range strings.SplitSeq(path[prefix:], ".") {
		v = v.Member(name)
	}
	return v
}

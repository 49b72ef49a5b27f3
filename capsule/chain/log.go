package chain

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"seed/capsule/pith"
	"seed/finding"
	"seed/jcs"
)

// TimeLayout is how every timestamp of a capsule is written: UTC, no fraction.
const TimeLayout = "2006-01-02T15:04:05Z"

// Timestamp reports whether s is a timestamp as the format writes one.
func Timestamp(s string) bool {
	t, err := time.Parse(TimeLayout, s)
	return err == nil && t.Format(TimeLayout) == s
}

// Draft is an event before it has a place in a chain.
type Draft struct {
	Actor     string
	Kind      string // "" means observation
	Action    string
	Target    string // "" means capsule
	Timestamp string
	Payload   []byte // a JSON object, nil means {}; member order is kept

	// Untrusted lists the payload paths that hold text from outside. Nil takes
	// the default of CAP-CHN-09; an empty list marks nothing.
	Untrusted []string
	// MarkNarrative marks every string that the Pith normaliser would touch, not
	// only summary and statement, when Untrusted is nil.
	MarkNarrative bool
	// Pith, if not nil, normalises the narrative fields of the payload.
	Pith *pith.Options
	// Extra are further members named x-<vendor>-<name>, in order.
	Extra []Member
}

// Member is a further member of an event: its name and its JSON value.
type Member struct {
	Name  string
	Value []byte
}

// Log is a chain that grows. The zero value is an empty one with no declared
// actors.
type Log struct {
	Actors map[string]bool // declared set, nil for none

	n           int
	first, last string
}

// Resume returns a log that goes on after the events in r, which must be a chain
// without problems.
func Resume(r io.Reader, actors map[string]bool) (*Log, error) {
	res, err := Walk(r, Options{Actors: actors})
	if err != nil {
		return nil, err
	}
	if !res.OK() {
		p := res.Problems[0]
		return nil, p.Rule.Errorf(finding.Place{Name: Path, Line: p.Seq}, "%s", p.Message)
	}
	return &Log{Actors: actors, n: res.Events, first: res.First, last: res.Last}, nil
}

// Len returns the number of events.
func (l *Log) Len() int { return l.n }

// First returns the hash of the first event, "" when there is none.
func (l *Log) First() string { return l.first }

// Last returns the hash of the last event, "" when there is none.
func (l *Log) Last() string { return l.last }

// Append gives d its place in the chain and returns its line, LF included. What
// a verifier would refuse is refused here (CAP-BLD-02, CAP-JSON-07).
func (l *Log) Append(d Draft) ([]byte, error) {
	if d.Kind == "" {
		d.Kind = "observation"
	}
	if d.Target == "" {
		d.Target = "capsule"
	}
	if err := l.check(&d); err != nil {
		return nil, err
	}
	payload, err := object(d.Payload)
	if err != nil {
		return nil, err
	}
	var normalized []string
	if d.Pith != nil {
		text, changed := pith.Payload(payload.Root(), *d.Pith)
		if payload, err = object(text); err != nil {
			return nil, err
		}
		normalized = changed
	}
	given := d.Untrusted != nil
	if !given {
		d.Untrusted = defaultUntrusted(payload.Root(), d.MarkNarrative)
	}
	line, hash, err := l.render(&d, payload.Root(), given, normalized)
	if err != nil {
		return nil, err
	}
	if len(line)-1 > MaxLine { // the LF does not count
		return nil, ruleSize.Errorf(finding.Place{}, "event line is longer than %d bytes", MaxLine)
	}
	l.n++
	l.last = hash
	if l.n == 1 {
		l.first = hash
	}
	return line, nil
}

func (l *Log) check(d *Draft) error {
	at := finding.Place{Name: fmt.Sprintf("event %d", l.n+1)}
	switch {
	case d.Actor == "":
		return ruleAppend.Errorf(at, "event has no actor")
	case d.Action == "":
		return ruleAppend.Errorf(at, "event has no action")
	case !KnownKind(d.Kind):
		return ruleKind.Errorf(at, "kind %s is not one of %s", finding.Quote(d.Kind), kindList)
	case len(l.Actors) > 0 && d.Actor != HostActor && !l.Actors[d.Actor]:
		return ruleActor.Errorf(at, "actor %s not in manifest.participants and not system:host", finding.Quote(d.Actor)).
			WithHint("declare the participant first; nobody is registered silently")
	case !Timestamp(d.Timestamp):
		return ruleAppend.Errorf(at, "timestamp %s is not of the form 2026-01-31T12:00:00Z", finding.Quote(d.Timestamp))
	}
	for _, s := range []string{d.Actor, d.Action, d.Target} {
		if !utf8.ValidString(s) {
			return ruleBoundary.Errorf(at, "%s is not UTF-8", finding.Quote(s))
		}
	}
	for i, p := range d.Untrusted {
		if !UntrustedPath(p) {
			return ruleUntrusted.Errorf(at, "untrusted_payload_fields[%d] is not a valid payload path: %s", i, finding.Quote(p))
		}
	}
	for i, m := range d.Extra {
		if !ExtensionName(m.Name) || !utf8.ValidString(m.Name) {
			return ruleAppend.Errorf(at, "member %s is not named x-<vendor>-<name>", finding.Quote(m.Name))
		}
		if slices.ContainsFunc(d.Extra[:i], func(o Member) bool { return o.Name == m.Name }) {
			return ruleAppend.Errorf(at, "member %s stands twice", finding.Quote(m.Name))
		}
	}
	return nil
}

// ExtensionName reports whether name has the form x-<vendor>-<name>, the only
// one for members beyond the format's own.
func ExtensionName(name string) bool {
	rest, ok := strings.CutPrefix(name, "x-")
	vendor, own, cut := strings.Cut(rest, "-")
	return ok && cut && vendor != "" && own != ""
}

// object reads a payload that must be a JSON object inside the boundary.
func object(src []byte) (*jcs.Doc, error) {
	if len(src) == 0 {
		src = []byte("{}")
	}
	doc, err := jcs.ParseStrict(src)
	if err != nil {
		return nil, outside("payload", err)
	}
	if doc.Root().Kind() != jcs.Object {
		return nil, ruleAppend.Errorf(finding.Place{Name: "payload"}, "payload is not a JSON object")
	}
	return doc, nil
}

// outside says where and why JSON that was handed in leaves the boundary.
func outside(name string, err error) error {
	var bad *jcs.Error
	if !errors.As(err, &bad) {
		return err
	}
	broken := ruleBoundary.Errorf(finding.Place{Name: name, Line: bad.Line, Col: bad.Col}, "%s", bad.Msg)
	broken.Err = err
	return broken
}

// defaultUntrusted is what a writer marks unasked: the two members that by
// convention hold prose (CAP-CHN-09), or all of them on request.
func defaultUntrusted(payload jcs.Value, all bool) []string {
	marks := []string{}
	names := []string{"summary", "statement"}
	if all {
		names = append(names, "note")
	}
	for _, name := range names {
		if payload.Member(name).Kind() == jcs.String {
			marks = append(marks, "payload."+name)
		}
	}
	if all {
		for _, name := range []string{"open_items", "decisions", "milestones"} {
			if payload.Member(name).Kind() == jcs.Array {
				marks = append(marks, "payload."+name)
			}
		}
	}
	return marks
}

// render writes the line in the member order of CAP-CHN-10.
func (l *Log) render(d *Draft, payload jcs.Value, given bool, normalized []string) (line []byte, hash string, err error) {
	prev := l.last
	if l.n == 0 {
		prev = Genesis
	}
	b := fmt.Appendf(nil, `{"seq":%d,"event_id":"evt_%03d"`, l.n+1, l.n+1)
	for _, m := range []struct{ name, text string }{
		{"actor", d.Actor}, {"kind", d.Kind}, {"action", d.Action}, {"target", d.Target}, {"timestamp", d.Timestamp},
	} {
		b = append(b, `,"`+m.name+`":`...)
		b = jcs.AppendString(b, m.text)
	}
	b = append(b, `,"payload":`...)
	b = payload.AppendCompact(b)
	if len(normalized) > 0 {
		b = appendList(b, "pith_normalized_fields", normalized)
	}
	for _, m := range d.Extra {
		doc, err := jcs.ParseStrict(m.Value)
		if err != nil {
			return nil, "", outside(m.Name, err)
		}
		b = append(jcs.AppendString(append(b, ','), m.Name), ':')
		b = doc.Root().AppendCompact(b)
	}
	if given {
		b = appendList(b, "untrusted_payload_fields", d.Untrusted)
	}
	b = append(b, `,"prev_hash":"`+prev+`"`...)
	if !given {
		b = appendList(b, "untrusted_payload_fields", d.Untrusted)
	}
	doc, err := jcs.ParseStrict(append(b, '}'))
	if err != nil {
		return nil, "", outside("event", err)
	}
	sum := sha256.Sum256(appendHashed(nil, prev, doc.Root()))
	hash = hex.EncodeToString(sum[:])
	return append(b, `,"hash":"`+hash+"\"}\n"...), hash, nil
}

func appendList(b []byte, name string, items []string) []byte {
	b = append(b, `,"`+name+`":[`...)
	for i, s := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = jcs.AppendString(b, s)
	}
	return append(b, ']')
}

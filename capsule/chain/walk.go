package chain

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strconv"

	"seed/finding"
	"seed/jcs"
)

// Problem is one thing wrong with one event.
type Problem struct {
	Rule    finding.Rule
	Reason  Reason
	Seq     int // position of the event, from 1
	Message string
}

// Options say what a walk holds events to.
type Options struct {
	// Actors is the declared set. Empty means that the manifest declares none, and
	// any actor passes (CAP-CHN-05).
	Actors map[string]bool
	// Visit, if not nil, is called for every line that is a JSON object, also for
	// those with problems. The event is valid during the call only. An error
	// ends the walk and is returned.
	Visit func(Event) error
	// Keep limits Problems; 0 means MaxProblems.
	Keep int
}

// Result is what a walk found.
type Result struct {
	Events   int
	First    string // stored hash of the first event, "" when there is none
	Last     string // stored hash of the last event
	Problems []Problem
	More     int // problems beyond those kept
}

// OK reports whether the walk found nothing wrong.
func (r *Result) OK() bool { return len(r.Problems) == 0 && r.More == 0 }

// walker is the state of one walk. Its buffers are used again for every line.
type walker struct {
	o     Options
	res   Result
	doc   jcs.Doc
	canon []byte
	prev  string // hash that the next event must name
	pos   int    // position of the current event
}

// Walk reads a log to its end and reports every problem. The error is one of
// reading or of Visit, never of content.
func Walk(r io.Reader, o Options) (*Result, error) {
	if o.Keep <= 0 {
		o.Keep = MaxProblems
	}
	w := &walker{o: o, prev: Genesis}
	br := bufio.NewReaderSize(r, 64<<10)
	var long []byte
	for {
		line, err := br.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			if len(long)+len(line) > MaxLine {
				if err := w.tooLong(br); err != nil {
					return nil, err
				}
				long = long[:0]
				continue
			}
			long = append(long, line...)
			continue
		}
		if err != nil && err != io.EOF {
			return nil, err
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if verr := w.line(bytes.TrimSuffix(line, []byte("\n"))); verr != nil {
			return nil, verr
		}
		long = long[:0]
		if err == io.EOF {
			return &w.res, nil
		}
	}
}

// tooLong reports a line over the limit and skips what is left of it.
func (w *walker) tooLong(br *bufio.Reader) error {
	w.pos++
	w.res.Events++
	w.problem(ruleSize, LineTooLong, "event line is longer than "+strconv.Itoa(MaxLine)+" bytes")
	w.stored("")
	for {
		_, err := br.ReadSlice('\n')
		switch {
		case err == nil || err == io.EOF:
			return nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

func (w *walker) problem(rule finding.Rule, reason Reason, msg string) {
	if len(w.res.Problems) == w.o.Keep {
		w.res.More++
		return
	}
	w.res.Problems = append(w.res.Problems, Problem{Rule: rule, Reason: reason, Seq: w.pos, Message: msg})
}

// stored notes the hash an event claims: the chain goes on from it even when it
// is wrong, so that one bad event is reported once (CAP-CHN-04).
func (w *walker) stored(hash string) {
	if w.pos == 1 {
		w.res.First = hash
	}
	w.res.Last, w.prev = hash, hash
}

// line judges one line; empty lines are skipped.
func (w *walker) line(line []byte) error {
	if len(line) == 0 {
		return nil
	}
	w.pos++
	w.res.Events++
	if len(line) > MaxLine {
		w.problem(ruleSize, LineTooLong, "event line is longer than "+strconv.Itoa(MaxLine)+" bytes")
		w.stored("")
		return nil
	}
	if err := w.doc.Parse(line, jcs.Limits{}); err != nil {
		w.unreadable(err)
		w.stored("")
		return nil
	}
	root := w.doc.Root()
	if root.Kind() != jcs.Object {
		w.problem(ruleLine, EventNotObject, "event is not a JSON object")
		w.stored("")
		return nil
	}
	w.members(root)
	w.hashes(root)
	if w.o.Visit != nil {
		return w.o.Visit(Event{Pos: w.pos, Value: root})
	}
	return nil
}

// unreadable reports a line that is no strict JSON. A breach of the boundary is
// named as such, never as a hash that does not fit (CAP-JSON-06).
func (w *walker) unreadable(err error) {
	if len(w.res.Problems) == w.o.Keep {
		w.res.More++ // a log of millions of bad lines is not worth as many texts
		return
	}
	rule, reason := ruleLine, EventNotObject
	text := err.Error()
	var bad *jcs.Error
	if errors.As(err, &bad) {
		text = bad.Text()
		switch bad.Reason {
		case jcs.DuplicateMember:
			rule, reason = bad.Rule, Reason(bad.Reason)
		case jcs.TooDeep, jcs.TooLarge:
			rule, reason = ruleSize, Reason(bad.Reason)
		}
	}
	w.problem(rule, reason, "event is not a JSON object that can be hashed: "+text)
}

func (w *walker) members(root jcs.Value) {
	seq := root.Member("seq")
	if n, ok := seq.Int(); !ok || n != int64(w.pos) {
		w.problem(ruleSeq, SeqMismatch, "seq "+seq.Shown()+" expected "+strconv.Itoa(w.pos))
	}
	if kind := root.Member("kind"); !KnownKind(kind.Str()) {
		w.problem(ruleKind, UnknownKind, "kind "+kind.Shown()+" is not one of "+kindList)
	}
	if len(w.o.Actors) > 0 {
		actor, isText := root.Member("actor").Text()
		if !isText || (actor != HostActor && !w.o.Actors[actor]) {
			w.problem(ruleActor, ActorNotParticipant,
				"actor "+root.Member("actor").Shown()+" not in manifest.participants and not system:host")
		}
	}
	paths := root.Member("untrusted_payload_fields")
	switch paths.Kind() {
	case jcs.Missing:
	case jcs.Array:
		for i, p := range paths.Elements() {
			if path, ok := p.Text(); !ok || !UntrustedPath(path) {
				w.problem(ruleUntrusted, UntrustedPathGrammar,
					"untrusted_payload_fields["+strconv.Itoa(i)+"] is not a valid payload path: "+p.Shown())
			}
		}
	default:
		w.problem(ruleUntrusted, UntrustedPathGrammar, "untrusted_payload_fields is not an array")
	}
}

// hashes checks the link to the event before and the event's own hash.
func (w *walker) hashes(root jcs.Value) {
	prevOK := w.hexMember(root, "prev_hash")
	prev := root.Member("prev_hash").Str()
	if prevOK && prev != w.prev {
		w.problem(ruleLink, LinkMismatch, "prev_hash mismatch: got "+prev+", expected "+shown(w.prev))
	}
	hashOK := w.hexMember(root, "hash")
	hash := root.Member("hash").Str()
	defer w.stored(hash)
	if refused := w.doc.Refused(); refused != nil {
		w.problem(refused.Rule, Reason(refused.Reason), "recompute failed: "+refused.Text())
		return
	}
	if !prevOK || !hashOK {
		return
	}
	var sum [32]byte
	w.canon = appendHashed(w.canon[:0], prev, root)
	sum = sha256.Sum256(w.canon)
	var text [64]byte
	hex.Encode(text[:], sum[:])
	if string(text[:]) != hash {
		w.problem(ruleHash, HashMismatch, "hash mismatch: stored "+hash+", recomputed "+string(text[:]))
	}
}

// appendHashed appends what an event's hash is taken over. The caller checked
// that prev is 64 hex digits.
func appendHashed(dst []byte, prev string, root jcs.Value) []byte {
	n := len(dst)
	dst = append(dst, make([]byte, 32)...)
	if _, err := hex.Decode(dst[n:n+32], []byte(prev)); err != nil {
		panic("chain: prev_hash was not checked")
	}
	return root.AppendCanonicalWithout(dst, "hash")
}

func (w *walker) hexMember(root jcs.Value, name string) bool {
	text, ok := root.Member(name).Text()
	switch {
	case !ok || len(text) != 64:
		w.problem(ruleLine, NonCanonicalHex, name+" missing or wrong length")
		return false
	case !Hex64(text):
		w.problem(ruleLine, NonCanonicalHex, name+" is not canonical lowercase hex")
		return false
	}
	return true
}

// shown prints a stored hash, which may be any text or none.
func shown(hash string) string {
	switch {
	case hash == "":
		return "none, as the event before has no usable hash"
	case !Hex64(hash):
		return finding.Quote(hash)
	}
	return hash
}

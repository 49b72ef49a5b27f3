package testkit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"seed/jcs"
)

const noHash = "0000000000000000000000000000000000000000000000000000000000000000"

// events is the log on its way into the capsule.
type events struct {
	lines []*document
	end   string // after every line
	last  bool   // after the last line too
}

// stored is the hash that a line carries; what carries none has the hash of its
// text, so that the anchors over it are hashes all the same.
func stored(line *document) string {
	if doc, err := jcs.Parse(line.text); err == nil {
		if hash, ok := doc.Root().Member("hash").Text(); ok {
			return hash
		}
	}
	return eventHash(line.text)
}

// addEvent appends an event. ${SEQ}, ${PREV} and ${HASH} in it are replaced; where the
// members seq, prev_hash and hash are missing from an object they are added.
func (l *layer) addEvent(text string) error {
	seq, prev := len(l.events.lines)+1, noHash
	if seq > 1 {
		prev = stored(l.events.lines[seq-2])
	}
	marker := strings.Repeat("hash", 16)
	l.facts["SEQ"], l.facts["PREV"], l.facts["HASH"] = strconv.Itoa(seq), prev, marker
	text, err := l.expand(text)
	if err != nil {
		return err
	}
	if doc, err := jcs.Parse([]byte(text)); err == nil && doc.Root().Kind() == jcs.Object {
		root := doc.Root()
		head, tail := "", ""
		if !root.Member("seq").Exists() {
			head = `"seq":` + strconv.Itoa(seq)
		}
		if !root.Member("prev_hash").Exists() {
			tail = `,"prev_hash":"` + prev + `"`
		}
		if !root.Member("hash").Exists() {
			tail += `,"hash":"` + marker + `"`
		}
		if head != "" && root.Len() > 0 {
			head += ","
		}
		open, body := text[:strings.Index(text, "{")+1], text[strings.Index(text, "{")+1:strings.LastIndex(text, "}")]
		text = open + head + body + tail + text[strings.LastIndex(text, "}"):]
	}
	line := &document{text: []byte(text)}
	line.text = bytes.ReplaceAll(line.text, []byte(marker), []byte(eventHash(line.text)))
	l.events.lines = append(l.events.lines, line)
	l.facts["HASH"+strconv.Itoa(seq)] = stored(line)
	for _, name := range []string{"SEQ", "PREV", "HASH"} {
		delete(l.facts, name)
	}
	return nil
}

// eventHash is the hash of a line: over the previous hash it names and its
// canonical form without hash; over the text where there is no such form.
func eventHash(text []byte) string {
	input := text
	if doc, err := jcs.ParseStrict(text); err == nil {
		prev, err := hex.DecodeString(doc.Root().Member("prev_hash").Str())
		if err != nil || len(prev) != 32 {
			prev = make([]byte, 32)
		}
		input = doc.Root().AppendCanonicalWithout(prev, "hash")
	}
	sum := sha256.Sum256(input)
	return hex.EncodeToString(sum[:])
}

// composeChain reads the events.
func (l *layer) composeChain() error {
	l.events = events{end: "\n", last: true}
	for _, s := range l.steps {
		a := &args{s: s.rest}
		var err error
		switch s.verb {
		case "no-events":
			l.events.lines = nil
		case "event":
			err = l.addEvent(a.text())
		case "event-quoted":
			err = l.addEvent(a.word())
		case "events":
			n, text := a.int(), a.text()
			for i := 0; i < n && err == nil; i++ {
				err = l.addEvent(text)
			}
		case "chain":
			switch how := a.word(); how {
			case "crlf":
				l.events.end = "\r\n"
			case "blank-lines":
				l.events.end = "\n\n"
			case "no-final-lf":
				l.events.last = false
			default:
				err = fmt.Errorf("no chain is written %q", how)
			}
		}
		if err == nil {
			err = a.err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return l.tamperChain()
}

// tamperChain changes events after they were hashed and before they are indexed
// and sealed: the seal is good, the chain is not.
func (l *layer) tamperChain() error {
	lines := l.events.lines
	at := func(a *args) int {
		n := a.int()
		if n < 1 || n > len(lines) {
			a.fail("no event %d", n)
			return 0
		}
		return n - 1
	}
	for _, s := range l.steps {
		a := &args{s: s.rest}
		var err error
		switch {
		case s.verb == "drop-event":
			if i := at(a); a.err == nil {
				lines = append(lines[:i:i], lines[i+1:]...)
			}
		case s.verb == "swap-events":
			if i, j := at(a), at(a); a.err == nil {
				lines[i], lines[j] = lines[j], lines[i]
			}
		case strings.HasPrefix(s.rest, "event ") && s.verb != "after":
			a.word()
			if i := at(a); a.err == nil {
				if a.s, err = l.expand(a.s); err == nil {
					err = lines[i].edit(s.verb, a)
				}
			}
		}
		if err == nil {
			err = a.err
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	l.events.lines = lines
	if n := len(lines); n > 0 {
		l.facts["FIRST"], l.facts["LAST"] = stored(lines[0]), stored(lines[n-1])
	}
	return nil
}

func (e *events) bytes() []byte {
	if len(e.lines) == 0 && len(e.end) > 1 {
		return []byte(e.end) // blank lines of no events
	}
	out := []byte{}
	for i, line := range e.lines {
		out = append(out, line.text...)
		if e.last || i+1 < len(e.lines) {
			out = append(out, e.end...)
		}
	}
	return out
}

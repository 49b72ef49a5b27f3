package jcs

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"seed/finding"
)

// Reason is the kind of an [Error], in the vocabulary of the Capsule rules.
type Reason string

// The reasons. The first two and the last two make [Doc.Parse] fail, the others
// are what [Doc.Refused] returns.
const (
	InvalidJSON       Reason = "invalid_json"
	DuplicateMember   Reason = "duplicate_member"
	UnpairedSurrogate Reason = "unpaired_surrogate"
	IntegerOutOfRange Reason = "integer_out_of_range"
	NumberOutOfRange  Reason = "number_out_of_range" // not a finite binary64
	TooDeep           Reason = "too_deep"
	TooLarge          Reason = "too_large"
)

var (
	ruleStrict     = finding.Rule{ID: "CAP-JSON-01", Want: "one strict JSON value in UTF-8 and nothing after it"}
	ruleDuplicate  = finding.Rule{ID: "CAP-JSON-02", Want: "every member name once in its object"}
	ruleWellFormed = finding.Rule{ID: "CAP-JSON-03", Want: "no unpaired surrogate in a string or name"}
	ruleFinite     = finding.Rule{ID: "CAP-JSON-04", Want: "every number finite"}
	ruleInteger    = finding.Rule{ID: "CAP-JSON-05", Want: "every integer within 2^53-1"}
	ruleLimits     = finding.Rule{ID: "CAP-JSON-08", Want: "a document within the limits of depth and size"}
)

func (r Reason) rule() finding.Rule {
	switch r {
	case DuplicateMember:
		return ruleDuplicate
	case UnpairedSurrogate:
		return ruleWellFormed
	case NumberOutOfRange:
		return ruleFinite
	case IntegerOutOfRange:
		return ruleInteger
	case TooDeep, TooLarge:
		return ruleLimits
	}
	return ruleStrict
}

// Error is a breach of the rules for hashed JSON. It is never a sign of
// tampering: it says that the producer left the portable domain (CAP-JSON-06).
type Error struct {
	Reason Reason
	Rule   finding.Rule
	Offset int // of the breach in the source, in bytes
	Line   int // 1-based
	Col    int // 1-based, in bytes
	Msg    string
}

func (e *Error) Error() string {
	return fmt.Sprintf("line %d, column %d: %s (%s)", e.Line, e.Col, e.Msg, e.Rule.ID)
}

// Text is the error for a report that names the rule elsewhere: with the reason
// word, without the rule.
func (e *Error) Text() string {
	return fmt.Sprintf("%s at line %d, column %d: %s", e.Reason, e.Line, e.Col, e.Msg)
}

func (d *Doc) breach(reason Reason, at int, msg string) *Error {
	line, col := position(d.src, at)
	return &Error{Reason: reason, Rule: reason.rule(), Offset: at, Line: line, Col: col, Msg: msg}
}

// refuse notes the first breach of the I-JSON boundary.
func (d *Doc) refuse(reason Reason, at int, msg string) {
	if d.refused == nil {
		d.refused = d.breach(reason, at, msg)
	}
}

// unexpected is the syntax error at a byte that cannot stand where it is.
func (d *Doc) unexpected(at int, want string) *Error {
	if at >= len(d.src) {
		return d.breach(InvalidJSON, len(d.src), "the text ends where "+want+" should be")
	}
	_, n := utf8.DecodeRune(d.src[at:])
	return d.breach(InvalidJSON, at, finding.Quote(string(d.src[at:at+n]))+" stands where "+want+" should be")
}

func position(src []byte, at int) (line, col int) {
	head := src[:at]
	return 1 + bytes.Count(head, []byte{'\n'}), at - bytes.LastIndexByte(head, '\n')
}

func (d *Doc) checkUTF8() *Error {
	if utf8.Valid(d.src) {
		return nil
	}
	at := 0
	for at < len(d.src) {
		r, n := utf8.DecodeRune(d.src[at:])
		if r == utf8.RuneError && n == 1 {
			break
		}
		at += n
	}
	return d.breach(InvalidJSON, at, fmt.Sprintf("byte %02x is not UTF-8", d.src[at]))
}

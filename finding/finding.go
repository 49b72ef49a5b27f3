// Package finding is the vocabulary in which every part of seed says that an
// input broke a rule: which rule, where, what is wrong and what to do about it.
//
// A parser stops at the first breach and returns it as an [Error]. A checker
// goes on and collects everything in a [Report]. Both print the same line:
//
//	my.seed:14: metadata has no "grow" field (SP-META-01)
//
// The package knows nothing of any protocol, file or terminal.
package finding

import (
	"errors"
	"fmt"
	"strconv"
)

// Rule is one numbered demand of a protocol.
type Rule struct {
	ID   string // "SP-META-01"
	Want string // what the rule asks, as a clause: "every entry name once"
}

// Severity orders findings. Only a Breach makes a verdict negative.
type Severity int

const (
	Breach  Severity = iota // the rule is broken
	Warning                 // legal, but a careful reader should know
	Note                    // a fact worth showing
)

func (s Severity) String() string {
	switch s {
	case Breach:
		return "error"
	case Warning:
		return "warning"
	case Note:
		return "note"
	}
	return "severity(" + strconv.Itoa(int(s)) + ")"
}

// MarshalText makes severities words in JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Place is where something was found. The zero value means the input as a whole.
type Place struct {
	Name string // the file, entry or field; may come from outside
	Line int    // 1-based, 0 when unknown
	Col  int    // 1-based byte column, 0 when unknown
}

func (p Place) String() string {
	s := p.Name
	if p.Line > 0 {
		if s == "" {
			s = "line " + strconv.Itoa(p.Line)
		} else {
			s += ":" + strconv.Itoa(p.Line)
		}
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// Finding is one observation about an input.
type Finding struct {
	Rule     Rule
	Severity Severity
	At       Place
	Msg      string // what is wrong, lower case, no period
	Hint     string // what to do next, "" when there is nothing to say
}

func (f Finding) String() string {
	s := f.Msg
	if s == "" {
		s = "want " + f.Rule.Want
	}
	if at := f.At.String(); at != "" {
		s = at + ": " + s
	}
	if f.Rule.ID != "" {
		s += " (" + f.Rule.ID + ")"
	}
	return s
}

// Error is a broken rule as an error.
type Error struct {
	Finding
	Err error // the lower-level cause, may be nil
}

func (e *Error) Error() string { return e.String() }
func (e *Error) Unwrap() error { return e.Err }

// Errorf returns the breach of rule at a place, its message made by [fmt.Errorf].
func (r Rule) Errorf(at Place, format string, args ...any) *Error {
	err := fmt.Errorf(format, args...)
	return &Error{
		Finding: Finding{Rule: r, At: at, Msg: err.Error()},
		Err:     errors.Unwrap(err),
	}
}

// WithHint returns e with a next step for the person who reads it.
func (e *Error) WithHint(hint string) *Error {
	e.Hint = hint
	return e
}

// Quote quotes text from outside for a message: escaped like %q and cut to 80
// bytes, so that no input can flood or steer a terminal.
func Quote(s string) string {
	const most = 80
	if len(s) <= most {
		return strconv.QuoteToASCII(s)
	}
	return strconv.QuoteToASCII(s[:most]) + "..."
}

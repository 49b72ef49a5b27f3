package hydrate

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"
)

// Part is one piece of context.
type Part struct {
	Kind    string // a plain word: "verdict", "program", "agents", "event", "skill", "payload"
	Title   string // shown; may come from outside
	Trusted bool   // false: framed as untrusted
	Why     string // why it is untrusted, as a clause: "unsigned skill", "no trusted signer"
	Text    string // exact bytes
	Rank    int    // under a budget lower ranks are kept first, equal ranks in order
}

// Essential is the highest rank of the parts that are cut at a line end, rather
// than left out, when they are too long for the budget. A caller gives the
// verdict and the program ranks up to it and everything else ranks above it, the
// newest event the lowest of all events.
const Essential = 0

// Least is what a budget must have beyond the tokens of the preface. Markdown
// keeps to every budget of Tokens(preface)+Least or more; under a smaller one it
// writes what it cannot leave out, and Report.Tokens says how much that was.
const Least = 150

// Options says how much is wanted.
//
// Under a budget parts are kept by rank. Once a part does not fit, no further one
// of its kind is tried: of a log the newest end is shown, without holes.
type Options struct {
	MaxTokens int // 0 or less: no limit
	// Salt goes into the mark. Without it the mark follows from the content, and
	// somebody who wrote one text can imitate its frames inside another that is
	// put beside it. The same salt gives the same text.
	Salt string
}

// Report says what became of the parts.
type Report struct {
	Tokens  int  `json:"tokens"`  // estimate for all that was written
	Omitted int  `json:"omitted"` // parts left out
	Cut     bool `json:"cut"`     // some part is not whole
}

// Piece is a part as it is shown, or, when Omitted is not 0, the place of parts
// that are not.
type Piece struct {
	Kind    string `json:"kind,omitempty"`
	Title   string `json:"title,omitempty"` // one line, made visible
	Trusted bool   `json:"trusted"`
	Why     string `json:"why,omitempty"`
	Text    string `json:"text"`              // exact bytes, as far as they are shown
	Bytes   int    `json:"bytes"`             // of the whole text
	Omitted int    `json:"omitted,omitempty"` // how many parts are left out here
	Note    string `json:"note,omitempty"`    // says what is left out or cut
}

// MarshalJSON writes a text that is not UTF-8 as base64 in the member base64, in
// place of the member text: JSON could not carry its exact bytes.
func (p Piece) MarshalJSON() ([]byte, error) {
	type plain Piece
	if utf8.ValidString(p.Text) {
		return json.Marshal(plain(p))
	}
	return json.Marshal(struct {
		plain
		Text   string `json:"text,omitempty"` // hides the one of plain
		Base64 []byte `json:"base64"`
	}{plain: plain(p), Base64: []byte(p.Text)})
}

// Markdown writes the preface, which is the caller's own word, and the framed
// parts. The only error is that of w.
func Markdown(w io.Writer, preface string, parts []Part, o Options) (Report, error) {
	if preface != "" && preface[len(preface)-1] != '\n' {
		preface += "\n"
	}
	buffered := bufio.NewWriter(w)
	r := renderer{w: buffered, mark: newMark(o.Salt, preface, parts)}
	pieces, report := r.plan(preface, parts, o)
	r.write(preface)
	r.parts(pieces, preface != "")
	report.Tokens = r.meter.sum()
	if err := buffered.Flush(); err != nil {
		return report, fmt.Errorf("write context: %w", err)
	}
	return report, nil
}

// Select returns what Markdown would show, for another form of output. The budget
// pays for the frames too, whether they are used or not.
func Select(parts []Part, o Options) ([]Piece, Report) {
	r := renderer{w: bufio.NewWriter(io.Discard), mark: newMark("", "", parts)}
	pieces, report := r.plan("", parts, o)
	r.parts(pieces, false)
	report.Tokens = r.meter.sum()
	return pieces, report
}

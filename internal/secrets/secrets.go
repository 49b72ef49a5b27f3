// Package secrets finds what is likely a secret in files that are about to
// leave the machine: private keys, tokens with a known shape, passwords in
// URLs and in assignments, and files that exist to hold credentials.
//
// It reads bytes once. A table of three-byte blocks (filter.go) finds the few
// places where a keyword of a rule stands, and only the window around such a
// place is judged, first by hand-written parsers and then by the rule's
// expression. What a rule sees is the same however the bytes arrive: whole,
// from a reader or in chunks.
//
// The package proves nothing. It is a net against accidents, tuned to be quiet
// on source code; a secret without shape ("my password is hunter two") or
// inside a compressed or encoded container is not found. It never returns the
// secret itself, only where it is, of which kind and how long.
//
// It is pure: paths are names to judge, never opened.
package secrets

import (
	"fmt"
	"io"

	"seed/finding"
)

// MaxMatches is the most matches kept of one file. Whoever leaks a hundred
// secrets in a file does not need the hundred and first by line.
const MaxMatches = 100

// Match is one likely secret.
type Match struct {
	Rule *Rule
	Line int // 1-based; 0 when the file as such is the finding
	Col  int // 1-based byte column of the secret; 0 when Line is 0

	// Redacted stands for the secret in messages: at most the first four bytes
	// of a prefix that everyone knows, and the length. "" when Line is 0.
	Redacted string
}

// Finding is the match as a breach in the file called path.
func (m Match) Finding(path string) finding.Finding {
	msg := "looks like " + m.Rule.Title
	if m.Redacted != "" {
		msg += ": " + m.Redacted
	}
	return finding.Finding{
		Rule: finding.Rule{ID: m.Rule.ID, Want: "no " + m.Rule.Title + " in what leaves the machine"},
		At:   finding.Place{Name: path, Line: m.Line, Col: m.Col},
		Msg:  msg,
	}
}

// Result is what one file holds, in the order of the file.
type Result struct {
	Matches []Match
	More    bool // there were more than MaxMatches
}

// ScanBytes judges a file that is in memory. The path is relative, with
// slashes; it decides path rules and how bare values are read.
func ScanBytes(path string, data []byte) Result {
	var f File
	f.Reset(path)
	if f.late == nil && !isUTF16(data) {
		f.scan(data, 0, len(data)) // no seams, so nothing need be carried
		f.n = int64(len(data))
		return f.result()
	}
	f.Write(data)
	return f.Close()
}

// Scan judges a file as it is read, in bounded memory whatever its size and
// the length of its lines.
func Scan(path string, r io.Reader) (Result, error) {
	f := NewFile(path)
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		f.Write(buf[:n])
		if err == io.EOF {
			return f.Close(), nil
		}
		if err != nil {
			return Result{}, fmt.Errorf("scan for secrets: %w", err)
		}
	}
}

// Package pith shortens the prose of events: it folds whitespace, keeps the first
// sentences and cuts what is still too long (capsule digest §15, CAP-PTH).
//
//	"Wait... what   happened?\nIt broke!! Then it healed. End."
//	"Wait... what happened? It broke!! Then it healed."
//
// It helps authors and is off unless asked for. It is no canonical form, and no
// reader checks it: two implementations may differ. This one gives what the
// reference gives, in both of its variants. Positions and lengths are UTF-16 code
// units, as there; all work is linear in the input.
package pith

import "strings"

// Variant says whose sentences are meant.
type Variant int

// The variants. July cuts inside "12.4k" and may cut a surrogate pair in two; it
// is for comparison with old capsules.
const (
	Newer Variant = iota
	July
)

// Defaults of [Options].
const (
	DefaultChars     = 280
	DefaultSentences = 3
)

// Options says how much may stay (CAP-PTH-01). A number that is not positive
// means the default.
type Options struct {
	MaxChars     int // UTF-16 code units, the ellipsis included
	MaxSentences int
	Variant      Variant
}

func (o Options) chars() int {
	if o.MaxChars <= 0 {
		return DefaultChars
	}
	return o.MaxChars
}

func (o Options) sentences() int {
	if o.MaxSentences <= 0 {
		return DefaultSentences
	}
	return o.MaxSentences
}

// Text returns s normalised. Doing it twice changes nothing more.
//
// Where July cuts a surrogate pair in two, the result ends in the three bytes
// that UTF-8 would give its first half, and the ellipsis; package jcs refuses
// such a text. Bytes of s that are no UTF-8 stay as they are and count one unit
// each.
func Text(s string, o Options) string {
	s = fold(s)
	if o.Variant == July {
		s = firstPieces(s, o.sentences())
	} else {
		s = firstSentences(s, o.sentences())
	}
	return shorten(s, o.chars(), o.Variant)
}

// fold is the whitespace step (CAP-PTH-02).
func fold(s string) string {
	var out strings.Builder
	for line := range strings.FieldsFuncSeq(s, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line = trim(line)
		if line == "" {
			continue
		}
		if out.Len() == 0 {
			out.Grow(len(s))
		} else {
			out.WriteByte(' ')
		}
		for line != "" {
			n := strings.IndexAny(line, " \t")
			if n < 0 {
				out.WriteString(line)
				break
			}
			out.WriteString(line[:n])
			out.WriteByte(' ')
			line = strings.TrimLeft(line[n:], " \t")
		}
	}
	return out.String()
}

// firstPieces is July's sentence step (CAP-PTH-03): a piece is text without
// terminators and the terminators after it, wherever they stand.
func firstPieces(s string, most int) string {
	const terminators = ".!?"
	var pieces []string
	for rest := s; ; {
		rest = strings.TrimLeft(rest, terminators)
		if rest == "" {
			return s
		}
		if len(pieces) == most {
			// The text is trimmed, so what is left is one more piece at least.
			return strings.Join(pieces, " ")
		}
		end := strings.IndexAny(rest, terminators)
		if end < 0 {
			return s // the last piece
		}
		for end < len(rest) && strings.IndexByte(terminators, rest[end]) >= 0 {
			end++
		}
		pieces = append(pieces, trim(rest[:end]))
		rest = rest[end:]
	}
}

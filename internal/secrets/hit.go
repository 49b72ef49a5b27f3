package secrets

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// hit is a match with its place in the file, before overlaps are resolved.
type hit struct {
	Match
	start, end int64
}

// maxHits is the most raw hits kept; several rules may hit the same secret.
const maxHits = 3 * MaxMatches

// secret is a span of the window that was judged.
type secret struct {
	start, end int
	known      bool // begins with a prefix that is part of the rule
}

// add records that r found s in the window that begins at buf[lo].
func (f *File) add(r *Rule, buf []byte, lo int, s secret) {
	if len(f.hits) == maxHits {
		f.full = true
		return
	}
	start := lo + s.start
	f.advance(buf, f.base+int64(max(0, lo-maxWord))) // keywords come almost in order
	part := buf[f.counted-f.base : start]
	lineStart := f.lineStart
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		lineStart = f.counted + int64(i) + 1
	}
	abs := f.base + int64(start)
	f.hits = append(f.hits, hit{
		Match: Match{
			Rule:     r,
			Line:     1 + f.line + bytes.Count(part, newline),
			Col:      int(abs-lineStart) + 1,
			Redacted: redact(buf[start:lo+s.end], s.known),
		},
		start: abs,
		end:   f.base + int64(lo+s.end),
	})
}

// redact stands for a secret. Only a prefix that says nothing of the secret is
// shown, and of it only plain letters.
func redact(b []byte, known bool) string {
	shown := "****"
	if known && len(b) > 4 {
		shown = string(bytes.Map(func(c rune) rune {
			if c < 0x21 || c > 0x7e {
				return '*'
			}
			return c
		}, b[:4])) + "****"
	}
	return shown + " (" + strconv.Itoa(len(b)) + " bytes)"
}

// result orders the hits and leaves one for each secret: the first of those
// that overlap, but a rule that knows the shape before one that guesses.
func (f *File) result() Result {
	slices.SortStableFunc(f.hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end), cmp.Compare(a.Rule.ID, b.Rule.ID))
	})
	kept := make([]hit, 0, len(f.hits))
	for _, h := range f.hits {
		last := len(kept) - 1
		switch {
		case last < 0 || h.start >= kept[last].end:
			kept = append(kept, h)
		case kept[last].Rule.yields && !h.Rule.yields:
			kept[last] = h
		}
	}
	var res Result
	if r := f.late; r != nil && f.n > 0 && (r.kind == named || f.env.found) {
		res.Matches = append(res.Matches, Match{Rule: r})
	}
	for _, h := range kept {
		res.Matches = append(res.Matches, h.Match)
	}
	if res.More = f.full || len(res.Matches) > MaxMatches; len(res.Matches) > MaxMatches {
		res.Matches = res.Matches[:MaxMatches]
	}
	return res
}

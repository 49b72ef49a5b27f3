package visible

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf8"
)

// Hidden is one hidden character, or a run of them that belongs together.
type Hidden struct {
	Line    int    `json:"line"`              // 1-based
	Col     int    `json:"col"`               // 1-based byte column
	Code    string `json:"code"`              // "U+202E", "0xFF" for a byte that is no UTF-8
	Name    string `json:"name"`              // "right-to-left override"
	Kind    Kind   `json:"kind"`              // of all characters of the run
	Count   int    `json:"count"`             // how many characters, 1 or more
	Decoded string `json:"decoded,omitempty"` // what tags or selectors spell, escaped by Text
}

// maxDecoded bounds the hidden message kept of one run.
const maxDecoded = 1024

// Scan lists the hidden characters of the text in r, at most max of them (runs
// count as one), and returns how many characters are hidden in all. LF, TAB and
// CRLF are not hidden; otherwise it finds what [Writer] would change.
func Scan(r io.Reader, max int) ([]Hidden, int, error) {
	s := Scanner{Max: max}
	_, err := io.Copy(&s, r)
	list, total := s.Result()
	if err != nil {
		err = fmt.Errorf("scan text: %w", err)
	}
	return list, total, err
}

// Scanner is [Scan] for text that passes by: an [io.Writer] that only looks.
// The zero value counts and lists nothing. Parts of a text that begin at line
// borders may be scanned by one Scanner each.
type Scanner struct {
	Max int // how many runs to list

	list  []Hidden
	total int
	kinds map[Kind]int

	prev  before
	held  []byte // an incomplete character or a CR, at most 3 bytes
	in    []byte
	off   int64  // offset of the current piece
	seen  int    // how much of the current piece is counted in the next two
	lines int    // LFs
	start int64  // offset of the last line's first byte
	end   int64  // offset behind the last listed run
	raw   []byte // what that run spells
}

// Write looks at p. It never fails.
func (s *Scanner) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		n := min(len(rest), pieceSize)
		s.feed(rest[:n], false)
		rest = rest[n:]
	}
	return len(p), nil
}

// Result ends the text and returns the list and the number of hidden
// characters, listed or not.
func (s *Scanner) Result() ([]Hidden, int) {
	s.feed(nil, true)
	s.closeRun()
	return s.list, s.total
}

// Count returns how many characters of kind k were found so far.
func (s *Scanner) Count(k Kind) int { return s.kinds[k] }

func (s *Scanner) feed(p []byte, final bool) {
	if len(s.held) > 0 {
		s.in = append(append(s.in[:0], s.held...), p...)
		p = s.in
	}
	used := s.piece(p, final)
	s.held = append(s.held[:0], p[used:]...)
	s.countLines(p, used)
	s.off += int64(used)
	s.seen = 0
}

// countLines counts the lines of the piece p up to its byte n. Counting apart
// from looking makes two fast passes of one slow one.
func (s *Scanner) countLines(p []byte, n int) {
	part := p[s.seen:n]
	if last := bytes.LastIndexByte(part, '\n'); last >= 0 {
		s.lines += bytes.Count(part, newline)
		s.start = s.off + int64(s.seen+last) + 1
	}
	s.seen = n
}

var newline = []byte{'\n'}

func (s *Scanner) piece(p []byte, final bool) int {
	i := 0
	for i < len(p) {
		if n := plainRun(p[i:]); n > 0 {
			i += n
			s.prev = leanOn(rune(p[i-1]))
			continue
		}
		if p[i] == '\r' {
			if i+1 == len(p) && !final {
				return i
			}
			if i+1 < len(p) && p[i+1] == '\n' {
				i += 2
				s.prev = other
				continue
			}
		}
		if !final && !utf8.FullRune(p[i:]) {
			return i
		}
		r, n := utf8.DecodeRune(p[i:])
		if r == utf8.RuneError && n == 1 {
			s.prev = other
			s.found(p, i, 1, rune(p[i]), Invalid)
		} else if k := s.prev.hidden(r); k != "" {
			s.found(p, i, n, r, k)
		}
		i += n
	}
	return i
}

// found records the hidden character at p[i:i+n].
func (s *Scanner) found(p []byte, i, n int, r rune, k Kind) {
	s.total++
	if s.kinds == nil {
		s.kinds = make(map[Kind]int)
	}
	s.kinds[k]++
	at := s.off + int64(i)
	if len(s.list) > 0 && at == s.end {
		if last := &s.list[len(s.list)-1]; last.Kind == k && (inRuns(k) || last.Code == code(r, k)) {
			last.Count++
			s.end += int64(n)
			s.decode(r, k)
			return
		}
	}
	s.closeRun()
	if len(s.list) >= s.Max {
		return
	}
	s.countLines(p, i)
	s.list = append(s.list, Hidden{
		Line: s.lines + 1, Col: int(at-s.start) + 1,
		Code: code(r, k), Name: name(r, k), Kind: k, Count: 1,
	})
	s.end = at + int64(n)
	s.decode(r, k)
}

// inRuns reports whether different characters of kind k make one run: those
// that hide messages do.
func inRuns(k Kind) bool {
	switch k {
	case Tag, Variation, ZeroWidth, Blank, Private, Unassigned, Invalid:
		return true
	}
	return false
}

func code(r rune, k Kind) string {
	if k == Invalid {
		return fmt.Sprintf("0x%02X", r)
	}
	return fmt.Sprintf("U+%04X", r)
}

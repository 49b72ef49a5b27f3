package seedfile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"seed/seedfile/transport"
)

// A survey is one parallel pass over all bytes of a seed. It knows what to look
// for before it starts (the head of the file was read already) and judges
// nothing: it only says where things are.
type survey struct {
	// What to look for.
	sentinel string // "" when the head is broken
	from     int64  // the document begins here
	sumTo    int64  // the document ends here if the transport is ours, else 0
	marker   string // "" when there is no archive
	bodyFrom int64  // the first section of the archive should be here

	// What was found; math.MaxInt64 stands for "nowhere".
	badUTF8, nul, ended int64
	sections            []section
	sum                 transport.CRC
	chunks              []chunk
	tooMany             bool
}

// chunk is the result for one piece of the file.
type chunk struct {
	lines    int // LF bytes in the piece
	sections []section
	crc      transport.CRC
}

const (
	chunkSize  = 1 << 20
	lookBehind = 64             // more than a sentinel or a delimiter
	lookAhead  = maxSectionHead // so that a section header is seen whole
	nowhere    = int64(math.MaxInt64)
	maxHeads   = MaxFiles + 1 // and the end mark
)

// run reads all size bytes of r once.
func (s *survey) run(r io.ReaderAt, size int64) error {
	s.badUTF8, s.nul, s.ended = nowhere, nowhere, nowhere
	s.chunks = make([]chunk, (size+chunkSize-1)/chunkSize)
	var (
		next, heads atomic.Int64
		mu          sync.Mutex
		wg          sync.WaitGroup
		firstErr    error
	)
	for range min(runtime.GOMAXPROCS(0), len(s.chunks)) {
		wg.Go(func() {
			buf := make([]byte, min(size, int64(lookBehind+chunkSize+lookAhead)))
			for {
				i := next.Add(1) - 1
				if i >= int64(len(s.chunks)) {
					return
				}
				p, err := readPiece(r, size, i*chunkSize, buf)
				var found pieceFindings
				if err == nil {
					found = s.look(&s.chunks[i], p)
					// Past the limit nothing more is kept, but every byte is still judged.
					if heads.Load() <= maxHeads {
						s.findSections(&s.chunks[i], p)
						heads.Add(int64(len(s.chunks[i].sections)))
					}
				}
				mu.Lock()
				if firstErr == nil {
					firstErr = err
				}
				s.badUTF8 = min(s.badUTF8, found.badUTF8)
				s.nul = min(s.nul, found.nul)
				s.ended = min(s.ended, found.ended)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	if firstErr != nil {
		return firstErr
	}
	s.tooMany = heads.Load() > maxHeads
	s.gather()
	return nil
}

// gather joins what the pieces found, in the order of the file.
func (s *survey) gather() {
	n := 0
	for i := range s.chunks {
		n += len(s.chunks[i].sections)
	}
	s.sections = make([]section, 0, n)
	for i := range s.chunks {
		s.sections = append(s.sections, s.chunks[i].sections...)
		s.chunks[i].sections = nil
		s.sum.Combine(s.chunks[i].crc)
	}
}

// piece is a chunk of the file with some bytes before and after it.
type piece struct {
	data       []byte
	base       int64 // offset in the file of data[0]
	start, end int   // the chunk itself is data[start:end]
}

func readPiece(r io.ReaderAt, size, start int64, buf []byte) (piece, error) {
	base := max(0, start-lookBehind)
	end := min(size, start+chunkSize)
	buf = buf[:min(size, end+int64(lookAhead))-base]
	if n, err := r.ReadAt(buf, base); n < len(buf) {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF // shorter than its size says: it changed
		}
		return piece{}, err
	}
	return piece{data: buf, base: base, start: int(start - base), end: int(end - base)}, nil
}

type pieceFindings struct{ badUTF8, nul, ended int64 }

func (s *survey) look(c *chunk, p piece) pieceFindings {
	f := pieceFindings{nowhere, nowhere, nowhere}
	own := p.data[p.start:p.end]
	c.lines = bytes.Count(own, []byte{'\n'})
	if i := bytes.IndexByte(own, 0); i >= 0 {
		f.nul = p.base + int64(p.start+i)
	}
	if i := invalidUTF8(p.data[runeStart(p.data, p.start):runeStart(p.data, p.end)]); i >= 0 {
		f.badUTF8 = p.base + int64(runeStart(p.data, p.start)+i)
	}
	if s.sentinel != "" {
		// A match belongs to the piece in which it ends.
		lo := max(p.start-len(s.sentinel)+1, p.index(s.from))
		if lo < p.end {
			if i := bytes.Index(p.data[lo:p.end], []byte(s.sentinel)); i >= 0 {
				f.ended = p.base + int64(lo+i)
			}
		}
	}
	if s.sumTo > 0 {
		lo, hi := max(p.start, p.index(s.from)), min(p.end, p.index(s.sumTo))
		if lo < hi {
			c.crc.Write(p.data[lo:hi])
		}
	}
	return f
}

// index turns a file offset into an index of the piece's data, clamped to it.
func (p piece) index(off int64) int {
	return int(min(max(off-p.base, 0), int64(len(p.data))))
}

// findSections looks for the "@" of each delimiter: it is rare in text, and the
// same for both spellings.
func (s *survey) findSections(c *chunk, p piece) {
	if s.marker == "" {
		return
	}
	at := max(p.start, p.index(s.bodyFrom))
	for at < p.end {
		i := bytes.IndexByte(p.data[at:p.end], '@')
		if i < 0 {
			return
		}
		at += i + 1
		start := at - delimLen
		if start < p.index(s.bodyFrom) || !isDelim(p.data[start:at], s.marker) {
			continue
		}
		sec := parseSection(p.data[at:])
		sec.start = p.base + int64(start)
		sec.body += p.base + int64(at)
		c.sections = append(c.sections, sec)
	}
}

// runeStart returns the first index at or after i that is not inside a rune
// which began before i. Two pieces that meet at i both ask this of the same
// bytes, so every byte is judged exactly once.
func runeStart(b []byte, i int) int {
	for k := 1; k <= 3 && k <= i; k++ {
		c := b[i-k]
		if c < utf8.RuneSelf {
			return i
		}
		if c >= 0xC0 {
			return min(max(i, i-k+needs(c)), len(b))
		}
	}
	return i
}

// invalidUTF8 returns the index of the first byte that is not UTF-8, or -1.
func invalidUTF8(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// lineAt returns the 1-based line of an offset, reading at most one piece again.
func (s *survey) lineAt(r io.ReaderAt, off int64) int {
	line := 1
	whole := off / chunkSize
	for i := range min(whole, int64(len(s.chunks))) {
		line += s.chunks[i].lines
	}
	buf := make([]byte, off-whole*chunkSize)
	n, _ := r.ReadAt(buf, whole*chunkSize) // a line number is not worth an error of its own
	return line + bytes.Count(buf[:n], []byte{'\n'})
}

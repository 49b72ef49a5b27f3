package visible

import "io"

// Mode is what a [Writer] does with a hidden character.
type Mode int

const (
	// Show writes an escape in its place.
	Show Mode = iota
	// Remove writes nothing in its place, or U+FFFD where something would have
	// been drawn (private use, unassigned, broken UTF-8).
	Remove
)

// Writer passes text on with its hidden characters shown or removed. LF, TAB
// and the CR of CRLF pass; a CR alone, with which a text can overwrite its own
// line, does not. Characters may be split over any number of writes.
type Writer struct {
	w    io.Writer
	f    filter
	held []byte // an incomplete character or a CR, at most 3 bytes
	in   []byte
	out  []byte
	err  error
}

// NewWriter returns a Writer to w. Its user calls Flush at the end.
func NewWriter(w io.Writer, mode Mode) *Writer {
	return &Writer{w: w, f: filter{lines: true, remove: mode == Remove}}
}

// pieceSize bounds the Writer's memory whatever the size of one Write.
const pieceSize = 16 << 10

// Write implements [io.Writer]. After an error every call returns it.
func (v *Writer) Write(p []byte) (int, error) {
	done := 0
	for v.err == nil && done < len(p) {
		piece := p[done:min(len(p), done+pieceSize)]
		done += len(piece)
		if len(v.held) > 0 {
			v.in = append(append(v.in[:0], v.held...), piece...)
			piece = v.in
		}
		v.pass(piece, false)
	}
	if v.err != nil {
		return 0, v.err
	}
	return len(p), nil
}

// Flush writes what was held back because the next bytes might have completed
// it. The Writer can be used again for another text.
func (v *Writer) Flush() error {
	if v.err == nil && len(v.held) > 0 {
		v.in = append(v.in[:0], v.held...)
		v.pass(v.in, true)
	}
	v.f.prev = other
	return v.err
}

func (v *Writer) pass(piece []byte, final bool) {
	out, used := v.f.append(v.out[:0], piece, final)
	v.out = out
	v.held = append(v.held[:0], piece[used:]...)
	if len(out) > 0 {
		_, v.err = v.w.Write(out)
	}
}

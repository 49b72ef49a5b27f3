package jcs

import "slices"

// node is one value or member name on the tape. A container is followed by its
// descendants, a member's name by its value.
type node struct {
	off, end uint32 // the span in the source, quotes and brackets included

	// In a container the index after its last descendant, and its parent while
	// it is still open. The names of an object hold its canonical order: the
	// k-th name in the source points to the k-th name in canonical order.
	next uint32

	// Kind, the loose bit, and above them a number: of the members or elements
	// in a container, of the entry in Doc.escapes in a string (0 is none).
	meta uint32
}

const (
	kindBits = 7
	loose    = 8 // the span in the source is not the canonical form
	one      = 16
	shift    = 4

	root = 0
	none = ^uint32(0)
)

func (n *node) kind() Kind { return Kind(n.meta & kindBits) }
func (n *node) num() int   { return int(n.meta >> shift) }

// escape is where the decoded text of a string with escapes lies in Doc.texts.
type escape struct{ off, len uint32 }

// Doc is a parsed document. The zero value is ready for [Doc.Parse]; before it,
// and after one that failed, the document is empty.
type Doc struct {
	src     []byte
	nodes   []node
	escapes []escape
	texts   []byte // of all strings with escapes
	keys    []key  // scratch of arrange
	refused *Error
}

// Root returns the value of the document.
func (d *Doc) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{d, root}
}

// Refused returns the first breach of CAP-JSON-03 to 05, nil when the document
// may be hashed.
func (d *Doc) Refused() *Error { return d.refused }

func (d *Doc) reset(src []byte) {
	d.src = src
	d.nodes = reuse(d.nodes, len(src))
	d.escapes = reuse(d.escapes, len(src))
	d.texts = reuse(d.texts, len(src))
	d.keys = reuse(d.keys, len(src))
	d.refused = nil
}

// reuse returns s emptied. One huge document must not hold its memory through
// all the small ones that follow, so what is out of proportion is let go.
func reuse[T any](s []T, size int) []T {
	const keep = 1 << 13
	if cap(s) > keep && cap(s)/2 > size {
		return nil
	}
	return s[:0]
}

func (d *Doc) push(k Kind, off, end int, flags uint32) {
	if len(d.nodes) == cap(d.nodes) {
		d.grow(off)
	}
	d.nodes = append(d.nodes, node{off: uint32(off), end: uint32(end), meta: uint32(k) | flags})
}

// grow makes room on a full tape whose next node is the token at off. A large
// tape is not doubled again and again: the rest of the text tells how many nodes
// are still to come, so the tape of the largest text stays at eight times its
// size, and takes that only if there is so much in it.
func (d *Doc) grow(off int) {
	const small = 1 << 13
	if len(d.nodes) < small {
		d.nodes = slices.Grow(d.nodes, max(16, len(d.nodes)))
		return
	}
	rest, due := d.src[off:], 1 // one node is due now, and one after each of these
	for i := 0; i < len(rest); i++ {
		switch rest[i] {
		case '[', '{', ',', ':':
			due++
		case '"':
			i = skipString(rest, i+1)
		}
	}
	// No value takes less than two bytes with what must stand around it.
	due = min(due, len(rest)/2+1)
	d.nodes = append(make([]node, 0, len(d.nodes)+due), d.nodes...)
}

// skipString returns the index of the quote that ends the string whose text
// starts at i, or len(b).
func skipString(b []byte, i int) int {
	for {
		i = plain(b, i)
		switch {
		case i >= len(b):
			return len(b)
		case b[i] == '"':
			return i
		case b[i] == '\\':
			i++
		}
		i++
	}
}

// after returns the index of the node that follows the value at i.
func (d *Doc) after(i uint32) uint32 {
	if n := &d.nodes[i]; n.kind() >= Array {
		return n.next
	}
	return i + 1
}

// text returns the decoded text of the string n.
func (d *Doc) text(n *node) []byte {
	if k := n.num(); k > 0 {
		e := d.escapes[k-1]
		return d.texts[e.off : e.off+e.len]
	}
	return d.src[n.off+1 : n.end-1]
}

func (d *Doc) raw(n *node) []byte { return d.src[n.off:n.end] }

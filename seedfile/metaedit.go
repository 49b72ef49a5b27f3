package seedfile

import (
	"slices"
	"strings"
)

// order is where writers put the known fields (SP-META-07).
var order = [...]string{"seed", "grow", "type", "name"}

// With returns the metadata with one field replaced by the given lines (LF at
// the end of each), or removed when lines is "". Every other byte stays. A known
// field that is new goes to its place at the top, any other to the end.
func (m *Metadata) With(key, lines string) (*Metadata, error) {
	edited, rep := ParseMetadata(m.splice(key, lines).Raw(), 1)
	return edited, rep.Err()
}

// splice is With before the result was judged.
func (m *Metadata) splice(key, lines string) *Metadata {
	var repl []metaLine
	for i, l := range splitLines([]byte(lines)) {
		repl = append(repl, metaLine{string(l), key, i == 0})
	}
	out := slices.Clone(m.lines)
	at := slices.IndexFunc(out, func(l metaLine) bool { return l.key == key })
	out = slices.DeleteFunc(out, func(l metaLine) bool { return l.key == key })
	if at < 0 {
		at = placeFor(key, out)
	}
	return &Metadata{lines: slices.Insert(out, at, repl...)}
}

// placeFor returns the index after the last known field that goes before key.
func placeFor(key string, lines []metaLine) int {
	rank := slices.Index(order[:], key)
	if rank < 0 {
		return len(lines)
	}
	at := 0
	for i, l := range lines {
		if r := slices.Index(order[:], l.key); r >= 0 && r < rank {
			at = i + 1
		}
	}
	return at
}

// growLines writes directives as the format writes them: one as a scalar,
// several as a block sequence (SP-META-05).
func growLines(grow []string) string {
	if len(grow) == 1 {
		return "grow: " + grow[0] + "\n"
	}
	var b strings.Builder
	b.WriteString("grow:\n")
	for _, d := range grow {
		b.WriteString("  - " + d + "\n")
	}
	return b.String()
}

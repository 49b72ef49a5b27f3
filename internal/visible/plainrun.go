package visible

import "encoding/binary"

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// plainRun returns how many bytes at the start of b are printable ASCII, LF or
// TAB. It looks at eight bytes at once: almost all text is nothing else, and
// an inspection reads all of it.
func plainRun(b []byte) int {
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		w := binary.LittleEndian.Uint64(b[n:])
		// The sums below do not carry into the next byte as long as no byte
		// has its high bit, and w itself reports those.
		low := ^(w + 0x60*ones)               // below 0x20
		notLF := (w ^ '\n'*ones) + 0x7f*ones  // differs from LF
		notTab := (w ^ '\t'*ones) + 0x7f*ones // differs from TAB
		del := w + ones                       // is 0x7f
		if (w|del|low&notLF&notTab)&highs != 0 {
			break
		}
	}
	for ; n < len(b); n++ {
		if c := b[n]; c < 0x20 && c != '\n' && c != '\t' || c >= 0x7f {
			break
		}
	}
	return n
}

package visible

import "unicode/utf8"

// filter rewrites text piece by piece; it carries over what a piece needs to
// know of the one before.
type filter struct {
	lines  bool // LF, TAB and the CR of CRLF stay
	remove bool // drop instead of escape
	prev   before
}

// append adds the rewritten src to dst and returns how much of src it used.
// Unless src is final it leaves an incomplete character, or a CR that may be
// half of CRLF, for the next call.
func (f *filter) append(dst, src []byte, final bool) ([]byte, int) {
	i := 0
	for i < len(src) {
		if n := f.run(src[i:]); n > 0 {
			dst = append(dst, src[i:i+n]...)
			i += n
			f.prev = leanOn(rune(src[i-1]))
			continue
		}
		c := src[i]
		if f.lines && c == '\r' {
			if i+1 == len(src) && !final {
				return dst, i
			}
			if i+1 < len(src) && src[i+1] == '\n' {
				dst = append(dst, '\r', '\n')
				i += 2
				f.prev = other
				continue
			}
		}
		if c < utf8.RuneSelf {
			if k := f.prev.hidden(rune(c)); k == "" {
				dst = append(dst, c)
			} else {
				dst = f.hide(dst, rune(c), k)
			}
			i++
			continue
		}
		if !final && !utf8.FullRune(src[i:]) {
			return dst, i
		}
		r, n := utf8.DecodeRune(src[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			f.prev = other
			if f.remove {
				dst = append(dst, "\ufffd"...)
			} else {
				dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
			}
		default:
			if k := f.prev.hidden(r); k == "" {
				dst = append(dst, src[i:i+n]...)
			} else {
				dst = f.hide(dst, r, k)
			}
		}
		i += n
	}
	return dst, i
}

// run returns how many bytes at the start of b pass as they are.
func (f *filter) run(b []byte) int {
	if f.lines {
		return plainRun(b)
	}
	for i, c := range b {
		if c < 0x20 || c >= 0x7f {
			return i
		}
	}
	return len(b)
}

// hide adds what stands for the hidden character r.
func (f *filter) hide(dst []byte, r rune, k Kind) []byte {
	if !f.remove {
		return appendEscape(dst, r)
	}
	if k == Private || k == Unassigned {
		// Something would have been drawn: leave a sign that it is missing.
		return append(dst, "\ufffd"...)
	}
	return dst
}

const hexDigits = "0123456789abcdef"

func appendEscape(dst []byte, r rune) []byte {
	switch {
	case r == '\n':
		return append(dst, '\\', 'n')
	case r == '\r':
		return append(dst, '\\', 'r')
	case r == '\t':
		return append(dst, '\\', 't')
	case r < 0x80:
		return append(dst, '\\', 'x', hexDigits[r>>4], hexDigits[r&15])
	case r < 0x10000:
		dst = append(dst, '\\', 'u')
		return appendHex(dst, r, 12)
	}
	dst = append(dst, '\\', 'U')
	return appendHex(dst, r, 28)
}

func appendHex(dst []byte, r rune, shift int) []byte {
	for ; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[r>>shift&15])
	}
	return dst
}

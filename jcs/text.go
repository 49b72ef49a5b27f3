package jcs

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the bytes of w, least significant first, that end a run of
// plain text in a string: quotes, backslashes and controls. Only the lowest
// mark is sure: the borrow of a subtraction may set one above it.
func special(w uint64) uint64 {
	quote, back := w^('"'*ones), w^('\\'*ones)
	return ((quote-ones)&^quote | (back-ones)&^back | (w-' '*ones)&^w) & highs
}

// plain returns the index of the first special byte of src from i on, or
// len(src). What is not ASCII was checked before.
func plain(src []byte, i int) int {
	for ; len(src)-i >= 8; i += 8 {
		if m := special(binary.LittleEndian.Uint64(src[i:])); m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for i < len(src) && src[i] >= ' ' && src[i] != '"' && src[i] != '\\' {
		i++
	}
	return i
}

// str reads the string whose opening quote is at start.
func (d *Doc) str(start int) (int, *Error) {
	i := plain(d.src, start+1)
	if i < len(d.src) && d.src[i] == '"' {
		d.push(String, start, i+1, 0)
		return i + 1, nil
	}
	return d.escaped(start, i)
}

// escaped reads a string with escapes, the first at i, and keeps its text.
func (d *Doc) escaped(start, i int) (int, *Error) {
	flags, from, off := uint32(0), start+1, len(d.texts)
	for {
		d.texts = append(d.texts, d.src[from:i]...)
		if i == len(d.src) {
			return 0, d.breach(InvalidJSON, start, "a string has no end")
		}
		switch d.src[i] {
		case '"':
			d.escapes = append(d.escapes, escape{uint32(off), uint32(len(d.texts) - off)})
			d.push(String, start, i+1, flags|uint32(len(d.escapes))<<shift)
			return i + 1, nil
		case '\\':
			r, end, ok := d.rune(i)
			if !ok {
				return 0, d.breach(InvalidJSON, i, "an escape is none of JSON's")
			}
			// Of the hex digits in a canonical escape only the last can be a letter.
			if e := short(r); e != d.src[i+1] || e == 'u' && d.src[i+5] != hexDigits[r&15] {
				flags = loose
			}
			if utf16.IsSurrogate(r) {
				d.refuse(UnpairedSurrogate, i, "half of a surrogate pair stands alone")
				// Three bytes as UTF-8 would use, had it a place for surrogates:
				// distinct texts stay distinct.
				d.texts = append(d.texts, 0xe0|byte(r>>12), 0x80|byte(r>>6)&0x3f, 0x80|byte(r)&0x3f)
			} else {
				d.texts = utf8.AppendRune(d.texts, r)
			}
			i = end
		default:
			return 0, d.breach(InvalidJSON, i, "a control character stands in a string without an escape")
		}
		from, i = i, plain(d.src, i)
	}
}

// rune decodes the escape at i, two of them if they are a surrogate pair.
func (d *Doc) rune(i int) (r rune, end int, ok bool) {
	if i+1 >= len(d.src) {
		return 0, 0, false
	}
	switch d.src[i+1] {
	case '"', '\\', '/':
		return rune(d.src[i+1]), i + 2, true
	case 'b':
		return '\b', i + 2, true
	case 'f':
		return '\f', i + 2, true
	case 'n':
		return '\n', i + 2, true
	case 'r':
		return '\r', i + 2, true
	case 't':
		return '\t', i + 2, true
	}
	r, ok = hex4(d.src[i:])
	if !ok || !utf16.IsSurrogate(r) {
		return r, i + 6, ok
	}
	if low, ok := hex4(d.src[i+6:]); ok {
		if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
			return both, i + 12, true
		}
	}
	return r, i + 6, true
}

// hex4 reads an escape of the form \uXXXX.
func hex4(b []byte) (rune, bool) {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return 0, false
	}
	r := rune(0)
	for _, c := range b[2:6] {
		switch {
		case c-'0' <= 9:
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}

// short returns the letter of r's escape in canonical form: 'u' for a control
// that has none of its own, 0 for what is not escaped.
func short(r rune) byte {
	switch r {
	case '"', '\\':
		return byte(r)
	case '\b':
		return 'b'
	case '\t':
		return 't'
	case '\n':
		return 'n'
	case '\f':
		return 'f'
	case '\r':
		return 'r'
	}
	if r < ' ' {
		return 'u'
	}
	return 0
}

const hexDigits = "0123456789abcdef"

package jcs

import (
	"unicode/utf8"
)

// AppendCanonical appends the canonical form of v (RFC 8785), nothing for
// Missing. Whoever hashes it must have seen that [Doc.Refused] is nil: outside
// the boundary the output is JSON, but no canonical form of anything. There a
// number that is not finite becomes null, half a surrogate pair its escape.
func (v Value) AppendCanonical(dst []byte) []byte {
	if !v.Exists() {
		return dst
	}
	return v.d.canonical(dst, v.i)
}

// AppendCanonicalWithout is [Value.AppendCanonical] with one member of the
// object v left out, if it is there: an event without its hash.
func (v Value) AppendCanonicalWithout(dst []byte, name string) []byte {
	n := v.node()
	if n.kind() != Object {
		return v.AppendCanonical(dst)
	}
	skip := none
	if m := v.Member(name); m.Exists() {
		skip = m.i - 1
	}
	return v.d.members(dst, v.i, skip)
}

func (d *Doc) canonical(dst []byte, i uint32) []byte {
	n := &d.nodes[i]
	if n.meta&loose == 0 {
		return append(dst, d.raw(n)...)
	}
	switch n.kind() {
	case Object:
		return d.members(dst, i, none)
	case Array:
		dst = append(dst, '[')
		for at := i + 1; at < n.next; at = d.after(at) {
			if at > i+1 {
				dst = append(dst, ',')
			}
			dst = d.canonical(dst, at)
		}
		return append(dst, ']')
	}
	return d.scalar(dst, n)
}

// members appends the object in canonical order, without the member whose name
// is the node skip.
func (d *Doc) members(dst []byte, object, skip uint32) []byte {
	dst = append(dst, '{')
	end, first := d.nodes[object].next, true
	for at := object + 1; at < end; at = d.after(at + 1) {
		k := d.nodes[at].next
		if k == skip {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		name, value := &d.nodes[k], &d.nodes[k+1]
		if (name.meta|value.meta)&loose == 0 && name.end+1 == value.off {
			dst = append(dst, d.src[name.off:value.end]...)
			continue
		}
		dst = append(d.scalar(dst, name), ':')
		dst = d.canonical(dst, k+1)
	}
	return append(dst, '}')
}

// scalar appends the canonical form of what is no container.
func (d *Doc) scalar(dst []byte, n *node) []byte {
	switch {
	case n.meta&loose == 0:
		return append(dst, d.raw(n)...)
	case n.kind() == String:
		return appendString(dst, d.text(n))
	}
	return AppendNumber(dst, parseFloat(d.raw(n)))
}

// AppendString appends s as a canonical JSON string. The caller sees to it that
// s is UTF-8; what is not becomes U+FFFD, and an encoded surrogate its escape,
// so the output is JSON whatever s is.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s) }

func appendString[T string | []byte](dst []byte, s T) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if e := short(rune(c)); e != 0 {
				dst = append(dst, s[from:i]...)
				dst = append(dst, '\\', e)
				if e == 'u' {
					dst = append(dst, '0', '0', hexDigits[c>>4], hexDigits[c&15])
				}
				from = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(i+utf8.UTFMax, len(s))]))
		if r != utf8.RuneError || n > 1 {
			i += n
			continue
		}
		dst = append(dst, s[from:i]...)
		if c == 0xed && i+2 < len(s) && s[i+1]&0xe0 == 0xa0 && s[i+2]&0xc0 == 0x80 {
			dst = append(dst, '\\', 'u', 'd', hexDigits[8|s[i+1]>>2&7], hexDigits[s[i+1]&3<<2|s[i+2]>>4&3], hexDigits[s[i+2]&15])
			i += 3
		} else {
			dst = append(dst, "\ufffd"...)
			i++
		}
		from = i
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}

package jcs

// AppendCompact appends v without whitespace and with its members in source
// order; strings and numbers are spelled as in the canonical form.
func (v Value) AppendCompact(dst []byte) []byte { return v.AppendIndent(dst, "") }

// AppendIndent appends v as JSON.stringify(v, null, indent) does: members in
// source order, a line for each member and element, nothing between the brackets
// of an empty container, no newline at the end. Deep documents grow by their
// depth times the indent, so bound the size of a stranger's.
func (v Value) AppendIndent(dst []byte, indent string) []byte {
	if !v.Exists() {
		return dst
	}
	return v.d.layout(dst, v.i, indent, 0)
}

func (d *Doc) layout(dst []byte, i uint32, indent string, depth int) []byte {
	n := &d.nodes[i]
	if n.kind() < Array || indent == "" && n.meta&loose == 0 {
		return d.scalar(dst, n)
	}
	if n.kind() == Array {
		dst = append(dst, '[')
	} else {
		dst = append(dst, '{')
	}
	for at := i + 1; at < n.next; at = d.after(at) {
		if at > i+1 {
			dst = append(dst, ',')
		}
		dst = line(dst, indent, depth+1)
		if n.kind() == Object {
			dst = append(d.scalar(dst, &d.nodes[at]), ':')
			if indent != "" {
				dst = append(dst, ' ')
			}
			at++
		}
		dst = d.layout(dst, at, indent, depth+1)
	}
	if n.num() > 0 {
		dst = line(dst, indent, depth)
	}
	if n.kind() == Array {
		return append(dst, ']')
	}
	return append(dst, '}')
}

func line(dst []byte, indent string, depth int) []byte {
	if indent == "" {
		return dst
	}
	dst = append(dst, '\n')
	for range depth {
		dst = append(dst, indent...)
	}
	return dst
}

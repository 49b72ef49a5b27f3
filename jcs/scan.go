package jcs

import "fmt"

// values reads the one value of the text, and on the way every value inside it.
// Nesting costs no stack: an open container holds the index of its parent.
func (d *Doc) values(most int) *Error {
	src, i, depth, open := d.src, 0, 0, none
	var err *Error
	for {
		i = d.space(i, open)
		if i == len(src) {
			return d.unexpected(i, "a value")
		}
		done := uint32(len(d.nodes)) // the value that ends next
		switch c := src[i]; {
		case c == '"':
			i, err = d.str(i)
		case c == '-' || c-'0' <= 9:
			i, err = d.number(i)
		case c == '{' || c == '[':
			if depth == most {
				return d.breach(TooDeep, i, fmt.Sprintf("arrays and objects are nested deeper than %d", most))
			}
			kind, end := Array, byte(']')
			if c == '{' {
				kind, end = Object, '}'
			}
			d.push(kind, i, 0, 0)
			d.nodes[done].next = open
			i = d.space(i+1, done)
			if i == len(src) || src[i] != end {
				if open, depth = done, depth+1; kind == Object {
					if i, err = d.label(i, open); err != nil {
						return err
					}
				}
				continue
			}
			_, err = d.shut(i, done)
			i++
		default:
			i, err = d.literal(i)
		}
		if err != nil {
			return err
		}

		for { // a value has ended, and maybe containers end with it
			if open == none {
				if i = d.space(i, none); i < len(src) {
					return d.unexpected(i, "the end of the text")
				}
				return nil
			}
			in := &d.nodes[open]
			in.meta += one
			in.meta |= d.nodes[done].meta & loose
			i = d.space(i, open)
			end, want := byte(']'), "a comma or a closing bracket"
			if in.kind() == Object {
				end, want = '}', "a comma or a closing brace"
			}
			if i == len(src) || src[i] != ',' && src[i] != end {
				return d.unexpected(i, want)
			}
			if src[i] == ',' {
				if i++; end == '}' {
					if i, err = d.label(d.space(i, open), open); err != nil {
						return err
					}
				}
				break
			}
			done = open
			if open, err = d.shut(i, open); err != nil {
				return err
			}
			depth, i = depth-1, i+1
		}
	}
}

// label reads a member's name and the colon after it.
func (d *Doc) label(i int, open uint32) (int, *Error) {
	if i == len(d.src) || d.src[i] != '"' {
		return 0, d.unexpected(i, "a member name")
	}
	at := len(d.nodes)
	i, err := d.str(i)
	if err != nil {
		return 0, err
	}
	d.nodes[open].meta |= d.nodes[at].meta & loose
	i = d.space(i, open)
	if i == len(d.src) || d.src[i] != ':' {
		return 0, d.unexpected(i, "a colon")
	}
	return i + 1, nil
}

// shut ends the open container with the bracket at i and returns its parent.
func (d *Doc) shut(i int, open uint32) (parent uint32, err *Error) {
	n := &d.nodes[open]
	parent = n.next
	n.end, n.next = uint32(i+1), uint32(len(d.nodes))
	if n.kind() == Object {
		err = d.arrange(open)
	}
	return parent, err
}

// space skips whitespace. A container with whitespace in it is not canonical.
func (d *Doc) space(i int, open uint32) int {
	if i >= len(d.src) || d.src[i] > ' ' {
		return i
	}
	return d.skip(i, open)
}

func (d *Doc) skip(i int, open uint32) int {
	start := i
	for i < len(d.src) {
		if c := d.src[i]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			break
		}
		i++
	}
	if i > start && open != none {
		d.nodes[open].meta |= loose
	}
	return i
}

func (d *Doc) literal(i int) (int, *Error) {
	word, kind := "null", Null
	switch d.src[i] {
	case 't':
		word, kind = "true", Bool
	case 'f':
		word, kind = "false", Bool
	case 'n':
	default:
		return 0, d.unexpected(i, "a value")
	}
	end := i + len(word)
	if end > len(d.src) || string(d.src[i:end]) != word {
		return 0, d.breach(InvalidJSON, i, "a value is neither quoted nor true, false or null")
	}
	d.push(kind, i, end, 0)
	return end, nil
}

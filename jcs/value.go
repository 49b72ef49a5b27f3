package jcs

import (
	"fmt"
	"iter"
	"math"

	"seed/finding"
)

// Kind is the type of a JSON value.
type Kind uint8

// The kinds. Missing is what a lookup returns that found nothing.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "missing"
}

// Value is one value of a [Doc], valid until the next [Doc.Parse]. The zero
// Value is [Missing]; every method takes it, so lookups can be chained.
type Value struct {
	d *Doc
	i uint32
}

var absent node

func (v Value) node() *node {
	if v.d == nil || int(v.i) >= len(v.d.nodes) {
		return &absent
	}
	return &v.d.nodes[v.i]
}

// Kind returns the type of v.
func (v Value) Kind() Kind { return v.node().kind() }

// IsNull reports whether v is the literal null.
func (v Value) IsNull() bool { return v.Kind() == Null }

// Exists reports whether v is any value at all, null included.
func (v Value) Exists() bool { return v.Kind() != Missing }

// Member returns the member of that exact name, Missing when there is none or v
// is not an object. It looks at the names one by one: go through the members of
// a large object with [Value.Members].
func (v Value) Member(name string) Value {
	n := v.node()
	if n.kind() != Object {
		return Value{}
	}
	for at := v.i + 1; at < n.next; at = v.d.after(at + 1) {
		if string(v.d.name(at)) == name {
			return Value{v.d, at + 1}
		}
	}
	return Value{}
}

// Members goes through the members of an object in source order.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		n := v.node()
		if n.kind() != Object {
			return
		}
		for at := v.i + 1; at < n.next; at = v.d.after(at + 1) {
			if !yield(string(v.d.name(at)), Value{v.d, at + 1}) {
				return
			}
		}
	}
}

// Elements goes through the elements of an array.
func (v Value) Elements() iter.Seq2[int, Value] {
	return func(yield func(int, Value) bool) {
		n := v.node()
		if n.kind() != Array {
			return
		}
		k := 0
		for at := v.i + 1; at < n.next; at = v.d.after(at) {
			if !yield(k, Value{v.d, at}) {
				return
			}
			k++
		}
	}
}

// Len returns the number of members or elements, 0 for other values.
func (v Value) Len() int {
	if n := v.node(); n.kind() >= Array {
		return n.num()
	}
	return 0
}

// Text returns the text of a string. Half a surrogate pair, which only a refused
// document can hold, is kept as the three bytes that UTF-8 would give it.
func (v Value) Text() (string, bool) {
	if n := v.node(); n.kind() == String {
		return string(v.d.text(n)), true
	}
	return "", false
}

// Str returns the text of a string, "" for other values.
func (v Value) Str() string {
	s, _ := v.Text()
	return s
}

// AppendText appends the text of a string, nothing for other values.
func (v Value) AppendText(dst []byte) []byte {
	if n := v.node(); n.kind() == String {
		return append(dst, v.d.text(n)...)
	}
	return dst
}

// EqualText reports whether v is a string and its text is s.
func (v Value) EqualText(s string) bool {
	n := v.node()
	return n.kind() == String && string(v.d.text(n)) == s
}

// Bool returns the value of a boolean.
func (v Value) Bool() (value, ok bool) {
	n := v.node()
	if n.kind() != Bool {
		return false, false
	}
	return v.d.src[n.off] == 't', true
}

// Float returns the value of a number that is finite.
func (v Value) Float() (float64, bool) {
	n := v.node()
	if n.kind() != Number {
		return 0, false
	}
	f := parseFloat(v.d.raw(n))
	if math.IsInf(f, 0) {
		return 0, false
	}
	return f, true
}

// Int returns the value of a number that is an integer within 2^53-1, however
// it is written: 1.0 and 1e0 are 1.
func (v Value) Int() (int64, bool) {
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) > maxInteger {
		return 0, false
	}
	return int64(f), true
}

// Raw returns v as it is written in the source, nil for Missing. It is a part of
// the source: do not change it.
func (v Value) Raw() []byte {
	n := v.node()
	if n.kind() == Missing {
		return nil
	}
	return v.d.raw(n)
}

// Pos returns where v starts, both 1-based, the column in bytes; zeros for
// Missing.
func (v Value) Pos() (line, col int) {
	n := v.node()
	if n.kind() == Missing {
		return 0, 0
	}
	return position(v.d.src, int(n.off))
}

// Shown is the value for a message: text quoted and cut, containers by their
// kind, everything else as it stands.
func (v Value) Shown() string {
	switch v.Kind() {
	case Missing:
		return "undefined"
	case String:
		return finding.Quote(v.Str())
	case Array, Object:
		return "(" + v.Kind().String() + ")"
	}
	return fmt.Sprintf("%.80s", v.Raw())
}

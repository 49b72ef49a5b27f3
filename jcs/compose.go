package jcs

import "slices"

// Composer is a JSON object being written, members in the order they are added.
// The zero value is empty. What it gives is JSON only if the raw values are.
type Composer struct{ b []byte }

// Raw adds a member whose value is JSON text.
func (o *Composer) Raw(name string, value []byte) {
	sep := byte(',')
	if len(o.b) == 0 {
		sep = '{'
	}
	o.b = append(AppendString(append(o.b, sep), name), ':')
	o.b = append(o.b, value...)
}

// Text adds a member whose value is a string.
func (o *Composer) Text(name, value string) { o.Raw(name, AppendString(nil, value)) }

// Bytes returns the object so far; more members may follow.
func (o *Composer) Bytes() []byte {
	if len(o.b) == 0 {
		return []byte("{}")
	}
	return append(slices.Clone(o.b), '}')
}

// List returns the JSON array of n items.
func List(n int, item func(i int) []byte) []byte {
	b := []byte{'['}
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, item(i)...)
	}
	return append(b, ']')
}

package jcs

import (
	"cmp"
	"encoding/binary"
	"slices"

	"seed/finding"
)

// key stands for a member name while the names of an object are sorted: eight
// of its bytes, so that most comparisons need not look at the text.
type key struct {
	head uint64 // the ranks of the bytes, zeros where the name has ended
	left uint32 // how many bytes of the name these are, 9 if more follow
	at   uint32 // the name's node
}

const more = 9

func makeKey(rest []byte, at uint32) key {
	var h uint64
	if len(rest) >= 8 {
		h = binary.BigEndian.Uint64(rest)
	} else {
		for _, c := range rest {
			h = h<<8 | uint64(c)
		}
		h <<= 8 * (8 - len(rest))
	}
	if h&highs != 0 {
		for s := 0; s < 64; s += 8 {
			c := byte(h >> s)
			h += uint64(rank(c))<<s - uint64(c)<<s
		}
	}
	return key{h, uint32(min(len(rest), more)), at}
}

// compare orders keys made at the same offset of their names. A name that ends
// comes before one that goes on with zero bytes.
func (k key) compare(o key) int {
	if k.head != o.head {
		return cmp.Compare(k.head, o.head)
	}
	return cmp.Compare(uint64(k.left)<<32|uint64(k.at), uint64(o.left)<<32|uint64(o.at))
}

// like reports whether the two names cannot be told apart by their keys.
func (k key) like(o key) bool { return k.head == o.head && k.left == o.left }

// arrange puts the names of the object in canonical order and refuses one that
// stands there twice: in order, equal names are neighbours. Sorting, not
// hashing, so that no choice of names makes it slow.
func (d *Doc) arrange(object uint32) *Error {
	keys := slices.Grow(d.keys[:0], d.nodes[object].num())
	sorted := true
	for at := object + 1; at < uint32(len(d.nodes)); at = d.after(at + 1) {
		k := makeKey(d.name(at), at)
		if sorted && len(keys) > 0 {
			if last := keys[len(keys)-1]; last.like(k) {
				sorted = compareUTF16(d.name(last.at), d.name(at)) < 0
			} else {
				sorted = last.compare(k) < 0
			}
		}
		keys = append(keys, k)
	}
	d.keys = keys
	if !sorted {
		d.nodes[object].meta |= loose
		d.sort(keys, 0)
	}
	return d.link(object, keys)
}

// sort sorts keys made at the offset from. Where they do not decide it makes
// new ones behind all that the names have in common, so every byte of a name is
// looked at once, and each level of recursion splits what it was given.
func (d *Doc) sort(keys []key, from int) {
	const few = 16
	if len(keys) > few {
		slices.SortFunc(keys, key.compare)
	} else {
		for i := 1; i < len(keys); i++ {
			k, j := keys[i], i
			for ; j > 0 && k.compare(keys[j-1]) < 0; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
	}
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j].like(keys[i]) {
			j++
		}
		if run := keys[i:j]; len(run) > 1 && run[0].left == more {
			d.refine(run, from+8)
		}
		i = j
	}
}

// refine sorts names that have their first from bytes in common.
func (d *Doc) refine(run []key, from int) {
	first := d.name(run[0].at)[from:]
	same := len(first)
	for _, k := range run[1:] {
		same = common(first[:same], d.name(k.at)[from:])
	}
	from += same
	for i, k := range run {
		run[i] = makeKey(d.name(k.at)[from:], k.at)
	}
	d.sort(run, from)
}

// link writes the canonical order into the names.
func (d *Doc) link(object uint32, keys []key) *Error {
	twice, at := none, object+1
	for i, k := range keys {
		// Keys that are alike may have been made at different offsets.
		if i > 0 && k.like(keys[i-1]) && k.at < twice && string(d.name(k.at)) == string(d.name(keys[i-1].at)) {
			twice = k.at
		}
		d.nodes[at].next = k.at
		at = d.after(at + 1)
	}
	if twice == none {
		return nil
	}
	msg := "member " + finding.Quote(string(d.name(twice))) + " stands in its object twice"
	return d.breach(DuplicateMember, int(d.nodes[twice].off), msg)
}

// name returns the member name at a node.
func (d *Doc) name(at uint32) []byte { return d.text(&d.nodes[at]) }

package secrets

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"
)

// The filter finds keywords in raw bytes. Every keyword owns two neighbouring
// three-byte blocks, so that looking at every second position meets exactly
// one of them. Blocks are case-folded by setting bit 5 and hashed into a table
// of bucket numbers; 0 means that no keyword has such a block. Reading the
// positions is independent of one another, which is what makes it fast.
type filter struct {
	table   [1 << hashBits]uint16
	buckets [][]anchor
}

const (
	hashBits = 16
	blockLen = 3
	fold     = 0x2020202020202020

	// maxWord bounds the length of a keyword.
	maxWord = 32
)

// anchor is a keyword together with where in it a block begins.
type anchor struct {
	word   *word
	offset int // -1 when the block begins one byte before the keyword
}

// word is a keyword and the rules that want it.
type word struct {
	text  string
	fold  bool
	rules []*Rule
}

func (w *word) at(b []byte) bool {
	if len(b) < len(w.text) {
		return false
	}
	for i := range len(w.text) {
		c := b[i]
		if w.fold && 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != w.text[i] {
			return false
		}
	}
	return true
}

func hash(folded uint32) uint32 { return (folded & 0xffffff) * 0x9e3779b1 >> (32 - hashBits) }

func block(b []byte) uint32 {
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16) | fold&0xffffff
}

var theFilter = sync.OnceValue(func() *filter {
	f := &filter{buckets: make([][]anchor, 1)}
	type key struct {
		text string
		fold bool
	}
	seen := map[key]*word{}
	for _, r := range allRules() {
		for _, text := range r.words {
			k := key{text, r.folds()}
			w := seen[k]
			if w == nil {
				w = &word{text: text, fold: k.fold}
				seen[k] = w
				f.add(w)
			}
			w.rules = append(w.rules, r)
		}
	}
	return f
})

// add enters both blocks of w. A keyword of three bytes has only one of its
// own; the other begins with whatever stands before it.
func (f *filter) add(w *word) {
	if len(w.text) == blockLen {
		f.put(hash(block([]byte(w.text))), anchor{w, 0})
		for c := range 64 {
			before := byte(0x20 + c + c&0x20) // the folded values of ASCII
			f.put(hash(block([]byte{before, w.text[0], w.text[1]})), anchor{w, -1})
		}
		return
	}
	i := rarest(w.text)
	f.put(hash(block([]byte(w.text[i:]))), anchor{w, i})
	f.put(hash(block([]byte(w.text[i+1:]))), anchor{w, i + 1})
}

func (f *filter) put(h uint32, a anchor) {
	old := f.buckets[f.table[h]]
	if slices.Contains(old, a) {
		return
	}
	grown := append(old[:len(old):len(old)], a)
	// Blocks with a free first byte are many and alike: they share a bucket.
	for i, b := range f.buckets {
		if slices.Equal(b, grown) {
			f.table[h] = uint16(i)
			return
		}
	}
	if len(f.buckets) == 1<<16 {
		panic("secrets: more keyword blocks than bucket numbers")
	}
	f.table[h] = uint16(len(f.buckets))
	f.buckets = append(f.buckets, grown)
}

// rarest picks the two neighbouring blocks of a keyword that text has least,
// by a rough order of how common bytes are.
func rarest(text string) int {
	const common = " etaoinsrlhdcumfpgwyb,.v(k_0"
	best, where := -1, 0
	for i := 0; i+blockLen < len(text); i++ {
		score := 0
		for _, c := range []byte(text[i : i+blockLen+1]) {
			rank := len(common)
			for j := range len(common) {
				if common[j] == c|0x20 {
					rank = j
				}
			}
			score += rank
		}
		if score > best {
			best, where = score, i
		}
	}
	return where
}

// find calls hit for each keyword that begins in buf[from:to], each once.
func (f *filter) find(buf []byte, from, to int, hit func(w *word, at int) bool) {
	look := func(q int) bool {
		for _, a := range f.buckets[f.table[hash(block(buf[q:]))]] {
			at := q - a.offset
			if at >= from && at < to && a.word.at(buf[at:]) && !hit(a.word, at) {
				return false
			}
		}
		return true
	}
	end := min(to+maxWord, len(buf))
	q := from
	if q >= 2 {
		q -= 2 // a keyword at from may be known by the block before it
	}
	t := &f.table
	for ; q+8 <= end; q += 6 {
		x := binary.LittleEndian.Uint64(buf[q:]) | fold
		n0, n1, n2 := t[hash(uint32(x))], t[hash(uint32(x>>16))], t[hash(uint32(x>>32))]
		if n0|n1|n2 == 0 {
			continue
		}
		for m := uint(b2u(n0)) | uint(b2u(n1))<<2 | uint(b2u(n2))<<4; m != 0; m &= m - 1 {
			if !look(q + bits.TrailingZeros(m)) {
				return
			}
		}
	}
	for ; q+blockLen <= end; q += 2 {
		if !look(q) {
			return
		}
	}
}

func b2u(n uint16) uint16 { return min(n, 1) }

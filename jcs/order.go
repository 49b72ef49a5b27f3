package jcs

import (
	"cmp"
	"math/bits"
)

// CompareUTF16 orders texts by their UTF-16 code units, as JCS wants member
// names and Capsule wants paths. It is a total order on all strings; for those
// that are not UTF-8 it is only that.
func CompareUTF16(a, b string) int { return compareUTF16(a, b) }

// UTF-8 sorts by code point. UTF-16 differs in one thing: the characters beyond
// U+FFFF, whose UTF-8 starts with f0 to f4, come before U+E000 to U+FFFF, whose
// UTF-8 starts with ee or ef. So the first byte that differs decides, with ee
// and ef moved behind all others.
func compareUTF16[T string | []byte](a, b T) int {
	i := common(a, b)
	if i == len(a) || i == len(b) {
		return cmp.Compare(len(a), len(b))
	}
	return cmp.Compare(rank(a[i]), rank(b[i]))
}

// common returns how many bytes a and b have in common at their start.
func common[T string | []byte](a, b T) int {
	n, i := min(len(a), len(b)), 0
	for ; n-i >= 8; i += 8 {
		if diff := load(a, i) ^ load(b, i); diff != 0 {
			return i + bits.TrailingZeros64(diff)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

func load[T string | []byte](s T, i int) uint64 {
	return uint64(s[i]) | uint64(s[i+1])<<8 | uint64(s[i+2])<<16 | uint64(s[i+3])<<24 |
		uint64(s[i+4])<<32 | uint64(s[i+5])<<40 | uint64(s[i+6])<<48 | uint64(s[i+7])<<56
}

// rank is the place of a byte in the order of compareUTF16.
func rank(c byte) byte {
	switch {
	case c < 0xee:
		return c
	case c < 0xf0:
		return c + 0x10
	}
	return c - 2
}

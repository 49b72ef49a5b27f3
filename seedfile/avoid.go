package seedfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

// avoid remembers which markers and sentinels a text already contains, so that
// new ones can be chosen after a single reading. Both kinds are kept as a bitmap
// of 24 bits: a marker is exactly that long; of a sentinel the first six digits
// count, which refuses a few innocent ones and bounds the memory.
type avoid struct {
	markers, sentinels []uint64
}

const avoidBits = 1 << 24

// find records every candidate in b that ends behind b[from:].
func (a *avoid) find(b []byte, from int) {
	for at := from; ; {
		i := bytes.IndexByte(b[at:], '@')
		if i < 0 {
			break
		}
		at += i + 1
		if at < delimLen {
			continue
		}
		d := b[at-delimLen : at]
		if p := string(d[:9]); p == "<!--seed:" || p == "<!--fold:" {
			setBit(&a.markers, string(d[9:15]))
		}
	}
	const prefix, length = "SEED_", len("SEED_12345678")
	for at := max(0, from-length+1); ; {
		i := bytes.Index(b[at:], []byte(prefix))
		if i < 0 || len(b)-at-i < length {
			return
		}
		at += i + len(prefix)
		setBit(&a.sentinels, string(b[at:at+6]))
	}
}

// setBit records six hex digits; anything else cannot collide.
func setBit(bits *[]uint64, digits string) {
	i, ok := bitOf(digits)
	if !ok {
		return
	}
	if *bits == nil {
		*bits = make([]uint64, avoidBits/64)
	}
	(*bits)[i/64] |= 1 << (i % 64)
}

func hasBit(bits []uint64, digits string) bool {
	i, ok := bitOf(digits)
	return ok && bits != nil && bits[i/64]&(1<<(i%64)) != 0
}

func bitOf(digits string) (uint, bool) {
	var b [3]byte
	if _, err := hex.Decode(b[:], []byte(digits)); err != nil {
		return 0, false
	}
	return uint(b[0])<<16 | uint(b[1])<<8 | uint(b[2]), true
}

// merge adds what another reader of the same pack found.
func (a *avoid) merge(b *avoid) {
	for _, p := range []struct{ to, from *[]uint64 }{{&a.markers, &b.markers}, {&a.sentinels, &b.sentinels}} {
		if *p.from == nil {
			continue
		}
		if *p.to == nil {
			*p.to = *p.from
			continue
		}
		for i, w := range *p.from {
			(*p.to)[i] |= w
		}
	}
}

var errExhausted = errors.New("the content holds every possible marker or sentinel")

// marker derives a marker from the content (SP-PACK-04). Its first character is
// one that keeps YAML readers from taking it for a number (SP-ARC-04).
func (a *avoid) marker(digest [32]byte) (string, error) {
	return derive(digest, "marker", func(h string) (string, bool) {
		return h[:6], strings.IndexByte("abcdf", h[0]) >= 0 && !hasBit(a.markers, h[:6])
	})
}

// sentinel derives a sentinel that the content does not hold.
func (a *avoid) sentinel(digest [32]byte) (string, error) {
	return derive(digest, "sentinel", func(h string) (string, bool) {
		h = strings.ToUpper(h[:8])
		return "SEED_" + h, !hasBit(a.sentinels, h[:6])
	})
}

func derive(digest [32]byte, what string, pick func(hex string) (string, bool)) (string, error) {
	for n := range 1 << 16 {
		sum := sha256.Sum256(fmt.Appendf(nil, "%x %s %d", digest, what, n))
		if s, ok := pick(hex.EncodeToString(sum[:])); ok {
			return s, nil
		}
	}
	return "", errExhausted
}

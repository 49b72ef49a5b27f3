package seedfile

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"
)

// SP-PACK-04, SP-ARC-04, SP-AMB-18, SP-AMB-26: a candidate that the content
// holds is never taken, however often that happens.
func TestSP_PACK_04_Regenerates(t *testing.T) {
	t.Parallel()
	digest := sha256.Sum256([]byte("x"))
	var a avoid
	seen := map[string]bool{}
	for i := range 50 {
		m, err := a.marker(digest)
		s, err2 := a.sentinel(digest)
		if err != nil || err2 != nil || seen[m] || seen[s] {
			t.Fatalf("got %q, %q again, %v, %v", m, s, err, err2)
		}
		if !validMarker(m) || strings.IndexByte("abcdf", m[0]) < 0 || strings.ToLower(m) != m {
			t.Errorf("got marker %q", m)
		}
		if !validSentinel(s) || !strings.HasPrefix(s, "SEED_") {
			t.Errorf("got sentinel %q", s)
		}
		seen[m], seen[s] = true, true
		spelling := []string{"<!--seed:", "<!--fold:"}[i%2]
		a.find([]byte("text "+spelling+m+"@ and x"+s+"y"), 0)
	}
	for i := range a.markers {
		a.markers[i] = ^uint64(0)
		a.sentinels[i] = ^uint64(0)
	}
	if _, err := a.marker(digest); !errors.Is(err, errExhausted) {
		t.Errorf("got %v, want %v", err, errExhausted)
	}
	if _, err := a.sentinel(digest); !errors.Is(err, errExhausted) {
		t.Errorf("got %v, want %v", err, errExhausted)
	}
}

// SP-PACK-04: what lies across two windows of the reader is found, and text is
// judged the same wherever the windows meet.
func TestSP_PACK_04_WindowBorders(t *testing.T) {
	t.Parallel()
	reader := fileReader{}
	pad := bytes.Repeat([]byte("0123456789abcdef"), 3*readSize/16)
	for _, first := range []int{readSize + overlap, 2*readSize + overlap} { // the windows end here
		for start := first - 20; start <= first+4; start++ {
			for feature, want := range map[string]string{"<!--seed:abcdef@": "", "SEED_ABCDEF12": "", "日": "", "😀": "", "\xe6\x97": "is not UTF-8", "\x80": "is not UTF-8", "\x00": "holds a NUL byte"} {
				text := append(append([]byte{}, pad[:start]...), feature...)
				text = append(text, pad[:30]...)
				reader.avoid = avoid{}
				c, err := reader.read(bytes.NewReader(text), nil)
				if err != nil || c.binary != want || c.size != int64(len(text)) || c.sum != sha256.Sum256(text) {
					t.Fatalf("%q at %d: got %+v, %v, want %q", feature, start, c, err, want)
				}
				if strings.HasPrefix(feature, "<") && !hasBit(reader.avoid.markers, "abcdef") {
					t.Fatalf("marker at %d was not seen", start)
				}
				if strings.HasPrefix(feature, "S") && !hasBit(reader.avoid.sentinels, "ABCDEF") {
					t.Fatalf("sentinel at %d was not seen", start)
				}
			}
		}
	}
}

// What several readers saw is joined.
func TestAvoid_Merge(t *testing.T) {
	t.Parallel()
	var all, a, b avoid
	a.find([]byte("<!--seed:aaaaaa@ SEED_00000000"), 0)
	b.find([]byte("<!--fold:bbbbbb@ SEED_11111111"), 0)
	for _, x := range []*avoid{&all, &a, &b} {
		all.merge(x)
	}
	if !hasBit(all.markers, "aaaaaa") || !hasBit(all.markers, "bbbbbb") || !hasBit(all.sentinels, "000000") || !hasBit(all.sentinels, "111111") || hasBit(all.markers, "cccccc") {
		t.Error("got another set than both together")
	}
}

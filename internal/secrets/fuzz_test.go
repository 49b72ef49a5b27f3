package secrets_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"seed/internal/secrets"
)

// FuzzScan holds any bytes to what is true of all: no panic, a bounded answer
// in order, places inside the data, and the same in chunks.
func FuzzScan(f *testing.F) {
	for _, e := range examples() {
		f.Add(e.path, []byte(plain(e.match[0])), uint16(7))
	}
	f.Fuzz(func(t *testing.T, path string, data []byte, chunk uint16) {
		want := secrets.ScanBytes(path, data)
		if len(want.Matches) > secrets.MaxMatches {
			t.Fatalf("got %d matches, want at most %d", len(want.Matches), secrets.MaxMatches)
		}
		line := 0
		for _, m := range want.Matches {
			if m.Line < line || m.Col > len(data) || (m.Line == 0) != (m.Col == 0) {
				t.Fatalf("got place %d:%d after line %d in %d bytes", m.Line, m.Col, line, len(data))
			}
			line = m.Line
		}
		if want.More {
			return // which hundred are kept is not promised
		}
		got := inChunks(path, data, func(left int) int { return min(int(chunk)+1, left) })
		if diff := cmp.Diff(want, got, sameRule); diff != "" {
			t.Fatalf("chunks of %d (-whole +chunks):\n%s", int(chunk)+1, diff)
		}
	})
}

package ignore_test

import (
	"testing"

	"seed/internal/ignore"
)

// FuzzMatch holds any file and path to what is true of all: no panic, a line
// that exists, and what a list ignores the stack of it ignores too.
func FuzzMatch(f *testing.F) {
	f.Add([]byte("*.log\n!keep.log\n"), "x/keep.log", false)
	f.Fuzz(func(t *testing.T, text []byte, path string, dir bool) {
		l, err := ignore.Parse(text)
		if err != nil {
			return
		}
		v, line := l.Match(path, dir)
		if (v == ignore.None) != (line == 0) || line > ignore.MaxLines {
			t.Fatalf("got %v by line %d", v, line)
		}
		var s ignore.Stack
		s.Push("", ".seedignore", l)
		out, by := s.Ignored(path, dir)
		if v == ignore.Ignore && path != "" && !out {
			t.Fatalf("got kept by %q, want ignored by line %d", by, line)
		}
	})
}

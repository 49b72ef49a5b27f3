package build_test

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"seed/capsule/build"
)

// TestMemory: writers at once, in any order, and readers that reach past the end.
func TestMemory(t *testing.T) {
	t.Parallel()
	var m build.Memory
	var wg sync.WaitGroup
	const n, size = 64, 100
	for i := n - 1; i >= 0; i-- {
		wg.Go(func() {
			if k, err := m.WriteAt(bytes.Repeat([]byte{byte(i)}, size), int64(i)*size); k != size || err != nil {
				t.Errorf("got %d, %v", k, err)
			}
		})
	}
	wg.Wait()
	for i := range n {
		got := make([]byte, size)
		if k, err := m.ReadAt(got, int64(i)*size); k != size || err != nil || !bytes.Equal(got, bytes.Repeat([]byte{byte(i)}, size)) {
			t.Errorf("piece %d: got %d bytes, %v", i, k, err)
		}
	}
	if k, err := m.ReadAt(make([]byte, 20), n*size-10); k != 10 || err != io.EOF {
		t.Errorf("at the end: got %d, %v", k, err)
	}
	if k, err := m.ReadAt(make([]byte, 1), n*size); k != 0 || err != io.EOF || m.Len() != n*size {
		t.Errorf("past the end: got %d, %v of %d", k, err, m.Len())
	}
}

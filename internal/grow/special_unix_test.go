//go:build unix

package grow_test

import (
	"syscall"
	"testing"

	"seed/internal/disk"
)

// A pipe in the place of a file is neither opened nor replaced (SP-GROW-04).
func TestSP_GROW_04_Pipe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("dest/", "")
	if err := syscall.Mkfifo(w.at("dest/a"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, w.o.Force = range []bool{false, true} {
		w.refused(archive(t, tree, "unfold"), "SP-GROW-04", disk.ErrBlocked)
	}
}

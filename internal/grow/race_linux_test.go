package grow_test

import (
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/grow"
)

// Somebody with write access to the destination exchanges a folder and a link
// to the outside while it is grown, many times: nothing outside changes
// (SP-PATH-06).
func TestSP_PATH_06_SwappedWhileGrowing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.plant("out/b", "outside\n", "out/e/c", "outside\n", "dest/d/e/", "")
	w.link("../out", "dest/other")
	outside := w.list("out")
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 1_000_000 {
			select {
			case <-done:
				return
			default:
				_ = unix.Renameat2(unix.AT_FDCWD, w.at("dest/d"), unix.AT_FDCWD, w.at("dest/other"), unix.RENAME_EXCHANGE)
			}
		}
	})
	landed, refused := 0, 0
	w.o.Force = true
	w.o.Journal = nil
	for i := range 150 {
		content := string(rune('a'+i%26)) + "\n"
		f := archive(t, []string{"d/b", content, "d/e/c", content, "d/new/x", content}, "unfold")
		p, err := grow.Prepare(t.Context(), f, w.dest, w.o)
		if err == nil {
			_, err = p.Run(t.Context())
		}
		if err == nil {
			landed++
		} else {
			refused++
		}
	}
	close(done)
	wg.Wait()
	w.want("out", outside...)
	if refused == 0 {
		t.Errorf("got %d landings and no refusal, want the race to have been run", landed)
	}
}

//go:build unix

package disk_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"

	"seed/internal/disk"
)

// swapper exchanges dest/d between a directory and a link to out until it is
// stopped.
func swapper(t *testing.T, dest string) (stop func()) {
	t.Helper()
	d, other := filepath.Join(dest, "d"), filepath.Join(dest, "other")
	if err := os.Symlink("../out", other); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 2_000_000 {
			select {
			case <-done:
				return
			default:
				exchange(d, other)
			}
		}
	})
	return func() {
		close(done)
		wg.Wait()
		// Leave the directory at its own name.
		if fi, err := os.Lstat(d); err != nil || !fi.IsDir() {
			exchange(d, other)
		}
		os.Remove(other)
	}
}

func TestSP_PATH_06_DirectorySwappedForALink(t *testing.T) {
	t.Parallel()
	dir := ramDir(t)
	dest := filepath.Join(dir, "dest")
	var files []disk.File
	var tracked []disk.Tracked
	for _, n := range strings.Fields("a b c e f g") {
		files = append(files, memory("d/"+n, "landed "+n), memory("d/sub"+n+"/x", "landed"))
	}
	plant(t, dir, map[string]string{"out/a": "outside", "out/suba/x": "outside", "dest/d/keep": ""})
	outside := listing(t, filepath.Join(dir, "out"))
	stop := swapper(t, dest)
	landed := 0
	for range 30 {
		_, err := land(t, dest, files, disk.Options{Force: true})
		if err == nil {
			landed++
		}
		if _, err := disk.Compare(t.Context(), dest, files, disk.Options{}); err == nil {
			landed++
		}
		// The sums are those of the files outside: if a removal ever got there,
		// it would remove them.
		tracked = tracked[:0]
		for _, f := range []disk.File{memory("a", "outside"), memory("suba/x", "outside")} {
			tracked = append(tracked, disk.Tracked{Path: "d/" + f.Path, Sum: sumOf("outside")})
		}
		disk.RemoveTracked(dest, tracked)
		tracked = tracked[:0]
		for _, f := range files {
			tracked = append(tracked, disk.Tracked{Path: f.Path, Sum: sumOf("landed " + filepath.Base(f.Path))})
		}
		disk.RemoveTracked(dest, tracked)
	}
	stop()
	if landed == 0 {
		t.Log("the swapper won every time: nothing landed")
	}
	wantListing(t, filepath.Join(dir, "out"), outside)
}

func TestNothingIsFollowedWhileFilesBecomeLinks(t *testing.T) {
	t.Parallel()
	dir := ramDir(t)
	dest := filepath.Join(dir, "dest")
	plant(t, dir, map[string]string{"out/secret": "precious", "dest/f": "1"})
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 1_000_000 {
			select {
			case <-done:
				return
			default:
			}
			tmp := filepath.Join(dest, "tmp")
			switch i % 4 {
			case 0:
				os.Symlink("../out/secret", tmp)
			case 2:
				unix.Mkfifo(tmp, 0o600)
			default:
				os.WriteFile(tmp, []byte("0123456"), 0o600)
			}
			os.Rename(tmp, filepath.Join(dest, "f"))
		}
	})
	for i := range 6_000 {
		// Whether it lands is a matter of luck; whether it waits or leads out is not.
		ch, err := disk.Compare(t.Context(), dest, []disk.File{memory("f", "precious")}, disk.Options{})
		if err == nil && ch[0].Kind == disk.Same {
			t.Fatal("compared with the file outside")
		}
		if i%100 == 0 {
			land(t, dest, []disk.File{memory("f", "new")}, disk.Options{Force: true})
		}
		r, err := disk.RemoveTracked(dest, []disk.Tracked{{Path: "f", Sum: sumOf("precious")}})
		if err == nil && len(r.Removed) > 0 {
			t.Fatal("removed by the content of the file outside")
		}
	}
	close(done)
	wg.Wait()
	if got := read(t, filepath.Join(dir, "out", "secret")); got != "precious" {
		t.Errorf("file outside: got %q, want it untouched", got)
	}
}

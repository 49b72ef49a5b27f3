package packer

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

func source(t *testing.T, dir string) *Source {
	t.Helper()
	src, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := src.Close(); err != nil {
			t.Error(err)
		}
	})
	return src
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// read gives the content of a file, or how it was refused.
func read(fsys fs.FS, name string) (string, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	return string(data), err
}

// A kernel without openat2, or a filter that forbids it, makes reading slower
// and no less safe (SP-PATH-06).
func TestSP_PATH_06_WithoutOpenat2(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	write(t, filepath.Join(top, "tree/d/a"), "inside")
	write(t, filepath.Join(top, "secret"), "outside")
	if err := os.Symlink("../secret", filepath.Join(top, "tree/out")); err != nil {
		t.Fatal(err)
	}
	k, ok := source(t, filepath.Join(top, "tree")).FS.(*kernelFS)
	if !ok {
		t.Fatal("got another file system, want the kernel's")
	}
	for _, errno := range []error{nil, unix.ENOSYS, unix.EPERM, unix.EAGAIN, unix.EINTR} {
		asked := false
		k.openat2 = func(dir int, path string, how *unix.OpenHow) (int, error) {
			asked = true
			if errno != nil {
				return -1, errno
			}
			return unix.Openat2(dir, path, how)
		}
		if got, err := read(k, "d/a"); err != nil || got != "inside" || !asked {
			t.Errorf("%v: got %q and %v, want the content", errno, got, err)
		}
		for _, name := range []string{"out", "../secret", filepath.Join(top, "secret"), "missing"} {
			if got, err := read(k, name); err == nil {
				t.Errorf("%v: %s: got %q, want it refused", errno, name, got)
			}
		}
	}
	k.openat2 = func(int, string, *unix.OpenHow) (int, error) { return -1, unix.EACCES }
	if _, err := read(k, "d/a"); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v, want what the kernel said", err)
	}
}

// A file or a folder that is exchanged for a link to the outside between the
// walk and the reading gives the inside or an error (SP-PATH-06).
func TestSP_PATH_06_SwappedWhileReading(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	tree := filepath.Join(top, "tree")
	write(t, filepath.Join(tree, "f"), "inside")
	write(t, filepath.Join(tree, "d/x"), "inside")
	write(t, filepath.Join(top, "out/x"), "outside")
	for link, to := range map[string]string{"lf": "../out/x", "ld": "../out"} {
		if err := os.Symlink(to, filepath.Join(tree, link)); err != nil {
			t.Fatal(err)
		}
	}
	src := source(t, tree)
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 1_000_000 {
			select {
			case <-done:
				return
			default:
				for _, pair := range [][2]string{{"f", "lf"}, {"d", "ld"}} {
					_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(tree, pair[0]), unix.AT_FDCWD, filepath.Join(tree, pair[1]), unix.RENAME_EXCHANGE)
				}
			}
		}
	})
	inside, refused := 0, 0
	for range 1000 {
		for _, fsys := range []fs.FS{src.FS, rootFS{src.root}} {
			for _, name := range []string{"f", "d/x"} {
				got, err := read(fsys, name)
				switch {
				case err != nil:
					refused++
				case got == "inside":
					inside++
				default:
					t.Fatalf("%s: got %q, want the inside or an error", name, got)
				}
			}
		}
		// Walking again meets the same attacker.
		again, err := Open(tree, Options{Follow: true})
		if err != nil {
			continue
		}
		for _, m := range again.Members {
			if got, err := read(again.FS, m.Path); err == nil && got != "inside" {
				t.Fatalf("%s: got %q, want the inside or an error", m.Path, got)
			}
		}
		if err := again.Close(); err != nil {
			t.Fatal(err)
		}
	}
	close(done)
	wg.Wait()
	if inside == 0 || refused == 0 {
		t.Errorf("got %d reads and %d refusals, want both to have happened", inside, refused)
	}
}

// A file that became a pipe after the walk does not hang the reading.
func TestSP_ARC_08_PipeAfterTheWalk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "text")
	src := source(t, dir)
	if err := os.Remove(filepath.Join(dir, "f")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "f"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, fsys := range []fs.FS{src.FS, rootFS{src.root}} {
		if got, err := read(fsys, "f"); !errors.Is(err, errNotRegular) {
			t.Errorf("%T: got %q and %v, want %v", fsys, got, err, errNotRegular)
		}
	}
}

// A descriptor is given back once.
func TestFileIsClosedOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "f"), "text")
	src := source(t, dir)
	f, err := src.FS.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := f.Stat(); err != nil || info.Name() != "f" || info.Size() != 4 || !info.Mode().IsRegular() || info.IsDir() {
		t.Errorf("got %v, %v, want the facts of a regular file of 4 bytes", info, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want %v", err, fs.ErrClosed)
	}
	if _, err := f.Read(make([]byte, 1)); err == nil {
		t.Error("got a read from a closed file")
	}
	if got, err := read(src.FS, "."); err == nil {
		t.Errorf("got %q, want a folder refused", got)
	}
}

func descriptors(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// No handle is left behind, whether the walk ends well or not. This test runs
// alone: descriptors belong to the whole process.
func TestNoDescriptorsAreLeft(t *testing.T) {
	good, bad := t.TempDir(), t.TempDir()
	write(t, filepath.Join(good, "a/b/c"), "text")
	write(t, filepath.Join(bad, "a/b/.seedignore/c"), "text")
	before := descriptors(t)
	for range 20 {
		src, err := Open(good, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := read(src.FS, "a/b/c"); err != nil {
			t.Fatal(err)
		}
		if err := src.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(bad, Options{}); err == nil {
			t.Fatal("got a source, want an error")
		}
	}
	if after := descriptors(t); after > before {
		t.Errorf("got %d descriptors, want %d as before", after, before)
	}
}

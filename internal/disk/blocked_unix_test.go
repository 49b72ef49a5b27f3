//go:build unix

package disk_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"seed/internal/disk"
)

// obstacles puts everything that can be in the way of a file into dir.
func obstacles(t *testing.T, dir string) {
	t.Helper()
	plant(t, dir, map[string]string{
		"out/secret":   "precious",
		"dest/isdir/x": "", "dest/isfile": "file", "dest/same": "same", "dest/differs": "mine", "dest/longer": "same and more",
	})
	dest := filepath.Join(dir, "dest")
	for at, to := range map[string]string{
		"link": "../out/secret", "linkdir": "../out", "dangling": "nowhere", "inner": "isdir",
	} {
		if err := os.Symlink(to, filepath.Join(dest, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dest, "pipe"), 0o644); err != nil {
		t.Fatal(err)
	}
	// The name of a socket may not be long, so it is made elsewhere.
	short, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(short)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(short, "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if err := os.Rename(filepath.Join(short, "s"), filepath.Join(dest, "socket")); err != nil {
		component(t, "move a socket: %v", err)
	}
}

func TestSP_PATH_05_WhatIsInTheWay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path string
		kind disk.Kind
		at   string
		is   error
	}{
		{"link", disk.Unsafe, "link", disk.ErrUnsafe},
		{"dangling", disk.Unsafe, "dangling", disk.ErrUnsafe},
		{"linkdir/secret", disk.Unsafe, "linkdir", disk.ErrUnsafe},
		{"linkdir/new", disk.Unsafe, "linkdir", disk.ErrUnsafe},
		{"inner/x", disk.Unsafe, "inner", disk.ErrUnsafe},
		{"inner/d/new", disk.Unsafe, "inner", disk.ErrUnsafe},
		{"isdir", disk.Blocked, "isdir", disk.ErrBlocked},
		{"pipe", disk.Blocked, "pipe", disk.ErrBlocked},
		{"socket", disk.Blocked, "socket", disk.ErrBlocked},
		{"pipe/x", disk.Blocked, "pipe", disk.ErrBlocked},
		{"isfile/x/y", disk.Blocked, "isfile", disk.ErrBlocked},
		{"differs", disk.Differs, "differs", disk.ErrExists},
		{"longer", disk.Differs, "longer", disk.ErrExists},
		{"same", disk.Same, "same", nil},
		{"isdir/new", disk.New, "isdir/new", nil},
		{"new/er", disk.New, "new/er", nil},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			obstacles(t, dir)
			before := listing(t, dir)
			dest := filepath.Join(dir, "dest")
			files := []disk.File{memory(c.path, "same"), memory("zz", "last")}
			got, err := disk.Compare(t.Context(), dest, files, disk.Options{})
			if err != nil || len(got) != 2 {
				t.Fatalf("compare: got %v, %v, want two changes", got, err)
			}
			for _, ch := range got {
				if ch.Path == c.path && (ch.Kind != c.kind || ch.At != c.at) {
					t.Errorf("compare: got %v at %s, want %v at %s", ch.Kind, ch.At, c.kind, c.at)
				}
			}
			wantListing(t, dir, before)
			// Force is for regular files of other content and nothing else.
			_, err = land(t, dest, files, disk.Options{Force: c.kind != disk.Differs})
			if !errors.Is(err, c.is) {
				t.Errorf("land: got %v, want %v", err, c.is)
			}
			if c.is != nil {
				wantListing(t, dir, before)
			}
			if got := read(t, filepath.Join(dir, "out", "secret")); got != "precious" {
				t.Errorf("file outside: got %q, want it untouched", got)
			}
		})
	}
}

func TestDeviceIsBlocked(t *testing.T) {
	t.Parallel()
	ch, err := disk.Compare(t.Context(), "/dev", []disk.File{memory("null", "")}, disk.Options{})
	if err != nil || len(ch) != 1 || ch[0].Kind != disk.Blocked || ch[0].Note != "is a device" {
		t.Errorf("got %+v, %v, want a blocked device", ch, err)
	}
}

func TestEveryProblemIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	obstacles(t, dir)
	_, err := land(t, filepath.Join(dir, "dest"), []disk.File{
		memory("link", ""), memory("isdir", ""), memory("differs", ""), memory("linkdir/1", ""), memory("linkdir/2", ""),
	}, disk.Options{})
	for _, is := range []error{disk.ErrUnsafe, disk.ErrBlocked, disk.ErrExists} {
		if !errors.Is(err, is) {
			t.Errorf("got %v, want it to be %v", err, is)
		}
	}
	const want = `"differs": exists with other content; "isdir": is a directory; "link": is a symbolic link; "linkdir": is a symbolic link`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

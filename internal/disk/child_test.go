package disk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The tests of this file's package run parts of themselves in other processes:
// those that must be killed, or that need another umask, user or limit.

func TestMain(m *testing.M) {
	if what := os.Getenv("DISK_TEST_CHILD"); what != "" {
		if err := child(what); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// child does one thing in DISK_TEST_DEST; after DISK_TEST_STEPS steps it dies.
func child(what string) error {
	dest := os.Getenv("DISK_TEST_DEST")
	left, err := strconv.Atoi(os.Getenv("DISK_TEST_STEPS"))
	if err == nil {
		stepHook = func(string) {
			if left--; left == 0 {
				die()
			}
		}
	}
	if os.Getenv("DISK_TEST_USER") != "" {
		if err := becomeNobody(); err != nil {
			return err
		}
	}
	switch what {
	case "grow":
		err = childGrow(dest)
	case "recover":
		_, err = Recover(dest)
	default:
		err = childUnix(what, dest)
	}
	if err == nil {
		// How many steps there were is how the parent knows all of them.
		fmt.Println(-left)
	}
	return err
}

func die() {
	p, err := os.FindProcess(os.Getpid())
	if err == nil {
		p.Kill()
	}
	select {}
}

func childGrow(dest string) error {
	t, err := NewTree(dest)
	if err != nil {
		return err
	}
	defer t.Close()
	if err := t.Write(context.Background(), crashFiles()); err != nil {
		return err
	}
	_, err = t.Land(context.Background(), Options{Force: true})
	return err
}

func crashFiles() []File {
	var files []File
	for _, p := range []string{"a", "d/b", "d/new", "d/deep/1", "d/deep/er/2", "e/3", "same", "z"} {
		content := "new " + p
		if p == "same" {
			content = "old same"
		}
		files = append(files, File{Path: p, Mode: 0o644, Size: int64(len(content)), Open: func() io.Reader {
			step("open " + p)
			return strings.NewReader(content)
		}})
	}
	return files
}

// run starts a child and reports whether it lived to its end, and its output.
func run(t *testing.T, what, dest string, steps int, extra ...string) (lived bool, out string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "DISK_TEST_CHILD="+what, "DISK_TEST_DEST="+dest, "GOMAXPROCS=1",
		"GORACE=atexit_sleep_ms=0")
	cmd.Env = append(cmd.Env, "DISK_TEST_STEPS="+strconv.Itoa(steps))
	cmd.Env = append(cmd.Env, extra...)
	b, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 || err != nil && exit == nil {
		t.Fatalf("child %s: %v: %s", what, err, b)
	}
	return err == nil, strings.TrimSpace(string(b))
}

// scratch is a directory on a RAM disk where there is one: crash tests make
// and sync hundreds of trees.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "seed-disk-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// contents is every path below dir with its content.
func contents(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%v %s", d.Type(), rel)
		if d.Type().IsRegular() {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			b.WriteString(": " + string(text))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// before makes the old state of a destination.
func before(t *testing.T, dest string) {
	t.Helper()
	for _, p := range []string{"a", "d/b", "d/keep", "same", "z"} {
		full := filepath.Join(dest, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte("old "+p), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// component skips a test for want of something, or fails it where all is to be there.
func component(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

//go:build unix

package main

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// big is a seed that takes long enough to be hit in the middle.
type big struct {
	seed  string
	files int
}

func packBig(t *testing.T) big {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tree")
	const files = 600
	if err := fill(dir, files, 20<<10); err != nil {
		t.Fatal(err)
	}
	b := big{seed: filepath.Join(filepath.Dir(dir), "big.seed"), files: files}
	out, err := run(t, "pack", dir, "--allow-secrets", "-o", b.seed).CombinedOutput()
	if err != nil {
		t.Fatalf("pack: %v\n%s", err, out)
	}
	return b
}

// run prepares seed as a process of its own with a home of its own.
func run(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Args[0] = "seed" // what TestMain goes by
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TMPDIR="+t.TempDir(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// moments are spread over a grow, from before its first file to after its last.
func moments(t *testing.T, b big) []time.Duration {
	t.Helper()
	start := time.Now()
	if out, err := run(t, "grow", b.seed, filepath.Join(t.TempDir(), "dest")).CombinedOutput(); err != nil {
		t.Fatalf("grow: %v\n%s", err, out)
	}
	whole := time.Since(start)
	var list []time.Duration
	for i := range 6 {
		list = append(list, whole*time.Duration(i+1)/6)
	}
	return list
}

// kinds of destination, and how many files each holds before.
var destinations = []struct {
	name   string
	before int
}{{"new", 0}, {"existing", 1}}

func makeDest(t *testing.T, before int) string {
	t.Helper()
	dest := filepath.Join(t.TempDir(), "dest")
	if before > 0 {
		if err := os.MkdirAll(filepath.Join(dest, "d00"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dest, "mine"), []byte("mine\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dest
}

func count(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			n++
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return n
}

// TestSP_GROW_05_Signals: a signal at any moment leaves the old state or the new
// one, no stage, and the exit code that shells know the signal by.
func TestSP_GROW_05_Signals(t *testing.T) {
	t.Parallel()
	b := packBig(t)
	hit := 0
	for i, after := range moments(t, b) {
		sig := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		kind := destinations[i%2]
		dest := makeDest(t, kind.before)
		cmd := run(t, "grow", b.seed, dest)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Signal(sig) })
		_ = cmd.Wait() // the state says how it ended
		timer.Stop()
		code, want := cmd.ProcessState.ExitCode(), kind.before
		switch {
		case code == 0:
			want += b.files
		case code == 128+int(sig):
			hit++
			if !strings.Contains(stderr.String(), "interrupted; nothing is left half done") {
				t.Errorf("%v after %v: got %q", sig, after, stderr.String())
			}
		case !cmd.ProcessState.Exited():
			continue // it came before seed was ready to catch it
		default:
			t.Errorf("%v after %v: got exit code %d, %s", sig, after, code, stderr.String())
		}
		if got := count(t, dest); got != want {
			t.Errorf("%v after %v at a destination that is %s: got %d files, want %d", sig, after, kind.name, got, want)
		}
		if left, err := leftovers(filepath.Dir(dest)); err != nil || len(left) > 0 {
			t.Errorf("%v after %v: left behind %v, %v", sig, after, left, err)
		}
	}
	if hit == 0 {
		t.Error("no signal arrived in the middle")
	}
}

// TestSP_GROW_05_Kill: after kill -9 at any moment the next grow finds its way:
// what was half done is taken back, and the destination ends up complete.
func TestSP_GROW_05_Kill(t *testing.T) {
	t.Parallel()
	b := packBig(t)
	killed := 0
	for i, after := range moments(t, b) {
		kind := destinations[i%2]
		dest := makeDest(t, kind.before)
		cmd := run(t, "grow", b.seed, dest)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		timer.Stop()
		if !cmd.ProcessState.Success() {
			killed++
		}
		if out, err := run(t, "grow", b.seed, dest).CombinedOutput(); err != nil {
			t.Errorf("killed after %v at a destination that is %s: the next grow: %v\n%s", after, kind.name, err, out)
			continue
		}
		if got, want := count(t, dest), kind.before+b.files; got != want {
			t.Errorf("killed after %v: got %d files, want %d", after, got, want)
		}
		if left, err := leftovers(filepath.Dir(dest)); err != nil || len(left) > 0 {
			t.Errorf("killed after %v: left behind %v, %v", after, left, err)
		}
	}
	if killed == 0 {
		t.Error("no kill arrived in the middle")
	}
}

// TestPackInterrupted: a signal while a seed is packed leaves the old output.
func TestPackInterrupted(t *testing.T) {
	t.Parallel()
	b := packBig(t)
	tree := filepath.Join(filepath.Dir(b.seed), "tree")
	out := filepath.Join(t.TempDir(), "out.seed")
	hit := 0
	for i := range 10 {
		if err := os.WriteFile(out, []byte("old\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := run(t, "pack", tree, "-o", out)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(time.Duration(i)*20*time.Millisecond, func() { _ = cmd.Process.Signal(os.Interrupt) })
		_ = cmd.Wait()
		timer.Stop()
		content, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		switch code := cmd.ProcessState.ExitCode(); {
		case code == 0 && len(content) <= 4, code != 0 && string(content) != "old\n":
			t.Errorf("exit code %d with an output of %d bytes", code, len(content))
		case code == 130:
			hit++
		}
		if left, err := leftovers(filepath.Dir(out)); err != nil || len(left) > 0 {
			t.Errorf("left behind %v, %v", left, err)
		}
	}
	if hit == 0 {
		t.Error("no signal arrived in the middle")
	}
}

//go:build unix

package transport_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"seed/seedfile/transport"
)

// A shell is a program that a seed is fed to.
type shell struct {
	name string
	argv []string // what stands before the path
	file bool     // cannot read the script from standard input
	env  string   // what it needs to work at all
}

// everyday are the shells that a seed promises to work in; others are run in
// full tests.
var (
	everyday = []shell{
		{name: "bash", argv: []string{"bash", "-s", "--"}},
		{name: "dash", argv: []string{"dash", "-s", "--"}},
		{name: "busybox", argv: []string{"busybox", "ash", "-s", "--"}},
		{name: "mksh", argv: []string{"mksh", "-s", "--"}},
		{name: "zsh", argv: []string{"zsh", "-s", "--"}},
	}
	others = []shell{
		{name: "ksh93", argv: []string{"ksh93", "-s", "--"}},
		// yash reads text, not bytes: it stops at what its locale does not know.
		{name: "yash", argv: []string{"yash", "-s", "--"}, env: "LC_ALL=C.UTF-8"},
		{name: "posh", argv: []string{"posh"}, file: true},
	}
	awks = []string{"mawk", "gawk", "original-awk", "busybox"}
)

// shells returns the shells of this run that are installed.
func shells(t *testing.T) []shell {
	t.Helper()
	all := everyday
	if full {
		all = append(append([]shell{}, everyday...), others...)
	}
	var out []shell
	for _, s := range all {
		if have(t, s.argv[0]) {
			out = append(out, s)
		}
	}
	if len(out) == 0 {
		t.Skip("no shell is installed")
	}
	return out
}

// have reports whether a program is installed; under CI it has to be.
func have(t *testing.T, program string) bool {
	t.Helper()
	_, err := exec.LookPath(program)
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", program)
	}
	return err == nil
}

func need(t *testing.T, program string) {
	t.Helper()
	if !have(t, program) {
		t.Skipf("%s is not installed", program)
	}
}

// tools makes a directory of links, by name and target program.
func tools(t *testing.T, links map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, target := range links {
		path, err := exec.LookPath(target)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

const systemPath = "/usr/local/bin:/usr/bin:/bin"

// awkPath returns a PATH on which awk is the given one.
func awkPath(t *testing.T, awk string) string {
	t.Helper()
	return tools(t, map[string]string{"awk": awk}) + ":" + systemPath
}

// A run is one growing of a seed.
type run struct {
	shell shell
	path  string   // PATH, the system's when ""
	env   []string // more environment; by default there is nothing but PATH and HOME
	dir   string   // working directory
	umask string   // octal, that of the test when ""
}

type result struct {
	code           int
	stdout, stderr string
}

func (r result) String() string {
	return fmt.Sprintf("status %d, stdout %.300q, stderr %.300q", r.code, r.stdout, r.stderr)
}

// grow feeds seed to the shell, with the arguments given.
func (r run) grow(t *testing.T, seed []byte, args ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stdout, stderr bytes.Buffer
	cmd := r.command(ctx, t, seed, args...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	_ = cmd.Stdin.(*os.File).Close()
	_ = os.Remove(cmd.Stdin.(*os.File).Name()) // tests of every offset make very many
	if ctx.Err() != nil {
		t.Fatalf("%s does not end", r.shell.name)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func (r run) command(ctx context.Context, t *testing.T, seed []byte, args ...string) *exec.Cmd {
	t.Helper()
	file, err := os.CreateTemp(scratch(t), "seed-*")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close(); _ = os.Remove(file.Name()) })
	if _, err := file.Write(seed); err != nil {
		t.Fatal(err)
	}
	if _, err := file.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	argv := append([]string{}, r.shell.argv...)
	if r.shell.file {
		argv = append(argv, file.Name())
	}
	argv = append(argv, args...)
	// Found here and not on the PATH of the run, which may have next to nothing.
	if argv[0], err = exec.LookPath(argv[0]); err != nil {
		t.Fatal(err)
	}
	if r.umask != "" {
		argv = append([]string{"sh", "-c", "umask " + r.umask + `; exec "$@"`, "sh"}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Stdin = file
	cmd.Dir = r.dir
	path := r.path
	if path == "" {
		path = systemPath
	}
	cmd.Env = append([]string{"PATH=" + path, "HOME=/nonexistent"}, r.env...)
	if r.shell.env != "" {
		cmd.Env = append(cmd.Env, r.shell.env)
	}
	// A session of its own has no terminal, so nothing can be asked.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// scratch is a directory beside, not in, what the tests watch.
func scratch(t *testing.T) string {
	t.Helper()
	dir, ok := scratchDirs.Load(t)
	if !ok {
		dir = t.TempDir()
		scratchDirs.Store(t, dir)
		t.Cleanup(func() { scratchDirs.Delete(t) })
	}
	return dir.(string)
}

var scratchDirs sync.Map

// plain makes a seed of a document.
func plain(p transport.Profile, document string) []byte {
	const sentinel = "SEED_70DD0AE2"
	var sum transport.CRC
	_, _ = sum.Write([]byte(document))
	head := p.Head(transport.Params{URL: transport.Unplanted, File: "seed.md", Sum: sum.String(), Sentinel: sentinel})
	return append(append(head, document...), p.Tail(sentinel)...)
}

// snapshot lists a tree: names, kinds, modes, contents, link targets. Two equal
// snapshots mean that nothing changed that a person would care for.
func snapshot(t *testing.T, root string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		fmt.Fprintf(&b, "%q %v", rel, info.Mode())
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %d %x", len(content), sha256.Sum256(content))
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " -> %q", target)
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// write puts files into dir, making directories.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// refused checks that a run failed with a message and changed nothing.
func refused(t *testing.T, got result, root, before string) {
	t.Helper()
	unread := strings.Contains(got.stderr, "yash: cannot read input")
	if got.code == 0 || !strings.Contains(got.stderr, "seed: ") && !unread {
		t.Errorf("got %v, want a refusal with a message", got)
	}
	if after := snapshot(t, root); after != before {
		t.Errorf("the file system changed; was\n%sis\n%s(%v)", before, after, got)
	}
}

package grow_test

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"seed/finding"
	"seed/internal/grow"
)

// execWorld is one where scripts may run, with a place for temporary files that
// the test can look into. It keeps the test from running beside others.
func execWorld(t *testing.T) *world {
	t.Helper()
	needShell(t)
	w := newWorld(t)
	w.plant("tmp/", "")
	t.Setenv("TMPDIR", w.at("tmp"))
	w.o.Allow["exec"], w.o.Allow["url"] = true, true
	return w
}

// A script runs in the destination, with TARGET and DEST and nothing to read
// (SP-GROW-02, SP-DIR-04), as sh runs a file.
func TestSP_GROW_02_WhatAScriptFinds(t *testing.T) {
	w := execWorld(t)
	w.dest = w.at("dest with 'odd' $names")
	r := w.mustGrow(document(t, `set -eu
pwd -P
echo "target $TARGET dest $DEST"
if read -r line; then echo "stdin $line"; else echo "stdin is empty"; fi
f() { for x in "$@"; do case $x in b*) echo "x=$x" ;; esac; done; }
f a b$((1 + 1))
cat <<X >&2
to standard error
X
ls
`, "exec"))
	want := w.dest + "\ntarget " + w.dest + " dest " + w.dest + "\nstdin is empty\nx=b2\nnote.md\n"
	if w.out.String() != want || w.err.String() != "to standard error\n" {
		t.Errorf("got %q and %q, want %q and the other stream apart", w.out.String(), w.err.String(), want)
	}
	if s := r.Steps[0]; s.ExecExit == nil || *s.ExecExit != 0 || s.Status != "done" {
		t.Errorf("got %+v, want exit status 0", s)
	}
	w.want("tmp")
}

// The environment is the list in the decisions, TARGET and DEST (SP-DIR-04).
func TestSP_DIR_04_Environment(t *testing.T) {
	w := execWorld(t)
	kept := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": "/home/x", "USER": "u", "LOGNAME": "l", "LANG": "C", "LC_ALL": "C", "LC_TIME": "C",
		"TERM": "dumb", "TMPDIR": w.at("tmp"), "SHELL": "/bin/false", "TZ": "UTC",
	}
	for name, value := range kept {
		t.Setenv(name, value)
	}
	for _, name := range []string{
		"AWS_SECRET_ACCESS_KEY", "SEED_TOKEN", "SSH_AUTH_SOCK", "ENV", "BASH_ENV", "BASH_FUNC_ls%%", "SHELLOPTS_X", "PS4", "IFS", "CDPATH",
		"LD_LIBRARY_PATH", "http_proxy", "TARGET", "DEST", "PATHS", "XLC_ALL", "XDG_STATE_HOME", "SEED_ALLOW",
	} {
		t.Setenv(name, "secret")
	}
	w.mustGrow(document(t, "env > env\n", "exec"))
	data, err := os.ReadFile(w.at("dest/env"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "secret") {
		t.Errorf("got a secret in the environment:\n%s", data)
	}
	kept["TARGET"], kept["DEST"] = w.dest, w.dest
	got := map[string]string{}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		got[name] = value
	}
	for _, own := range []string{"PWD", "OLDPWD", "SHLVL", "_"} { // a shell sets these itself
		delete(got, own)
	}
	for name, value := range got {
		if want, ok := kept[name]; !ok || value != want {
			t.Errorf("got %s=%s, want %q", name, value, want)
		}
	}
	for name := range kept {
		if _, ok := got[name]; !ok {
			t.Errorf("got no %s", name)
		}
	}
}

// A failing script is a failed step with its status; the rest is not run, what
// landed stays and the message says so (SP-GROW-01, SP-DIR-04).
func TestSP_DIR_04_Failure(t *testing.T) {
	w := execWorld(t)
	for _, c := range []struct {
		script string
		exit   int
	}{
		{"echo half > half\nexit 42\n", 42},
		{"echo half > half\nif then\n", 2},
		{"echo half > half\nset -e; false; echo never > never\n", 1},
	} {
		w.dest = filepath.Join(w.at("dest"), "of", strings.ReplaceAll(c.script[len(c.script)-6:], "\n", ""))
		r, err := w.grow(document(t, c.script, "exec", "show"))
		e := breach(t, err, "SP-DIR-04", grow.ErrStep)
		if !strings.Contains(e.Hint, w.dest+" before that stays") || !strings.Contains(e.Hint, "seed ungrow") {
			t.Errorf("got hint %q, want it to say that files stay", e.Hint)
		}
		if s := r.Steps[0]; s.ExecExit == nil || *s.ExecExit == 0 || c.exit != 2 && *s.ExecExit != c.exit {
			t.Errorf("%q: got %+v, want exit status %d", c.script, s, c.exit)
		}
		if got := statuses(r.Steps); !slices.Equal(got, []string{"exec failed", "show not run"}) || w.out.Len() > 0 {
			t.Errorf("got %q and output %q, want the rest not run", got, w.out.String())
		}
		if _, err := os.Stat(filepath.Join(w.dest, "note.md")); err != nil {
			t.Errorf("got %v, want the document to stay", err)
		}
		w.want("tmp")
	}
	// Nothing new landed the second time, so nothing is said about it.
	w.dest = w.at("again")
	f := document(t, "exit 1\n", "exec")
	if _, err := w.grow(f); err == nil {
		t.Fatal("got no error")
	}
	_, err := w.grow(f)
	if e := breach(t, err, "SP-DIR-04", grow.ErrStep); e.Hint != "" {
		t.Errorf("got hint %q, want none", e.Hint)
	}
}

// A fetched script runs like the payload of exec; it may run before anything is
// unfolded, in a destination made for it (SP-DIR-06).
func TestSP_DIR_06_FetchedScript(t *testing.T) {
	w := execWorld(t)
	w.mustGrow(archive(t, tree, script, "unfold"))
	w.want("dest", slices.Concat(grown, []string{"fetched=fetched\n"})...)
	if !slices.Equal(w.fetched, []string{script}) {
		t.Errorf("got %q fetched, want the URL once", w.fetched)
	}
	if err := os.Remove(w.at("dest/fetched")); err != nil {
		t.Fatal(err)
	}
	if _, err := w.o.Journal.Ungrow(w.dest); err != nil {
		t.Fatal(err)
	}
	w.want(".", "tmp/") // the destination was made by us

	w.o.Fetch = func(context.Context, string) ([]byte, error) { return []byte("exit 3\n"), nil }
	r, err := w.grow(document(t, "x\n", script+"#sha256="+strings.Repeat("ab", 32)))
	if e := breach(t, err, "SP-DIR-04", grow.ErrStep); !strings.Contains(e.Msg, "scripts.example") || *r.Steps[0].ExecExit != 3 {
		t.Errorf("got %v and %+v, want the script named and its status", e, r.Steps[0])
	}
}

// What a script writes is seen while it runs.
func TestSP_DIR_04_OutputIsLive(t *testing.T) {
	w := execWorld(t)
	out := &watcher{text: "ready", then: func() {
		if err := os.WriteFile(w.at("dest/go"), nil, 0o644); err != nil {
			t.Error(err)
		}
	}}
	w.o.Stdout = out
	w.mustGrow(document(t, `echo ready
n=0
until [ -e go ]; do
  n=$((n + 1))
  [ "$n" -lt 300 ] || exit 9
  sleep 0.1
done
echo seen
`, "exec"))
	if got := out.String(); got != "ready\nseen\n" {
		t.Errorf("got %q, want both lines", got)
	}
}

// A relative TMPDIR is no reason to fail: the script starts elsewhere.
func TestSP_DIR_04_RelativeTemp(t *testing.T) {
	w := execWorld(t)
	t.Chdir(w.dir)
	t.Setenv("TMPDIR", "tmp")
	w.mustGrow(document(t, "echo ran\n", "exec"))
	if w.out.String() != "ran\n" {
		t.Errorf("got %q, want it run", w.out.String())
	}
	w.want("tmp")
}

// A program that a script leaves running does not make the script fail.
func TestSP_DIR_04_BackgroundProgram(t *testing.T) {
	t.Parallel()
	needShell(t)
	w := newWorld(t)
	w.o.Allow["exec"] = true
	r := w.mustGrow(document(t, "sleep 20 &\necho $!\n", "exec"))
	t.Cleanup(func() { endProcess(t, w.out.String()) })
	if s := r.Steps[0]; s.ExecExit == nil || *s.ExecExit != 0 {
		t.Errorf("got %+v, want exit status 0", s)
	}
}

var errStop = errors.New("stopped by the user")

// cancelled grows and cancels when the script says "ready".
func (w *world) cancelled(payload string) (*grow.Result, error) {
	w.t.Helper()
	// Where interrupts are ignored, a script would inherit that; a handler of ours
	// gives it the default back.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	w.t.Cleanup(func() { signal.Stop(interrupts) })
	ctx, cancel := context.WithCancelCause(w.t.Context())
	defer cancel(nil)
	w.o.Stdout = &watcher{text: "ready", then: func() { cancel(errStop) }}
	p, err := grow.Prepare(ctx, document(w.t, payload, "exec", "show"), w.dest, w.o)
	if err != nil {
		w.t.Fatal(err)
	}
	return p.Run(ctx)
}

// Cancelling interrupts the script, which may clean up; the temporary file goes,
// what landed stays (SP-GROW-05).
func TestSP_GROW_05_CancelDuringScript(t *testing.T) {
	w := execWorld(t)
	r, err := w.cancelled(`sleep 30 &
trap 'kill $!; echo interrupted > signal; exit 7' INT
echo ready
wait
echo never > never
`)
	if !errors.Is(err, errStop) || errors.Is(err, grow.ErrStep) {
		t.Errorf("got %v, want %v", err, errStop)
	}
	if !strings.Contains(err.Error(), "stays") {
		t.Errorf("got %q, want it to say that files stay", err)
	}
	if got := statuses(r.Steps); !slices.Equal(got, []string{"exec failed", "show not run"}) {
		t.Errorf("got %q, want the rest not run", got)
	}
	got := w.list("dest")
	if len(got) != 2 || !strings.HasPrefix(got[0], "note.md=") || got[1] != "signal=interrupted\n" {
		t.Errorf("got %q, want the document and the trace of the interrupt", got)
	}
	w.want("tmp")
}

// Without a terminal the signal also ends what the script has in the background,
// where shells ignore an interrupt.
func TestSP_GROW_05_CancelReachesTheBackground(t *testing.T) {
	t.Parallel()
	needShell(t)
	w := newWorld(t)
	w.o.Allow["exec"] = true
	w.o.Ask, w.o.CanAsk = nil, nil
	_, err := w.cancelled(`mkfifo f
(trap 'echo swept > f & exit' TERM; echo ready; exec > /dev/null 2>&1; while :; do sleep 1; done) &
wait
`)
	if !errors.Is(err, errStop) {
		t.Errorf("got %v, want %v", err, errStop)
	}
	done := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(filepath.Join(w.dest, "f")) // blocks until the trap writes
		done <- string(text)
	}()
	select {
	case got := <-done:
		if got != "swept\n" {
			t.Errorf("got %q, want the trace of the signal", got)
		}
	case <-time.After(20 * time.Second):
		t.Error("got no trace of a signal in the background")
	}
}

// A script that ignores the interrupt is killed after a while.
func TestSP_GROW_05_CancelDeafScript(t *testing.T) {
	t.Parallel()
	needShell(t)
	w := newWorld(t)
	w.o.Allow["exec"] = true
	start := time.Now()
	_, err := w.cancelled("trap '' INT\nmkfifo f\nexec 3<> f\necho ready\nread -r x <&3\n")
	if !errors.Is(err, errStop) {
		t.Errorf("got %v, want %v", err, errStop)
	}
	if took := time.Since(start); took > 25*time.Second {
		t.Errorf("got an end after %v, want it killed", took)
	}
}

// Without a shell there is a clear word.
func TestSP_DIR_04_NoShell(t *testing.T) {
	w := execWorld(t)
	t.Setenv("PATH", w.at("tmp"))
	_, err := w.grow(document(t, "echo ran\n", "exec"))
	var broken *finding.Error
	if !errors.As(err, &broken) || !strings.Contains(broken.Msg, "no sh") {
		t.Errorf("got %v, want the missing shell named", err)
	}
}

package grow_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"seed/finding"
	"seed/internal/grow"
	"seed/seedfile"
)

const script = "https://scripts.example/setup.sh"

// seed reads a seed with a hand-made transport around the document, which would
// leave a trace: growing never runs it (SP-GROW-07).
func seed(t testing.TB, doc string) *seedfile.File {
	t.Helper()
	text := "# Usage: curl -sSL https://seed.example/s/abc12 | bash -s <path>\n\nTARGET=$1; mkdir -p \"$1/transport-ran\"\n" +
		"cat > \"$TARGET/note.md\" <<'SEED_70DD0AE2'\n" + doc + "SEED_70DD0AE2\n"
	f, err := seedfile.Open(strings.NewReader(text), int64(len(text)), seedfile.Options{Digest: true})
	if err != nil {
		t.Fatalf("got %v, want a seed:\n%s", err, text)
	}
	return f
}

func meta(typ, name string, directives []string) string {
	return "---\nseed: \"1.0\"\ngrow:\n  - " + strings.Join(directives, "\n  - ") + "\ntype: " + typ + "\nname: " + name + "\n---\n\n"
}

// document is a seed of one file, called note.md, with this payload.
func document(t testing.TB, payload string, directives ...string) *seedfile.File {
	t.Helper()
	return seed(t, meta("tool", "note", directives)+payload)
}

// archive is a seed of files given as pairs of name and content; a name may end
// in "*" for an executable.
func archive(t testing.TB, files []string, directives ...string) *seedfile.File {
	t.Helper()
	var b strings.Builder
	b.WriteString(meta("archive", "tool", directives))
	b.WriteString("---\nseed: \"1.0\"\nmarker: a1b2c3\nroot: tree\nat: 1980-01-01T00:00:00Z\n---\n\n")
	for i := 0; i < len(files); i += 2 {
		path, exec := strings.CutSuffix(files[i], "*")
		b.WriteString(`<!--seed:a1b2c3@file path="` + path + `"`)
		if exec {
			b.WriteString(` mode="755"`)
		}
		b.WriteString("-->\n" + files[i+1])
	}
	b.WriteString("<!--seed:a1b2c3@end-->\n")
	return seed(t, b.String())
}

// world is a machine of its own to grow on.
type world struct {
	t         *testing.T
	dir, dest string
	out, err  bytes.Buffer
	asked     []grow.Question
	fetched   []string
	o         grow.Options
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, dir: dir, dest: filepath.Join(dir, "dest")}
	w.o = grow.Options{
		Allow: grow.Allow{}, BinDir: w.at("bin"),
		Env: func(name string) string {
			if name == "PATH" {
				return w.at("other") + string(filepath.ListSeparator) + w.at("bin")
			}
			return ""
		},
		Fetch: func(_ context.Context, url string) ([]byte, error) {
			w.fetched = append(w.fetched, url)
			return []byte("echo fetched > fetched\n"), nil
		},
		Stdout: &w.out, Stderr: &w.err,
		Show:    func(r io.Reader) error { _, err := io.Copy(&w.out, r); return err },
		Journal: &grow.Journal{Dir: w.at("state"), Now: func() time.Time { return time.Unix(1e9, 0) }},
		Source:  "x.seed",
	}
	return w
}

// terminal makes the world one where a person answers.
func (w *world) terminal(answer func(grow.Question) (bool, error)) {
	w.o.CanAsk = func() bool { return true }
	w.o.Ask = func(_ context.Context, q grow.Question) (bool, error) {
		w.asked = append(w.asked, q)
		return answer(q)
	}
}

func always(yes bool) func(grow.Question) (bool, error) {
	return func(grow.Question) (bool, error) { return yes, nil }
}

func (w *world) at(path string) string { return filepath.Join(w.dir, filepath.FromSlash(path)) }

// plant writes files, given as pairs of path and content; a path that ends in
// "/" is a folder, one that ends in "*" an executable.
func (w *world) plant(files ...string) {
	w.t.Helper()
	for i := 0; i < len(files); i += 2 {
		path, exec := strings.CutSuffix(files[i], "*")
		mode := fs.FileMode(0o644)
		if exec {
			mode = 0o755
		}
		err := os.MkdirAll(filepath.Dir(w.at(path)), 0o755)
		if strings.HasSuffix(path, "/") {
			err = os.MkdirAll(w.at(path), 0o755)
		} else if err == nil {
			err = os.WriteFile(w.at(path), []byte(files[i+1]), mode)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *world) link(target, path string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.at(path)), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Symlink(target, w.at(path)); err != nil {
		if os.Getenv("CI") == "true" {
			w.t.Fatal(err)
		}
		w.t.Skipf("no symbolic links here: %v", err)
	}
}

// list is everything below a folder: "path=content", "path/", "path -> target".
// The record of what was grown is left out.
func (w *world) list(under string) []string {
	w.t.Helper()
	got := []string{}
	root := w.at(under)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		rel = filepath.ToSlash(rel)
		switch {
		case path == w.at("state"):
			return fs.SkipDir
		case d.IsDir():
			got = append(got, rel+"/")
		case d.Type()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			got = append(got, rel+" -> "+to)
			return err
		case !d.Type().IsRegular():
			got = append(got, rel+" "+d.Type().String())
		default:
			data, err := os.ReadFile(path)
			got = append(got, rel+"="+string(data))
			return err
		}
		return nil
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.t.Fatal(err)
	}
	return got
}

func (w *world) want(under string, want ...string) {
	w.t.Helper()
	if got := w.list(under); !slices.Equal(got, want) {
		w.t.Errorf("below %q: got %q, want %q", under, got, want)
	}
}

// grow prepares and runs. A failed Prepare must have changed nothing.
func (w *world) grow(f *seedfile.File) (*grow.Result, error) {
	w.t.Helper()
	before := w.list(".")
	p, err := grow.Prepare(w.t.Context(), f, w.dest, w.o)
	if got := w.list("."); !slices.Equal(got, before) {
		w.t.Errorf("Prepare changed the disk: got %q, want %q", got, before)
	}
	if err != nil {
		if p != nil {
			w.t.Errorf("got a plan beside the error %v, want none", err)
		}
		return nil, err
	}
	return p.Run(w.t.Context())
}

func (w *world) mustGrow(f *seedfile.File) *grow.Result {
	w.t.Helper()
	r, err := w.grow(f)
	if err != nil {
		w.t.Fatalf("got %v, want it grown", err)
	}
	if r.RecordErr != nil {
		w.t.Errorf("got %v, want a record", r.RecordErr)
	}
	return r
}

// refused fails unless err breaks the rule, wraps the sentinel (when given), and
// nothing changed.
func (w *world) refused(f *seedfile.File, rule string, sentinel error) *finding.Error {
	w.t.Helper()
	before := w.list(".")
	_, err := w.grow(f)
	if got := w.list("."); !slices.Equal(got, before) {
		w.t.Errorf("refused, yet the disk changed: got %q, want %q", got, before)
	}
	if w.out.Len() > 0 {
		w.t.Errorf("refused, yet it wrote %q", w.out.String())
	}
	return breach(w.t, err, rule, sentinel)
}

func breach(t testing.TB, err error, rule string, sentinel error) *finding.Error {
	t.Helper()
	var broken *finding.Error
	if !errors.As(err, &broken) || broken.Rule.ID != rule {
		t.Fatalf("got %v, want a breach of %s", err, rule)
	}
	if sentinel != nil && !errors.Is(err, sentinel) {
		t.Errorf("got %v, want it to wrap %q", err, sentinel)
	}
	return broken
}

// needShell skips where there is no sh, which is a fault in CI.
func needShell(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("sh"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
}

func statuses(steps []*grow.Step) []string {
	var got []string
	for _, s := range steps {
		got = append(got, s.Directive+" "+s.Status)
	}
	return got
}

// watcher is a writer that calls back once, when a text has come by.
type watcher struct {
	mu   sync.Mutex
	b    bytes.Buffer
	text string
	then func()
	once sync.Once
}

func (w *watcher) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.b.Write(b)
	if strings.Contains(w.b.String(), w.text) {
		w.once.Do(w.then)
	}
	return len(b), nil
}

func (w *watcher) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.b.String()
}

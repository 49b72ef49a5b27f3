package ignore_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"seed/internal/ignore"
)

// repo is a git repository whose tree stays while its ignore files change.
type repo struct {
	root  string
	paths []string // directories end in a slash
}

func newRepo(tb testing.TB) *repo {
	tb.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatal("git is not installed")
		}
		tb.Skip("git is not installed")
	}
	r := &repo{root: tb.TempDir()}
	r.git(tb, nil, "init", "-q")
	names := []string{"a", "b", "ab", "abc", "a.o", ".a", "a b", "a ", "x[1]", "-", "!a", "#a", `a\b`, "A1"}
	for _, n := range names {
		r.paths = append(r.paths, n, "d/"+n, "d/e/"+n, "ab.d/"+n)
	}
	r.paths = append(r.paths, "d/", "d/e/", "ab.d/", "a.d/", "a.d/a/", "a.d/a/b", "a.d/a/a/", "a.d/a/a/b", "ad/", "ad/a", "d/e/f/", "d/e/f/a", "d/e/f/ab")
	for _, p := range r.paths {
		full := filepath.Join(r.root, p)
		if strings.HasSuffix(p, "/") {
			must(tb, os.MkdirAll(full, 0o755))
			continue
		}
		must(tb, os.MkdirAll(filepath.Dir(full), 0o755))
		must(tb, os.WriteFile(full, nil, 0o644))
	}
	return r
}

type failer interface {
	Helper()
	Fatal(args ...any)
}

func must(tb failer, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (r *repo) git(tb failer, stdin []byte, args ...string) []byte {
	tb.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.root
	cmd.Env = append(os.Environ(), "HOME="+r.root, "XDG_CONFIG_HOME="+r.root, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 && args[0] == "check-ignore" {
		err = nil // nothing is ignored
	}
	must(tb, err)
	return out
}

// compare puts files (by directory) into the tree and asks both about all paths.
func (r *repo) compare(tb failer, files map[string]string, report func(path, got, want string)) {
	tb.Helper()
	var s ignore.Stack
	for _, dir := range []string{"", "a.d", "d", "d/e"} {
		at := filepath.Join(r.root, dir, ".gitignore")
		text, ok := files[dir]
		if !ok {
			_ = os.Remove(at)
			continue
		}
		must(tb, os.WriteFile(at, []byte(text), 0o644))
	}
	var in []byte
	for _, p := range r.paths {
		in = append(in, strings.TrimSuffix(p, "/")...)
		in = append(in, 0)
	}
	out := r.git(tb, in, "check-ignore", "-v", "-n", "-z", "--no-index", "--stdin")
	fields := strings.Split(string(out), "\x00")
	for i, p := range r.paths {
		source, line, pattern := fields[4*i], fields[4*i+1], fields[4*i+2]
		want := ""
		if source != "" {
			want = source + ":" + line
		}
		wantOut := source != "" && !strings.HasPrefix(pattern, "!")
		s = ignore.Stack{}
		for _, dir := range []string{"", "a.d", "d", "d/e"} {
			if text, ok := files[dir]; ok && (dir == "" || strings.HasPrefix(p, dir+"/")) {
				l, err := ignore.Parse([]byte(text))
				must(tb, err)
				s.Push(dir, ".gitignore", l)
			}
		}
		path, isDir := strings.CutSuffix(p, "/")
		gotOut, got := s.Ignored(path, isDir)
		if gotOut != wantOut || got != want {
			report(p, verdict(gotOut, got), verdict(wantOut, want))
		}
	}
}

func verdict(out bool, by string) string {
	if out {
		return "ignored by " + by
	}
	return "kept by " + by
}

func TestAgainstGit(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	fragment := rapid.SampledFrom([]string{
		"a", "b", "ab", "d", "e", ".o", "*", "**", "?", "/", "[ab]", "[!a]", "[^b]", "[a-c]", "[]a]", "[a-", "[", "]", "/**/", "**/", "/**", "/*",
		`\`, `\*`, `\ `, " ", "!", "#", "-", "[[:alpha:]]", "[[:punct:]]", "[[:space:]]", "[[:nope:]]", "[[:", "[\\]]", "[[-a]", "a.d", "d/e", "\r", "\t", "[--0]", "[!-a]", `\/`,
	})
	line := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(fragment, 0, 6).Draw(t, "fragments"), "")
	})
	file := rapid.Custom(func(t *rapid.T) string {
		end := rapid.SampledFrom([]string{"\n", "\r\n", ""}).Draw(t, "end")
		return strings.Join(rapid.SliceOfN(line, 1, 6).Draw(t, "lines"), "\n") + end
	})
	rapid.Check(t, func(t *rapid.T) {
		files := map[string]string{"": file.Draw(t, "root")}
		for _, dir := range []string{"a.d", "d", "d/e"} {
			if rapid.Bool().Draw(t, dir) {
				files[dir] = file.Draw(t, "nested")
			}
		}
		r.compare(t, files, func(path, got, want string) {
			t.Errorf("%q with %q: got %s, want %s", path, files, got, want)
		})
	})
}

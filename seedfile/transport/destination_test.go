//go:build unix

package transport_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"seed/seedfile/transport"
)

const archiveMeta = "---\nseed: \"1.0\"\ngrow: GROW\ntype: archive\nname: tool\n---\n\n"

// tree is a document that unfolds d/a, d/e/f and t.
func tree(grow string) string {
	return strings.Replace(archiveMeta, "GROW", grow, 1) + smallArchive(
		"<!--seed:c0ffee@file path=\"d/e/f\"-->\nx\n<!--seed:c0ffee@file path=\"t\"-->\nx\n")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// SP-PATH-05, SP-GROW-04, SP-DIR-03: what stands in the way at the destination.
var obstacles = map[string]struct {
	grow string // unfold when ""
	set  func(t *testing.T, root, dest string)
	dest string // relative to the root, "dest" when ""
}{
	"symlinked directory": {set: func(t *testing.T, root, dest string) {
		must(t, os.Symlink(root+"/outside", dest+"/d"))
	}},
	"symlinked deep directory": {set: func(t *testing.T, root, dest string) {
		must(t, os.Mkdir(dest+"/d", 0o755))
		must(t, os.Symlink(root+"/outside", dest+"/d/e"))
	}},
	"symlinked file": {set: func(t *testing.T, root, dest string) {
		must(t, os.Symlink(root+"/outside/file", dest+"/t"))
	}},
	"link to the same content": {set: func(t *testing.T, root, dest string) {
		must(t, os.WriteFile(root+"/outside/t", []byte("x\n"), 0o644))
		must(t, os.Symlink(root+"/outside/t", dest+"/t"))
	}},
	"dangling link": {set: func(t *testing.T, root, dest string) {
		must(t, os.Symlink(root+"/nowhere", dest+"/t"))
	}},
	"dangling directory link": {set: func(t *testing.T, root, dest string) {
		must(t, os.Symlink(root+"/nowhere", dest+"/d"))
	}},
	"directory for a file": {set: func(t *testing.T, _, dest string) { must(t, os.Mkdir(dest+"/t", 0o755)) }},
	"pipe for a file":      {set: func(t *testing.T, _, dest string) { must(t, syscall.Mkfifo(dest+"/t", 0o644)) }},
	"file for a directory": {set: func(t *testing.T, _, dest string) { write(t, dest, map[string]string{"d": "x"}) }},
	"pipe for a directory": {set: func(t *testing.T, _, dest string) { must(t, syscall.Mkfifo(dest+"/d", 0o644)) }},
	"file that differs":    {set: func(t *testing.T, _, dest string) { write(t, dest, map[string]string{"t": "mine\n"}) }},
	"last file differs": {set: func(t *testing.T, _, dest string) {
		write(t, dest, map[string]string{"d/a": "hello\n", "d/e/f": "x\n", "t": ""})
	}},
	"destination is a file":    {dest: "outside/file"},
	"destination below a file": {dest: "outside/file/x"},
	"destination is dangling": {dest: "link", set: func(t *testing.T, root, _ string) {
		must(t, os.Symlink(root+"/nowhere", root+"/link"))
	}},
	"destination below dangling": {dest: "link/x", set: func(t *testing.T, root, _ string) {
		must(t, os.Symlink(root+"/nowhere", root+"/link"))
	}},
	"destination ends with a dot":      {dest: "new/."},
	"destination ends with two dots":   {dest: "new/.."},
	"destination goes through nothing": {dest: "new/../x"},
	"destination has a line feed":      {dest: "new\nline"},
	"copy without destination":         {grow: "copy", dest: "new"},
	"copy without directories":         {grow: "copy"},
	"copy without one directory":       {grow: "copy", set: func(t *testing.T, _, dest string) { must(t, os.Mkdir(dest+"/d", 0o755)) }},
	"show, then copy that cannot":      {grow: "[show, copy]"},
	"show, then unfold that cannot": {grow: "[show, unfold]", set: func(t *testing.T, _, dest string) {
		write(t, dest, map[string]string{"t": "mine\n"})
	}},
}

func TestSP_TEST_02_Destination(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			for name, c := range obstacles {
				t.Run(name, func(t *testing.T) {
					root := t.TempDir()
					dest := filepath.Join(root, "dest")
					write(t, root, map[string]string{"outside/file": "precious\n"})
					must(t, os.Mkdir(dest, 0o755))
					if c.set != nil {
						c.set(t, root, dest)
					}
					if c.dest != "" {
						dest = root + "/" + c.dest
					}
					if c.grow == "" {
						c.grow = "unfold"
					}
					before := snapshot(t, root)
					got := run{shell: sh}.grow(t, plain(transport.Full, tree(c.grow)), dest)
					refused(t, got, root, before)
					if got.stdout != "" {
						t.Errorf("something was done before the refusal: %q", got.stdout)
					}
				})
			}
		})
	}
}

// The same for the profile of one document.
func TestSP_GROW_04_DocumentDestination(t *testing.T) {
	t.Parallel()
	seed := plain(transport.Doc, cutDocuments[transport.Doc])
	for _, sh := range shells(t) {
		for name, set := range map[string]func(t *testing.T, root, dest string){
			"link":      func(t *testing.T, root, dest string) { must(t, os.Symlink(root+"/outside/file", dest+"/seed.md")) },
			"dangling":  func(t *testing.T, root, dest string) { must(t, os.Symlink(root+"/nowhere", dest+"/seed.md")) },
			"directory": func(t *testing.T, _, dest string) { must(t, os.Mkdir(dest+"/seed.md", 0o755)) },
			"pipe":      func(t *testing.T, _, dest string) { must(t, syscall.Mkfifo(dest+"/seed.md", 0o644)) },
			"differs":   func(t *testing.T, _, dest string) { write(t, dest, map[string]string{"seed.md": "mine\n"}) },
		} {
			t.Run(sh.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				dest := filepath.Join(root, "dest")
				write(t, root, map[string]string{"outside/file": "precious\n"})
				must(t, os.Mkdir(dest, 0o755))
				set(t, root, dest)
				before := snapshot(t, root)
				refused(t, run{shell: sh}.grow(t, seed, dest), root, before)
				if name != "differs" {
					return
				}
				got := run{shell: sh, env: []string{"SEED_FORCE=1"}}.grow(t, seed, dest)
				if b, _ := os.ReadFile(dest + "/seed.md"); got.code != 0 || string(b) != cutDocuments[transport.Doc] {
					t.Errorf("with force: got %v and %q", got, b)
				}
			})
		}
	}
}

func TestSP_GROW_02_Arguments(t *testing.T) {
	t.Parallel()
	seed := plain(transport.Tree, tree("unfold"))
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			before := snapshot(t, root)
			for _, args := range [][]string{{}, {""}, {"my", "directory"}, {"a", ""}} {
				refused(t, run{shell: sh, dir: root}.grow(t, seed, args...), root, before)
			}
		})
	}
}

// SP-PATH-03 for the destination: any name that has no line feed will do.
func TestSP_GROW_02_OddDestinations(t *testing.T) {
	t.Parallel()
	for nth, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			for i, p := range []transport.Profile{transport.Doc, transport.Bin} {
				for j, dest := range []string{
					"a b", " a", "a ", "-rf", "--", "-", "$HOME", "$(id)", "`id`", "it's", `a"b`, `a\b`, `a\nb`, `a\`, "*", "[a]?", "~", "a=b", "a;b&c|d", "#x",
					"größe", "a\tb", "a\x1bb", "%s%n", "!x", "x/y/z", "./x", "x//y", "x/", ".", "already/there", "",
				} {
					if !full && (i+j)%2 != nth%2 {
						continue
					}
					root := t.TempDir()
					write(t, root, map[string]string{"already/there/keep": "x"})
					arg := dest
					if dest == "" { // absolute
						arg, dest = root+"/abs", "abs"
					}
					got := run{shell: sh, dir: root}.grow(t, plain(p, cutDocuments[p]), arg)
					want := "d/a"
					if p == transport.Doc {
						want = "seed.md"
					}
					if _, err := os.Stat(filepath.Join(root, dest, want)); err != nil || got.code != 0 || got.stderr != "" {
						t.Errorf("%v, %q: got %v, %v", p, dest, got, err)
					}
					if s := snapshot(t, root); stage.MatchString(s) {
						t.Errorf("%v, %q: the stage is still there:\n%s", p, dest, s)
					}
				}
			}
		})
	}
}

// A working directory whose name ends with a line feed is not its neighbour.
func TestSP_GROW_02_WorkingDirectory(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		root := t.TempDir()
		write(t, root, map[string]string{"dir/keep": "x", "dir\n/keep": "x"})
		before := snapshot(t, root)
		got := run{shell: sh, dir: filepath.Join(root, "dir\n")}.grow(t, plain(transport.Doc, cutDocuments[transport.Doc]), "dest")
		refused(t, got, root, before)
	}
}

// SP-PATH-05: the user may name a link as the destination.
func TestSP_PATH_05_LinkedDestination(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		root := t.TempDir()
		must(t, os.Mkdir(root+"/real", 0o755))
		must(t, os.Symlink("real", root+"/link"))
		got := run{shell: sh}.grow(t, plain(transport.Tree, tree("unfold")), root+"/link")
		if b, err := os.ReadFile(root + "/real/d/e/f"); got.code != 0 || string(b) != "x\n" {
			t.Errorf("%s: got %v, %v", sh.name, got, err)
		}
	}
}

// SP-DIR-03: copy works where all directories are.
func TestSP_DIR_03_Copy(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		root := t.TempDir()
		must(t, os.MkdirAll(root+"/d/e", 0o755))
		got := run{shell: sh}.grow(t, plain(transport.Tree, tree("copy")), root)
		if b, err := os.ReadFile(root + "/d/e/f"); got.code != 0 || string(b) != "x\n" {
			t.Errorf("%s: got %v, %v", sh.name, got, err)
		}
	}
}

// A file in the archive that has the name of the stage is not lost with it.
func TestSP_GROW_05_StageName(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		root := t.TempDir()
		before := snapshot(t, root)
		document := strings.ReplaceAll(tree("unfold"), `path="d/`, `path=".seed-PID/`)
		seed := filepath.Join(scratch(t), "seed")
		must(t, os.WriteFile(seed, plain(transport.Tree, document), 0o600))
		// The process that knows its number becomes the shell under test.
		wrapped := run{shell: shell{name: sh.name, env: sh.env, argv: append([]string{
			"sh", "-c",
			`sed "s/PID/$$/g" < "$0" > "$0.mine"; exec "$@" < "$0.mine"`, seed,
		}, sh.argv...)}, env: []string{"SEED_SUM=skip"}}
		if sh.file {
			continue
		}
		refused(t, wrapped.grow(t, nil, root), root, before)
	}
}

//go:build unix

package transport_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seed/seedfile/transport"
	"seed/testkit"
)

// needed are all the programs that a transport may call (SP-TPL-06); cat is the
// one that the here-document is given to.
var needed = []string{"sh", "awk", "sed", "cksum", "wc", "tail", "tr", "cmp", "mkdir", "mv", "cp", "chmod", "rm", "grep", "ln", "cat", "ls", "printf"}

func fewTools(t *testing.T) string {
	t.Helper()
	links := map[string]string{}
	for _, name := range needed {
		links[name] = name
	}
	return tools(t, links)
}

func withBinaries() map[string]member {
	files := maps.Clone(oddFiles)
	maps.Copy(files, binaryFiles)
	return files
}

// SP-ARC-09: base64 is decoded by whatever is there and works.
func TestSP_ARC_09_Decoders(t *testing.T) {
	t.Parallel()
	need(t, "base64")
	need(t, "openssl")
	seed := plain(transport.Bin, archive(withBinaries()))
	liar := "#!/bin/sh\ncat > /dev/null; echo wrong\n"
	for name, set := range map[string]func(t *testing.T, dir string){
		"awk": func(*testing.T, string) {},
		"base64": func(t *testing.T, dir string) {
			path, err := exec.LookPath("base64")
			must(t, err)
			must(t, os.Symlink(path, dir+"/base64"))
		},
		"base64 that knows only -D": func(t *testing.T, dir string) {
			path, err := exec.LookPath("base64")
			must(t, err)
			text := "#!/bin/sh\nif [ \"$1\" = -D ]; then exec " + path + " -d; fi\nexit 64\n"
			must(t, os.WriteFile(dir+"/base64", []byte(text), 0o755))
		},
		"openssl": func(t *testing.T, dir string) {
			path, err := exec.LookPath("openssl")
			must(t, err)
			must(t, os.Symlink(path, dir+"/openssl"))
		},
		"broken ones": func(t *testing.T, dir string) {
			must(t, os.WriteFile(dir+"/base64", []byte(liar), 0o755))
			must(t, os.WriteFile(dir+"/openssl", []byte(liar), 0o755))
		},
	} {
		for i, sh := range shells(t) {
			for j, awk := range awks {
				if !full && j != i%len(awks) || !have(t, awk) {
					continue
				}
				t.Run(name+"/"+sh.name+"/"+awk, func(t *testing.T) {
					t.Parallel()
					dir := fewTools(t)
					must(t, os.Remove(dir+"/awk"))
					path, err := exec.LookPath(awk)
					must(t, err)
					must(t, os.Symlink(path, dir+"/awk"))
					set(t, dir)
					dest := filepath.Join(t.TempDir(), "dest")
					got := run{shell: sh, path: dir, umask: "022"}.grow(t, seed, dest)
					if got.code != 0 || got.stderr != "" {
						t.Fatalf("got %v", got)
					}
					if got, want := snapshot(t, dest), plant(t, withBinaries(), 0o022); got != want {
						t.Errorf("got\n%swant\n%s", got, want)
					}
				})
			}
		}
	}
}

// SP-ARC-09: where nothing can decode, nothing is changed. Other profiles do not
// know the attribute and fail too.
func TestSP_ARC_09_NoDecoder(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			dir := fewTools(t)
			awk, err := exec.LookPath("awk")
			must(t, err)
			must(t, os.Remove(dir+"/awk"))
			// An awk that can do everything but this.
			text := "#!/bin/sh\ncase $1 in *ABCDEFGHIJ*) cat > /dev/null; echo; exit 0 ;; esac\nexec " + awk + " \"$@\"\n"
			must(t, os.WriteFile(dir+"/awk", []byte(text), 0o755))
			root := t.TempDir()
			before := snapshot(t, root)
			refused(t, run{shell: sh, path: dir}.grow(t, plain(transport.Bin, archive(withBinaries())), root+"/dest"), root, before)
			for _, p := range []transport.Profile{transport.Tree, transport.Full} {
				refused(t, run{shell: sh}.grow(t, plain(p, archive(withBinaries())), root+"/dest"), root, before)
			}
		})
	}
}

// The whole in a system that has nothing but busybox.
func TestSP_TPL_06_OnlyBusybox(t *testing.T) {
	t.Parallel()
	need(t, "busybox")
	list, err := exec.Command("busybox", "--list").Output()
	must(t, err)
	links := map[string]string{"sh": "busybox"}
	for _, name := range strings.Fields(string(list)) {
		links[name] = "busybox"
	}
	r := run{shell: shell{name: "busybox", argv: []string{"busybox", "ash", "-s", "--"}}, path: tools(t, links)}
	docs, err := testkit.Documents()
	must(t, err)
	for i, d := range docs {
		if d.Shell != testkit.Untested && (full || i%9 == 0) {
			t.Run(d.Name, func(t *testing.T) {
				t.Parallel()
				for _, p := range profilesFor(d) {
					tryVector(t, r, p, d)
				}
			})
		}
	}
	t.Run("fidelity", func(t *testing.T) {
		t.Parallel()
		r := r
		r.umask = "022"
		fidelity(t, r, transport.Bin)
	})
}

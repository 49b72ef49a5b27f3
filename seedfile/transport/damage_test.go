//go:build unix

package transport_test

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"seed/seedfile/transport"
)

// SP-TPL-02: what stands behind the closing brace is not run.
func TestSP_TPL_02_TextAfterBrace(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		for _, p := range allProfiles {
			root := t.TempDir()
			seed := append(plain(p, cutDocuments[p]), "touch "+root+"/pwned\nif then (\n"...)
			got := run{shell: sh, env: []string{"SEED_ALLOW=exec"}}.grow(t, seed, root+"/dest")
			if _, err := os.Stat(root + "/pwned"); err == nil || got.code != 0 {
				t.Errorf("%s, %v: got %v, ran %v", sh.name, p, got, err == nil)
			}
		}
	}
}

// SP-TPL-05, SP-FMT-01: what editors, mailers and shells do to text is noticed.
func TestSP_TPL_05_Damage(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func([]byte) []byte{
		"CRLF": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("\n"), []byte("\r\n")) },
		"CRLF in the document": func(b []byte) []byte {
			return bytes.Replace(b, []byte("hello\n"), []byte("hello\r\n"), 1)
		},
		"blank after the sentinel": func(b []byte) []byte {
			return bytes.Replace(b, []byte("\nSEED_70DD0AE2\n"), []byte("\nSEED_70DD0AE2 \n"), 1)
		},
		"flipped byte": func(b []byte) []byte { return bytes.Replace(b, []byte("hello"), []byte("hallo"), 1) },
		"lost blank":   func(b []byte) []byte { return bytes.Replace(b, []byte("seed: "), []byte("seed:  "), 1) },
		"smart quotes": func(b []byte) []byte { return bytes.Replace(b, []byte("\"1.0\"\ngrow"), []byte("“1.0”\ngrow"), 1) },
	} {
		for _, sh := range shells(t) {
			for _, p := range []transport.Profile{transport.Doc, transport.Tree, transport.Bin} {
				t.Run(name+"/"+sh.name+"/"+p.String(), func(t *testing.T) {
					t.Parallel()
					root := t.TempDir()
					before := snapshot(t, root)
					got := run{shell: sh}.grow(t, damage(plain(p, cutDocuments[p])), root+"/dest")
					if got.code == 0 || got.stdout != "" || got.stderr == "" || snapshot(t, root) != before {
						t.Errorf("got %v and\n%s", got, snapshot(t, root))
					}
				})
			}
		}
	}
}

// SP-PAY-01: NUL is refused even where the checksum agrees, as zsh keeps it.
func TestSP_PAY_01_NUL(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		if sh.name == "ksh93" || sh.name == "yash" {
			continue // the one hangs while reading, the other stops
		}
		for _, p := range allProfiles {
			root := t.TempDir()
			before := snapshot(t, root)
			document := strings.Replace(cutDocuments[p], "\n\n", "\n\nx\x00y\n", 1)
			refused(t, run{shell: sh}.grow(t, plain(p, document), root+"/dest"), root, before)
		}
	}
}

// SEED_SUM=skip is for a hand edit, and switches off nothing else.
func TestSP_TPL_05_SumSkip(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		root := t.TempDir()
		r := run{shell: sh, env: []string{"SEED_SUM=skip"}}
		seed := plain(transport.Tree, tree("unfold"))
		edited := bytes.Replace(seed, []byte("hello"), []byte("HELLO!"), 1)
		got := r.grow(t, edited, root+"/dest")
		if b, err := os.ReadFile(root + "/dest/d/a"); got.code != 0 || string(b) != "HELLO!\n" {
			t.Errorf("%s: got %v, %v", sh.name, got, err)
		}
		before := snapshot(t, root)
		refused(t, r.grow(t, bytes.Replace(seed, []byte(`"d/a"`), []byte(`"../a"`), 1), root+"/other"), root, before)
	}
}

// SP-DIR-01: a payload that could not be shown is a failure.
func TestSP_DIR_01_ShowFails(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		if runtime.GOOS == "linux" && os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for _, sh := range shells(t) {
		for _, p := range []transport.Profile{transport.Doc, transport.Tree} {
			dest := filepath.Join(t.TempDir(), "dest")
			sink, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
			must(t, err)
			cmd := run{shell: sh}.command(t.Context(), t, plain(p, cutDocuments[transport.Doc]), dest)
			cmd.Stdout = sink
			if err := cmd.Run(); err == nil {
				t.Errorf("%s, %v: status 0 although nothing could be written", sh.name, p)
			}
			_ = sink.Close()
		}
	}
}

// SP-DIR-01: elsewhere the payload comes out exactly as it is.
func TestSP_DIR_01_ShowExact(t *testing.T) {
	t.Parallel()
	const meta = "---\nseed: \"1.0\"\ngrow: show\n---\n"
	for _, payload := range []string{"\nhello\n", "hello\n", "\n\n\nhello\n\n", "", "\n", "\na\x1b[31m\r\n\\n%s\n", "\n---\nx\n---\n"} {
		want := strings.TrimPrefix(payload, "\n")
		for _, sh := range shells(t) {
			for _, p := range []transport.Profile{transport.Doc, transport.Full} {
				root := t.TempDir()
				got := run{shell: sh}.grow(t, plain(p, meta+payload), root+"/dest")
				if got.code != 0 || got.stdout != want {
					t.Errorf("%s, %v: got %v, want %q", sh.name, p, got, want)
				}
				if b, _ := os.ReadFile(root + "/dest/seed.md"); string(b) != meta+payload {
					t.Errorf("%s, %v: landed %q (SP-PAY-02)", sh.name, p, b)
				}
			}
		}
	}
}

// SP-GROW-05: a disk that fills while files are expanded leaves nothing behind.
func TestSP_GROW_05_NoSpace(t *testing.T) {
	t.Parallel()
	seed := plain(transport.Tree, archive(map[string]member{"small": {content: "x\n"}, "large": {content: strings.Repeat("0123456789abcde\n", 40<<10)}}))
	for i, sh := range shells(t) {
		awk := awks[i%len(awks)]
		if sh.file || !have(t, awk) {
			continue
		}
		root := t.TempDir()
		before := snapshot(t, root)
		// The capsule itself still fits: it is a little smaller than the limit, in
		// blocks of 512, and the limit is lowered once awk is asked to write.
		dir := tools(t, nil)
		path := awkPath(t, awk)
		wrapper := "#!/bin/sh\ntrap '' XFSZ\nif [ -n \"${SEED_OUT:-}\" ]; then ulimit -f 100; fi\nPATH=" + path + " exec awk \"$@\"\n"
		must(t, os.WriteFile(dir+"/awk", []byte(wrapper), 0o755))
		got := run{shell: sh, path: dir + ":" + systemPath}.grow(t, seed, root+"/dest")
		if got.code == 0 || snapshot(t, root) != before {
			t.Errorf("%s with %s: got %v and\n%s", sh.name, awk, got, snapshot(t, root))
		}
	}
}

//go:build unix

package transport_test

import (
	"encoding/base64"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"seed/seedfile/transport"
)

// A member is a file of an archive.
type member struct {
	content string
	mode    os.FileMode // 0 means that the header has none
	binary  bool
}

const nested = "---\nseed: \"1.0\"\nmarker: abcdef\nroot: x\nat: 1980-01-01\n---\n\n<!--seed:abcdef@file path=\"../evil\"-->\nx\n<!--seed:abcdef@end-->\n"

// oddFiles are the forty of SP-TEST-03.
var oddFiles = map[string]member{
	"empty":                           {},
	"one-lf":                          {content: "\n"},
	"two-lf":                          {content: "\n\n"},
	"no-final-lf":                     {content: "hello"},
	"plain":                           {content: "hello\n"},
	"crlf":                            {content: "a\r\nb\r\n"},
	"lone-cr":                         {content: "a\rb\r"},
	"bom":                             {content: "\ufeffhello\n"},
	"long-line":                       {content: strings.Repeat("0123456789abcdef", 1<<16)},
	"controls":                        {content: "\x01\x02\x07\x08\t\x0b\x0c\x0e\x1b[31m\x1f\x7f\n"},
	"nested.md":                       {content: nested},
	"nested-open.md":                  {content: strings.TrimSuffix(nested, "\n")},
	"sentinels":                       {content: "SEED_\nSEED_70DD0AE\nSEED_70DD0AE3\nXDOWN_70DD0AE2\n SEED_\n"},
	"frontmatter":                     {content: "---\nseed: \"2.0\"\ngrow: exec\n---\n"},
	"heredoc.sh":                      {content: "cat <<'EOF'\n$(id) `id` $HOME\nEOF\n", mode: 0o755},
	"backslashes":                     {content: "\\n\\t\\\\ \\0 \\x41 \\\n\\"},
	"percent":                         {content: "%s %d %n %% %\n"},
	"quotes":                          {content: "'\"`'''\"\"\"\n"},
	"ampersands":                      {content: "& && \\& s/&/x/\n"},
	"braces":                          {content: "}\n    }\nexit 0\n{\n"},
	"trailing-blanks":                 {content: "a  \n\t\n  "},
	"unicode":                         {content: "äöü 日本語 😀 \u202e\u0085\u2028\n"},
	"partial-delimiter":               {content: "<!--seed:c0ffee\n<!--seed:C0FFEE@\n<!--fold:c0ffe@<!--seed:c0ffee"},
	"less-than":                       {content: "<"},
	"awk":                             {content: "BEGIN { print > \"x\" }\n"},
	"a b/ c /d ":                      {content: "blanks\n"},
	"-rf":                             {content: "dash\n"},
	"--":                              {content: "dashes\n"},
	"$(id)/`id`":                      {content: "substitution\n"},
	"$HOME":                           {content: "variable\n"},
	"it's":                            {content: "quote\n"},
	"*/?[a]":                          {content: "glob\n"},
	"größe/日本/😀":                      {content: "unicode\n"},
	"a=b":                             {content: "assignment\n"},
	"~/x":                             {content: "tilde\n"},
	strings.Repeat("d/", 40) + "deep": {content: "deep\n"},
	"modes/444":                       {content: "x\n", mode: 0o444},
	"modes/600":                       {content: "x\n", mode: 0o600},
	"modes/666":                       {content: "x\n", mode: 0o666},
	"modes/755":                       {content: "x", mode: 0o755},
}

// binaryFiles come on top of them in T1-bin.
var binaryFiles = map[string]member{
	"bin/empty": {binary: true},
	"bin/nul":   {content: "\x00", binary: true},
	"bin/bytes": {content: allBytes(3), binary: true, mode: 0o755},
	"bin/57":    {content: allBytes(1)[:57], binary: true},
	"bin/58":    {content: allBytes(1)[:58], binary: true, mode: 0o444},
}

func allBytes(times int) string {
	b := make([]byte, 256*times)
	for i := range b {
		b[i] = byte(i)
	}
	return string(b)
}

// archive is a document that unfolds the files.
func archive(files map[string]member) string { return archiveDocument("unfold", files) }

func archiveDocument(grow string, files map[string]member) string {
	var b strings.Builder
	b.WriteString(strings.Replace(archiveMeta, "GROW", grow, 1))
	b.WriteString("---\nseed: \"1.0\"\nmarker: c0ffee\nroot: odd\nat: 1980-01-01T00:00:00Z\n---\n\n")
	for i, name := range slices.Sorted(maps.Keys(files)) {
		f := files[name]
		form := "seed"
		if i%3 == 0 {
			form = "fold"
		}
		fmt.Fprintf(&b, "<!--%s:c0ffee@file path=\"%s\"", form, name)
		if f.mode != 0 {
			fmt.Fprintf(&b, " mode=\"%03o\"", f.mode)
		}
		if !f.binary {
			b.WriteString("-->\n" + f.content)
			continue
		}
		b.WriteString(" enc=\"base64\"-->\n")
		text := base64.StdEncoding.EncodeToString([]byte(f.content))
		for len(text) > 0 {
			n := min(76, len(text))
			b.WriteString(text[:n] + "\n")
			text = text[n:]
		}
	}
	b.WriteString("<!--seed:c0ffee@end-->\n")
	return b.String()
}

// plant makes the tree that growing the files must give.
func plant(t *testing.T, files map[string]member, umask os.FileMode) string {
	t.Helper()
	root := t.TempDir()
	must(t, os.Chmod(root, 0o777&^umask))
	for name, f := range files {
		path := filepath.Join(root, name)
		for dir := filepath.Dir(path); dir != root; dir = filepath.Dir(dir) {
			must(t, os.MkdirAll(dir, 0o700))
		}
		must(t, os.WriteFile(path, []byte(f.content), 0o600))
		mode := f.mode
		if mode == 0 {
			mode = 0o644
		}
		must(t, os.Chmod(path, mode&^umask))
		for dir := filepath.Dir(path); dir != root; dir = filepath.Dir(dir) {
			must(t, os.Chmod(dir, 0o777&^umask))
		}
	}
	return snapshot(t, root)
}

// SP-TEST-03, SP-ARC-02, SP-ARC-06: exact bytes, names and modes; growing again
// changes nothing; an edited file is refused, and replaced by force.
func TestSP_TEST_03_Fidelity(t *testing.T) {
	t.Parallel()
	if len(oddFiles) != 40 {
		t.Fatalf("got %d odd files, want 40", len(oddFiles))
	}
	for nth, sh := range shells(t) {
		for i, awk := range awks {
			if !have(t, awk) {
				continue
			}
			for j, p := range []transport.Profile{transport.Tree, transport.Full, transport.Bin} {
				// Every shell, awk and profile, but not every combination of them.
				if !full && (i != nth%len(awks) || p != transport.Bin && j != nth) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%v", sh.name, awk, p), func(t *testing.T) {
					t.Parallel()
					fidelity(t, run{shell: sh, path: awkPath(t, awk), umask: "022"}, p)
				})
			}
		}
	}
}

func fidelity(t *testing.T, r run, p transport.Profile) {
	files := maps.Clone(oddFiles)
	if p == transport.Bin {
		maps.Copy(files, binaryFiles)
	}
	seed := plain(p, archive(files))
	want := plant(t, files, 0o022)
	for _, place := range []string{"new", "existing"} {
		dest := filepath.Join(t.TempDir(), "dest")
		r.env = map[string][]string{"new": {"LC_ALL=C.UTF-8"}}[place] // the locale must not matter
		if place == "existing" {
			must(t, os.Mkdir(dest, 0o755))
			must(t, os.Mkdir(dest+"/modes", 0o755)) // one directory is there, the rest move whole
			must(t, os.Chmod(dest, 0o755))
		}
		if got := r.grow(t, seed, dest); got.code != 0 || got.stderr != "" {
			t.Fatalf("%s: got %v", place, got)
		}
		if got := snapshot(t, dest); got != want {
			t.Fatalf("%s: got\n%swant\n%s", place, got, want)
		}
		if place == "new" {
			continue
		}
		info, err := os.Stat(dest + "/plain")
		must(t, err)
		if got := r.grow(t, seed, dest); got.code != 0 || snapshot(t, dest) != want {
			t.Errorf("again: got %v and\n%s", got, snapshot(t, dest))
		}
		if again, err := os.Stat(dest + "/plain"); err != nil || !os.SameFile(info, again) || info.ModTime() != again.ModTime() {
			t.Errorf("again: a file that was the same has been written anew (%v)", err)
		}
		write(t, dest, map[string]string{"quotes": "edited\n"})
		edited := snapshot(t, dest)
		refused(t, r.grow(t, seed, dest), dest, edited)
		r.env = []string{"SEED_FORCE=1"}
		if got := r.grow(t, seed, dest); got.code != 0 || snapshot(t, dest) != want {
			t.Errorf("with force: got %v and\n%s", got, snapshot(t, dest))
		}
	}
}

// SP-ARC-06: every mode is what the header says, 644 or 777 for directories,
// less the user's own umask.
func TestSP_ARC_06_Umask(t *testing.T) {
	t.Parallel()
	files := map[string]member{
		"d/plain": {content: "x\n"}, "d/444": {mode: 0o444}, "d/600": {mode: 0o600}, "d/666": {mode: 0o666}, "d/755": {mode: 0o755}, "777": {mode: 0o777},
		"bin": {content: "\x00\xff", binary: true}, "bin755": {content: "\x00\xff", binary: true, mode: 0o755},
	}
	for _, sh := range shells(t) {
		for _, umask := range []string{"000", "002", "022", "077", "027"} {
			t.Run(sh.name+"/"+umask, func(t *testing.T) {
				t.Parallel()
				mask, err := strconv.ParseUint(umask, 8, 32)
				must(t, err)
				dest := filepath.Join(t.TempDir(), "dest")
				r := run{shell: sh, umask: umask}
				if got := r.grow(t, plain(transport.Bin, archive(files)), dest); got.code != 0 {
					t.Fatalf("got %v", got)
				}
				if got, want := snapshot(t, dest), plant(t, files, os.FileMode(mask)); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
				for _, p := range []transport.Profile{transport.Doc, transport.Tree} {
					one := filepath.Join(t.TempDir(), "dest")
					got := r.grow(t, plain(p, cutDocuments[transport.Doc]), one)
					info, err := os.Stat(one + "/seed.md")
					if err != nil || info.Mode() != 0o644&^os.FileMode(mask) {
						t.Errorf("%v: got %v, %v, %v", p, got, info, err)
					}
				}
			})
		}
	}
}

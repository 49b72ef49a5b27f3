//go:build unix

package transport_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seed/seedfile/transport"
)

// cutDocuments are small seeds of each profile whose growing cannot be missed.
var cutDocuments = map[transport.Profile]string{
	transport.Doc:  "---\nseed: \"1.0\"\ngrow: show\n---\n\nhello\n",
	transport.Tree: "---\nseed: \"1.0\"\ngrow:\n  - unfold\n  - show\ntype: archive\n---\n\n" + smallArchive(""),
	transport.Full: "---\nseed: \"1.0\"\ngrow: exec\n---\n\necho ran; : > \"$DEST/../ran\"\n",
	transport.Bin:  "---\nseed: \"1.0\"\ngrow:\n  - unfold\n  - show\ntype: archive\n---\n\n" + smallArchive("<!--seed:c0ffee@file path=\"b\" enc=\"base64\"-->\nAAH/\n"),
}

// smallArchive is an archive of one file, and of the sections given.
func smallArchive(more string) string {
	return "---\nseed: \"1.0\"\nmarker: c0ffee\nroot: x\nat: 1980-01-01T00:00:00Z\n---\n\n" +
		"<!--seed:c0ffee@file path=\"d/a\"-->\nhello\n" + more + "<!--seed:c0ffee@end-->\n"
}

// SP-TEST-01, SP-TPL-01, SP-TPL-10: a seed that is cut anywhere does nothing.
func TestSP_TEST_01_Truncation(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		for _, p := range allProfiles {
			t.Run(sh.name+"/"+p.String(), func(t *testing.T) {
				t.Parallel()
				seed := plain(p, cutDocuments[p])
				code := bytes.Index(seed, []byte("\n{")) + 1 // line 3: before it there are only comments
				root := t.TempDir()
				r := run{shell: sh, env: []string{"SEED_ALLOW=exec"}}
				for _, n := range cuts(seed) {
					got := r.cut(t, seed[:n], filepath.Join(root, "dest"))
					if got.stdout != "" {
						t.Errorf("cut at %d: prints %q", n, got.stdout)
					}
					if n > code && got.code == 0 {
						t.Errorf("cut at %d: status 0, stderr %q", n, got.stderr)
					}
					if left, _ := os.ReadDir(root); len(left) > 0 {
						t.Fatalf("cut at %d: leaves %v behind", n, left)
					}
				}
				for _, whole := range [][]byte{seed[:len(seed)-1], seed} {
					got := r.grow(t, whole, filepath.Join(root, "dest"))
					if left, _ := os.ReadDir(root); got.code != 0 || len(left) == 0 || got.stdout == "" {
						t.Errorf("whole seed: got %v, leaving %v", got, left)
					}
				}
			})
		}
	}
}

// cut is grow for a prefix. ksh93 waits for ever when the seed ends right behind
// the line that opens the here-document; it has run nothing by then.
func (r run) cut(t *testing.T, prefix []byte, dest string) result {
	t.Helper()
	if r.shell.name != "ksh93" || !strings.HasSuffix(string(prefix), "'SEED_70DD0AE2'\n") {
		return r.grow(t, prefix, dest)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	out, err := r.command(ctx, t, prefix, dest).CombinedOutput()
	if err == nil {
		return result{}
	}
	return result{code: 1, stderr: string(out)}
}

// cuts returns the lengths to cut a seed to: all of them, or those around the
// joints and a spread of the rest. The closing brace is the last byte but one.
func cuts(seed []byte) []int {
	last := len(seed) - 2
	near := map[int]bool{}
	for _, joint := range []string{"\n\n{", "; seed_doc", "\ncat >", "SEED_70DD0AE2'\n", "\n---\n", "\nSEED_70DD0AE2\n", "\n}\n", "\n    #", "awk '", "exit 0\n    }"} {
		for i := range seed {
			if bytes.HasPrefix(seed[i:], []byte(joint)) {
				for n := i - 1; n <= i+len(joint)+1; n++ {
					near[n] = true
				}
				if joint == "\n    #" || joint == "awk '" {
					break // once is enough
				}
			}
		}
	}
	var out []int
	for n := range last + 1 {
		if full || near[n] || n%397 == 0 || n > last-8 {
			out = append(out, n)
		}
	}
	return out
}

//go:build unix

package transport_test

import (
	"bytes"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"seed/seedfile/transport"
	"seed/testkit"
)

// SP-TEST-02, SP-TEST-04: every vector, in every shell, with more than one awk.
func TestSP_TEST_02_Vectors(t *testing.T) {
	t.Parallel()
	docs, err := testkit.Documents()
	if err != nil {
		t.Fatal(err)
	}
	paths := make([]string, len(awks))
	for i, awk := range awks {
		if have(t, awk) {
			paths[i] = awkPath(t, awk)
		}
	}
	for mine, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			for nth, d := range docs {
				if d.Shell == testkit.Untested {
					continue
				}
				// Every bad vector meets every shell, a good one two of them.
				if !full && d.OK() && nth%len(everyday) != mine && (nth+2)%len(everyday) != mine {
					continue
				}
				t.Run(d.Name, func(t *testing.T) {
					// The other awks and the small profile meet it in one shell,
					// another one each time.
					turn := nth%len(everyday) == mine
					for i, path := range paths {
						if path == "" || !full && i > 0 && (!turn || nth%(len(awks)-1) != i-1) {
							continue
						}
						profiles := profilesFor(d)
						if !full && !(turn && i == 0) {
							profiles = profiles[:1]
						}
						for _, p := range profiles {
							tryVector(t, run{shell: sh, path: path}, p, d)
						}
					}
				})
			}
		})
	}
}

// profilesFor returns the profiles in which a document must be judged alike.
func profilesFor(d testkit.Document) []transport.Profile {
	if strings.Contains(d.Name, "base64") {
		return []transport.Profile{transport.Bin}
	}
	if bytes.Contains(d.Body, []byte("\ngrow: show\n")) && !bytes.Contains(d.Body, []byte("type: archive")) {
		return []transport.Profile{transport.Full, transport.Doc}
	}
	return []transport.Profile{transport.Full}
}

var stage = regexp.MustCompile(`\.seed-[0-9]`)

func tryVector(t *testing.T, r run, p transport.Profile, d testkit.Document) {
	t.Helper()
	root := t.TempDir()
	write(t, root, map[string]string{"keep": "me\n"})
	before := snapshot(t, root)
	if d.Shell == testkit.Blind {
		r.env = append(r.env, "LC_ALL=C.UTF-8") // bytes that this locale finds odd
	}
	got := r.grow(t, plain(p, string(d.Body)), filepath.Join(root, "new", "dest"))
	switch {
	case d.OK() && strings.Contains(got.stderr, "needs consent"):
		// The document passed; running what it asks for is another matter.
		refused(t, got, root, before)
	case d.OK(), d.Shell == testkit.Blind && got.code == 0:
		if got.code != 0 || got.stderr != "" {
			t.Errorf("%v: got %v, want success", p, got)
		}
		if stage.MatchString(snapshot(t, root)) {
			t.Errorf("%v: the stage is still there", p)
		}
	default:
		refused(t, got, root, before)
	}
}

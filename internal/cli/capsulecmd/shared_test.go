package capsulecmd_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"seed/capsule"
)

// TestCAP_CLI_01_SharedTamperVectors: the exit code and the object of verify are
// what the list of the reference expects of each capsule, with the recipient's key
// too.
func TestCAP_CLI_01_SharedTamperVectors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read := func(name string, into any) {
		t.Helper()
		data, err := os.ReadFile(w.shared(name))
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	const dir = "tamper-detection/"
	var list struct {
		KeysFile string `json:"keys_file"`
		Vectors  []struct {
			Name     string
			File     string `json:"capsule_file"`
			Expected struct {
				OK      bool
				Failing []capsule.Area
			}
		}
	}
	read(dir+"vectors.json", &list)
	var keys map[string]struct{ PublicKey, PrivateKey string }
	read(dir+list.KeysFile, &keys)
	inbox := w.write("inbox.private.hex", []byte(keys["recipient"].PrivateKey+"\n"))
	levels := make(map[string]int)
	for _, v := range list.Vectors {
		path := w.shared(dir + v.File)
		code := 1
		if v.Expected.OK {
			code = 0
		}
		for _, words := range [][]string{nil, {"--allowlist", keys["originator"].PublicKey}, {"--key", inbox}} {
			words = append([]string{"verify", path, "--json"}, words...)
			var res capsule.Result
			if err := json.Unmarshal([]byte(w.expect(code, words...).out), &res); err != nil {
				t.Fatalf("%s: %v", v.Name, err)
			}
			levels[res.Level]++
			if res.OK != v.Expected.OK {
				t.Errorf("%s %q: got ok %v, want %v", v.Name, words[3:], res.OK, v.Expected.OK)
			}
			for _, area := range v.Expected.Failing {
				if !slices.ContainsFunc(res.Problems, func(p capsule.Problem) bool { return p.Area == area }) {
					t.Errorf("%s %q: got %v, want a problem of the area %s", v.Name, words[3:], res.Problems, area)
				}
			}
		}
	}
	if levels["L2"] == 0 || levels["L3"] == 0 {
		t.Errorf("got the levels %v, want both", levels)
	}
}

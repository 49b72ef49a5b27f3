package jcs_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"seed/jcs"
)

// vector reads a file of the shared vectors, which lie beside the project.
func vector(t *testing.T, path ...string) []byte {
	t.Helper()
	name := filepath.Join(append([]string{"..", "..", "shared", "vectors"}, path...)...)
	text, err := os.ReadFile(name)
	if os.IsNotExist(err) {
		t.Skipf("no shared vectors here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCAP_JCS_01_vectorDocuments(t *testing.T) {
	t.Parallel()
	vector(t, "crypto", "README.md")
	inputs, err := filepath.Glob("../../shared/vectors/crypto/jcs/input/*.json")
	if err != nil || len(inputs) == 0 {
		t.Fatalf("got %d documents, %v", len(inputs), err)
	}
	for _, input := range inputs {
		name := filepath.Base(input)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := vector(t, "crypto", "jcs", "output", name)
			spelled := strings.Join(strings.Fields(string(vector(t, "crypto", "jcs", "outhex", strings.TrimSuffix(name, ".json")+".txt"))), "")
			fromHex, err := hex.DecodeString(spelled)
			if err != nil {
				t.Fatal(err)
			}
			got, err := jcs.Canonical(vector(t, "crypto", "jcs", "input", name))
			if err != nil || !bytes.Equal(got, want) || !bytes.Equal(got, fromHex) {
				t.Errorf("got %s, %v, want %s", got, err, want)
			}
		})
	}
}

func TestCAP_JCS_03_vectorNumbers(t *testing.T) {
	t.Parallel()
	for _, path := range [][]string{{"capsule", "jcs-numbers.json"}, {"crypto", "jcs", "jcs-numbers.json"}} {
		t.Run(path[0], func(t *testing.T) {
			t.Parallel()
			var file struct {
				Vectors []struct {
					Bits     string `json:"ieee_hex"`
					Expected string `json:"expected"`
					Accepted *bool  `json:"accepted"`
				} `json:"vectors"`
			}
			if err := json.Unmarshal(vector(t, path...), &file); err != nil {
				t.Fatal(err)
			}
			refused := 0
			for _, v := range file.Vectors {
				bits, err := strconv.ParseUint(v.Bits, 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				f := math.Float64frombits(bits)
				if got := string(jcs.AppendNumber(nil, f)); got != v.Expected {
					t.Errorf("%s: got %s, want %s", v.Bits, got, v.Expected)
				}
				// Also through the reader, in a spelling that is not canonical.
				d, err := jcs.Parse(strconv.AppendFloat(nil, f, 'E', 20, 64))
				if err != nil {
					t.Fatal(err)
				}
				if got := string(d.Root().AppendCanonical(nil)); got != v.Expected {
					t.Errorf("%s, read: got %s, want %s", v.Bits, got, v.Expected)
				}
				// The older file has no marks; there the range alone decides.
				want := math.Abs(f) > 1<<53-1 && math.Abs(f) < 1e21
				if v.Accepted != nil {
					want = !*v.Accepted
					refused++
				} else if path[0] == "capsule" {
					want = false
				}
				if e := d.Refused(); (e != nil) != want || e != nil && e.Reason != jcs.IntegerOutOfRange {
					t.Errorf("%s (%s): refused %v, want refused=%v", v.Bits, v.Expected, e, want)
				}
			}
			if len(file.Vectors) == 0 || path[0] == "capsule" && refused == 0 {
				t.Errorf("got %d vectors, %d of them refused", len(file.Vectors), refused)
			}
		})
	}
}

package zipstore_test

import (
	stdzip "archive/zip"
	"bytes"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

var sampleFiles = map[string]string{
	"manifest.json": `{"a":1}`, "program.md": "# text\n", "empty": "", "payload/é": "x", "payload/\U0001f600": "y",
	"payload/big": strings.Repeat("0123456789", 20_000),
}

// CAP-ZIP-01: ordinary programs read what Write makes.
func TestCAP_ZIP_01_goReads(t *testing.T) {
	t.Parallel()
	data := write(t, files(sampleFiles))
	std, err := stdzip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	got := make(map[string]string)
	for _, f := range std.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] = string(text)
		if f.Mode() != 0o664 || f.Method != stdzip.Store || f.Modified.Year() != 1980 || len(f.Extra) > 0 || f.Comment != "" {
			t.Errorf("%s: got %+v", f.Name, f.FileHeader)
		}
	}
	if !maps.Equal(got, sampleFiles) {
		t.Errorf("got %d files, want the %d that were written", len(got), len(sampleFiles))
	}
}

func TestCAP_ZIP_01_toolsRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.capsule")
	if err := os.WriteFile(path, write(t, files(sampleFiles)), 0o600); err != nil {
		t.Fatal(err)
	}
	const script = `import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
print(len(z.namelist()))`
	for _, c := range []struct{ tool, want string }{{"unzip", "No errors detected"}, {"python3", "6"}} {
		t.Run(c.tool, func(t *testing.T) {
			t.Parallel()
			tool, err := exec.LookPath(c.tool)
			if err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatal(err)
				}
				t.Skipf("%s is not installed", c.tool)
			}
			args := []string{"-t", path}
			if c.tool == "python3" {
				args = []string{"-c", script, path}
			}
			if out, err := exec.Command(tool, args...).CombinedOutput(); err != nil || !strings.Contains(string(out), c.want) {
				t.Errorf("got %v: %s, want %q", err, out, c.want)
			}
		})
	}
}

// CAP-ZIP-24: the archives of a streaming writer open, unless strict.
func TestCAP_ZIP_24_goWrites(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := stdzip.NewWriter(&out)
	for name, text := range sampleFiles {
		f, err := w.CreateHeader(&stdzip.FileHeader{Name: name, Method: stdzip.Store})
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(f, text)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if got := accepted(t, "streamed", out.Bytes()); !maps.Equal(got, sampleFiles) {
		t.Errorf("got %d files, want the %d that were written", len(got), len(sampleFiles))
	}
	_, err := open(out.Bytes(), zipstore.Options{Strict: true})
	wantError(t, "strict", err, "CAP-ZIP-24", zipstore.NotStrict)
}

// CAP-ZIP-05, -06: the shared capsules of the reference open, and writing the
// files of one again gives the same bytes.
func TestCAP_ZIP_05_referenceBytes(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "vectors", "capsule", "tamper-detection", "output", "*.capsule"))
	if err != nil {
		t.Fatal(err)
	}
	if len(paths) == 0 {
		t.Skip("the shared capsule vectors are not here")
	}
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = filepath.Base(path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a, err := open(data, zipstore.Options{Strict: true})
		if err != nil {
			t.Errorf("%s: got %v, want nil", names[i], err)
			continue
		}
		m, err := contents(a)
		if err != nil {
			t.Errorf("%s: got %v, want it read", names[i], err)
		} else if !bytes.Equal(write(t, files(m)), data) {
			t.Errorf("%s: written again it has other bytes", names[i])
		}
	}
	want := []string{"clean-encrypted.capsule", "clean.capsule", "tampered-envelope.capsule", "tampered-payload.capsule"}
	if !slices.Equal(names, want) {
		t.Errorf("got %q, want %q", names, want)
	}
}

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCountsFilesAndRules(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		"a/plain.txt":   "nothing\n",
		"a/.env":        "A=1\n",
		"testdata/.env": "A=1\n",
		"b/two.txt":     strings.Repeat("postgres:/"+"/app:kq93LmZp@db.internal/app\n", 2),
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out strings.Builder
	if err := run(&out, []string{root}, []string{"testdata"}, true); err != nil {
		t.Fatal(err)
	}
	want := `a/.env: looks like a file of environment secrets (SEC-DOTENV)
b/two.txt:1:16: looks like a database URL with a password: **** (8 bytes) (SEC-DATABASE-URL)
b/two.txt:2:16: looks like a database URL with a password: **** (8 bytes) (SEC-DATABASE-URL)
` + root + `: 3 files, 0 MB, 2 flagged, 666.67 in 1,000
      2 SEC-DATABASE-URL
      1 SEC-DOTENV
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", &out, want)
	}
	if err := run(&out, []string{filepath.Join(root, "none")}, nil, false); err == nil {
		t.Error("got no error for a tree that is not there")
	}
}

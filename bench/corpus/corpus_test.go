package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestCopyTextLeavesBinaryOut(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"a/text.txt": "text\n", "zero": "a\x00b", "latin1": "caf\xe9\n", "run.sh": "exit\n"} {
		name = filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := copyText(from, to); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"a/text.txt": true, "run.sh": true, "zero": false, "latin1": false} {
		_, err := os.Stat(filepath.Join(to, name))
		if got := err == nil; got != want {
			t.Errorf("%s copied: got %v, want %v", name, got, want)
		}
	}
}

func TestSmallFilesHaveTheirSize(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := writeSmall(3, 4096, dir); err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(names) != 3 {
		t.Fatalf("got %q, %v, want three files", names, err)
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || info.Size() != 4096 {
			t.Errorf("%s: got %v, %v, want 4096 bytes", name, info.Size(), err)
		}
	}
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"seed/testkit"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n, err := write(dir)
	if err != nil {
		t.Fatal(err)
	}
	capsules, err := testkit.Capsules()
	if err != nil {
		t.Fatal(err)
	}
	if n != len(capsules) {
		t.Errorf("got %d capsules, want %d", n, len(capsules))
	}
	for _, c := range capsules {
		path := filepath.Join(dir, filepath.FromSlash(c.Name))
		if _, err := os.Stat(path + ".capsule"); err != nil {
			t.Error(err)
		}
		text, err := os.ReadFile(path + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var got testkit.Capsule
		if err := json.Unmarshal(text, &got); err != nil || got.Name != c.Name || len(got.Runs) != len(c.Runs) {
			t.Errorf("%s.json: got %q with %d runs (%v), want %d runs", c.Name, got.Name, len(got.Runs), err, len(c.Runs))
		}
	}
}

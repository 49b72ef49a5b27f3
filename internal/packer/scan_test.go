package packer_test

import (
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"

	"seed/internal/packer"
	"seed/internal/secrets"
	"seed/seedfile"
)

// token looks like a key, and is written so that this file holds none.
var token = "gh" + "p_R4nd0mT3xtOf36Lett3rsAndDigits9Qz7Kw\n"

// Taps of many files at once do not mix, and what is found comes in order of
// path (SP-PACK-07).
func TestSP_PACK_07_TapsInParallel(t *testing.T) {
	t.Parallel()
	var s packer.Secrets
	var wg sync.WaitGroup
	var want []string
	for i := range 64 {
		path := fmt.Sprintf("f%02d", i)
		if i%3 == 0 {
			want = append(want, path)
		}
		wg.Go(func() {
			tap := s.Tap(path)
			for j := range 40 {
				text := "plain text\n"
				if i%3 == 0 && j == i%40 {
					text = token
				}
				// Cut in the middle, so that a secret crosses two writes.
				for _, part := range []string{text[:5], text[5:]} {
					if n, err := io.WriteString(tap, part); n != len(part) || err != nil {
						t.Errorf("got %d and %v, want it all taken", n, err)
					}
				}
			}
			if err := tap.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	var got []string
	for _, f := range s.Found() {
		got = append(got, f.Path)
		var i int
		if _, err := fmt.Sscanf(f.Path, "f%d", &i); err != nil {
			t.Fatal(err)
		}
		if len(f.Result.Matches) != 1 || f.Result.Matches[0].Line != i%40+1 {
			t.Errorf("%s: got %+v, want one match in line %d", f.Path, f.Result.Matches, i%40+1)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSP_PACK_07_NothingFound(t *testing.T) {
	t.Parallel()
	var s packer.Secrets
	s.Add("a", secrets.Result{})
	if got := s.Found(); len(got) != 0 {
		t.Errorf("got %+v, want nothing", got)
	}
}

// Secrets are found while a tree is packed.
func TestSP_PACK_07_SecretsOfATree(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plant(t, dir, "z/key.txt", "x\n"+token, "a", "plain\n", ".env", "A_TOKEN="+token)
	src := open(t, dir, packer.Options{})
	var s packer.Secrets
	_, err := seedfile.PackTree(src.FS, src.Members, seedfile.TreeOptions{PackOptions: seedfile.PackOptions{Base: "tree"}, Tap: s.Tap})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.Found() {
		got = append(got, f.Path)
	}
	equal(t, "found", got, []string{".env", "z/key.txt"})
}

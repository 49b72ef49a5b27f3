package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// crashed leaves a stage in a destination whose landing was killed after all
// moves, before it was complete, and gives the stage's path.
func crashed(t *testing.T) (dest, stage string) {
	t.Helper()
	s := scenes()[0]
	_, _, steps := s.states(t)
	for n := steps; n > 0; n-- {
		dir := scratch(t)
		s.setUp(t, dir)
		dest = filepath.Join(dir, s.dest)
		run(t, "grow", dest, n)
		found, err := filepath.Glob(filepath.Join(dest, ".seed-*", "journal"))
		if err != nil {
			t.Fatal(err)
		}
		if len(found) == 1 {
			return dest, filepath.Dir(found[0])
		}
	}
	t.Fatal("no step leaves a journal")
	return "", ""
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestRecoverKeepsWhatWasEditedSince(t *testing.T) {
	t.Parallel()
	dest, stage := crashed(t)
	// Of the same length as what landed, so that only the sum tells.
	for p, text := range map[string]string{"d/b": "NEW d/b", "d/deep/1": "NEW d/deep/1", "d/deep/mine": "added"} {
		if err := os.WriteFile(filepath.Join(dest, p), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Recover(dest)
	if err != nil || len(got) != 1 || !got[0].Undone || got[0].Stage != stage {
		t.Fatalf("got %+v, %v, want %s undone", got, err, stage)
	}
	slices.Sort(got[0].Kept)
	if want := []string{"d/b", "d/deep", "d/deep/1"}; !slices.Equal(got[0].Kept, want) {
		t.Errorf("kept: got %v, want %v", got[0].Kept, want)
	}
	for p, want := range map[string]string{
		"a": "old a", "z": "old z", "d/b": "NEW d/b", "d/deep/1": "NEW d/deep/1", "d/deep/mine": "added", "d/keep": "old d/keep",
	} {
		if text := content(t, filepath.Join(dest, p)); text != want {
			t.Errorf("%s: got %q, want %q", p, text, want)
		}
	}
	old, err := filepath.Glob(filepath.Join(dest, "d", "b.seed-old-*"))
	if err != nil || len(old) != 1 || content(t, old[0]) != "old d/b" {
		t.Errorf("the old content of d/b: got %v, %v, want it kept beside", old, err)
	}
}

func TestRecoverAcceptsOnlyStagesMadeHere(t *testing.T) {
	t.Parallel()
	dest, stage := crashed(t)
	// A copy has the same bytes in it, as if an archive had brought it.
	fake := stage[:len(stage)-4] + "0000"
	if err := os.CopyFS(fake, os.DirFS(stage)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(stage); err != nil {
		t.Fatal(err)
	}
	hex := strings.Repeat("ab", 16)
	for _, d := range []string{".seed-mine", ".seed-" + hex + "/sub", ".seed-" + hex[1:]} {
		if err := os.MkdirAll(filepath.Join(dest, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	other := filepath.Join(dest, ".seed-"+strings.Repeat("cd", 16))
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "lock"), []byte("not empty"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dest, ".seed-"+strings.Repeat("ef", 16)), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	was := contents(t, dest)
	got, err := Recover(dest)
	if err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v, want nothing", got, err)
	}
	if now := contents(t, dest); now != was {
		t.Errorf("got\n%swant\n%s", now, was)
	}
}

func TestRecoverIgnoresALinkToAStage(t *testing.T) {
	t.Parallel()
	dest, stage := crashed(t)
	away := filepath.Join(filepath.Dir(dest), "away")
	if err := os.Rename(stage, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(away, stage); err != nil {
		component(t, "symlink: %v", err)
	}
	was := contents(t, filepath.Dir(dest))
	if got, err := Recover(dest); err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v, want nothing", got, err)
	}
	if now := contents(t, filepath.Dir(dest)); now != was {
		t.Errorf("got\n%swant\n%s", now, was)
	}
}

func TestRecoverLeavesTheLiving(t *testing.T) {
	t.Parallel()
	dest := scratch(t)
	before(t, dest)
	tree, err := NewTree(dest)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	if err := tree.Write(t.Context(), crashFiles()); err != nil {
		t.Fatal(err)
	}
	if got, err := Recover(dest); err != nil || len(got) != 0 {
		t.Errorf("got %+v, %v, want nothing", got, err)
	}
	if _, err := tree.Land(t.Context(), Options{Force: true}); err != nil {
		t.Errorf("land after a recovery beside it: got %v, want nil", err)
	}
}

// countdown is a context that is cancelled when it was asked often enough.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestSP_GROW_05_CancelledBetweenMoves(t *testing.T) {
	t.Parallel()
	for n := 0; ; n++ {
		dest := scratch(t)
		before(t, dest)
		was := contents(t, dest)
		tree, err := NewTree(dest)
		if err != nil {
			t.Fatal(err)
		}
		if err := tree.Write(t.Context(), crashFiles()); err != nil {
			t.Fatal(err)
		}
		_, err = tree.Land(&countdown{t.Context(), n}, Options{Force: true})
		if cerr := tree.Close(); cerr != nil {
			t.Errorf("close: got %v, want nil", cerr)
		}
		if err == nil {
			if n < 5 {
				t.Errorf("got %d moves, want more", n)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("before move %d: got %v, want %v", n, err, context.Canceled)
		}
		if now := contents(t, dest); now != was {
			t.Errorf("before move %d: got\n%swant\n%s", n, now, was)
		}
	}
}

func TestUndoOfARenameThatStoppedHalfWay(t *testing.T) {
	t.Parallel()
	dest := scratch(t)
	base, err := openTop(dest)
	if err != nil {
		t.Fatal(err)
	}
	defer base.close()
	s, err := makeStage(base)
	if err != nil {
		t.Fatal(err)
	}
	defer s.remove()
	if err := s.put("f", []byte("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.d.rename("f", s.t, "f"); err != nil {
		t.Fatal(err)
	}
	if err := s.t.link("f", base, "f"); err != nil {
		component(t, "hard link: %v", err)
	}
	if _, err := undo(base, s, []move{{Path: "f", Files: []brings{{Path: "f", Size: 1}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dest, "f")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want no file", err)
	}
}

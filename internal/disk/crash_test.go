package disk

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// scene is a place to grow at, made anew for each crash.
type scene struct {
	name  string
	setUp func(t *testing.T, dir string)
	dest  string // relative to the scene's directory
	env   []string
}

func scenes() []scene {
	existing := func(t *testing.T, dir string) { before(t, filepath.Join(dir, "dest")) }
	all := []scene{
		{name: "existing", setUp: existing, dest: "dest"},
		{name: "new", setUp: func(*testing.T, string) {}, dest: "dest"},
		{name: "new with parents", setUp: func(*testing.T, string) {}, dest: "p/q/dest"},
	}
	if os.Geteuid() == 0 {
		// Where the files of others may not be linked to, they are renamed.
		all = append(all, scene{
			name: "existing, of another user", dest: "dest", env: []string{"DISK_TEST_USER=nobody"},
			setUp: func(t *testing.T, dir string) {
				existing(t, dir)
				for _, d := range []string{"", "dest", "dest/d"} {
					if err := os.Chmod(filepath.Join(dir, d), 0o777); err != nil {
						t.Fatal(err)
					}
				}
			},
		})
	}
	return all
}

// states gives the listing before and after a whole growth, and its steps.
func (s scene) states(t *testing.T) (old, grown string, steps int) {
	t.Helper()
	dir := scratch(t)
	s.setUp(t, dir)
	old = contents(t, dir)
	lived, out := run(t, "grow", filepath.Join(dir, s.dest), 0, s.env...)
	steps, err := strconv.Atoi(out)
	if !lived || err != nil || steps < 10 {
		t.Fatalf("whole growth: got %q, want its number of steps", out)
	}
	return old, contents(t, dir), steps
}

func (s scene) recovered(t *testing.T, dir, old, grown, when string) (isOld bool) {
	t.Helper()
	run(t, "recover", filepath.Join(dir, s.dest), 0, s.env...)
	got := contents(t, dir)
	if got != old && got != grown {
		t.Errorf("%s: got\n%swant the old state\n%sor the new\n%s", when, got, old, grown)
	}
	return got == old
}

func TestSP_GROW_05_KilledAtEveryStep(t *testing.T) {
	t.Parallel()
	for _, s := range scenes() {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			old, grown, steps := s.states(t)
			seen := map[bool]int{}
			for n := 1; n <= steps; n++ {
				dir := scratch(t)
				s.setUp(t, dir)
				dest := filepath.Join(dir, s.dest)
				if lived, out := run(t, "grow", dest, n, s.env...); lived {
					t.Fatalf("step %d: got %q, want it killed", n, out)
				}
				seen[s.recovered(t, dir, old, grown, fmt.Sprintf("killed at step %d", n))]++
				// What a kill leaves must not be in the way of the next run.
				if err := childGrow(dest); err != nil {
					t.Errorf("step %d: grow again: got %v, want nil", n, err)
				}
				if got := contents(t, dir); got != grown {
					t.Errorf("step %d: grow again: got\n%swant\n%s", n, got, grown)
				}
				os.RemoveAll(dir)
			}
			if seen[true] == 0 || seen[false] == 0 {
				t.Errorf("got %d old and %d new states, want some of both", seen[true], seen[false])
			}
		})
	}
}

// TestKilledWhileRecovering kills the recovery of landings that were nearly
// complete, at each of its steps.
func TestKilledWhileRecovering(t *testing.T) {
	t.Parallel()
	s := scenes()[0]
	old, grown, steps := s.states(t)
	killed, crashes := 0, 0
	for n := steps; n > 0 && crashes < 3; n-- {
		for m := 1; ; m++ {
			dir := scratch(t)
			s.setUp(t, dir)
			dest := filepath.Join(dir, s.dest)
			run(t, "grow", dest, n)
			if found, err := filepath.Glob(filepath.Join(dest, ".seed-*", "journal")); err != nil || len(found) == 0 {
				break // complete, only the stage is left
			}
			lived, _ := run(t, "recover", dest, m)
			s.recovered(t, dir, old, grown, fmt.Sprintf("killed at step %d, then at step %d of the recovery", n, m))
			os.RemoveAll(dir)
			if lived {
				crashes++
				break
			}
			killed++
		}
	}
	if killed < 20 {
		t.Errorf("got %d killed recoveries, want more", killed)
	}
}

package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite what the scripts expect")

// TestMain makes the test binary the seed that the scripts run, under both its
// names.
func TestMain(m *testing.M) {
	run := func() {
		leaveTerminal()
		main()
	}
	testscript.Main(parent{m}, map[string]func(){"seed": run, "capsule": run})
}

// parent is the process that runs the tests, as opposed to those it starts.
type parent struct{ m *testing.M }

func (p parent) Run() int {
	fixUmask()
	return p.m.Run()
}

// TestScripts runs every script below testdata/script, a folder a command.
func TestScripts(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "script", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no scripts: got %v, %v", dirs, err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			testscript.Run(t, testscript.Params{
				Dir:                 dir,
				Setup:               setup,
				Condition:           condition,
				Cmds:                commands(),
				UpdateScripts:       *update,
				RequireExplicitExec: true,
				RequireUniqueNames:  true,
			})
		})
	}
}

// setup gives a script a home of its own, and holds it to leaving no temporary
// file and no stage behind, whatever it did.
func setup(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	env.Setenv("HOME", home)
	env.Setenv("TERM", "xterm")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector waits a second at every exit
	env.Defer(func() {
		left, err := leftovers(env.WorkDir)
		if err != nil || len(left) > 0 {
			env.T().Log("left behind:", left, err)
			env.T().FailNow()
		}
	})
	return os.MkdirAll(home, 0o755)
}

// leftovers lists temporary files and stages of seed.
func leftovers(dir string) ([]string, error) {
	var left []string
	tmp := filepath.Join(dir, ".tmp")
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if strings.HasPrefix(d.Name(), ".seed-") || filepath.Dir(path) == tmp {
			left = append(left, path)
		}
		return nil
	})
	return left, err
}

// condition knows [ci] and [root].
func condition(name string) (bool, error) {
	switch name {
	case "ci":
		return os.Getenv("CI") == "true", nil
	case "root":
		return os.Geteuid() == 0, nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

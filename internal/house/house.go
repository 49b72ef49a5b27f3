// Package house keeps the project in order: who may import whom, which test
// shows which rule of a protocol, which licences are linked, how long a file may
// grow. Its tests are the checks; its code is what they and the small program in
// keep share. Nothing that ships imports it.
package house

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the import path of the project's root.
const Module = "seed"

// Root returns the directory of the project's go.mod, found from the working
// directory upwards: tests run in their package, keep runs anywhere.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if err == nil && strings.HasPrefix(string(mod), "module "+Module+"\n") {
			return dir, nil
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", errors.New("find go.mod of the project: not in this directory or above")
		}
		dir = up
	}
}

// Files returns the project's own files, slash-separated and relative to root,
// in order: what git has or would add, and without git everything that is not
// built.
func Files(root string) ([]string, error) {
	list := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	list.Dir = root
	out, err := list.Output()
	if err != nil {
		return walk(root)
	}
	var files []string
	for name := range strings.SplitSeq(string(out), "\x00") {
		info, err := os.Lstat(filepath.Join(root, filepath.FromSlash(name)))
		if name == "" || err != nil || !info.Mode().IsRegular() {
			continue // deleted but not committed yet, or a link
		}
		files = append(files, name)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func walk(root string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		switch rel {
		case ".git", ".tools", "bin", "dist", "bench/out":
			return filepath.SkipDir
		}
		if d.Type().IsRegular() {
			files = append(files, rel)
		}
		return nil
	})
	return files, err
}

// fixture reports whether a file is data of a test or an example, to which the
// rules for the project's own text and code do not apply.
func fixture(name string) bool {
	return strings.Contains("/"+name, "/testdata/") ||
		(strings.HasPrefix(name, "testkit/") && !strings.HasSuffix(name, ".go"))
}

// goFiles keeps the Go files that are code of the project.
func goFiles(files []string) []string {
	var out []string
	for _, f := range files {
		if strings.HasSuffix(f, ".go") && !fixture(f) {
			out = append(out, f)
		}
	}
	return out
}

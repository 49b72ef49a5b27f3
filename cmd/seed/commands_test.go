package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

type command = func(ts *testscript.TestScript, neg bool, args []string)

// commands are those that scripts have beyond the usual ones.
func commands() map[string]command {
	return map[string]command{
		"exitcode": cmdExitcode,
		"json":     cmdJSON,
		"edit":     cmdEdit,
		"write":    cmdWrite,
		"cut":      cmdCut,
		"tree":     cmdTree,
		"fifo":     cmdFifo,
		"fill":     cmdFill,
		"calm":     cmdCalm,
		"serve":    cmdServe,
		"terminal": cmdTerminal,
		"refused":  cmdRefused,
	}
}

func usage(ts *testscript.TestScript, neg, ok bool, text string) {
	if neg || !ok {
		ts.Fatalf("usage: %s", text)
	}
}

// text resolves the escapes of a Go string.
func text(ts *testscript.TestScript, s string) string {
	out, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
	if err != nil {
		ts.Fatalf("bad escape in %q: %v", s, err)
	}
	return out
}

// exitcode N COMMAND... runs a command that must end with exactly that code.
func cmdExitcode(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) >= 2, "exitcode N command [args...]")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Check(endedWith(ts.Exec(args[1], args[2:]...), want))
}

func endedWith(err error, want int) error {
	got := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		got = exit.ExitCode()
	case err != nil:
		return err
	}
	if got != want {
		return fmt.Errorf("exit code: got %d, want %d", got, want)
	}
	return nil
}

// json FILE PATH WANT compares one value of a JSON file; PATH is like
// files.0.path, and len is that of a list. With ! the value must be missing.
func cmdJSON(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 3 && !(neg && len(args) == 2) {
		ts.Fatalf("usage: json FILE PATH WANT, or ! json FILE PATH")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s is not JSON: %v", args[0], err)
	}
	got, ok := lookup(v, strings.Split(args[1], "."))
	switch {
	case neg && len(args) == 2:
		if ok {
			ts.Fatalf("%s: got %s, want nothing", args[1], got)
		}
	case !ok:
		ts.Fatalf("%s: got nothing, want %q", args[1], args[2])
	case (got == args[2]) == neg:
		ts.Fatalf("%s: got %q, want (not: %v) %q", args[1], got, neg, args[2])
	}
}

func lookup(v any, path []string) (string, bool) {
	for _, key := range path {
		switch at := v.(type) {
		case map[string]any:
			next, ok := at[key]
			if !ok {
				return "", false
			}
			v = next
		case []any:
			if key == "len" {
				v = float64(len(at))
				continue
			}
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(at) {
				return "", false
			}
			v = at[i]
		default:
			return "", false
		}
	}
	if s, ok := v.(string); ok {
		return s, true
	}
	b, err := json.Marshal(v)
	return string(b), err == nil
}

// edit FILE OLD NEW replaces the first OLD; it must be there.
func cmdEdit(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 3, "edit FILE OLD NEW")
	content, before := ts.ReadFile(args[0]), text(ts, args[1])
	if !strings.Contains(content, before) {
		ts.Fatalf("%s does not contain %q", args[0], before)
	}
	content = strings.Replace(content, before, text(ts, args[2]), 1)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(content), 0o666))
}

// write FILE TEXT writes text with escapes; -n COUNT repeats it.
func cmdWrite(ts *testscript.TestScript, neg bool, args []string) {
	count := 1
	if len(args) == 4 && args[0] == "-n" {
		n, err := strconv.Atoi(args[1])
		ts.Check(err)
		count, args = n, args[2:]
	}
	usage(ts, neg, len(args) == 2, "write [-n COUNT] FILE TEXT")
	name := ts.MkAbs(text(ts, args[0]))
	ts.Check(os.MkdirAll(filepath.Dir(name), 0o777))
	ts.Check(os.WriteFile(name, []byte(strings.Repeat(text(ts, args[1]), count)), 0o666))
}

// cut FILE OUT COMMAND... writes the first 1/8, 2/8, ... 7/8 of a file to OUT and
// runs the command after each, which must end with 2 and leave nothing at dest.
func cmdCut(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) >= 4, "cut FILE OUT N command [args...]")
	content := ts.ReadFile(args[0])
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	const parts = 12
	for i := range parts {
		n := len(content) * i / parts
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(content[:n]), 0o666))
		if err := endedWith(ts.Exec(args[3], args[4:]...), want); err != nil {
			ts.Fatalf("cut at byte %d: %v", n, err)
		}
	}
}

// tree DIR prints mode and path of everything below a directory.
func cmdTree(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 1, "tree DIR")
	dir := ts.MkAbs(args[0])
	ts.Check(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(ts.Stdout(), "%v %s\n", info.Mode(), filepath.ToSlash(name))
		return err
	}))
}

// fill DIR COUNT SIZE makes a tree of many text files.
func cmdFill(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 3, "fill DIR COUNT SIZE")
	count, err := strconv.Atoi(args[1])
	ts.Check(err)
	size, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(fill(ts.MkAbs(args[0]), count, size))
}

func fill(dir string, count, size int) error {
	for i := range count {
		name := filepath.Join(dir, fmt.Sprintf("d%02d", i%20), fmt.Sprintf("f%05d.txt", i))
		if i < 20 {
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				return err
			}
		}
		line := fmt.Sprintf("file %d\n", i)
		if err := os.WriteFile(name, []byte(strings.Repeat(line, size/len(line)+1)), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// calm FILE fails when a file holds anything that a terminal would act on, other
// than our own colours.
func cmdCalm(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 1, "calm FILE")
	s := ts.ReadFile(args[0])
	for _, ours := range []string{"\x1b[1m", "\x1b[2m", "\x1b[32m", "\x1b[33m", "\x1b[1;31m", "\x1b[0m", "\x1b[K", "\r\n"} {
		s = strings.ReplaceAll(s, ours, "")
	}
	for i, r := range s {
		if r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 || r == 0xfffd {
			ts.Fatalf("%s holds %q: ...%q", args[0], r, s[max(0, i-20):min(len(s), i+20)])
		}
	}
}

// Capsulebench measures what package capsule does against what the same bytes
// cost without it, in one process and in alternation, and prints ratios.
//
//	capsulebench [-n 7] [-dir DIR] [-cases 'payload events'] [-json FILE]
//	capsulebench make KIND FILE    write a capsule: small, or large (1,000 MiB)
//
// Every line of a case says what it runs; a figure is computed from the lines of
// one round, and the median over the rounds is held against its budget. Exit
// status 1 means over budget, 2 that something could not be measured.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

func main() {
	n := flag.Int("n", 7, "rounds that count, after one that does not")
	dir := flag.String("dir", os.TempDir(), "where files are made, best on a RAM disk: `directory`")
	names := flag.String("cases", "", "only these cases")
	out := flag.String("json", "", "also write the figures to this `file`")
	flag.Parse()
	within, err := true, error(nil)
	switch {
	case flag.Arg(0) == "make" && flag.NArg() == 3:
		err = makeFile(flag.Arg(1), flag.Arg(2))
	case flag.NArg() == 0 && *n > 0:
		within, err = run(*dir, strings.Fields(*names), *n, *out)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "capsulebench:", err)
		os.Exit(2)
	}
	if !within {
		os.Exit(1)
	}
}

// cases are all comparisons. A case prepares its files in a directory of its own
// that is gone when the next one starts.
func cases() []struct {
	name    string
	prepare func(dir string) (*comparison, error)
} {
	return []struct {
		name    string
		prepare func(dir string) (*comparison, error)
	}{
		{"payload", onePayload},
		{"files", manyFiles},
		{"events", manyEvents},
		{"growth", growth},
		{"seal", sealing},
		{"encrypt", encrypting},
		{"decrypt", decrypting},
	}
}

func run(base string, only []string, n int, out string) (within bool, err error) {
	var all []figure
	for _, c := range cases() {
		if len(only) > 0 && !slices.Contains(only, c.name) {
			continue
		}
		figures, err := runCase(base, c.name, c.prepare, n)
		if err != nil {
			return false, fmt.Errorf("case %s: %w", c.name, err)
		}
		all = append(all, figures...)
	}
	within = printFigures(os.Stdout, all)
	if out == "" {
		return within, nil
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return within, err
	}
	return within, os.WriteFile(out, append(text, '\n'), 0o644)
}

func runCase(base, name string, prepare func(string) (*comparison, error), n int) (_ []figure, err error) {
	dir, err := os.MkdirTemp(base, "capsulebench-"+name+"-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	c, err := prepare(dir)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.close()) }()
	return c.measure(os.Stdout, name, n)
}

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// refused RULE FILE [LINE] shows that every command turns a seed down as it should:
// verify with exit 1 and the finding among its verdict, the others with exit 2,
// nothing on standard output and one line of error with rule and place. Nothing
// is written.
func cmdRefused(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, neg, len(args) == 2 || len(args) == 3, "refused RULE FILE [LINE]")
	rule, file := args[0], args[1]
	line := "[0-9]+"
	if len(args) == 3 {
		line = args[2]
	}
	place := regexp.QuoteMeta(file) + ":" + line + "(:[0-9]+)?: .*\\(" + rule + "\\)"
	if err := endedWith(ts.Exec("seed", "verify", file), 1); err != nil {
		ts.Fatalf("verify: %v", err)
	}
	match(ts, "verify", "stdout", "(?m)^error: "+place+"$")
	dest := filepath.Join(ts.MkAbs("."), "refused-dest")
	for _, command := range [][]string{{"show", file}, {"inspect", file}, {"grow", file, dest}, {"grow", "-n", file, dest, "--force"}} {
		if err := endedWith(ts.Exec("seed", command...), 2); err != nil {
			ts.Fatalf("%s: %v", command[0], err)
		}
		match(ts, command[0], "stderr", "\\Aseed: "+place+"\n( hint: .*\n)?\\z")
		if out := ts.ReadFile("stdout"); out != "" {
			ts.Fatalf("%s: got output %q, want none", command[0], out)
		}
		if _, err := os.Lstat(dest); err == nil {
			ts.Fatalf("%s wrote to the destination", command[0])
		}
	}
}

func match(ts *testscript.TestScript, command, stream, pattern string) {
	got := ts.ReadFile(stream)
	if !regexp.MustCompile(pattern).MatchString(got) {
		ts.Fatalf("%s: got %s %q, want a match of %s", command, stream, strings.TrimSuffix(got, "\n"), pattern)
	}
}

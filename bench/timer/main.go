// Timer runs commands against one another on the same machine in the same
// minutes and prints ratios, because seconds alone say more about the machine
// than about the program.
//
//	timer [-n 5] [-json FILE] [-timeout 5m] PLAN
//
// A plan has one instruction a line; # begins a comment:
//
//	case NAME                 begins a comparison
//	prep COMMAND              run by sh before each run, not timed
//	run LABEL COMMAND         the first one of a case is the peer
//	limit LABEL ratio=3 rss=32M time=10ms
//
// Commands are split at blanks and started without a shell. `< FILE` at the end
// gives a file as standard input, `<| FILE` feeds it through a pipe. The runs of
// a case alternate; the median counts. Exit status 1 means over a limit, 2 that
// something could not be measured.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	n := flag.Int("n", 5, "runs of each command")
	out := flag.String("json", "", "also write the figures to this `file`")
	timeout := flag.Duration("timeout", 5*time.Minute, "longest time for one run")
	flag.Parse()
	if flag.NArg() != 1 || *n < 1 {
		flag.Usage()
		os.Exit(2)
	}
	over, err := measure(flag.Arg(0), *out, *n, *timeout)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "timer:", err)
		os.Exit(2)
	case over:
		os.Exit(1)
	}
}

func measure(plan, out string, n int, timeout time.Duration) (over bool, err error) {
	text, err := os.ReadFile(plan)
	if err != nil {
		return false, err
	}
	cases, err := parse(string(text))
	if err != nil {
		return false, fmt.Errorf("%s: %w", plan, err)
	}
	var results []result
	fmt.Printf("%-16s %-14s %10s %10s %8s %9s  %s\n", "case", "command", "median", "best", "ratio", "max RSS", "limit")
	for _, c := range cases {
		of, err := c.measure(n, timeout)
		if err != nil {
			return false, fmt.Errorf("case %s: %w", c.name, err)
		}
		for _, r := range of {
			fmt.Println(r)
			over = over || len(r.Over) > 0
		}
		results = append(results, of...)
	}
	if out != "" {
		text, err := json.MarshalIndent(results, "", "  ")
		if err != nil {
			return false, err
		}
		if err := os.WriteFile(out, append(text, '\n'), 0o644); err != nil {
			return false, err
		}
	}
	return over, nil
}

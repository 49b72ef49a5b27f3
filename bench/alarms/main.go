// Alarms counts what the search for secrets says of trees of files, to know how
// often it would be wrong: in a tree that others have published, what it finds
// is a test key, a sample or a false alarm.
//
//	alarms [-list] [-without NAME]... DIR...
//
// It prints a line for each tree and one for each rule that found something.
// -list prints the findings too, for somebody to look at: what is redacted
// stays so. -without leaves out directories of that name.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
)

func main() {
	list := flag.Bool("list", false, "print every finding")
	var without []string
	flag.Func("without", "leave out directories called `name`", func(name string) error {
		without = append(without, name)
		return nil
	})
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	err := run(out, flag.Args(), without, *list)
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "alarms:", err)
		os.Exit(1)
	}
}

func run(out io.Writer, roots, without []string, list bool) error {
	for _, root := range roots {
		c := count{rules: map[string]int{}}
		if err := c.tree(root, without); err != nil {
			return err
		}
		if list {
			for _, f := range c.findings {
				fmt.Fprintln(out, f)
			}
		}
		fmt.Fprintf(out, "%s: %d files, %.0f MB, %d flagged, %.2f in 1,000\n",
			root, c.files, float64(c.bytes)/1e6, c.flagged, 1000*float64(c.flagged)/float64(max(1, c.files)))
		ids := make([]string, 0, len(c.rules))
		for id := range c.rules {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range ids {
			fmt.Fprintf(out, "  %5d %s\n", c.rules[id], id)
		}
	}
	return nil
}

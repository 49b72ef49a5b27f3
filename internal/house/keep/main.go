// Keep is the housekeeper's program: what make needs to know or to write about
// the project itself. It is run with `go run` and never installed.
//
//	keep pure          print the import paths of the pure packages
//	keep conformance   rewrite the tests column of docs/conformance/*.md
//	keep licences      print the licences of what is linked, fail on others
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"seed/internal/house"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "keep:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return errors.New("usage: keep pure|conformance|licences")
	}
	root, err := house.Root()
	if err != nil {
		return err
	}
	switch args[0] {
	case "pure":
		return pure(root)
	case "conformance":
		return house.WritePages(root)
	case "licences":
		return licences(root)
	}
	return fmt.Errorf("unknown task %q", args[0])
}

func pure(root string) error {
	for _, p := range house.Packages() {
		if !p.Class.Pure() {
			continue
		}
		if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(p.Dir))); err != nil {
			return err
		}
		fmt.Println(house.Module + "/" + p.Dir)
	}
	return nil
}

func licences(root string) error {
	linked, err := house.Linked(root)
	if err != nil {
		return err
	}
	var bad error
	for _, m := range linked {
		fmt.Printf("%-12s %s %s\n", m.Licence, m.Path, m.Version)
		if m.Licence == "" {
			bad = errors.Join(bad, fmt.Errorf("%s: licence not among %v", m.Path, house.AllowedLicences()))
		}
	}
	return bad
}

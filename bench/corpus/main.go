// Corpus prepares the files that the benchmarks pack and grow.
//
//	corpus text FROM TO     copy the text files of a tree: UTF-8 without NUL
//	corpus small N SIZE TO  write N text files of SIZE bytes
//	corpus allow ROOT       read a JSON report, print the files of ROOT it names
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "text":
		return copyText(args[1], args[2])
	case len(args) == 4 && args[0] == "small":
		n, err := strconv.Atoi(args[1])
		if err != nil {
			return err
		}
		size, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		return writeSmall(n, size, args[3])
	case len(args) == 2 && args[0] == "allow":
		return allow(os.Stdin, args[1])
	}
	return errors.New("usage: corpus text FROM TO | small N SIZE TO | allow ROOT")
}

// copyText takes what a seed can carry as it is, so that both sides of a
// comparison handle the same files.
func copyText(from, to string) error {
	files, size := 0, 0
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".git" || d.Name() == ".hg" || d.Name() == ".svn") {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if !utf8.Valid(text) || bytes.IndexByte(text, 0) >= 0 || strings.Contains(rel, `\`) {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		out := filepath.Join(to, rel)
		if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
			return err
		}
		files++
		size += len(text)
		return os.WriteFile(out, text, info.Mode().Perm())
	})
	fmt.Printf("corpus: %d files, %.1f MB of text in %s\n", files, float64(size)/1e6, to)
	return err
}

func writeSmall(n, size int, to string) error {
	for i := range n {
		dir := filepath.Join(to, fmt.Sprintf("d%02d", i%32))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		var text bytes.Buffer
		for line := 0; text.Len() < size; line++ {
			fmt.Fprintf(&text, "file %d, line %d: the quick brown fox jumps over the lazy dog\n", i, line)
		}
		text.Truncate(size - 1)
		text.WriteByte('\n')
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%04d.txt", i)), text.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// allow prints the files that a refused pack names as holding secrets.
func allow(r io.Reader, root string) error {
	var report struct {
		Error struct{ Details []string }
	}
	if err := json.NewDecoder(r).Decode(&report); err != nil {
		return fmt.Errorf("read report: %w", err)
	}
	place := regexp.MustCompile(`^(.+?)(:\d+)*: looks like `)
	var names []string
	for _, d := range report.Error.Details {
		m := place.FindStringSubmatch(d)
		if m == nil {
			return fmt.Errorf("no file in %q", d)
		}
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			return err
		}
		names = append(names, m[1])
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		fmt.Println(name)
	}
	return nil
}

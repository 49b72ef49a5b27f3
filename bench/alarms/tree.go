package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"seed/internal/secrets"
)

// count is what was found in one tree.
type count struct {
	files, flagged int
	bytes          int64
	rules          map[string]int // matches by rule
	findings       []string
}

// tree looks through every regular file below root. Links are not followed.
func (c *count) tree(root string, without []string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != root && slices.Contains(without, d.Name()):
			return filepath.SkipDir
		case !d.Type().IsRegular():
			return nil
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		return c.file(path, filepath.ToSlash(name))
	})
}

func (c *count) file(path, name string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	r := &counted{r: f}
	res, err := secrets.Scan(name, r)
	if err != nil {
		return err
	}
	c.files++
	c.bytes += r.n
	if len(res.Matches) > 0 {
		c.flagged++
	}
	for _, m := range res.Matches {
		c.rules[m.Rule.ID]++
		c.findings = append(c.findings, m.Finding(name).String())
	}
	return nil
}

type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

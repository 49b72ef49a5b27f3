package secrets_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"seed/internal/secrets"
)

func TestZZWalk(t *testing.T) {
	root := os.Getenv("WALK")
	if root == "" {
		t.Skip()
	}
	files, bytes := 0, 0
	count := map[string]int{}
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		b, _ := os.ReadFile(path)
		files++
		bytes += len(b)
		rel, _ := filepath.Rel(root, path)
		res := secrets.ScanBytes(rel, b)
		for _, m := range res.Matches {
			count[m.Rule.ID]++
			line := ""
			if m.Line > 0 {
				n := 1
				for i := 0; i < len(b); i++ {
					if n == m.Line {
						line = string(b[i:min(len(b), i+m.Col+80)])
						break
					}
					if b[i] == '\n' {
						n++
					}
				}
				if len(line) > 160 {
					line = line[len(line)-160:]
				}
			}
			fmt.Printf("%s\t%s:%d:%d\t%s\t%q\n", m.Rule.ID, rel, m.Line, m.Col, m.Redacted, line)
		}
		return nil
	})
	fmt.Println("TOTAL", files, bytes, count)
}

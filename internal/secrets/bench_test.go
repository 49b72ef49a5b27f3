package secrets_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/secrets"
)

// goRoot returns the directory of Go's own source tree.
func goRoot(tb testing.TB) string {
	tb.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("go env GOROOT: %v", err)
		}
		tb.Skipf("no go command: %v", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "src")
}

// goSource returns the text of Go's own source tree, up to 64 MiB.
func goSource(tb testing.TB) []byte {
	tb.Helper()
	var all []byte
	root := goRoot(tb)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || len(all) > 64<<20 {
			return err
		}
		b, err := os.ReadFile(path)
		all = append(all, b...)
		return err
	})
	if err != nil || len(all) == 0 {
		if os.Getenv("CI") == "true" {
			tb.Fatalf("read Go source: %v, %d bytes", err, len(all))
		}
		tb.Skipf("no Go source to read: %v", err)
	}
	return all
}

func BenchmarkScanBytes(b *testing.B) {
	src := goSource(b)
	const part = 1 << 20 // one file of many matches would stop early
	b.SetBytes(int64(len(src)))
	for b.Loop() {
		for p := src; len(p) > 0; p = p[min(part, len(p)):] {
			secrets.ScanBytes("a.go", p[:min(part, len(p))])
		}
	}
}

func BenchmarkFile(b *testing.B) {
	src := goSource(b)
	b.SetBytes(int64(len(src)))
	const part, chunk = 1 << 20, 64 << 10
	var f secrets.File
	for b.Loop() {
		for p := src; len(p) > 0; p = p[min(part, len(p)):] {
			f.Reset("a.go")
			for q := p[:min(part, len(p))]; len(q) > 0; q = q[min(chunk, len(q)):] {
				f.Write(q[:min(chunk, len(q))])
			}
			f.Close()
		}
	}
}

func BenchmarkSmallFiles(b *testing.B) {
	src := goSource(b)[:4<<20]
	b.SetBytes(int64(len(src)))
	var f secrets.File
	for b.Loop() {
		for p := src; len(p) > 0; p = p[4<<10:] {
			f.Reset("some/dir/a.go")
			f.Write(p[:4<<10])
			f.Close()
		}
	}
}

// BenchmarkHostile is text made of nothing but keywords: slow must stay linear.
func BenchmarkHostile(b *testing.B) {
	for name, s := range map[string]string{
		"begin":  "BEGIN PRIVATE KEY-----",
		"header": "BEGIN PRIVATE KEY-----\nVersion: ",
		"jwt":    ".eyJhbGci",
		"url":    "a://b:c",
		"assign": "token=",
		"quoted": "token=\"a9",
		"sendg":  " SG.",
		"bearer": "Bearer ",
		"dashes": "client_secret: \"-----",
	} {
		b.Run(name, func(b *testing.B) {
			data := []byte(strings.Repeat(s, 1<<20/len(s)))
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				secrets.ScanBytes("a.yaml", data)
			}
		})
	}
}

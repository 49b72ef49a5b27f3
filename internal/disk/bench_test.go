package disk_test

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"seed/internal/disk"
)

// goText gives the text files of Go's own source tree, held in memory.
func goText(b *testing.B) []disk.File {
	b.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		b.Skipf("no go command: %v", err)
	}
	root := strings.TrimSpace(string(out))
	var files []disk.File
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if !d.Type().IsRegular() {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, p)
		if err != nil || bytes.IndexByte(text, 0) >= 0 || !utf8.Valid(text) {
			return err
		}
		files = append(files, memory(filepath.ToSlash(rel), string(text)))
		return nil
	})
	if err != nil || len(files) == 0 {
		b.Skipf("no Go source tree at %q: %v", root, err)
	}
	return files
}

func small() []disk.File {
	var files []disk.File
	for i := range 1000 {
		files = append(files, memory(fmt.Sprintf("d%02d/f%03d.txt", i%40, i), strings.Repeat("seed", 1024)))
	}
	return files
}

// section hides everything but Read, as a reader over a file does.
func section(files []disk.File) []disk.File {
	out := make([]disk.File, len(files))
	for i, f := range files {
		out[i] = f
		open := f.Open
		out[i].Open = func() io.Reader { return struct{ io.Reader }{open()} }
	}
	return out
}

func grow(tb testing.TB, dest string, files []disk.File, o disk.Options) *disk.Landed {
	tb.Helper()
	t, err := disk.NewTree(dest)
	if err != nil {
		tb.Fatal(err)
	}
	defer t.Close()
	if err := t.Write(tb.Context(), files); err != nil {
		tb.Fatal(err)
	}
	landed, err := t.Land(tb.Context(), o)
	if err != nil {
		tb.Fatal(err)
	}
	return landed
}

// BenchmarkTree measures landing against unpacking the same tree with tar, in
// turn, so that both meet the same machine. The metric x/tar is the ratio.
func BenchmarkTree(b *testing.B) {
	tar, err := exec.LookPath("tar")
	if err != nil {
		b.Skip("no tar to compare with")
	}
	for _, c := range []struct {
		name  string
		files func() []disk.File
	}{
		{"go", func() []disk.File { return goText(b) }},
		{"go-sections", func() []disk.File { return section(goText(b)) }},
		{"1000x4K", small},
	} {
		b.Run(c.name, func(b *testing.B) {
			dir, files := ramDir(b), c.files()
			size := int64(0)
			for _, f := range files {
				size += f.Size
			}
			grow(b, filepath.Join(dir, "src"), files, disk.Options{})
			archive := filepath.Join(dir, "a.tar")
			if out, err := exec.Command(tar, "-cf", archive, "-C", filepath.Join(dir, "src"), ".").CombinedOutput(); err != nil {
				b.Fatalf("tar: %v: %s", err, out)
			}
			os.RemoveAll(filepath.Join(dir, "src"))
			b.SetBytes(size)
			var ours, theirs time.Duration
			for b.Loop() {
				b.StopTimer()
				at := filepath.Join(dir, "tar")
				os.Mkdir(at, 0o755)
				start := time.Now()
				if out, err := exec.Command(tar, "-xf", archive, "-C", at).CombinedOutput(); err != nil {
					b.Fatalf("tar: %v: %s", err, out)
				}
				theirs += time.Since(start)
				os.RemoveAll(at)
				at = filepath.Join(dir, "disk")
				b.StartTimer()
				start = time.Now()
				grow(b, at, files, disk.Options{})
				ours += time.Since(start)
				b.StopTimer()
				os.RemoveAll(at)
				b.StartTimer()
			}
			b.ReportMetric(ours.Seconds()/theirs.Seconds(), "x/tar")
			b.ReportMetric(float64(len(files)), "files")
		})
	}
}

// BenchmarkSame measures growing over a tree that is there already.
func BenchmarkSame(b *testing.B) {
	dir, files := ramDir(b), goText(b)
	dest := filepath.Join(dir, "dest")
	grow(b, dest, files, disk.Options{})
	for b.Loop() {
		if _, err := disk.Compare(b.Context(), dest, files, disk.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

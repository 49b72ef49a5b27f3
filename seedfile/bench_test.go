package seedfile_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"seed/seedfile"
)

// benchTree is n files of size bytes of text.
func benchTree(n, size int) fstest.MapFS {
	tree := fstest.MapFS{}
	text := fill(size)
	for i := range n {
		tree[fmt.Sprintf("dir%02d/file%04d.txt", i%50, i)] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
	}
	return tree
}

func BenchmarkOpen(b *testing.B) {
	for _, c := range []struct {
		name string
		text string
	}{
		{"document-100KiB", wrap(simpleMeta + fill(100<<10) + "\n")},
		{"document-64MiB", wrap(simpleMeta + fill(64<<20) + "\n")},
		{"archive-1000x64KiB", packTree(b, benchTree(1000, 64<<10), seedfile.TreeOptions{})},
		{"archive-10000x4KiB", packTree(b, benchTree(10_000, 4<<10), seedfile.TreeOptions{})},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			r := strings.NewReader(c.text)
			for b.Loop() {
				if _, err := seedfile.Open(r, r.Size(), seedfile.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPackTree(b *testing.B) {
	for _, c := range []struct {
		name    string
		n, size int
	}{{"1000x4KiB", 1000, 4 << 10}, {"1000x64KiB", 1000, 64 << 10}, {"4x16MiB", 4, 16 << 20}} {
		tree := benchTree(c.n, c.size)
		members := membersOf(tree)
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(c.n) * int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				p, err := seedfile.PackTree(tree, members, seedfile.TreeOptions{})
				if err != nil {
					b.Fatal(err)
				}
				if _, err := p.WriteTo(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBase64(b *testing.B) {
	text := base64Seed(canonicalBase64(bytes.Repeat([]byte{0, 1, 2, 3}, 4<<20)))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := open(text); err != nil {
			b.Fatal(err)
		}
	}
}

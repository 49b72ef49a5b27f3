package zipstore_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"seed/internal/zipstore"
)

// BenchmarkOpen is the scan of a file on disk with as many entries as the default
// limit allows, close together and far apart.
func BenchmarkOpen(b *testing.B) {
	for _, size := range []int{100, 5000} {
		b.Run(fmt.Sprintf("10000x%d", size), func(b *testing.B) {
			list := make([]zipstore.File, zipstore.DefaultMaxEntries)
			for i := range list {
				list[i] = content(fmt.Sprintf("payload/dir/file-%05d.txt", i), string(make([]byte, size)))
			}
			path := filepath.Join(b.TempDir(), "a.zip")
			if err := os.WriteFile(path, write(b, list), 0o600); err != nil {
				b.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := zipstore.Open(f, zipstore.Size(list), zipstore.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	list := []zipstore.File{content("payload/big", string(make([]byte, 64<<20)))}
	b.SetBytes(zipstore.Size(list))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := zipstore.Write(io.Discard, list, zipstore.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

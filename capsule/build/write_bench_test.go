package build_test

import (
	"crypto/ed25519"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"seed/capsule/build"
)

// BenchmarkWrite seals files of a folder into a file, as `seed capsule seal`
// does: one large one, and many small ones.
func BenchmarkWrite(b *testing.B) {
	for _, c := range []struct{ n, size int }{{1, 32 << 20}, {200, 64 << 10}, {9000, 1 << 10}} {
		b.Run(fmt.Sprintf("%dx%d", c.n, c.size), func(b *testing.B) {
			dir := b.TempDir()
			d := build.Draft{SignedAt: "2026-07-01T12:00:00Z", Signers: []build.Signer{{Role: "originator", Key: ed25519.NewKeyFromSeed(make([]byte, 32))}}}
			for i := range c.n {
				name := filepath.Join(dir, fmt.Sprintf("f%05d", i))
				if err := os.WriteFile(name, make([]byte, c.size), 0o600); err != nil {
					b.Fatal(err)
				}
				d.Files = append(d.Files, build.File{
					Path: fmt.Sprintf("payload/%05d", i), Size: int64(c.size),
					Open: func() (io.ReadCloser, error) { return os.Open(name) },
				})
			}
			b.SetBytes(int64(c.n) * int64(c.size))
			b.ReportAllocs()
			for b.Loop() {
				f, err := os.Create(filepath.Join(dir, "out"))
				if err != nil {
					b.Fatal(err)
				}
				if _, err := build.Write(f, &d); err != nil {
					b.Fatal(err)
				}
				if err := f.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

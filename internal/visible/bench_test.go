package visible_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"seed/internal/visible"
)

func BenchmarkScan(b *testing.B) {
	for _, c := range []struct{ name, unit string }{
		{"ascii", "func main() {\n\tfmt.Println(\"a line of ordinary source text\")\n}\n"},
		{"crlf", "a line of ordinary text, forty bytes long\r\n"},
		{"german", "Die Prüfung läuft über alle Wörter, größere und schöne.\n"},
		{"japanese", "これは日本語の文章です。漢字とかなが混ざっています。\n"},
		{"escapes", "\x1b[31mred\x1b[0m\n"},
	} {
		text := []byte(strings.Repeat(c.unit, 4<<20/len(c.unit)))
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, _, err := visible.Scan(bytes.NewReader(text), 20); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWriter(b *testing.B) {
	text := []byte(strings.Repeat("a line of ordinary text\n\twith tabs\n", 1<<15))
	b.SetBytes(int64(len(text)))
	w := visible.NewWriter(io.Discard, visible.Show)
	for b.Loop() {
		w.Write(text)
	}
}

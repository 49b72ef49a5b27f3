package capsule_test

import (
	"bytes"
	"crypto/ed25519"
	"fmt"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
)

// target is a file in memory that a capsule is written to.
type target struct{ build.Memory }

// sealed builds a capsule of n files of a size and so many events.
func sealed(tb testing.TB, files, size, events int) []byte {
	tb.Helper()
	const moment = "2026-07-01T12:00:00Z"
	d := build.Draft{SignedAt: moment, Signers: []build.Signer{{Role: "originator", Key: ed25519.NewKeyFromSeed(make([]byte, 32))}}}
	content := bytes.Repeat([]byte("0123456789abcdef"), size/16+1)[:size]
	for i := range files {
		d.Files = append(d.Files, build.Bytes(fmt.Sprintf("payload/d%02d/file-%05d.bin", i%50, i), content))
	}
	var log chain.Log
	var text []byte
	for i := range events {
		line, err := log.Append(chain.Draft{
			Actor: "human:ana", Action: "read_source", Target: "payload/notes.md", Timestamp: moment,
			Payload: fmt.Appendf(nil, `{"summary":"figure %d of the field report was read","n":%d}`, i, i),
		})
		if err != nil {
			tb.Fatal(err)
		}
		text = append(text, line...)
	}
	d.Chain = build.Bytes(chain.Path, text)
	var out target
	if _, err := build.Write(&out, &d); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func BenchmarkVerify(b *testing.B) {
	for _, c := range []struct {
		name                string
		files, size, events int
	}{
		{"small", 1, 1 << 10, 10}, {"one-32M", 1, 32 << 20, 1}, {"200x64K", 200, 64 << 10, 1}, {"9000x1K", 9000, 1 << 10, 1}, {"events-10000", 1, 1 << 10, 10_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			file := sealed(b, c.files, c.size, c.events)
			b.SetBytes(int64(len(file)))
			b.ReportAllocs()
			for b.Loop() {
				res, err := capsule.Verify(bytes.NewReader(file), int64(len(file)), capsule.Options{})
				if err != nil || res.Verdict != capsule.Valid {
					b.Fatal(res, err)
				}
			}
		})
	}
}

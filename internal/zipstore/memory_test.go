package zipstore_test

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"strings"
	"testing"

	"seed/internal/zipstore"
)

// inMemory is content as a file that need not be opened.
func inMemory(name string, data []byte) zipstore.File {
	return zipstore.File{Name: name, Size: int64(len(data)), CRC32: crc32.ChecksumIEEE(data), Data: data}
}

// TestWrite_memoryEqualsReading: content in memory gives the archive that the
// same content gives when it is read, at sizes around those of the buffers.
func TestWrite_memoryEqualsReading(t *testing.T) {
	t.Parallel()
	var read, kept []zipstore.File
	for i, size := range []int{0, 1, 16<<10 - 1, 16 << 10, 64 << 10, 256<<10 - 1, 256 << 10, 256<<10 + 1, 600_000} {
		text := strings.Repeat("0123456789abcde\n", size/16+1)[:size]
		name := "payload/" + string(rune('a'+i))
		read, kept = append(read, content(name, text)), append(kept, inMemory(name, []byte(text)))
	}
	if got, want := write(t, kept), write(t, read); !bytes.Equal(got, want) {
		t.Errorf("got %d bytes, want the %d of content that is read", len(got), len(want))
	}
}

func TestWrite_memoryIsHeldToItsDeclaration(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*zipstore.File){
		"shorter":   func(f *zipstore.File) { f.Data = f.Data[1:] },
		"longer":    func(f *zipstore.File) { f.Data = append(f.Data, 'x') },
		"other sum": func(f *zipstore.File) { f.CRC32++ },
	} {
		f := inMemory("payload/a", []byte("some content"))
		change(&f)
		_, err := zipstore.Write(io.Discard, []zipstore.File{f}, zipstore.Options{})
		var bad *zipstore.Error
		if !errors.As(err, &bad) || bad.Reason != zipstore.CRCMismatch {
			t.Errorf("%s: got %v, want %s", name, err, zipstore.CRCMismatch)
		}
	}
}

// lazy takes less than it is given and does not say so.
type lazy struct{}

func (lazy) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestWrite_writerThatTakesLess(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", 1<<20)
	for name, f := range map[string]zipstore.File{"read": content("a", text), "memory": inMemory("a", []byte(text))} {
		if _, err := zipstore.Write(lazy{}, []zipstore.File{f}, zipstore.Options{}); !errors.Is(err, io.ErrShortWrite) {
			t.Errorf("%s: got %v, want %v", name, err, io.ErrShortWrite)
		}
	}
}

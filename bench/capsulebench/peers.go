package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"hash/crc32"
	"io"
	"os"

	"golang.org/x/crypto/chacha20poly1305"
)

const chunk = 256 << 10

// hashMemory is SHA-256 of bytes that are in memory, on one core.
func hashMemory(data []byte) error {
	sha256.Sum256(data)
	return nil
}

// hashFile reads a file in chunks and sums it, on one core.
func hashFile(f io.ReaderAt, size int64, buf []byte) error {
	digest := sha256.New()
	_, err := io.CopyBuffer(digest, plainReader{io.NewSectionReader(f, 0, size)}, buf)
	return err
}

// plainReader hides every other method, so that io.CopyBuffer uses its buffer.
type plainReader struct{ io.Reader }

// decodeLines decodes every line into an any, as a program does that has only
// the standard library.
func decodeLines(text []byte) error {
	for line := range bytes.Lines(text) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			return err
		}
	}
	return nil
}

// copyFile writes what is in a file into a new one, in chunks.
func copyFile(to string, from io.ReaderAt, size int64, buf []byte) error {
	f, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(struct{ io.Writer }{f}, plainReader{io.NewSectionReader(from, 0, size)}, buf)
	return errors.Join(err, f.Close())
}

// cipherWork is memory for what the cipher and the sums alone would cost.
type cipherWork struct{ plain, sealed []byte }

func newCipherWork(size int) *cipherWork {
	return &cipherWork{make([]byte, size), make([]byte, 0, size+chacha20poly1305.Overhead)}
}

// sums is one SHA-256 and one CRC-32 over b.
func sums(b []byte) {
	sha256.Sum256(b)
	crc32.ChecksumIEEE(b)
}

func (w *cipherWork) seal() error {
	aead, err := chacha20poly1305.New(make([]byte, 32))
	if err == nil {
		w.sealed = aead.Seal(w.sealed[:0], make([]byte, 12), w.plain, nil)
	}
	return err
}

func (w *cipherWork) open() error {
	aead, err := chacha20poly1305.New(make([]byte, 32))
	if err == nil {
		w.plain, err = aead.Open(w.plain[:0], make([]byte, 12), w.sealed, nil)
	}
	return err
}

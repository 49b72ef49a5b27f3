package main

import (
	"bytes"
	"crypto/ecdh"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"seed/capsule/build"
	"seed/capsule/chain"
)

const moment = "2026-07-01T12:00:00Z"

// draft is what all capsules here have in common. The keys are no secrets.
func draft() *build.Draft {
	return &build.Draft{
		Label: "Ana", CreatedAt: moment, SignedAt: moment,
		Participants: []build.Participant{{ActorID: "human:ana", Role: "author"}, {ActorID: "ai:model", Role: "assistant"}},
		Signers:      []build.Signer{{Role: "originator", Key: ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, 32))}},
		Rand:         noise(7),
	}
}

func recipient() (*ecdh.PrivateKey, error) {
	return ecdh.X25519().NewPrivateKey(bytes.Repeat([]byte{2}, 32))
}

// noise is bytes that do not repeat, the same ones for the same n.
func noise(n uint64) io.Reader {
	var seed [32]byte
	seed[0], seed[1] = byte(n), byte(n>>8)
	return rand.NewChaCha8(seed)
}

// generated is a payload that is on no disk: it is made while it is read.
func generated(path string, size int64) build.File {
	return build.File{Path: path, Size: size, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(io.LimitReader(noise(uint64(size)), size)), nil
	}}
}

// onDisk writes a payload file and returns it as `seal` finds it in a working
// folder.
func onDisk(name, path string, size int64) (build.File, error) {
	f, err := os.Create(name)
	if err != nil {
		return build.File{}, err
	}
	_, err = io.Copy(f, io.LimitReader(noise(uint64(size)), size))
	return build.File{
		Path: path, Size: size,
		Open: func() (io.ReadCloser, error) { return os.Open(name) },
	}, errors.Join(err, f.Close())
}

// manyOnDisk is onDisk for n files of a size in one folder.
func manyOnDisk(dir string, n int, size int64) ([]build.File, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	files := make([]build.File, n)
	for i := range files {
		f, err := onDisk(filepath.Join(dir, fmt.Sprintf("%05d", i)), fmt.Sprintf("payload/d%02d/file-%05d.bin", i/500, i), size)
		if err != nil {
			return nil, err
		}
		files[i] = f
	}
	return files, nil
}

// inMemory is n payload files of a size.
func inMemory(n, size int) []build.File {
	files := make([]build.File, n)
	for i := range files {
		data := make([]byte, size)
		_, _ = io.ReadFull(noise(uint64(i)), data) // noise has no end
		files[i] = build.Bytes(fmt.Sprintf("payload/d%02d/file-%05d.bin", i/500, i), data)
	}
	return files
}

// events is a chain of n events as people and models write them.
func events(n int) (build.File, error) {
	log := chain.Log{Actors: map[string]bool{"human:ana": true, "ai:model": true}}
	var text bytes.Buffer
	for i := range n {
		d := chain.Draft{
			Actor: "human:ana", Action: "read_source", Target: fmt.Sprintf("payload/notes-%d.md", i%97), Timestamp: moment,
			Payload: fmt.Appendf(nil, `{"summary":"figure %d of the field report was read and agrees with table %d","n":%d,"weight":%d.25}`, i, i%13, i, i%7),
		}
		if i%3 == 0 {
			d.Actor, d.Kind, d.Action = "ai:model", "decision", "chose_variant"
			d.Payload = fmt.Appendf(nil, `{"statement":"variant %d, %s","alternatives":["one","two",{"name":"three","score":%d}],"final":true}`,
				i%5, strings.Repeat("because it is simpler ", 3), i)
		}
		line, err := log.Append(d)
		if err != nil {
			return build.File{}, err
		}
		text.Write(line)
	}
	return build.Bytes(chain.Path, text.Bytes()), nil
}

// write seals d into a new file and returns it open for reading, with its size.
func write(path string, d *build.Draft) (*os.File, int64, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, 0, err
	}
	sealed, err := build.Write(f, d)
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, sealed.Size, nil
}

// makeFile writes a capsule for measurements of whole processes.
func makeFile(kind, path string) error {
	d := draft()
	var err error
	switch kind {
	case "small":
		d.Files = []build.File{generated("payload/report.bin", 20<<10)}
		d.Chain, err = events(20)
	case "large":
		d.Files = []build.File{generated("payload/report.bin", 1000<<20)}
		d.Chain, err = events(20)
	default:
		err = fmt.Errorf("unknown kind %q", kind)
	}
	if err != nil {
		return err
	}
	f, _, err := write(path, d)
	if err != nil {
		return err
	}
	return f.Close()
}

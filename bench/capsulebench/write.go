package main

import (
	"crypto/ecdh"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/crypt"
)

const secretSize = 64 << 20

// sealing: what build.Write does beyond hashing and verifying is to write. The
// sources are files, as in a working folder. Thousands of tiny ones are shown
// without a budget: to open each is in neither verifying nor writing one file,
// and costs more than both.
func sealing(dir string) (*comparison, error) {
	payload, err := onDisk(filepath.Join(dir, "payload"), "payload/report.bin", 256<<20)
	if err != nil {
		return nil, err
	}
	some, err := manyOnDisk(filepath.Join(dir, "some"), 200, 64<<10)
	if err != nil {
		return nil, err
	}
	many, err := manyOnDisk(filepath.Join(dir, "many"), 9000, 1<<10)
	if err != nil {
		return nil, err
	}
	c := &comparison{}
	for _, m := range []struct {
		name   string
		files  []build.File
		events int
		budget float64
	}{
		{"256 MiB", []build.File{payload}, 20, 2.3},
		{"200 × 64 KiB", some, 20, 2.3},
		{"9,000 × 1 KiB", many, 20, 0},
		{"10,000 events", nil, 10_000, 2.3},
	} {
		d := draft()
		d.Files = m.files
		if d.Chain, err = events(m.events); err != nil {
			return nil, err
		}
		if err := c.sealed(filepath.Join(dir, fmt.Sprintf("%d-%d", len(m.files), m.events)), m.name, d, m.budget); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// sealed adds the steps and the demand for one draft.
func (c *comparison) sealed(base, name string, d *build.Draft, budget float64) error {
	f, size, err := write(base+".capsule", d)
	if err != nil {
		return err
	}
	c.closers = append(c.closers, f)
	buf, out, k := make([]byte, chunk), base+".out", len(c.steps)
	c.steps = append(c.steps,
		step{label: "verify", does: name + ": capsule.Verify of the finished file", run: func() error { return verify(f, size) }},
		step{
			label: "write", does: name + ": read the finished file and write a new one, 256 KiB at a time",
			prep: remove(out), run: func() error { return copyFile(out, f, size, buf) },
		},
		step{
			label: "seal", does: name + ": build.Write: hash the files, sign, write, read back and verify",
			prep: remove(out), run: func() error {
				f, _, err := write(out, d)
				if err != nil {
					return err
				}
				return f.Close()
			},
		},
	)
	if budget == 0 {
		return nil
	}
	c.demands = append(c.demands, demand{
		name: "seal of " + name + ", (seal − write) / verify", budget: budget,
		of: func(r []cost) float64 { return (wall(r, k+2) - wall(r, k+1)) / wall(r, k) },
	})
	return nil
}

// remove takes away what the run before wrote: to take the pages from an old
// file is work of the system that nobody here was asked for.
func remove(path string) func() error {
	return func() error {
		err := os.Remove(path)
		if errors.Is(err, os.ErrNotExist) {
			return nil
		}
		return err
	}
}

// encrypting: the rules demand two passes of the cipher and four of the sums.
func encrypting(dir string) (*comparison, error) {
	d := draft()
	d.Files = []build.File{generated("payload/report.bin", secretSize)}
	f, size, err := write(filepath.Join(dir, "a.capsule"), d)
	if err != nil {
		return nil, err
	}
	work := newCipherWork(int(size))
	if err := work.seal(); err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	return &comparison{
		closers: []io.Closer{f},
		steps: []step{
			{
				label: "cipher+sums",
				does: "64 MiB in memory, one core: sums of the content (L2 of what is encrypted), ChaCha20-Poly1305 (CAP-ENC-02), " +
					"sums of content.enc (CAP-ENV-07, CAP-ZIP-20), the same read back (CAP-BLD-05), cipher again and sums of the content (CAP-ENC-11)",
				run: func() error {
					sums(work.plain)
					if err := work.seal(); err != nil {
						return err
					}
					sums(work.sealed)
					sums(work.sealed)
					if err := work.open(); err != nil {
						return err
					}
					sums(work.plain)
					return nil
				},
			},
			{
				label: "encrypt", does: "what `seed capsule encrypt` does: capsule.VerifyOpen, read, build.Encrypt into a file",
				prep: remove(out), run: func() error { return encryptFile(out, f, size, d) },
			},
		},
		demands: []demand{{name: "encrypt of 64 MiB, 2 × cipher + 4 × (SHA-256 + CRC-32)", of: func(r []cost) float64 { return wall(r, 1) / wall(r, 0) }, budget: 1.3}},
	}, nil
}

func encryptFile(to string, f io.ReaderAt, size int64, d *build.Draft) error {
	key, err := recipient()
	if err != nil {
		return err
	}
	res, c, err := capsule.VerifyOpen(f, size, capsule.Options{})
	if err != nil {
		return err
	}
	plain := make([]byte, size, size+crypt.Overhead)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, size), plain); err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = build.Encrypt(out, c, res, plain, build.EncryptOptions{
		Signers: d.Signers, Recipients: [][32]byte{[32]byte(key.PublicKey().Bytes())}, Rand: noise(9),
	})
	return errors.Join(err, out.Close())
}

// decrypting: the rules demand one pass of the cipher and two of the sums.
func decrypting(dir string) (*comparison, error) {
	key, err := recipient()
	if err != nil {
		return nil, err
	}
	d := draft()
	d.Files = []build.File{generated("payload/report.bin", secretSize)}
	d.Recipients = [][32]byte{[32]byte(key.PublicKey().Bytes())}
	f, size, err := write(filepath.Join(dir, "a.capsule"), d)
	if err != nil {
		return nil, err
	}
	work := newCipherWork(secretSize)
	if err := work.seal(); err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "out")
	return &comparison{
		closers: []io.Closer{f},
		steps: []step{
			{
				label: "cipher+sums",
				does:  "64 MiB in memory, one core: sums of content.enc (L2, CAP-ENC-12), ChaCha20-Poly1305 (CAP-ENC-07), sums of the content (L3)",
				run: func() error {
					sums(work.sealed)
					if err := work.open(); err != nil {
						return err
					}
					sums(work.plain)
					return nil
				},
			},
			{label: "decrypt", does: "capsule.VerifyDecrypt, which hands over the plain capsule", run: func() error {
				_, err := decryptFile(f, size, key)
				return err
			}},
			{
				label: "decrypt+write", does: "what `seed capsule decrypt` does: the same, and the plain capsule into a file",
				prep: remove(out), run: func() error {
					plain, err := decryptFile(f, size, key)
					if err != nil {
						return err
					}
					return os.WriteFile(out, plain, 0o600)
				},
			},
		},
		demands: []demand{{name: "decrypt of 64 MiB, cipher + 2 × (SHA-256 + CRC-32)", of: func(r []cost) float64 { return wall(r, 1) / wall(r, 0) }, budget: 1.3}},
	}, nil
}

func decryptFile(f io.ReaderAt, size int64, key *ecdh.PrivateKey) ([]byte, error) {
	res, plain, err := capsule.VerifyDecrypt(f, size, capsule.Options{Recipient: key})
	if err == nil && (res.Verdict != capsule.Valid || plain == nil) {
		err = fmt.Errorf("the capsule is %s: %v", res.Verdict, res.Errors)
	}
	return plain, err
}

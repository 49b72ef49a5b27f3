package build

import (
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"io"
	"sync"

	"seed/capsule"
	"seed/finding"
	"seed/internal/sums"
	"seed/internal/zipstore"
)

// whole is the size up to which a file is put into the archive in one piece, its
// header in front: the header needs the checksum of all of it.
const whole = 256 << 10

// write puts the plain capsule into w. Every file is read once: while it is
// hashed, its bytes go to their place, which names and sizes fix beforehand. The
// two documents that need all the hashes come last.
func (b *builder) write(w io.WriterAt) (int64, error) {
	b.seal.index = make([]capsule.IndexEntry, len(b.d.Files))
	for i, f := range b.d.Files {
		b.seal.index[i] = capsule.IndexEntry{Path: f.Path, SHA256: zeroHash}
	}
	capsule.SortIndex(b.seal.index)
	// With any hashes the documents have the size they will have in the end.
	manifest, envelope, id, err := b.seal.documents()
	if err != nil {
		return 0, err
	}
	b.id = id
	if c := b.d.Continues; c != nil && c.CapsuleID != id {
		return 0, ruleContinue.Errorf(finding.Place{}, "the result would be capsule %s, not %s, which it is to continue", id, finding.Quote(c.CapsuleID))
	}
	plan, err := b.plan(manifest, envelope)
	if err != nil {
		return 0, err
	}
	if m, ok := w.(*Memory); ok {
		m.Grow(plan.Size())
	}
	if err := b.fill(w, plan); err != nil {
		return 0, err
	}
	if b.d.Reviewed != nil {
		if err := b.d.Reviewed(); err != nil {
			return 0, err
		}
	}
	if manifest, envelope, _, err = b.seal.documents(); err != nil {
		return 0, err
	}
	for path, data := range map[string][]byte{manifestPath: manifest, envelopePath: envelope} {
		if err := put(w, plan, path, data); err != nil {
			return 0, err
		}
	}
	return plan.Size(), plan.Finish(w)
}

const (
	manifestPath = "manifest.json"
	envelopePath = "provenance/envelope.json"
	zeroHash     = "0000000000000000000000000000000000000000000000000000000000000000"
)

// plan lays the archive out.
func (b *builder) plan(manifest, envelope []byte) (*zipstore.Plan, error) {
	files := make([]zipstore.File, 0, len(b.d.Files)+2)
	for _, f := range b.d.Files {
		files = append(files, zipstore.File{Name: f.Path, Size: f.Size})
	}
	files = append(files, zipstore.File{Name: manifestPath, Size: int64(len(manifest))}, zipstore.File{Name: envelopePath, Size: int64(len(envelope))})
	return zipstore.NewPlan(files, zipstore.Options{})
}

// put writes a document, header first.
func put(w io.WriterAt, plan *zipstore.Plan, path string, data []byte) error {
	_, err := w.WriteAt(append(plan.AppendHeader(nil, path, crc32.ChecksumIEEE(data)), data...), plan.Offset(path))
	return err
}

// fill reads every file, on all cores, into the archive and into the index.
func (b *builder) fill(w io.WriterAt, plan *zipstore.Plan) error {
	var pool sync.Pool // of pieces, a few for each core
	jobs := make([]sums.Job, len(b.d.Files))
	for i := range b.d.Files {
		f := &b.d.Files[i]
		if f.Size > whole {
			jobs[i] = large(w, plan, f)
		} else {
			jobs[i] = small(w, plan, f, &pool)
		}
	}
	sums.Run(jobs, b.d.Progress)
	for i, j := range jobs {
		f := b.d.Files[i]
		if j.Err != nil {
			return fmt.Errorf("read %s: %w", finding.Quote(f.Path), j.Err)
		}
		b.seal.index[i] = capsule.IndexEntry{Path: f.Path, SHA256: hex.EncodeToString(j.SHA256[:])}
	}
	capsule.SortIndex(b.seal.index)
	return nil
}

// large writes the chunks of a file as they are read, and its header when the
// checksum is known.
func large(w io.WriterAt, plan *zipstore.Plan, f *File) sums.Job {
	at := plan.Offset(f.Path)
	head := int64(len(plan.AppendHeader(nil, f.Path, 0)))
	return sums.Job{
		Size: f.Size, Open: func() (io.Reader, error) { return f.Open() },
		Out: func(chunk []byte, off int64) error {
			if n := off + int64(len(chunk)); n > f.Size {
				return resized(n, f.Size) // before it is written over its neighbour
			}
			_, err := w.WriteAt(chunk, at+head+off)
			return err
		},
		Done: func(j *sums.Job) error {
			if j.Bytes != f.Size {
				return resized(j.Bytes, f.Size)
			}
			_, err := w.WriteAt(plan.AppendHeader(nil, f.Path, j.CRC32), at)
			return err
		},
	}
}

// small writes a file in one piece, header and content.
func small(w io.WriterAt, plan *zipstore.Plan, f *File, pool *sync.Pool) sums.Job {
	head := int64(len(plan.AppendHeader(nil, f.Path, 0)))
	j := sums.Job{Size: f.Size, Open: func() (io.Reader, error) { return f.Open() }}
	var piece []byte
	j.Start = func(j *sums.Job) {
		old, _ := pool.Get().(*[]byte)
		if old != nil && int64(cap(*old)) >= head+f.Size {
			piece = (*old)[:head+f.Size]
		} else {
			piece = make([]byte, head+f.Size)
		}
		j.Into = piece[head:]
	}
	j.Out = func(chunk []byte, off int64) error {
		if n := off + int64(len(chunk)); n > f.Size {
			return resized(n, f.Size) // a file that grows may have no end
		}
		return nil
	}
	j.Done = func(j *sums.Job) error {
		if j.Bytes != f.Size {
			return resized(j.Bytes, f.Size)
		}
		plan.AppendHeader(piece[:0], f.Path, j.CRC32)
		_, err := w.WriteAt(piece, plan.Offset(f.Path))
		j.Into = nil
		pool.Put(&piece)
		return err
	}
	return j
}

func resized(now, was int64) error { return fmt.Errorf("has %d bytes now, had %d", now, was) }

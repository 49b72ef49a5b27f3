package capsule

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"

	"seed/finding"
	"seed/internal/sums"
	"seed/internal/zipstore"
	"seed/jcs"
)

var (
	ruleIndexShape = finding.Rule{ID: "CAP-IDX-02", Want: "index elements that are exactly {path, sha256}"}
	ruleIndexOrder = finding.Rule{ID: "CAP-IDX-03", Want: "an index sorted by path without duplicates"}
	ruleIndex      = finding.Rule{ID: "CAP-IDX-04", Want: "an index equal to the files"}
	ruleCRC        = finding.Rule{ID: "CAP-ZIP-20", Want: "content that fits its CRC-32"}
)

// indexElement is about how long an element of an index is.
const indexElement = 160

// AppendIndex appends the canonical form of a content index: a JSON array of
// {path, sha256} as it is hashed. Entries must be sorted.
func AppendIndex(dst []byte, entries []IndexEntry) []byte {
	dst = append(dst, '[')
	for i, e := range entries {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"path":`...)
		dst = jcs.AppendString(dst, e.Path)
		dst = append(dst, `,"sha256":"`...)
		dst = append(dst, e.SHA256...)
		dst = append(dst, `"}`...)
	}
	return append(dst, ']')
}

// SortIndex orders entries as an index must be: by UTF-16 code units of the path.
func SortIndex(entries []IndexEntry) {
	slices.SortFunc(entries, func(a, b IndexEntry) int { return jcs.CompareUTF16(a.Path, b.Path) })
}

// hashed is a file of the container and what its bytes hash to.
type hashed struct {
	path string
	sum  string
}

// hashFiles sums every file but the structural ones, on all cores, and checks
// their CRC-32 on the way. With keep the encrypted content stays in memory, so
// that what is decrypted is what was hashed and is read once.
func (c *Capsule) hashFiles(progress func(int64), keep bool) ([]hashed, error) {
	entries := make([]*zipstore.Entry, 0, len(c.zip.Entries))
	jobs := make([]sums.Job, 0, len(c.zip.Entries))
	for i := range c.zip.Entries {
		e := &c.zip.Entries[i]
		if e.Name == manifestPath || e.Name == envelopePath {
			continue
		}
		entries = append(entries, e)
		job := sums.Job{Size: e.Size}
		if c.memory != nil {
			job.Data = c.memory[e.Offset:][:e.Size]
		} else {
			job.Open = func() (io.Reader, error) { return c.zip.Section(e), nil }
		}
		if keep && e.Name == blobPath && e.Size <= math.MaxInt {
			c.blob = make([]byte, e.Size)
			job.Into = c.blob
		}
		jobs = append(jobs, job)
	}
	sums.Run(jobs, progress)
	files := make([]hashed, len(jobs))
	for i, j := range jobs {
		e := entries[i]
		switch {
		case j.Err != nil:
			return nil, j.Err
		case j.Bytes != e.Size:
			return nil, io.ErrUnexpectedEOF
		case j.CRC32 != e.CRC32:
			refused := refuse(ruleCRC, AreaContainer, Reason(zipstore.CRCMismatch), e.Name,
				"content has CRC-32 %08x, the container says %08x", j.CRC32, e.CRC32)
			refused.version, refused.profile = c.version, c.profile
			return nil, refused
		}
		files[i] = hashed{e.Name, hex.EncodeToString(j.SHA256[:])}
	}
	c.sums = make(map[string]string, len(files))
	for _, f := range files {
		c.sums[f.path] = f.sum
	}
	return files, nil
}

// verifyIndex recomputes the index from the files and names every file that
// does not fit (CAP-IDX-01 to -04).
func (v *verification) verifyIndex(files []hashed) {
	m := v.c.Manifest
	fail := func(rule finding.Rule, reason Reason, path, format string, args ...any) {
		msg := fmt.Sprintf(format, args...)
		v.res.ContentIndex.OK = false
		if len(v.res.ContentIndex.Errors) < maxProblems {
			v.res.ContentIndex.Errors = append(v.res.ContentIndex.Errors, msg)
		}
		v.problem(Problem{Rule: rule.ID, Area: AreaContentIndex, Reason: reason, Message: msg, Path: path})
	}
	v.res.ContentIndex.OK = true
	actual := make([]IndexEntry, 0, len(files))
	for _, f := range files {
		// What the signed envelope says decides, never which files are there.
		if f.path != blobPath || !v.c.Encrypted() {
			actual = append(actual, IndexEntry{Path: f.path, SHA256: f.sum})
		}
	}
	SortIndex(actual)
	sum := sha256.Sum256(AppendIndex(make([]byte, 0, len(actual)*indexElement), actual))
	v.indexHash = hex.EncodeToString(sum[:])

	listed := make(map[string]string, len(m.Files))
	for i, f := range m.Files {
		if i > 0 && jcs.CompareUTF16(m.Files[i-1].Path, f.Path) >= 0 {
			fail(ruleIndexOrder, IndexNotSorted, f.Path, "content_index.files[%d] is not sorted by path, or repeats one", i)
		}
		listed[f.Path] = f.SHA256
	}
	stored := m.Value.Member("content_index").Member("files")
	for i, f := range stored.Elements() {
		if f.Len() != 2 {
			fail(ruleIndexShape, IndexMismatch, f.Member("path").Str(), "content_index.files[%d] is not exactly {path, sha256}", i)
		}
	}
	have := make(map[string]bool, len(actual))
	for _, f := range actual {
		have[f.Path] = true
		want, ok := listed[f.Path]
		switch {
		case !ok:
			fail(ruleIndex, FileNotIndexed, f.Path, "file present but not in manifest index: %s", finding.Quote(f.Path))
		case want != f.SHA256:
			fail(ruleIndex, FileHashMismatch, f.Path, "file hash mismatch: %s is %s, the index says %s", finding.Quote(f.Path), f.SHA256, want)
		}
	}
	for _, f := range m.Files {
		if !have[f.Path] {
			fail(ruleIndex, FileMissing, f.Path, "file in manifest index but missing from package: %s", finding.Quote(f.Path))
		}
	}
	if v.indexHash != m.IndexHash {
		fail(ruleIndex, IndexMismatch, "", "content_index.index_hash mismatch: stored %s, recomputed %s", m.IndexHash, v.indexHash)
	}
	if v.indexHash != v.c.Envelope.ContentIndexHash {
		fail(ruleIndex, IndexMismatch, "", "envelope.content_index_hash mismatch: %s vs recomputed %s",
			shortText(v.c.Envelope.ContentIndexHash), v.indexHash)
	}
}

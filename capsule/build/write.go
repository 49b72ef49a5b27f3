package build

import (
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/sums"
	"seed/internal/zipstore"
)

var (
	ruleVerified = finding.Rule{ID: "CAP-BLD-05", Want: "a capsule that our own verifier accepts"}
	ruleTotal    = finding.Rule{ID: "CAP-ZIP-21", Want: "content within the size limit"}
)

// Target is where a capsule is written and read back from.
type Target interface {
	io.Writer
	io.ReaderAt
}

// Sealed is a capsule that was written and verified.
type Sealed struct {
	CapsuleID    string
	ManifestHash string // pins the content
	EntryHash    string // of the last event, "" for none
	Events       int
	Size         int64
	Result       *capsule.Result // of verifying what was written; L3 when encrypted
}

// Write seals a draft into w, which must be empty, and verifies what it wrote by
// reading it back (CAP-BLD-05). After an error what w holds is worthless.
func Write(w Target, d *Draft) (*Sealed, error) {
	b, err := prepare(d)
	if err != nil {
		return nil, err
	}
	if len(d.Recipients) > 0 {
		return b.writeEncrypted(w)
	}
	n, err := zipstore.Write(w, b.entries, zipstore.Options{})
	if err != nil {
		return nil, err
	}
	res, err := verified(w, n, d.Progress)
	if err != nil {
		return nil, err
	}
	return b.sealed(n, res), nil
}

// ID is the identity that a draft will have, known as soon as its first event
// and its originator are (CAP-BLD-04).
func ID(version string, originator, firstEventHash string) (string, error) {
	return capsule.DeriveID(version, originator, firstEventHash)
}

// builder is a draft that was read once: sums are known and the entries of the
// plain capsule are ready to be written.
type builder struct {
	d       Draft
	seal    seal
	id      string
	events  int
	entries []zipstore.File
}

// prepare fills the defaults in, checks and hashes.
func prepare(from *Draft) (*builder, error) {
	b := &builder{d: *from}
	d := &b.d
	if d.Version == "" {
		d.Version = capsule.Version06
	}
	if d.CreatedAt == "" {
		d.CreatedAt = d.SignedAt
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	total := d.Chain.Size
	for _, f := range d.Files {
		total += f.Size
	}
	if total > zipstore.DefaultMaxTotal { // before hours of hashing
		return nil, ruleTotal.Errorf(finding.Place{}, "the files have %d bytes together, and a capsule holds %d", total, int64(zipstore.DefaultMaxTotal))
	}
	if err := b.chain(); err != nil {
		return nil, err
	}
	d.Files = append(withProgram(d.Files), d.Chain)
	index, err := b.hash()
	if err != nil {
		return nil, err
	}
	if d.Reviewed != nil {
		if err := d.Reviewed(); err != nil {
			return nil, err
		}
	}
	capsule.SortIndex(index)
	b.seal.d, b.seal.index = d, index
	return b, b.close()
}

func withProgram(files []File) []File {
	for _, f := range files {
		if f.Path == "program.md" {
			return append([]File(nil), files...)
		}
	}
	return append([]File{Text("program.md", DefaultProgram)}, files...)
}

// chain walks the events, so that the anchors are what is there, and puts the
// backstop event into a chain that may not be empty.
func (b *builder) chain() error {
	d := &b.d
	if d.Chain.Open == nil {
		d.Chain = Bytes(chain.Path, nil)
	}
	d.Chain.Path = chain.Path
	r, err := d.Chain.Open()
	if err != nil {
		return err
	}
	held := d.Continues == nil || d.Continues.Events == 0
	res, err := chain.Walk(r, chain.Options{Actors: Actors(d.Participants), Visit: func(e chain.Event) error {
		held = held || e.Pos == d.Continues.Events && e.Hash() == d.Continues.EntryHash
		return nil
	}})
	if err = errors.Join(err, r.Close()); err != nil {
		return err
	}
	if !res.OK() {
		p := res.Problems[0]
		return p.Rule.Errorf(finding.Place{Name: chain.Path, Line: p.Seq}, "%s", p.Message)
	}
	if !held {
		return ruleContinue.Errorf(finding.Place{Name: chain.Path, Line: d.Continues.Events},
			"closed history was rewritten: event %d is not the one the capsule was sealed with", d.Continues.Events)
	}
	if res.Events == 0 && !d.Template {
		var log chain.Log
		line, err := log.Append(chain.Draft{
			Actor: chain.HostActor, Action: "session_ended", Timestamp: d.SignedAt,
			Payload: []byte(`{"note":"host emitted backstop event before seal"}`),
		})
		if err != nil {
			return err
		}
		d.Chain = Bytes(chain.Path, line)
		res.Events, res.First, res.Last = 1, log.First(), log.Last()
	}
	b.events, b.seal.first, b.seal.entry = res.Events, res.First, res.Last
	return nil
}

// Actors is the declared set, nil when nobody is declared.
func Actors(all []Participant) map[string]bool {
	var set map[string]bool
	for _, p := range all {
		if id := p.Actor(); id != "" {
			if set == nil {
				set = make(map[string]bool)
			}
			set[id] = true
		}
	}
	return set
}

// Small files stay in memory from hashing to writing: opening a file again costs
// more than reading it, and what is written is then what was hashed.
const (
	keepFile  = 256 << 10 // bytes of one file
	keepTotal = 32 << 20  // bytes of all that are kept
)

// hash reads every file once, on all cores.
func (b *builder) hash() ([]capsule.IndexEntry, error) {
	jobs := make([]sums.Job, len(b.d.Files))
	room := int64(keepTotal)
	for i, f := range b.d.Files {
		jobs[i] = sums.Job{Size: f.Size, Open: func() (io.Reader, error) { return f.Open() }}
		if f.Size > 0 && f.Size <= min(keepFile, room) {
			room -= f.Size
			jobs[i].Into = make([]byte, f.Size)
		}
	}
	sums.Run(jobs, b.d.Progress)
	index := make([]capsule.IndexEntry, 0, len(jobs)+1)
	for i, j := range jobs {
		f := b.d.Files[i]
		if j.Err != nil {
			return nil, fmt.Errorf("read %s: %w", finding.Quote(f.Path), j.Err)
		}
		if j.Bytes != f.Size {
			return nil, fmt.Errorf("read %s: has %d bytes now, had %d", finding.Quote(f.Path), j.Bytes, f.Size)
		}
		index = append(index, capsule.IndexEntry{Path: f.Path, SHA256: hex.EncodeToString(j.SHA256[:])})
		e := zipstore.File{Name: f.Path, Size: f.Size, CRC32: j.CRC32, Open: f.Open}
		if j.Into != nil {
			e.Open, e.Data = nil, j.Into
		}
		b.entries = append(b.entries, e)
	}
	return index, nil
}

// close makes the structural documents and adds them to the entries.
func (b *builder) close() error {
	manifest, envelope, id, err := b.seal.documents()
	if err != nil {
		return err
	}
	b.id = id
	if c := b.d.Continues; c != nil && c.CapsuleID != id {
		return ruleContinue.Errorf(finding.Place{}, "the result would be capsule %s, not %s, which it is to continue", id, finding.Quote(c.CapsuleID))
	}
	b.entries = append(b.entries, entry("manifest.json", manifest), entry("provenance/envelope.json", envelope))
	return nil
}

// entry is a file of the archive that is in memory.
func entry(path string, data []byte) zipstore.File {
	return zipstore.File{Name: path, Size: int64(len(data)), CRC32: crc32.ChecksumIEEE(data), Data: data}
}

func (b *builder) sealed(n int64, res *capsule.Result) *Sealed {
	return &Sealed{CapsuleID: b.id, ManifestHash: res.ManifestHash, EntryHash: b.seal.entry, Events: b.events, Size: n, Result: res}
}

// verified reads a capsule back and refuses it unless it is valid.
func verified(r io.ReaderAt, size int64, progress func(int64)) (*capsule.Result, error) {
	res, err := capsule.Verify(r, size, capsule.Options{Progress: progress})
	if err != nil {
		return nil, fmt.Errorf("read back what was written: %w", err)
	}
	return res, refused(res)
}

func refused(res *capsule.Result) error {
	if res.Verdict == capsule.Valid {
		return nil
	}
	if len(res.Problems) == 0 {
		return ruleVerified.Errorf(finding.Place{}, "the capsule would not verify")
	}
	p := res.Problems[0]
	return ruleVerified.Errorf(finding.Place{Name: p.Path}, "the capsule would not verify: %s (%s)", p.Message, p.Rule)
}

package build

import (
	"errors"
	"fmt"
	"io"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/zipstore"
)

var (
	ruleVerified = finding.Rule{ID: "CAP-BLD-05", Want: "a capsule that our own verifier accepts"}
	ruleTotal    = finding.Rule{ID: "CAP-ZIP-21", Want: "content within the size limit"}
)

// Target is where a capsule is written and read back from: a file, or a
// [Memory]. It is written to from several goroutines at once, each in its place.
type Target interface {
	io.WriterAt
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
	n, err := b.write(w)
	if err != nil {
		return nil, err
	}
	res, err := verified(w, n, d.Progress)
	if err != nil {
		return nil, err
	}
	return b.sealed(n, res), nil
}

// builder is a draft that was checked, with all of its files.
type builder struct {
	d      Draft
	seal   seal
	id     string
	events int

	content string // manifest hash that encrypted content must have, "" for any
}

// prepare fills the defaults in, checks, and walks the chain.
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
	b.seal.d = d
	return b, nil
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
	held := d.Continues == nil
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

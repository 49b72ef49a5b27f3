package seedfile

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"seed/finding"
	"seed/internal/visible"
	"seed/seedfile/transport"
)

// Options say how a seed is read. The zero value reads any size and does no
// more than the verdict needs.
type Options struct {
	Name    string // names the seed in findings: a file name or URL
	MaxSize int64  // bytes; 0 means no limit
	Digest  bool   // also compute the SHA-256 of the seed
	Hidden  bool   // also look for control and invisible characters
	Edited  bool   // a document that was changed after packing is only warned of: what packing it again needs
}

// Open reads a seed and holds it to every rule of the format. The error is a
// [*finding.Error] when a rule is broken (the first in the order of SP-FMT-11),
// anything else when r could not be read.
func Open(r io.ReaderAt, size int64, o Options) (*File, error) {
	f, rep, err := Check(r, size, o)
	if err == nil {
		err = rep.Err()
	}
	if err != nil {
		return nil, err // never a partial result
	}
	return f, nil
}

// Check reads a seed like [Open] and reports everything it finds, warnings
// included. The File is nil when there is a breach.
func Check(r io.ReaderAt, size int64, o Options) (*File, *finding.Report, error) {
	c := &checker{r: r, size: size, opt: o, f: &File{r: r, Size: size, name: o.Name}}
	digest := c.startDigest()
	err := c.check()
	if sumErr := digest(); err == nil {
		err = sumErr
	}
	if err != nil {
		return nil, nil, fmt.Errorf("read seed: %w", err)
	}
	for i := range c.rep.Findings {
		c.rep.Findings[i].At.Name = o.Name
	}
	if c.rep.Err() != nil {
		return nil, &c.rep, nil
	}
	return c.f, &c.rep, nil
}

type checker struct {
	r    io.ReaderAt
	size int64
	opt  Options
	f    *File
	rep  finding.Report
	s    survey
}

// startDigest hashes the seed beside the other work, because SHA-256 is the one
// part that cannot be split. The function it returns waits for the end.
func (c *checker) startDigest() func() error {
	if !c.opt.Digest || c.tooLarge() {
		return func() error { return nil }
	}
	done := make(chan error, 1)
	go func() {
		h := sha256.New()
		_, err := io.CopyBuffer(struct{ io.Writer }{h}, io.NewSectionReader(c.r, 0, c.size), make([]byte, 256<<10))
		h.Sum(c.f.Digest[:0])
		done <- err
	}()
	return func() error { return <-done }
}

func (c *checker) tooLarge() bool { return c.opt.MaxSize > 0 && c.size > c.opt.MaxSize }

// breach reports a broken rule at an offset of the file.
func (c *checker) breach(rule finding.Rule, off int64, format string, args ...any) {
	c.add(rule, finding.Breach, off, fmt.Sprintf(format, args...))
}

func (c *checker) add(rule finding.Rule, sev finding.Severity, off int64, msg string) {
	if len(c.rep.Findings) == MaxFindings {
		return
	}
	c.rep.Add(finding.Finding{Rule: rule, Severity: sev, At: c.place(off), Msg: msg})
}

func (c *checker) place(off int64) finding.Place {
	return finding.Place{Line: c.s.lineAt(c.r, min(off, c.size))}
}

// check follows the order of SP-FMT-11. Each step returns early when what comes
// after it would have no meaning.
func (c *checker) check() error {
	if c.tooLarge() {
		c.rep.Add(ruleSize.Errorf(finding.Place{}, "the seed has %d bytes, the limit is %d", c.size, c.opt.MaxSize).Finding)
		return nil
	}
	h, err := readHead(c.r, c.size)
	if err != nil {
		return err
	}
	if err := c.aim(h); err != nil {
		return err
	}
	if err := c.s.run(c.r, c.size); err != nil {
		return err
	}
	if !c.encoding(h) {
		return nil
	}
	for _, p := range h.problems {
		c.breach(p.rule, p.off, "%s", p.msg)
	}
	if len(h.problems) > 0 {
		return nil
	}
	for _, step := range []func(*head) (bool, error){c.document, c.metadata} {
		if ok, err := step(h); !ok || err != nil {
			return err
		}
	}
	if c.f.Meta.Type == "archive" {
		if err := c.archive(h); err != nil {
			return err
		}
	}
	if err := c.transport(); err != nil {
		return err
	}
	return c.hidden()
}

// aim tells the survey what to look for, as far as the head could be read.
func (c *checker) aim(h *head) error {
	if h.doc == 0 {
		return nil
	}
	c.f.URL, c.f.Filename, c.f.Sentinel = h.url, h.filename, h.sentinel
	c.s.sentinel, c.s.from = h.sentinel, h.doc
	c.s.marker, c.s.bodyFrom = h.marker, h.sections
	// When the file ends in one of our transports, the document ends where
	// that begins, so its checksum can be taken in the same pass.
	for p := transport.Doc; p <= transport.Bin; p++ {
		tail := p.Tail(h.sentinel)
		from := c.size - int64(len(tail))
		if from < h.doc {
			continue
		}
		got, err := readSome(c.r, c.size, from, int64(len(tail)))
		if err != nil {
			return err
		}
		if bytes.Equal(got, tail) {
			c.s.sumTo = from
			return nil
		}
	}
	return nil
}

func (c *checker) encoding(h *head) bool {
	switch {
	case c.s.badUTF8 != nowhere:
		c.breach(ruleEncoding, c.s.badUTF8, "not UTF-8 at byte %d", c.s.badUTF8)
	case c.s.nul != nowhere:
		c.breach(ruleEncoding, c.s.nul, "NUL byte at byte %d", c.s.nul)
	case h.bom:
		c.breach(ruleEncoding, 0, "byte-order mark at the start of the file")
	default:
		return true
	}
	return false
}

// document finds where the here-document ends, exactly as a shell does.
func (c *checker) document(h *head) (bool, error) {
	at := c.s.ended
	if at == nowhere {
		c.breach(ruleHeredoc, c.size, "the seed is cut short: no line %s ends the document", h.sentinel)
		return false, nil
	}
	// The byte before it always exists: the here-document line ends there.
	around, err := readSome(c.r, c.size, at-1, int64(len(h.sentinel))+2)
	if err != nil {
		return false, err
	}
	after := around[1+len(h.sentinel):]
	switch {
	case around[0] == '\n' && (len(after) == 0 || after[0] == '\n'):
		c.f.doc = span{h.doc, at - h.doc}
		return true, nil
	case around[0] == '\n' && after[0] == '\r':
		c.breach(ruleEncoding, at, "carriage return after the sentinel")
	default:
		c.breach(ruleCollision, at, "the sentinel %s stands inside the document", h.sentinel)
	}
	return false, nil
}

func (c *checker) metadata(h *head) (bool, error) {
	if h.meta.n < 0 || h.payload > c.f.doc.end() {
		return false, c.blockFault(h.doc, ruleLines, "the metadata")
	}
	raw, err := readSome(c.r, c.size, h.meta.off, h.meta.n)
	if err != nil {
		return false, err
	}
	c.f.metaLine = c.place(h.meta.off).Line
	meta, rep := ParseMetadata(raw, c.f.metaLine)
	for _, f := range rep.Findings {
		if len(c.rep.Findings) < MaxFindings {
			c.rep.Add(f)
		}
	}
	if meta == nil {
		return false, nil
	}
	c.f.Meta = meta
	c.f.payload = span{h.payload, c.f.doc.end() - h.payload}
	return true, nil
}

// blockFault says why no block of lines between --- lines could be read at off.
func (c *checker) blockFault(off int64, rule finding.Rule, what string) error {
	b, err := readSome(c.r, c.f.doc.end(), off, MaxMetadata)
	if err != nil {
		return err
	}
	cr := bytes.Index(b, []byte("\n---\r\n"))
	switch {
	case bytes.HasPrefix(b, []byte(bom+"---")):
		c.breach(ruleEncoding, off, "byte-order mark before %s", what)
	case bytes.HasPrefix(b, []byte("---\r\n")):
		c.breach(ruleEncoding, off, "carriage return in %s", what)
	case !bytes.HasPrefix(b, []byte(fence)):
		c.breach(rule, off, "%s should begin here with a --- line", what)
	case cr >= 0:
		c.breach(ruleEncoding, off+int64(cr)+1, "carriage return in the --- line that closes %s", what)
	default:
		c.breach(rule, off, "%s is never closed by a --- line (or is over %d bytes)", what, MaxMetadata)
	}
	return nil
}

// transport compares the shell part with the canonical ones (SP-TPL-09) and the
// document with the checksum it names (SP-TPL-05).
func (c *checker) transport() error {
	const most = 64 << 10 // ours are far smaller
	head := make([]byte, min(c.f.doc.off, most))
	if _, err := io.ReadFull(io.NewSectionReader(c.r, 0, c.size), head); err != nil {
		return err
	}
	tail := make([]byte, min(c.size-c.f.doc.end(), most))
	if _, err := io.ReadFull(io.NewSectionReader(c.r, c.f.doc.end(), c.size), tail); err != nil {
		return err
	}
	c.f.Transport = transport.Recognise(head, tail)
	switch t := &c.f.Transport; {
	case t.Canonical:
		c.f.Sum = c.s.sum.String()
		if got := c.f.Sum; got != t.Params.Sum {
			f := ruleSum.Errorf(c.place(c.f.doc.off), "the document was changed after packing: its checksum is %s, the transport names %s",
				finding.Quote(got), finding.Quote(t.Params.Sum)).WithHint("if you made the change, pack the seed again: seed pack FILE -o FILE").Finding
			if c.opt.Edited {
				f.Severity = finding.Warning
			}
			c.rep.Add(f)
		}
		if !c.f.carried() {
			c.add(ruleCarries, finding.Warning, c.f.doc.off, "the transport "+t.Profile.String()+" does not carry what this seed asks for: a shell will refuse it")
		}
	case cutShort(head, tail, c.f.Sentinel):
		c.breach(ruleHeredoc, c.size, "the seed is cut short: its transport ends too early")
	default:
		c.add(ruleTransport, finding.Warning, 1, "the transport is not a canonical one: what a shell would run here is not known to be safe")
	}
	if c.f.URL == transport.Unplanted {
		c.add(ruleURL, finding.Note, 0, "the usage line holds the placeholder URL: not planted yet")
	}
	if strings.HasPrefix(c.f.Sentinel, "XDOWN_") {
		c.add(ruleSentinel, finding.Note, c.f.doc.off-1, "old sentinel prefix XDOWN_: read, never written")
	}
	return nil
}

// cutShort reports whether tail is the beginning of a canonical transport whose
// rest is missing. A shell would refuse such a file; so do we.
func cutShort(head, tail []byte, sentinel string) bool {
	if !bytes.Contains(head, []byte("\n{ seed_file=")) {
		return false
	}
	for p := transport.Doc; p <= transport.Bin; p++ {
		// Without its last LF the file still runs.
		if full := p.Tail(sentinel); len(tail) < len(full)-1 && bytes.HasPrefix(full, tail) {
			return true
		}
	}
	return false
}

// hidden warns about characters in the document that a person would not see.
func (c *checker) hidden() error {
	if !c.opt.Hidden {
		return nil
	}
	const most = 20
	found, total, err := visible.Scan(c.f.Document(), most)
	if err != nil {
		return err
	}
	first := c.place(c.f.doc.off).Line
	for _, h := range found {
		msg := "hidden character " + h.Code + " (" + h.Name + ")"
		if h.Count > 1 {
			msg += fmt.Sprintf(", %d in a row", h.Count)
		}
		if h.Decoded != "" {
			msg += ", which spell " + finding.Quote(h.Decoded)
		}
		total -= h.Count
		c.rep.Add(finding.Finding{
			Rule: ruleControls, Severity: finding.Warning, Msg: msg,
			At: finding.Place{Line: first + h.Line - 1, Col: h.Col},
		})
	}
	if total > 0 {
		c.add(ruleControls, finding.Warning, c.f.doc.off, fmt.Sprintf("%d more hidden characters", total))
	}
	return nil
}

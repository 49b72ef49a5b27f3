package seedfile

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"seed/finding"
	"seed/seedfile/transport"
)

// PackOptions are the choices that all packers share. Empty values take the
// default that fits the source (SP-PACK-03).
type PackOptions struct {
	Base string   // name of the file or folder that is packed
	Name string   // the seed's name
	Type string   // the seed's type
	Grow []string // directives
	URL  string   // of the usage line
}

// Packed is a seed that is ready to be written: everything about it is known,
// its content is read again when it is written.
type Packed struct {
	Meta     *Metadata
	Profile  transport.Profile
	Params   transport.Params
	Size     int64     // of the seed in bytes
	Files    []Entry   // members of the archive, in order
	Skipped  []Refusal // left out as the options said
	AddedLF  bool      // the file had no final newline and got one (SP-PAY-03)
	Warnings []string

	parts    []part
	progress func(bytes int64) // is told of each source that was written
}

// part is a stretch of the document: bytes at hand, or a source to read again.
type part struct {
	text []byte
	open func() (io.ReadCloser, error)
	path string        // names the source in errors
	crc  transport.CRC // of what must come out
	enc  bool          // write it as base64
	size int64         // of the source, for progress
}

func textPart(s string) part {
	p := part{text: []byte(s)}
	_, _ = p.crc.Write(p.text)
	return p
}

// finish chooses the sentinel and the transport for metadata and payload.
func (p *Packed) finish(o PackOptions, filename string, a *avoid, content [32]byte, hasBinary bool) error {
	if o.URL == "" {
		o.URL = transport.Unplanted
	}
	if why := CheckURL(o.URL); why != "" {
		return ruleURL.Errorf(finding.Place{}, "%s: %s", why, finding.Quote(o.URL))
	}
	meta := "---\n" + string(p.Meta.Raw()) + "---\n\n"
	// What a reader would refuse for its size is not written.
	if len(meta)-len("\n") > MaxMetadata {
		return ruleFields.Errorf(finding.Place{Name: o.Base}, "the metadata is over %d bytes", MaxMetadata)
	}
	p.parts = append([]part{textPart(meta)}, p.parts...)
	for _, part := range p.parts {
		if part.path == "" { // what has a path was looked at when it was read
			a.find(part.text, 0)
		}
	}
	seal := sha256.Sum256(append([]byte(meta), content[:]...))
	sentinel, err := a.sentinel(seal)
	if err != nil {
		return err
	}
	var sum transport.CRC
	for _, part := range p.parts {
		sum.Combine(part.crc)
	}
	grow := strings.TrimSuffix(p.Meta.Field("grow"), "\n")
	p.Profile = transport.For(p.Meta.Grow, grow, hasBinary)
	p.Params = transport.Params{URL: o.URL, File: filename, Sum: sum.String(), Sentinel: sentinel}
	head := p.Profile.Head(p.Params)
	if len(head) > MaxUsage {
		return ruleURL.Errorf(finding.Place{}, "the URL is too long: %s", finding.Quote(o.URL))
	}
	p.Size = int64(len(head)) + sum.Size() + int64(len(p.Profile.Tail(sentinel)))
	return nil
}

// check holds the values that become metadata lines to the form in which the
// format writes them. A reader is milder, and a line break would add a field.
func (o PackOptions) check() error {
	if o.Name != "" && !PlainName(o.Name) {
		return ruleFields.Errorf(finding.Place{}, "name %s is not plain: letters, digits, dots, underscores and dashes", finding.Quote(o.Name))
	}
	if o.Type != "" && !validType(o.Type) {
		return ruleType.Errorf(finding.Place{}, "type %s is not skill, tool, context, data or archive", finding.Quote(o.Type))
	}
	for _, d := range o.Grow {
		if why := checkDirective(d); why != "" {
			return ruleDirective.Errorf(finding.Place{}, "%s: %s", why, finding.Quote(d))
		}
	}
	return nil
}

// newMetadata writes the fields of a seed in their order. extra are whole lines.
func newMetadata(grow []string, typ, name, extra string) (*Metadata, error) {
	raw := "seed: \"1.0\"\n" + growLines(grow)
	if typ != "" {
		raw += "type: " + typ + "\n"
	}
	if name != "" {
		raw += "name: " + name + "\n"
	}
	m, rep := ParseMetadata([]byte(raw+extra), 1)
	return m, rep.Err()
}

// override replaces the fields that the options name.
func override(m *Metadata, o PackOptions) (*Metadata, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	// The type first: whether a directive is allowed depends on it.
	set := []struct{ key, lines string }{{"type", field("type", o.Type)}, {"name", field("name", o.Name)}, {"grow", ""}}
	if len(o.Grow) > 0 {
		set[2].lines = growLines(o.Grow)
	}
	raw := m
	for _, s := range set {
		if s.lines == "" {
			continue
		}
		raw = raw.splice(s.key, s.lines)
	}
	if raw == m {
		return m, nil
	}
	out, rep := ParseMetadata(raw.Raw(), 1)
	return out, rep.Err()
}

func field(key, value string) string {
	if value == "" {
		return ""
	}
	return key + ": " + value + "\n"
}

// CleanName makes a plain name of a file or folder name, or "" when nothing is
// left of it.
func CleanName(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	return cleanName(base)
}

func cleanName(s string) string {
	b := []byte(s)
	for i, c := range b {
		if !isAlnum(c) && c != '.' && c != '_' && c != '-' {
			b[i] = '-'
		}
	}
	s = strings.Trim(string(bytes.TrimLeft(b, "._-")), "-")
	return s[:min(len(s), 96)]
}

// filenameFor is where a seed's document lands (SP-FMT-07).
func filenameFor(name string) string {
	if f := name + ".md"; name != "" && validFilename(f) {
		return f
	}
	return "seed.md"
}

// Repack keeps a seed's metadata, payload, URL and file name byte for byte and
// gives it the current transport (SP-PACK-06). Fields named in the options are
// the exception; a signature stays in any case and is then no longer valid. The
// seed must stay readable until the result is written.
func Repack(f *File, o PackOptions) (*Packed, error) {
	return repack(f, o, func(m *Metadata, _ [32]byte) (*Metadata, error) { return m, nil })
}

// repack is Repack with a last edit of unknown fields, which may depend on the
// SHA-256 of the payload.
func repack(f *File, o PackOptions, edit func(m *Metadata, payload [32]byte) (*Metadata, error)) (*Packed, error) {
	meta, err := override(f.Meta, o)
	if err != nil {
		return nil, fmt.Errorf("change metadata: %w", err)
	}
	if o.URL == "" {
		o.URL = f.URL
	}
	var reader fileReader
	c, err := reader.read(f.Payload(), nil)
	if err != nil {
		return nil, err
	}
	if c.size != f.payload.n {
		return nil, ruleTwoPass.Errorf(finding.Place{Name: f.name}, "the file changed while it was packed")
	}
	if meta, err = edit(meta, c.sum); err != nil {
		return nil, fmt.Errorf("change metadata: %w", err)
	}
	p := &Packed{Meta: meta}
	content, binary := c.sum, false
	switch {
	case meta.Type == "archive" && f.Archive == nil:
		return nil, ruleArchive.Errorf(finding.Place{}, "the payload was not read as an archive, so the type cannot become archive")
	case meta.Type == "archive":
		p.Files = f.Archive.Files
		if content, binary, err = f.Archive.digest(); err != nil {
			return nil, err
		}
	}
	p.parts = []part{{open: func() (io.ReadCloser, error) { return io.NopCloser(f.Payload()), nil }, path: "payload", crc: c.crc}}
	return p, p.finish(o, f.Filename, &reader.avoid, content, binary)
}

// digest is the SHA-256 that a packer of the same files starts from.
func (a *Archive) digest() (sum [32]byte, binary bool, err error) {
	t := newTreeDigest(a.Root, a.At)
	var reader fileReader
	for i := range a.Files {
		e := &a.Files[i]
		c, err := reader.read(a.Open(e), nil)
		if err != nil {
			return sum, false, err
		}
		t.add(e, c.sum)
		binary = binary || e.Encoded
	}
	return t.sum(), binary, nil
}

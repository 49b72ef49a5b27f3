package seedfile

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"seed/finding"
	"seed/internal/pathrule"
)

// Archive is the payload of a seed of type archive: text files one after the
// other between HTML comments.
type Archive struct {
	Marker string
	Root   string // the packed folder's name; information, never a path
	At     string // when it was packed; information
	Files  []Entry
	Raw    []byte // the frontmatter as it stands between its "---" lines

	r io.ReaderAt
}

// Entry is one file of an archive. Its path passed the path rule.
type Entry struct {
	Path    string
	Mode    fs.FileMode // permission bits, 0644 unless the archive says otherwise
	Encoded bool        // enc="base64"
	Size    int64       // of the content
	body    span
}

// Open returns the content of an entry.
func (a *Archive) Open(e *Entry) io.Reader {
	body := io.NewSectionReader(a.r, e.body.off, e.body.n)
	if e.Encoded {
		return base64.NewDecoder(base64.StdEncoding.Strict(), body)
	}
	return body
}

// findMarker returns the marker of an archive frontmatter, or "".
func findMarker(raw []byte) string {
	for _, l := range splitLines(raw) {
		if key, value, ok := cutField(string(l)); ok && key == "marker" {
			if m := unquote(trimValue(value)); validMarker(m) {
				return m
			}
		}
	}
	return ""
}

func validMarker(m string) bool {
	return len(m) == 6 && allBytes(m, func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
	})
}

// archive reads the payload as an archive (SP-ARC).
func (c *checker) archive(h *head) error {
	at := c.f.payload.off
	if h.arc.n < 0 || h.sections > c.f.doc.end() {
		return c.blockFault(at, ruleArchive, "the archive frontmatter that type: archive asks for")
	}
	a := &Archive{r: c.r}
	if ok, err := c.archiveFields(a, h); !ok || err != nil {
		return err
	}
	if c.s.tooMany {
		c.breach(ruleSections, h.sections, "the archive has more than %d files", MaxFiles)
		return nil
	}
	before := c.rep.Count(finding.Breach)
	c.sections(a, h.sections)
	if c.rep.Count(finding.Breach) == before {
		if err := c.encoded(a); err != nil {
			return err
		}
	}
	c.f.Archive = a
	return nil
}

func (c *checker) archiveFields(a *Archive, h *head) (bool, error) {
	raw, err := readSome(c.r, c.size, h.arc.off, h.arc.n)
	if err != nil {
		return false, err
	}
	a.Raw = raw
	before := c.rep.Count(finding.Breach)
	seen := map[string]string{}
	off := h.arc.off
	for _, l := range splitLines(raw) {
		key, value, ok := cutField(string(l))
		_, dup := seen[key]
		switch {
		case bytes.IndexByte(l, '\r') >= 0:
			c.breach(ruleEncoding, off, "carriage return in the archive frontmatter")
		case !ok:
		case key != "seed" && key != "marker" && key != "root" && key != "at":
		case dup:
			c.breach(ruleArchive, off, "field %q stands in the archive frontmatter twice", key)
		default:
			seen[key] = trimValue(value)
		}
		off += int64(len(l)) + 1
	}
	if seen["seed"] != `"1.0"` {
		c.breach(ruleArchive, h.arc.off, `the archive frontmatter has no seed: "1.0"`)
	}
	a.Marker, a.Root, a.At = unquote(seen["marker"]), unquote(seen["root"]), unquote(seen["at"])
	if !validMarker(a.Marker) {
		c.breach(ruleArchive, h.arc.off, "the archive frontmatter has no marker of six hex digits")
	}
	if a.Root == "" {
		c.breach(ruleArchive, h.arc.off, "the archive frontmatter has no root")
	}
	if !looksLikeTime(a.At) {
		c.breach(ruleArchive, h.arc.off, "the archive frontmatter has no date and time in at")
	}
	return c.rep.Count(finding.Breach) == before, nil
}

// looksLikeTime accepts a date, or a date with a time of day, in the shapes of
// ISO 8601. The field is information, so the shape is all that counts.
func looksLikeTime(s string) bool {
	rest, ok := cutShape(s, "9999-19-39")
	if !ok || rest == "" {
		return ok
	}
	if rest, ok = cutShape(rest, "T29:59"); !ok {
		return false
	}
	if seconds, ok := cutShape(rest, ":69"); ok {
		rest = seconds
		if fraction, ok := cutShape(rest, ".9"); ok {
			rest = strings.TrimLeft(fraction, "0123456789")
		}
	}
	if rest == "" || rest == "Z" {
		return true
	}
	zone, ok := cutShape(rest[1:], "29:59")
	return ok && zone == "" && (rest[0] == '+' || rest[0] == '-')
}

// cutShape takes what has the given shape off the front of s. A digit in the
// shape stands for that digit or a smaller one, anything else for itself.
func cutShape(s, shape string) (rest string, ok bool) {
	if len(s) < len(shape) {
		return s, false
	}
	for i := range len(shape) {
		digit := shape[i] >= '0' && shape[i] <= '9'
		if s[i] > shape[i] || digit && s[i] < '0' || !digit && s[i] != shape[i] {
			return s, false
		}
	}
	return s[len(shape):], true
}

// sections walks the delimiters that the survey found.
func (c *checker) sections(a *Archive, from int64) {
	var (
		names pathrule.Set
		pos   = from // nothing before pos can begin a section
		end   = c.f.doc.end()
		ended bool
	)
	a.Files = make([]Entry, 0, len(c.s.sections))
	closeLast := func(at int64) {
		if n := len(a.Files); n > 0 {
			e := &a.Files[n-1]
			e.body.n = at - e.body.off
			e.Size = e.body.n
		}
	}
	for _, s := range c.s.sections {
		switch {
		case s.start < pos || s.start >= end:
			continue // inside a header, or behind the document
		case len(a.Files) == 0 && s.start != from:
			c.breach(ruleSections, from, "text before the first file of the archive")
			return
		case ended:
			c.breach(ruleSections, pos, "text after the end of the archive")
			return
		}
		closeLast(s.start)
		if !c.section(&s) {
			return
		}
		pos = s.body
		if s.kind == sectionEnd {
			if len(a.Files) == 0 {
				c.breach(ruleSections, from, "the archive has no files")
				return
			}
			ended = true
			continue
		}
		c.path(s, &names)
		e := Entry{Path: s.path, Mode: 0o644, Encoded: s.enc, body: span{off: s.body}}
		if s.mode >= 0 {
			e.Mode = fs.FileMode(s.mode)
		}
		a.Files = append(a.Files, e)
	}
	switch {
	case len(a.Files) == 0 && from < end:
		c.breach(ruleSections, from, "text before the first file of the archive")
	case len(a.Files) == 0:
		c.breach(ruleSections, from, "the archive has no files")
	case !ended:
		c.breach(ruleSections, end, "the archive is cut short: no end mark")
	case pos != end:
		c.breach(ruleSections, pos, "text after the end of the archive")
	}
}

// section reports a header that is not one.
func (c *checker) section(s *section) bool {
	switch s.kind {
	case badSection:
		c.breach(ruleSections, s.start, "the delimiter opens neither a file nor the end of the archive")
	case badAttr:
		c.breach(ruleSections, s.start, "unknown attribute in a file header")
	case badMode:
		c.breach(ruleMode, s.start, "the mode is not three octal digits")
	case badPath:
		c.breach(rulePath, s.start, "the path is longer than %d bytes", pathrule.MaxPath)
	case badHeader:
		c.breach(ruleSections, s.start, "the file header does not end on its line")
	case badCR:
		c.breach(ruleEncoding, s.start, "carriage return at the end of a section header")
	default:
		return true
	}
	return false
}

func (c *checker) path(s section, names *pathrule.Set) {
	if err := pathrule.Check(s.path); err != nil {
		c.breach(rulePath, s.start, "unsafe path %s: %v", finding.Quote(s.path), err)
		return
	}
	if err := names.Add(s.path); err != nil {
		c.breach(ruleSections, s.start, "path %s: %v", finding.Quote(s.path), err)
	}
}

// encoded holds the bodies of enc="base64" to their canonical form and learns
// the size of their content (SP-ARC-09).
func (c *checker) encoded(a *Archive) error {
	for i := range a.Files {
		e := &a.Files[i]
		if !e.Encoded {
			continue
		}
		size, err := checkBase64(io.NewSectionReader(c.r, e.body.off, e.body.n))
		if bad, ok := err.(*badBase64); ok {
			c.breach(ruleEncoded, e.body.off+bad.off, "file %s: %s", finding.Quote(e.Path), bad.msg)
			continue
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", finding.Quote(e.Path), err)
		}
		e.Size = size
	}
	return nil
}

package seedfile

import (
	"bytes"
	"io"
	"strings"

	"seed/finding"
)

// PackDocument packs one text file; tap, if not nil, is shown all of it.
// Frontmatter of its own is kept line for line under the seed's fields, so that
// what loaded the file before still loads it after growing (SP-PACK-02).
func PackDocument(r io.ReaderAt, size int64, o PackOptions, tap io.Writer) (*Packed, error) {
	raw, next, err := readBlock(r, size, 0)
	if err != nil {
		return nil, err
	}
	payload := next
	if next > 0 {
		if payload, err = skipBlank(r, size, next); err != nil {
			return nil, err
		}
	}
	p := &Packed{}
	if p.Meta, err = mergeMetadata(raw, o); err != nil {
		return nil, err
	}
	if next == 0 && startsCRLFBlock(r) {
		p.Warnings = append(p.Warnings, "the frontmatter has CRLF line ends, so it is carried as text")
	}
	if tap != nil {
		if _, err := io.Copy(tap, io.NewSectionReader(r, 0, payload)); err != nil {
			return nil, err
		}
	}
	if last, err := readSome(r, size, max(payload, size-1), 1); err != nil {
		return nil, err
	} else if len(last) == 1 && last[0] != '\n' {
		p.AddedLF = true
	}
	// The newline is part of what is hashed: packing the result again must give
	// the same bytes.
	body := func() io.Reader {
		text := io.NewSectionReader(r, payload, size-payload)
		if p.AddedLF {
			return io.MultiReader(text, strings.NewReader("\n"))
		}
		return text
	}
	var reader fileReader
	c, err := reader.read(body(), tap)
	if err != nil {
		return nil, err
	}
	if c.binary != "" {
		return nil, ruleCarry.Errorf(finding.Place{Name: o.Base}, "the file %s", c.binary).
			WithHint("carry it in an archive: seed pack --archive --binary=base64")
	}
	p.parts = []part{{open: func() (io.ReadCloser, error) { return io.NopCloser(body()), nil }, path: o.Base, crc: c.crc}}
	content, binary := c.sum, false
	if p.Meta.Type == "archive" {
		a, err := documentArchive(r, size, payload, o.Base)
		if err != nil {
			return nil, err
		}
		p.Files = a.Files
		if content, binary, err = a.digest(); err != nil {
			return nil, err
		}
	}
	return p, p.finish(o, filenameFor(p.Meta.Name), &reader.avoid, content, binary)
}

// documentArchive reads the archive in a document that has no transport: what an
// archive seed with "grow: show" leaves behind. Packed again it is the same seed.
func documentArchive(r io.ReaderAt, size, payload int64, name string) (*Archive, error) {
	c := &checker{r: r, size: size, f: &File{r: r, Size: size, doc: span{0, size}, payload: span{payload, size - payload}}}
	h := &head{meta: span{n: -1}, arc: span{n: -1}}
	if err := h.findMetadata(r, size); err != nil {
		return nil, err
	}
	c.s.marker, c.s.bodyFrom = h.marker, h.sections
	if err := c.s.run(r, size); err != nil {
		return nil, err
	}
	if err := c.archive(h); err != nil {
		return nil, err
	}
	for i := range c.rep.Findings {
		c.rep.Findings[i].At.Name = name
	}
	return c.f.Archive, c.rep.Err()
}

// mergeMetadata puts the seed's fields above a file's own lines. What the file
// says of a known field stays unless the options say otherwise.
func mergeMetadata(raw []byte, o PackOptions) (*Metadata, error) {
	own := map[string]bool{}
	for _, l := range splitLines(raw) {
		if key, _, ok := cutField(string(l)); ok {
			own[key] = true
		}
	}
	var top strings.Builder
	for _, f := range []struct{ key, lines string }{
		{"seed", "seed: \"1.0\"\n"},
		{"grow", "grow: show\n"},
		{"type", field("type", documentType(own))},
		{"name", field("name", CleanName(o.Base))},
	} {
		if !own[f.key] {
			top.WriteString(f.lines)
		}
	}
	added := strings.Count(top.String(), "\n")
	merged, rep := ParseMetadata(append([]byte(top.String()), raw...), 2-added)
	if err := rep.Err(); err != nil {
		return nil, mergeError(err, o, len(raw) > 0)
	}
	return override(merged, o)
}

func documentType(own map[string]bool) string {
	if own["name"] && own["description"] {
		return "skill"
	}
	return "context"
}

// mergeError points at the file's own line and says how to carry it as it is.
func mergeError(err error, o PackOptions, hasOwn bool) error {
	broken, ok := err.(*finding.Error)
	if !ok || !hasOwn {
		return err
	}
	e := ruleConflict.Errorf(finding.Place{Name: o.Base, Line: max(broken.At.Line, 0)},
		"the frontmatter cannot be merged with a seed's: %s (%s)", broken.Msg, broken.Rule.ID)
	return e.WithHint("change the line, or carry the file as it is: seed pack --archive")
}

func startsCRLFBlock(r io.ReaderAt) bool {
	var b [5]byte
	n, _ := r.ReadAt(b[:], 0) // a shorter file has no frontmatter
	return bytes.Equal(b[:n], []byte("---\r\n"))
}

// Frontmatter reads the frontmatter of a text file that is not a seed. It is nil
// when there is none, or when it does not fit the line profile.
func Frontmatter(text []byte) *Metadata {
	raw, next, err := readBlock(bytes.NewReader(text), int64(len(text)), 0)
	if err != nil || next == 0 {
		return nil
	}
	p := metaParser{meta: &Metadata{}, seen: map[string]string{}}
	for _, line := range splitLines(raw) {
		p.line(string(line))
	}
	if p.rep.Err() != nil {
		return nil
	}
	return p.meta
}

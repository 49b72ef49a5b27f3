package seedfile

import (
	"bytes"

	"seed/internal/pathrule"
)

// section is one delimiter of an archive with what follows it on its line.
type section struct {
	start int64 // of the delimiter
	body  int64 // after the LF of the header
	path  string
	mode  int16 // -1 when the header has none
	enc   bool  // enc="base64"
	kind  sectionKind
}

type sectionKind uint8

const (
	sectionFile sectionKind = iota
	sectionEnd
	badSection // neither file nor end
	badAttr
	badMode
	badPath   // too long
	badHeader // does not end on its line
	badCR     // ends with CR LF
)

const (
	delimLen       = len("<!--seed:") + 6 + len("@")
	maxSectionHead = len(`file path=""`) + pathrule.MaxPath + len(` mode="755" enc="base64"-->`) + 1
)

// isDelim reports whether b is a delimiter of the archive with that marker, in
// either spelling.
func isDelim(b []byte, marker string) bool {
	if len(b) != delimLen || string(b[len(b)-7:len(b)-1]) != marker {
		return false
	}
	return string(b[:9]) == "<!--seed:" || string(b[:9]) == "<!--fold:"
}

// parseSection reads the header after a delimiter. b is at least as long as a
// legal header unless the file ends first. body is relative to b.
func parseSection(b []byte) section {
	s := section{mode: -1}
	if rest, ok := bytes.CutPrefix(b, []byte("end-->\n")); ok {
		s.kind, s.body = sectionEnd, int64(len(b)-len(rest))
		return s
	}
	rest, ok := bytes.CutPrefix(b, []byte(`file path="`))
	if !ok {
		s.kind = badSection
		if bytes.HasPrefix(b, []byte("end-->\r\n")) {
			s.kind = badCR
		}
		return s
	}
	quote := bytes.IndexAny(rest[:min(len(rest), pathrule.MaxPath+1)], "\"\n")
	if quote < 0 {
		s.kind = badPath
		return s
	}
	if rest[quote] == '\n' {
		s.kind = badHeader
		return s
	}
	path := rest[:quote]
	rest = rest[quote+1:]
	if attr, ok := bytes.CutPrefix(rest, []byte(` mode="`)); ok {
		if len(attr) < 4 || !isOctal(attr[:3]) || attr[3] != '"' {
			s.kind = badMode
			return s
		}
		s.mode = int16(attr[0]-'0')<<6 | int16(attr[1]-'0')<<3 | int16(attr[2]-'0')
		rest = attr[4:]
	}
	if attr, ok := bytes.CutPrefix(rest, []byte(` enc="base64"`)); ok {
		s.enc, rest = true, attr
	}
	body, ok := bytes.CutPrefix(rest, []byte("-->\n"))
	if !ok {
		s.kind = badAttr
		if bytes.HasPrefix(rest, []byte("-->\r\n")) {
			s.kind = badCR
		}
		return s
	}
	s.path, s.body = string(path), int64(len(b)-len(body))
	return s
}

func isOctal(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '7' {
			return false
		}
	}
	return true
}

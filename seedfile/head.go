package seedfile

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"seed/finding"
)

// head is what the first lines of a seed say. It is read before anything is
// known to be sound, so that the one pass over all bytes knows what to look for;
// problems are kept until it is their turn (SP-FMT-11).
type head struct {
	bom      bool
	url      string
	filename string
	sentinel string
	doc      int64 // the document begins here; 0 when no here-document was found
	meta     span  // the lines between the --- lines; n is -1 when they never close
	payload  int64
	marker   string // of an archive whose frontmatter could be read
	arc      span
	sections int64 // after the archive's frontmatter

	problems []problem
}

type problem struct {
	rule finding.Rule
	off  int64
	msg  string
}

func (h *head) problem(rule finding.Rule, off int64, msg string) {
	h.problems = append(h.problems, problem{rule, off, msg})
}

const (
	usagePrefix = "# Usage: curl -sSL "
	usageSuffix = " | bash -s <path>"
	openPrefix  = `cat > "$TARGET/`
	fence       = "---\n"
	bom         = "\xef\xbb\xbf"
)

func readHead(r io.ReaderAt, size int64) (*head, error) {
	h := &head{meta: span{n: -1}, arc: span{n: -1}}
	first, err := readSome(r, size, 0, MaxUsage)
	if err != nil {
		return nil, err
	}
	h.bom = bytes.HasPrefix(first, []byte(bom))
	h.usage(first)
	if err := h.findDocument(r, size, int64(bytes.IndexByte(first, '\n')+1)); err != nil || h.doc == 0 {
		return h, err
	}
	return h, h.findMetadata(r, size)
}

func (h *head) usage(first []byte) {
	line, _, whole := bytes.Cut(first, []byte("\n"))
	rest, ok := strings.CutPrefix(string(line), usagePrefix)
	url, ok2 := strings.CutSuffix(rest, usageSuffix)
	switch {
	case len(first) == 0:
		h.problem(ruleUsage, 0, "the file is empty")
	case bytes.HasSuffix(line, []byte("\r")):
		h.problem(ruleEncoding, 0, "carriage return at the end of line 1: the file has CRLF line ends")
	case !whole && len(first) >= MaxUsage:
		h.problem(ruleUsage, 0, "line 1 is too long to be a usage comment")
	case !ok || !ok2:
		h.problem(ruleUsage, 0, "line 1 is not the usage comment "+usagePrefix+"URL"+usageSuffix)
	default:
		h.url = url
		if why := CheckURL(url); why != "" {
			h.problem(ruleURL, 0, why+": "+finding.Quote(url))
		}
	}
}

// CheckURL returns why url may not stand in a usage comment, or "": https with
// a host and no character that a shell would act on; plain http to loopback.
func CheckURL(url string) string {
	if rest, ok := strings.CutPrefix(url, "http://"); ok {
		if rest, ok = cutLoopback(rest); !ok {
			return "plain http is for loopback only"
		}
		if !allBytes(rest, isUsageURLChar) {
			return "the URL holds characters outside the safe set"
		}
		return ""
	}
	rest, ok := strings.CutPrefix(url, "https://")
	if !ok {
		return "the URL does not begin with https://"
	}
	if rest == "" || !isAlnum(rest[0]) || !allBytes(rest, isUsageURLChar) {
		return "the URL holds characters outside the safe set"
	}
	return ""
}

// cutLoopback takes a host that is this machine off the front of s.
func cutLoopback(s string) (rest string, ok bool) {
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
		if rest, ok = strings.CutPrefix(s, host); ok && (rest == "" || rest[0] == '/' || rest[0] == ':') {
			port, _, _ := strings.Cut(strings.TrimPrefix(rest, ":"), "/")
			return rest, rest == "" || rest[0] == '/' || allBytes(port, func(c byte) bool { return c >= '0' && c <= '9' })
		}
	}
	return "", false
}

// findDocument looks for the first here-document line (SP-FMT-06). What comes
// before it is opaque and may be of any size, lines included.
func (h *head) findDocument(r io.ReaderAt, size, from int64) error {
	near := problem{rule: ruleHeredoc, off: size, msg: `no here-document: no line cat > "$TARGET/NAME" <<'SENTINEL'`}
	if from == 0 {
		from = size // line 1 never ends
	}
	lines := bufio.NewReaderSize(io.NewSectionReader(r, from, size-from), 64<<10)
	for off, fresh := from, true; ; {
		line, err := lines.ReadSlice('\n')
		if fresh && err == nil && h.opensDocument(line, off, &near) {
			h.doc = off + int64(len(line))
			if off == from {
				h.problem(ruleBootstrap, off, "no bootstrap before the here-document")
			}
			return nil
		}
		off += int64(len(line))
		fresh = err == nil // what follows a full buffer is the middle of a line
		switch {
		case errors.Is(err, io.EOF):
			h.problem(near.rule, near.off, near.msg)
			return nil
		case err != nil && !errors.Is(err, bufio.ErrBufferFull):
			return err
		}
	}
}

// opensDocument reports whether line opens the here-document. A line that comes
// near is remembered, for a message that helps.
func (h *head) opensDocument(line []byte, off int64, near *problem) bool {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(string(line), "\n"), openPrefix)
	if !ok {
		return false
	}
	name, word, _ := strings.Cut(rest, `"`)
	word, quoted := strings.CutPrefix(word, " <<'")
	sentinel, closed := strings.CutSuffix(word, "'")
	switch {
	case strings.HasSuffix(rest, "\r"):
		*near = problem{ruleEncoding, off, "carriage return in the here-document line"}
	case !validFilename(name):
		*near = problem{ruleFilename, off, "the here-document writes to a name that is not plain: " + finding.Quote(name)}
	case !quoted || !closed || !validSentinel(sentinel):
		*near = problem{ruleSentinel, off, "the sentinel is not SEED_ and eight upper-case hex digits: " + finding.Quote(sentinel)}
	default:
		h.filename, h.sentinel = name, sentinel
		return true
	}
	return false
}

func validFilename(s string) bool {
	return s != "" && len(s) <= 100 && (isAlnum(s[0]) || s[0] == '_') &&
		allBytes(s, func(c byte) bool { return isAlnum(c) || c == '.' || c == '_' || c == '-' })
}

func validSentinel(s string) bool {
	hex, ok := strings.CutPrefix(s, "SEED_")
	if !ok {
		hex, ok = strings.CutPrefix(s, "XDOWN_")
	}
	return ok && len(hex) == 8 && allBytes(hex, func(c byte) bool { return c >= '0' && c <= '9' || c >= 'A' && c <= 'F' })
}

// findMetadata finds the blocks between --- lines at the start of the document
// and, when the payload looks like an archive, of the payload.
func (h *head) findMetadata(r io.ReaderAt, size int64) error {
	raw, next, err := readBlock(r, size, h.doc)
	if err != nil || next == 0 {
		return err
	}
	h.meta = span{h.doc + int64(len(fence)), int64(len(raw))}
	if h.payload, err = skipBlank(r, size, next); err != nil {
		return err
	}
	arc, next, err := readBlock(r, size, h.payload)
	if err != nil || next == 0 {
		return err
	}
	h.arc = span{h.payload + int64(len(fence)), int64(len(arc))}
	h.marker = findMarker(arc)
	h.sections, err = skipBlank(r, size, next)
	return err
}

// readBlock reads a block that begins at off with a --- line. next is the offset
// after the line that closes it, or 0.
func readBlock(r io.ReaderAt, size, off int64) (raw []byte, next int64, err error) {
	for window := int64(8 << 10); ; window *= 8 {
		b, err := readSome(r, size, off, min(window, MaxMetadata))
		if err != nil {
			return nil, 0, err
		}
		body, ok := bytes.CutPrefix(b, []byte(fence))
		if !ok {
			return nil, 0, nil
		}
		if bytes.HasPrefix(body, []byte(fence)) {
			return nil, off + int64(2*len(fence)), nil
		}
		if i := bytes.Index(body, []byte("\n"+fence)); i >= 0 {
			return body[:i+1], off + int64(len(fence)+i+1+len(fence)), nil
		}
		if window >= MaxMetadata || off+int64(len(b)) >= size {
			return nil, 0, nil
		}
	}
}

// skipBlank steps over one blank line (SP-META-09).
func skipBlank(r io.ReaderAt, size, off int64) (int64, error) {
	b, err := readSome(r, size, off, 1)
	if err == nil && len(b) == 1 && b[0] == '\n' {
		off++
	}
	return off, err
}

// readSome reads up to n bytes at off, fewer only at the end of the file.
func readSome(r io.ReaderAt, size, off, n int64) ([]byte, error) {
	b := make([]byte, max(0, min(n, size-off)))
	got, err := r.ReadAt(b, off)
	if got == len(b) {
		return b, nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return nil, err
}

package capsulecmd

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"seed/internal/visible"
)

// maxIndent is how many levels are indented. A stranger's document may nest 512
// deep with millions of values at the bottom; each would get a thousand blanks.
const maxIndent = 16

// printer writes JSON texts as Streams.JSON writes values, and keeps what that
// cannot: member order and the spelling of numbers and strings. It holds nothing
// of the text. The texts must be valid JSON.
type printer struct {
	w     *bufio.Writer
	depth int
}

func newPrinter(w io.Writer) *printer { return &printer{w: bufio.NewWriter(w)} }

// emit prints v, which may hold parts of a capsule as json.RawMessage.
func (c *cmds) emit(v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return c.emitRaw(buf.Bytes())
}

// emitRaw prints one JSON text.
func (c *cmds) emitRaw(text []byte) error {
	p := newPrinter(c.UI.Out)
	p.value(text)
	p.w.WriteByte('\n')
	return p.flush()
}

func (p *printer) flush() error {
	if err := p.w.Flush(); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// value writes one JSON text; errors stay in the writer until flush.
func (p *printer) value(text []byte) {
	for i := 0; i < len(text); i++ {
		switch b := text[i]; b {
		case ' ', '\t', '\r', '\n':
		case '"':
			i = p.text(text, i)
		case '{', '[':
			p.w.WriteByte(b)
			next := i + 1
			for next < len(text) && bytes.IndexByte([]byte(" \t\r\n"), text[next]) >= 0 {
				next++
			}
			if next < len(text) && (text[next] == '}' || text[next] == ']') {
				p.w.WriteByte(text[next])
				i = next
				continue
			}
			p.depth++
			p.line()
		case '}', ']':
			p.depth--
			p.line()
			p.w.WriteByte(b)
		case ',':
			p.w.WriteByte(b)
			p.line()
		case ':':
			p.w.WriteString(": ")
		default:
			p.w.WriteByte(b)
		}
	}
}

func (p *printer) line() {
	p.w.WriteByte('\n')
	for range min(p.depth, maxIndent) {
		p.w.WriteString("  ")
	}
}

// text writes the string that begins at i and returns where it ends. What a
// terminal would obey or hide is written as an escape (CAP-CLI-03): to a reader
// of JSON the value is the same.
func (p *printer) text(text []byte, i int) int {
	p.w.WriteByte('"')
	for i++; i < len(text); {
		switch b := text[i]; {
		case b == '"':
			p.w.WriteByte(b)
			return i
		case b == '\\' && i+1 < len(text):
			p.w.Write(text[i : i+2])
			i += 2
		case b < 0x7f:
			p.w.WriteByte(b)
			i++
		default:
			r, n := utf8.DecodeRune(text[i:])
			if s := string(r); n > 1 && visible.Text(s) == s {
				p.w.WriteString(s)
			} else {
				for _, u := range utf16.AppendRune(nil, r) {
					fmt.Fprintf(p.w, `\u%04x`, u)
				}
			}
			i += n
		}
	}
	return i
}

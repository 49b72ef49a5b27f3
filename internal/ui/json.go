package ui

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"seed/internal/visible"
)

// JSON prints v to standard output: indented by two spaces, with a newline at
// the end. What package visible would show as an escape is written as one, so
// that the text can go to a terminal; to a reader of JSON the value is the same.
func (s *Streams) JSON(v any) error {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	if _, err := s.Out.Write(escapeHidden(buf.Bytes())); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}

// escapeHidden relies on two facts of encoding/json: controls below U+0020 and
// broken UTF-8 are escaped already, and other characters beyond ASCII occur in
// strings only.
func escapeHidden(b []byte) []byte {
	var out []byte
	kept := 0
	for i := 0; i < len(b); {
		if b[i] < 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if c := string(r); visible.Text(c) != c {
			out = append(out, b[kept:i]...)
			out = appendEscape(out, r)
			kept = i + n
		}
		i += n
	}
	if kept == 0 {
		return b
	}
	return append(out, b[kept:]...)
}

func appendEscape(out []byte, r rune) []byte {
	for _, u := range utf16.AppendRune(nil, r) {
		out = fmt.Appendf(out, `\u%04x`, u)
	}
	return out
}

package seedfile

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
)

// base64Line is the length of every line but the last.
const base64Line = 76

type badBase64 struct {
	off int64
	msg string
}

func (b *badBase64) Error() string { return b.msg }

// checkBase64 reads a body in the one form that a content has: lines of 76
// characters, a shorter last one, padding with zero bits, LF after every line.
// So equal contents are equal bytes, and every decoder reads the same.
func checkBase64(r io.Reader) (size int64, err error) {
	var (
		strict = base64.StdEncoding.Strict()
		line   [base64Line + 1]byte
		out    [base64Line]byte
		off    int64
		last   bool
	)
	buf := make([]byte, 0, 512*len(line))
	for {
		n, err := io.ReadFull(r, buf[:cap(buf)])
		buf = buf[:n]
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, err
		}
		for rest := buf; len(rest) > 0; {
			full := rest[:min(len(line), len(rest))]
			text := full[:len(full)-1]
			switch {
			case last:
				return 0, &badBase64{off, "base64 goes on after its last line"}
			case full[len(full)-1] != '\n' || len(text) == 0 || len(text)%4 != 0,
				bytes.ContainsAny(text, "\r\n"): // the decoder would skip them
				return 0, &badBase64{off, "base64 is not in full lines of 76 characters"}
			}
			last = len(text) < base64Line || text[len(text)-1] == '='
			n, err := strict.Decode(out[:], text)
			if err != nil || n == 0 {
				return 0, &badBase64{off, "not canonical base64"}
			}
			size += int64(n)
			off += int64(len(full))
			rest = rest[len(full):]
		}
		if err != nil {
			return size, nil
		}
	}
}

// encodeBase64 writes content in the form that checkBase64 asks for.
func encodeBase64(w io.Writer, r io.Reader) (int64, error) {
	const rawLine = base64Line / 4 * 3
	raw := make([]byte, 512*rawLine)
	out := make([]byte, 0, 512*(base64Line+1))
	var written int64
	for {
		n, err := io.ReadFull(r, raw)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return written, err
		}
		out = out[:0]
		for i := 0; i < n; i += rawLine {
			out = base64.StdEncoding.AppendEncode(out, raw[i:min(i+rawLine, n)])
			out = append(out, '\n')
		}
		k, werr := w.Write(out)
		written += int64(k)
		if werr != nil {
			return written, werr
		}
		if err != nil {
			return written, nil
		}
	}
}

package noun

import (
	"bytes"
	"unicode/utf8"
)

// SniffLen is how many leading bytes [Sniff] and [Describe] look at; more do no
// harm.
const SniffLen = 512

const (
	usagePrefix = "# Usage: curl -sSL "
	bom         = "\xef\xbb\xbf"
)

// Sniff tells by its first bytes whether content is a [SeedFile], a [Capsule]
// or any other [File]. It serves files, downloads and standard input alike.
func Sniff(head []byte) Kind {
	switch {
	case bytes.HasPrefix(head, []byte(usagePrefix)):
		return SeedFile
	case isZip(head):
		return Capsule
	}
	return File
}

func isZip(head []byte) bool {
	return bytes.HasPrefix(head, []byte("PK\x03\x04")) || bytes.HasPrefix(head, []byte("PK\x05\x06"))
}

// Describe says in words what content looks like by its first bytes, and for
// what is no seed, why: "a text file, not a seed: its first line is not a usage
// line".
func Describe(head []byte) string {
	switch Sniff(head) {
	case SeedFile:
		return "a seed file"
	case Capsule:
		return "a capsule (ZIP archive)"
	}
	switch {
	case len(head) == 0:
		return "an empty file"
	case bytes.HasPrefix(head, []byte(bom+usagePrefix)):
		return "a text file with a byte-order mark before its usage line, which a seed must not have"
	case isPrefixFold(bytes.TrimLeft(bytes.TrimPrefix(head, []byte(bom)), " \t\r\n"), "<!doctype html", "<html"):
		return "an HTML page, not a seed"
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return "a gzip file, not a seed"
	case !isText(head):
		return "a binary file, not a seed or a capsule"
	}
	return "a text file, not a seed: its first line is not a usage line"
}

func isPrefixFold(b []byte, prefixes ...string) bool {
	for _, p := range prefixes {
		if len(b) >= len(p) && bytes.EqualFold(b[:len(p)], []byte(p)) {
			return true
		}
	}
	return false
}

// isText forgives one rune cut at the end, because head is a cut of a file.
func isText(head []byte) bool {
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(head[i:])
		}
		i += n
	}
	return true
}

package transport

import (
	"bytes"
	"strings"
)

// Class says whether a seed's transport is one of ours.
type Class struct {
	Canonical bool
	Profile   Profile // when custom: the nearest one
	Params    Params  // what could be read; a value that is not well formed is ""
	Diff      []DiffLine
	Cut       bool // there is more difference than Diff tells
}

// maxHead bounds a canonical head; only the URL in it has no limit of its own.
const maxHead = 8 << 10

// Recognise compares the bytes before and after a document with the canonical
// transport (SP-TPL-09): it reads the five values from head, holds each to its
// grammar, rebuilds head and tail of every profile and compares byte for byte.
// Anything else is custom and gets the lines that differ from the nearest
// profile. The work is bounded, whatever the size of head and tail.
func Recognise(head, tail []byte) Class {
	c := Class{Params: read(head)}
	if c.Params.complete() && bytes.Equal(head, Doc.Head(c.Params)) {
		for p := range Profile(profiles) {
			rest, ok := bytes.CutPrefix(tail, []byte(c.Params.Sentinel))
			if ok && string(rest) == tails()[p] {
				c.Canonical, c.Profile = true, p
				return c
			}
		}
	}
	c.compare(head, tail)
	return c
}

func (v Params) complete() bool {
	return v.URL != "" && v.File != "" && v.Sum != "" && v.Sentinel != ""
}

// read takes the values from a head that may be anything. Holding them to their
// grammar is what keeps code out of them: rebuilding would repeat it faithfully.
func read(head []byte) Params {
	var v Params
	if len(head) > maxHead {
		head = head[:maxHead]
	}
	for line := range strings.Lines(string(head)) {
		line, whole := strings.CutSuffix(line, "\n")
		if !whole {
			break
		}
		if s, ok := between(line, usagePrefix, usageSuffix); ok && v.URL == "" && validURL(s) {
			v.URL = s
		}
		if s, ok := between(line, bootPrefix, bootSuffix); ok {
			if _, sum, ok := strings.Cut(s, bootMiddle); ok && validSum(sum) {
				v.Sum = sum
			}
		}
		if s, ok := between(line, openPrefix, openSuffix); ok {
			file, sentinel, _ := strings.Cut(s, openMiddle)
			if validFile(file) {
				v.File = file
			}
			if validSentinel(sentinel) {
				v.Sentinel = sentinel
			}
			break // the first such line opens the here-document (SP-FMT-06)
		}
	}
	return v
}

func between(s, prefix, suffix string) (string, bool) {
	s, ok := strings.CutPrefix(s, prefix)
	if !ok {
		return "", false
	}
	return strings.CutSuffix(s, suffix)
}

// validURL holds s to SP-FMT-03. Plain http is for the machine itself only.
func validURL(s string) bool {
	if rest, ok := strings.CutPrefix(s, "https://"); ok {
		return rest != "" && only(rest, urlChars)
	}
	for _, host := range []string{"localhost", "127.0.0.1", "[::1]"} {
		rest, ok := strings.CutPrefix(s, "http://"+host)
		if !ok {
			continue
		}
		if port, ok := strings.CutPrefix(rest, ":"); ok {
			rest = strings.TrimLeft(port, digits)
		}
		return rest == "" || rest[0] == '/' && only(rest, urlChars)
	}
	return false
}

// validFile holds s to SP-FMT-07.
func validFile(s string) bool {
	return s != "" && len(s) <= 100 && only(s[:1], letters+digits+"_") && only(s, letters+digits+"._-")
}

// validSum reports whether s is "CRC SIZE" as cksum writes it.
func validSum(s string) bool {
	crc, size, ok := strings.Cut(s, " ")
	return ok && validNumber(crc, 10) && validNumber(size, 19)
}

func validNumber(s string, most int) bool {
	return s != "" && len(s) <= most && only(s, digits) && (s == "0" || s[0] != '0')
}

// validSentinel holds s to what packers write: the XDOWN_ prefix is only read.
func validSentinel(s string) bool {
	hex, ok := strings.CutPrefix(s, "SEED_")
	return ok && len(hex) == 8 && only(hex, digits+"ABCDEF")
}

const (
	digits  = "0123456789"
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

	urlChars = letters + digits + "-._~/:%@+,="
)

// only reports whether every byte of s is in set.
func only(s, set string) bool { return strings.Trim(s, set) == "" }

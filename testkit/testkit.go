// Package testkit holds conformance vectors as plain files, for this project's
// tests and for those of any other implementation.
//
// A vector is a header, an empty line and a body:
//
//	expect: unsafe_path
//	rule: SP-PATH-01
//	note: leaves the destination
//
//	---
//	seed: "1.0"
//	...
//
// expect is "ok" or the reason for which a reader must refuse the body; rule is
// the rule that the reader reports, or, when all is well, the rule that the
// vector is about. A file is named for the fault in it; good ones begin with
// "ok-". With "escape: go" every line of the body is a quoted Go string, which
// may be repeated by " * N" behind it, and the body is these pieces put
// together: so CR, ESC, invalid UTF-8 and very long lines stay readable.
package testkit

import (
	"embed"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// FS holds all vectors.
//
//go:embed seed/document/*.txt seed/signed/*.txt
var FS embed.FS

// Document is a vector for what stands inside a seed's here-document: metadata
// and payload.
type Document struct {
	Name   string // file name without ".txt"
	Expect string // "ok", "invalid", "unsafe_path" or "unknown_directive"
	Rule   string
	Note   string
	Shell  Shell // what a shell transport can see of it
	Body   []byte
}

// Shell says how the verdict of a shell transport relates to Expect.
type Shell string

const (
	Same     Shell = ""     // must accept and refuse like a native reader
	Blind    Shell = "ok"   // may accept: the fault cannot be seen with POSIX tools
	Untested Shell = "skip" // depends on the shell, which may drop the byte in question
)

// OK reports whether readers must accept the document.
func (d Document) OK() bool { return d.Expect == "ok" }

// Documents returns the vectors of seed/document in the order of their names.
func Documents() ([]Document, error) {
	return load("seed/document", func(name, text string) (Document, error) {
		d, err := parse(text)
		d.Name = name
		return d, err
	})
}

// load reads the vectors of a folder in the order of their names.
func load[V any](dir string, parse func(name, text string) (V, error)) ([]V, error) {
	entries, err := fs.ReadDir(FS, dir)
	if err != nil {
		return nil, fmt.Errorf("list vectors: %w", err)
	}
	out := make([]V, 0, len(entries))
	for _, e := range entries {
		text, err := fs.ReadFile(FS, dir+"/"+e.Name())
		if err != nil {
			return nil, fmt.Errorf("read vector: %w", err)
		}
		v, err := parse(strings.TrimSuffix(e.Name(), ".txt"), string(text))
		if err != nil {
			return nil, fmt.Errorf("parse vector %s: %w", e.Name(), err)
		}
		out = append(out, v)
	}
	return out, nil
}

func parse(text string) (Document, error) {
	var d Document
	fields, body, err := split(text)
	if err != nil {
		return d, err
	}
	for key, value := range fields {
		switch key {
		case "expect":
			d.Expect = value
		case "rule":
			d.Rule = value
		case "note":
			d.Note = value
		case "shell":
			d.Shell = Shell(value)
		default:
			return d, fmt.Errorf("header field %q", key)
		}
	}
	if d.Expect == "" || d.Rule == "" || d.Note == "" {
		return d, fmt.Errorf("header needs expect, rule and note")
	}
	d.Body = body
	return d, nil
}

// split takes a vector apart: the fields of its header, and its body in plain
// bytes.
func split(text string) (fields map[string]string, body []byte, err error) {
	head, rest, ok := strings.Cut(text, "\n\n")
	if !ok {
		return nil, nil, fmt.Errorf("no empty line after the header")
	}
	fields = map[string]string{}
	for line := range strings.SplitSeq(head, "\n") {
		key, value, ok := strings.Cut(line, ": ")
		if !ok {
			return nil, nil, fmt.Errorf("header line %q", line)
		}
		if _, twice := fields[key]; twice {
			return nil, nil, fmt.Errorf("header field %q twice", key)
		}
		fields[key] = value
	}
	switch escape, ok := fields["escape"]; {
	case !ok:
		return fields, []byte(rest), nil
	case escape != "go":
		return nil, nil, fmt.Errorf("escape %q", escape)
	}
	delete(fields, "escape")
	body, err = unescape(rest)
	return fields, body, err
}

func unescape(body string) ([]byte, error) {
	const most = 1 << 20 // repeats of one piece; a slip of the pen must not eat the memory
	var out []byte
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("escaped line %.40q: %w", line, err)
		}
		piece, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("escaped line %.40q: %w", line, err)
		}
		times := 1
		if rest := line[len(quoted):]; rest != "" {
			n, ok := strings.CutPrefix(rest, " * ")
			if times, err = strconv.Atoi(n); !ok || err != nil || times < 1 || times > most {
				return nil, fmt.Errorf("escaped line ends in %.40q", rest)
			}
		}
		out = append(out, strings.Repeat(piece, times)...)
	}
	return out, nil
}

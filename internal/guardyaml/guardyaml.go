// Package guardyaml reads the small YAML files of seed: configuration, trust
// lists, answers. It accepts a tame part of YAML and refuses the rest before
// the decoder sees it.
//
// Refused are: more than 64 KiB, anything but UTF-8 text, anchors, aliases,
// merge keys, tags, directives, complex keys, more than one document, deep
// nesting, long runs of blank lines, duplicate keys, and keys the target does not know. None of these is
// needed by our files, and each is a way to make a small file large, slow or
// ambiguous.
//
// It does not write YAML, and it is not the reader of seed metadata.
package guardyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/token"

	"seed/finding"
)

const (
	// MaxSize is the largest input in bytes.
	MaxSize = 64 << 10
	// MaxDepth is how deep sequences and mappings may be nested.
	MaxDepth = 16

	// maxBlank is the longest run of blank lines: 64 KiB of them inside a block
	// scalar kept the decoder busy for 40 seconds.
	maxBlank = 100
)

// Error says what is wrong with an input and where.
type Error struct {
	Line int // 1-based, 0 when the whole input is meant
	Msg  string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Msg
	}
	return "line " + strconv.Itoa(e.Line) + ": " + e.Msg
}

// Decode reads one YAML document into a pointer to a struct or map. An empty
// document leaves the target at its zero value. Every failure is an [*Error].
func Decode(data []byte, into any) (err error) {
	if err := checkText(data); err != nil {
		return err
	}
	// The decoder is large and was not written for hostile input; a panic in it
	// must not become ours.
	defer func() {
		if p := recover(); p != nil {
			err = &Error{Msg: "malformed YAML"}
		}
	}()
	if err := checkTokens(lexer.Tokenize(string(data))); err != nil {
		return err
	}
	d := yaml.NewDecoder(bytes.NewReader(data), yaml.DisallowUnknownField())
	if err := d.Decode(into); err != nil && !errors.Is(err, io.EOF) {
		return explain(err)
	}
	return nil
}

// checkText holds data to its size and to characters that every reader takes
// for the same text.
func checkText(data []byte) error {
	if len(data) > MaxSize {
		return &Error{Msg: fmt.Sprintf("larger than %d KiB", MaxSize>>10)}
	}
	line, blank, started := 1, 0, false
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			return &Error{line, "not UTF-8"}
		case r == '\n':
			if blank++; started {
				blank = 0
			}
			if blank > maxBlank {
				return &Error{line, fmt.Sprintf("more than %d blank lines", maxBlank)}
			}
			line, started = line+1, false
		case r == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			return &Error{line, "a carriage return that ends no line"}
		case r == '\t' || r == '\r':
		// NEL, LS and PS end a line for some readers of YAML and not for others.
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			return &Error{line, fmt.Sprintf("character U+%04X", r)}
		}
		if r > ' ' {
			started = true
		}
		i += n
	}
	return nil
}

// checkTokens refuses what no file of ours needs, by the lexer the decoder
// itself uses, so that both see the same thing.
func checkTokens(tokens token.Tokens) error {
	var nest nesting
	for i, t := range tokens {
		var what string
		switch t.Type {
		case token.AnchorType:
			what = "an anchor (&)"
		case token.AliasType:
			what = "an alias (*)"
		case token.TagType:
			what = "a tag (!)"
		case token.MergeKeyType:
			what = "a merge key (<<)"
		case token.DirectiveType:
			what = "a directive (%)"
		case token.MappingKeyType:
			what = "a complex key (?)"
		case token.SequenceEntryType:
			if nest.flow > 0 {
				what = "a dash between brackets"
			}
		case token.DocumentEndType:
			what = "a document end (...)"
		case token.DocumentHeaderType:
			if !first(tokens[:i]) {
				what = "a second document (---)"
			}
		case token.InvalidType:
			msg := t.Error
			if msg == "" {
				msg = "malformed YAML"
			}
			return &Error{t.Position.Line, clean(msg)}
		}
		if what != "" {
			return &Error{t.Position.Line, what + " is not allowed here"}
		}
		if nest.deeper(t); nest.depth() > MaxDepth {
			return &Error{t.Position.Line, fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
		}
	}
	return nil
}

func first(before token.Tokens) bool {
	for _, t := range before {
		if t.Type != token.CommentType {
			return false
		}
	}
	return true
}

// nesting follows how deep the tokens go: brackets by counting, blocks by the
// columns in which their entries begin.
type nesting struct {
	flow   int
	blocks []int
}

func (n *nesting) deeper(t *token.Token) {
	column := t.Position.Column
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		n.flow++
		return
	case token.SequenceEndType, token.MappingEndType:
		n.flow = max(0, n.flow-1)
		return
	case token.SequenceEntryType:
	case token.MappingValueType:
		if t.Prev == nil {
			return
		}
		column = t.Prev.Position.Column
	default:
		return
	}
	if n.flow > 0 {
		return
	}
	for len(n.blocks) > 0 && n.blocks[len(n.blocks)-1] >= column {
		n.blocks = n.blocks[:len(n.blocks)-1]
	}
	n.blocks = append(n.blocks, column)
}

func (n *nesting) depth() int { return n.flow + len(n.blocks) }

// explain keeps line and message of the decoder's errors and drops its excerpt
// of the source, which is several lines of foreign text.
func explain(err error) error {
	var ye yaml.Error
	if !errors.As(err, &ye) {
		return &Error{Msg: clean(err.Error())}
	}
	e := &Error{Msg: clean(ye.GetMessage())}
	t := ye.GetToken()
	if t != nil && t.Position != nil {
		e.Line = t.Position.Line
	}
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) && t != nil {
		e.Msg = "unknown key " + finding.Quote(t.Value)
	}
	return e
}

func clean(msg string) string {
	const most = 160
	msg, _, _ = strings.Cut(msg, "\n")
	if len(msg) > most {
		msg = strings.ToValidUTF8(msg[:most], "") + "..."
	}
	return msg
}

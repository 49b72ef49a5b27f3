package shellscan

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"

	"mvdan.cc/sh/v3/syntax"
)

const (
	// MaxSource is the largest script that is parsed. Install scripts are a
	// hundred times smaller, and the worst text of this size takes seconds; what
	// is larger is only searched for addresses.
	MaxSource = 2 << 20

	// maxFrames bounds the parser's recursion in calls, about ten a level.
	maxFrames = 20_000

	// maxTree bounds the depth of the syntax tree that is walked, which may be
	// deeper than the recursion that built it: a && b && c leans to the left.
	maxTree = 10_000
)

var errDeep = errors.New("commands are nested too deeply")

// guardedReader feeds the parser and watches how deep it has recursed. A stack
// that overflows ends the process and cannot be recovered, and no count of
// brackets tells beforehand what the parser will take for nesting; but the
// parser reads in pieces of 1 KiB, from the depth at which it is, so each piece
// can be refused when the stack is already long.
type guardedReader struct {
	src   *bytes.Reader
	stack []uintptr
}

func (g *guardedReader) Read(p []byte) (int, error) {
	if runtime.Callers(0, g.stack) == len(g.stack) {
		return 0, errDeep
	}
	return g.src.Read(p)
}

// parse is the library's parser with bounds: no overflow, no panic. stack is
// scratch space; its length is the bound.
func parse(src []byte, d Dialect, stack []uintptr) (file *syntax.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			file, err = nil, fmt.Errorf("parse shell: %v", r)
		}
	}()
	lang := syntax.LangBash
	if d == POSIX {
		lang = syntax.LangPOSIX
	}
	r := &guardedReader{src: bytes.NewReader(src), stack: stack}
	file, err = syntax.NewParser(syntax.Variant(lang)).Parse(r, "")
	if err != nil {
		return nil, err
	}
	depth := 0
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return false
		}
		if err != nil {
			return false
		}
		if depth++; depth > maxTree {
			err = errDeep
			return false
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return file, nil
}

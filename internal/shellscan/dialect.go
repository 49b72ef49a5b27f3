package shellscan

import (
	"bytes"
	"errors"
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"seed/internal/visible"
)

// choose settles the dialect of src. It refuses scripts that say themselves
// that they are no shell scripts: Python read as shell gives nonsense.
func choose(src []byte, want Dialect) (Dialect, *SyntaxError) {
	if want == Bash || want == POSIX {
		return want, nil
	}
	first, _, _ := bytes.Cut(src[:min(len(src), 256)], newline)
	line, ok := strings.CutPrefix(string(first), "#!")
	if !ok {
		return Bash, nil
	}
	for _, f := range strings.Fields(line) {
		name := path.Base(f)
		switch {
		case name == "env" || name == "busybox" || strings.HasPrefix(f, "-") || strings.Contains(f, "="):
			continue
		case name == "bash" || name == "zsh":
			return Bash, nil
		case isShell(name):
			return POSIX, nil
		}
		return Auto, &SyntaxError{Line: 1, Msg: "not a shell script: it asks for " + visible.Line(name, 40)}
	}
	return Bash, nil
}

// syntaxError turns a parser's error into ours; the parser's text may quote the
// script.
func syntaxError(src []byte, err error) *SyntaxError {
	e := &SyntaxError{Msg: visible.Line(err.Error(), 200)}
	var pe syntax.ParseError
	var le syntax.LangError
	switch {
	case errors.As(err, &pe):
		e.Msg, e.Line = visible.Line(pe.Text, 200), lineAt(src, pe.Pos.Offset())
	case errors.As(err, &le):
		e.Msg, e.Line = visible.Line(le.Feature+" in a script for another shell", 200), lineAt(src, le.Pos.Offset())
	}
	return e
}

var newline = []byte{'\n'}

// lineAt counts lines by offset: the parser's own line numbers end at 2^18.
func lineAt(src []byte, offset uint) int {
	return 1 + bytes.Count(src[:min(int(offset), len(src))], newline)
}

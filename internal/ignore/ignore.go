// Package ignore reads .seedignore and .gitignore files and says which paths
// of a tree they leave out. The patterns mean what they mean to git:
//
//	# comment        *.log         any name that ends so, at any depth
//	build/           directories only
//	/out             only beside the ignore file
//	docs/**/*.tmp    ** stands for any number of directories
//	!keep.log        takes an earlier line back
//
// What git does beyond its manual is kept as well, because a person expects
// one answer from both tools; a test asks git itself.
//
// Matching takes time in proportion to the pattern times the path, whatever
// the pattern. The package is pure: it opens no files and knows no repository,
// so .git/info/exclude and a user's global file are the caller's to add.
package ignore

import (
	"bytes"
	"fmt"
	"strings"
)

// Limits of an ignore file. A file beyond them is refused as a whole: to leave
// a line out could send away what it was written to keep.
const (
	MaxSize  = 1 << 20 // bytes
	MaxLines = 10_000
	MaxLine  = 4096 // bytes; no path is longer
)

// Verdict is what a list says about a path.
type Verdict int

const (
	None   Verdict = iota // no pattern matches
	Ignore                // the last pattern that matches leaves the path out
	Keep                  // the last pattern that matches begins with "!"
)

func (v Verdict) String() string {
	switch v {
	case None:
		return "none"
	case Ignore:
		return "ignore"
	case Keep:
		return "keep"
	}
	return fmt.Sprintf("verdict(%d)", int(v))
}

// List is the patterns of one ignore file. It does not change once parsed and
// may be shared.
type List struct {
	patterns []pattern
}

// Parse reads an ignore file. Every line is a pattern of some meaning, so the
// only errors are those of size.
func Parse(data []byte) (*List, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("parse ignore file: %d bytes, at most %d are read", len(data), MaxSize)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	l := new(List)
	n := 0
	for line := range bytes.Lines(data) {
		if n++; n > MaxLines {
			return nil, fmt.Errorf("parse ignore file: more than %d lines", MaxLines)
		}
		if len(line) > MaxLine {
			return nil, fmt.Errorf("parse ignore file: line %d has more than %d bytes", n, MaxLine)
		}
		text := bytes.TrimSuffix(bytes.TrimSuffix(line, []byte{'\n'}), []byte{'\r'})
		if p, ok := parseLine(string(text)); ok {
			p.line = n
			l.patterns = append(l.patterns, p)
		}
	}
	return l, nil
}

// Match judges a path relative to the directory of the ignore file, written
// with slashes. It returns the line that decided, 0 when none did. Directories
// above path are not considered: see [Stack].
func (l *List) Match(path string, dir bool) (v Verdict, line int) {
	base := path[strings.LastIndexByte(path, '/')+1:]
	for i := len(l.patterns) - 1; i >= 0; i-- {
		p := &l.patterns[i]
		if p.dirOnly && !dir {
			continue
		}
		name := path
		if p.baseOnly {
			name = base
		}
		if !p.match(name) {
			continue
		}
		if p.negate {
			return Keep, p.line
		}
		return Ignore, p.line
	}
	return None, 0
}

package ignore

import (
	"strconv"
	"strings"
)

// Stack joins the ignore files of a tree. Patterns count below the directory
// of their file, deeper files before higher ones, and within a directory the
// file that was pushed last. The zero value ignores nothing. A Stack serves
// one walk; it is not safe for concurrent use.
type Stack struct {
	levels []level
	clear  string // a directory known not to be ignored, with its parents
}

type level struct {
	dir  string // "" or with a slash at the end
	file string
	list *List
}

// Push adds the ignore file called file (".gitignore") of the directory dir,
// "" for the root. Files of directories that dir is not in are dropped: a walk
// has left them.
func (s *Stack) Push(dir, file string, list *List) {
	if dir != "" {
		dir += "/"
	}
	for n := len(s.levels); n > 0 && !strings.HasPrefix(dir, s.levels[n-1].dir); n-- {
		s.levels = s.levels[:n-1]
	}
	s.levels = append(s.levels, level{dir, file, list})
	s.clear = ""
}

// Ignored reports whether path, relative to the root of the tree, is left out,
// and the place of the pattern that decided, as "docs/.gitignore:3"; by is ""
// when no pattern matched. What lies in an ignored directory is ignored; no
// pattern brings it back.
func (s *Stack) Ignored(path string, dir bool) (ignored bool, by string) {
	parent := path[:max(0, strings.LastIndexByte(path, '/'))]
	if parent != s.clear {
		for i := range len(path) {
			if path[i] != '/' {
				continue
			}
			if out, by := s.judge(path[:i], true); out {
				return true, by
			}
		}
		s.clear = parent
	}
	return s.judge(path, dir)
}

func (s *Stack) judge(path string, dir bool) (bool, string) {
	for i := len(s.levels) - 1; i >= 0; i-- {
		l := &s.levels[i]
		rel, below := strings.CutPrefix(path, l.dir)
		if !below || rel == "" {
			continue
		}
		if v, line := l.list.Match(rel, dir); v != None {
			return v == Ignore, l.dir + l.file + ":" + strconv.Itoa(line)
		}
	}
	return false, ""
}

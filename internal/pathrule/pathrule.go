// Package pathrule is the one rule that every name from outside is held to
// before it becomes a path below a destination.
//
// A name is a relative, slash-separated path. [Check] refuses what could leave
// the destination, hide from a reader or mean different things to different
// programs. [Portable] tells which legal names will not work on every system.
// [Set] finds names that cannot stand beside each other.
//
// The package is pure: it looks at text, never at a file system. What lies on
// disk (links, other files) is the business of internal/disk.
package pathrule

import (
	"strings"
	"unicode/utf8"
)

// Limits of a name, in bytes.
const (
	MaxPath      = 1024
	MaxComponent = 255
)

// Error says why a name was refused.
type Error struct {
	Reason string
}

func (e *Error) Error() string { return e.Reason }

// Check returns nil when name may be used below a destination, or an [*Error].
func Check(name string) error {
	switch {
	case name == "":
		return &Error{"the path is empty"}
	case len(name) > MaxPath:
		return &Error{"the path is longer than 1,024 bytes"}
	case name[0] == '/':
		return &Error{"the path is absolute"}
	}
	for i := range len(name) {
		switch c := name[i]; {
		case c < 0x20 || c == 0x7f:
			return &Error{"the path holds a control character"}
		case c == '\\':
			return &Error{"the path holds a backslash"}
		case c == '"':
			return &Error{"the path holds a double quote"}
		}
	}
	if !utf8.ValidString(name) {
		return &Error{"the path is not UTF-8"}
	}
	for c := range strings.SplitSeq(name, "/") {
		switch {
		case c == "":
			return &Error{"the path has an empty component"}
		case c == ".":
			return &Error{`the path has a "." component`}
		case c == "..":
			return &Error{`the path has a ".." component`}
		case stage(c):
			return &Error{"a component of the path is a name that growing itself uses"}
		case len(c) > MaxComponent:
			return &Error{"a component of the path is longer than 255 bytes"}
		}
	}
	return nil
}

// stage reports whether a component is called like the directory in which a
// tree is made ready to land: ".seed-" and 32 hex digits.
func stage(component string) bool {
	digits, ok := strings.CutPrefix(component, ".seed-")
	return ok && len(digits) == 32 && strings.Trim(digits, "0123456789abcdef") == ""
}

// Portable returns why a name that passed [Check] will not work on every
// system, or "". Windows is the strict one: drive letters, device names,
// characters it keeps for itself, and endings it silently drops.
func Portable(name string) string {
	for c := range strings.SplitSeq(name, "/") {
		switch {
		case strings.ContainsAny(c, `<>:|?*`):
			return "holds a character that Windows reserves"
		case strings.HasSuffix(c, ".") || strings.HasSuffix(c, " "):
			return "ends in a dot or a blank, which Windows drops"
		case reserved(c):
			return "is a device name on Windows"
		}
	}
	return ""
}

func reserved(component string) bool {
	base, _, _ := strings.Cut(strings.ToUpper(component), ".")
	base = strings.TrimRight(base, " ")
	switch base {
	case "CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$":
		return true
	}
	if len(base) < 4 || (base[:3] != "COM" && base[:3] != "LPT") {
		return false
	}
	switch base[3:] {
	case "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³":
		return true
	}
	return false
}

// Set holds the names of one tree and refuses what cannot be in it together.
// The zero value is an empty set.
type Set struct {
	files map[string]struct{}
	dirs  map[string]struct{}
	last  string // directory of the name added last, known to be in dirs
	bytes int    // of all names
	full  bool   // the names stand for too many directories
}

// A tree may have some directories, and one more for every eight bytes of its
// names. A few deep names could otherwise stand for millions of directories.
const (
	freeDirs    = 1024
	bytesPerDir = 8
	tooManyDirs = "the paths stand for too many directories"
)

// Add puts name into the set. It fails with an [*Error] when name is there
// already, or when one name would have to be a file and a directory at once.
func (s *Set) Add(name string) error {
	if s.files == nil {
		s.files = make(map[string]struct{})
		s.dirs = make(map[string]struct{})
	}
	if s.full {
		return &Error{tooManyDirs}
	}
	if _, dup := s.files[name]; dup {
		return &Error{"the path stands here twice"}
	}
	if _, dup := s.dirs[name]; dup {
		return &Error{"the path is both a file and a directory"}
	}
	s.bytes += len(name)
	dir := name[:max(strings.LastIndexByte(name, '/'), 0)]
	if dir != s.last {
		for i := range len(name) {
			if name[i] != '/' {
				continue
			}
			if _, clash := s.files[name[:i]]; clash {
				return &Error{"the path is both a file and a directory"}
			}
			s.dirs[name[:i]] = struct{}{}
		}
		if len(s.dirs) > freeDirs+s.bytes/bytesPerDir {
			s.full = true // and nothing more is kept
			return &Error{tooManyDirs}
		}
		s.last = dir
	}
	s.files[name] = struct{}{}
	return nil
}

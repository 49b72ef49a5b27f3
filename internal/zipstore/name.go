package zipstore

import (
	"strings"
	"unicode/utf8"
)

const maxName = 1<<16 - 1

// checkName returns why a raw entry name is unsafe, or "". Backslashes are
// legal, but what some program may take for a separator is held to the same
// rules as a slash.
func checkName(name string) string {
	switch {
	case name == "":
		return "the name is empty"
	case len(name) > maxName:
		return "the name is longer than 65,535 bytes"
	case !utf8.ValidString(name):
		return "the name is not UTF-8"
	case name[0] == '/' || name[0] == '\\':
		return "the name is an absolute path"
	case len(name) > 2 && name[1] == ':' && isLetter(name[0]) && isSeparator(name[2]):
		return "the name starts with a drive letter"
	}
	for _, r := range name {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return "the name holds a control character"
		}
	}
	path := strings.TrimSuffix(name, "/") // of a directory marker
	for segment := range strings.SplitSeq(strings.ReplaceAll(path, `\`, "/"), "/") {
		switch segment {
		case "":
			return "the name has an empty segment"
		case ".", "..":
			return `the name has a "` + segment + `" segment`
		}
	}
	return ""
}

func isLetter(c byte) bool    { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isSeparator(c byte) bool { return c == '/' || c == '\\' }
func isDir(name string) bool  { return strings.HasSuffix(name, "/") }

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

package packer

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"seed/seedfile"
)

// Collisions returns pairs of paths that are one path on a file system which
// ignores case or Unicode normalisation (SP-PATH-04).
func Collisions(members []seedfile.Member) [][2]string {
	first := make(map[string]string, len(members))
	var pairs [][2]string
	for _, m := range members {
		// Folders collide too: every leading part counts. Neither folding nor
		// normalisation makes, moves or takes away a slash.
		whole := fold(m.Path)
		for end, keyEnd := 0, 0; end < len(m.Path); {
			end += partEnd(m.Path[end:])
			keyEnd += partEnd(whole[keyEnd:])
			path, key := m.Path[:end], whole[:keyEnd]
			other, seen := first[key]
			switch {
			case !seen:
				first[key] = path
			case other != path:
				pairs = append(pairs, [2]string{other, path})
				first[key] = path
			}
		}
	}
	return pairs
}

// fold gives equal text for paths that differ in case or normalisation. Upper
// before lower case joins letters with several lower forms, such as σ and ς.
func fold(path string) string {
	return strings.ToLower(strings.ToUpper(norm.NFC.String(path)))
}

// partEnd is the length of the first component, with the slash before it.
func partEnd(s string) int {
	if i := strings.IndexByte(s[1:], '/'); i >= 0 {
		return 1 + i
	}
	return len(s)
}

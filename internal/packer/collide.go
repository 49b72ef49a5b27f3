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
		// Folders collide too: every prefix counts, once.
		for end := range pathEnds(m.Path) {
			path := m.Path[:end]
			key := strings.ToLower(norm.NFC.String(path))
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

// pathEnds yields the end of every leading part of a path.
func pathEnds(path string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := range len(path) {
			if path[i] == '/' && !yield(i) {
				return
			}
		}
		yield(len(path))
	}
}

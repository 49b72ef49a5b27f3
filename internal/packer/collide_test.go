package packer_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"seed/internal/packer"
	"seed/seedfile"
)

func members(paths ...string) []seedfile.Member {
	var m []seedfile.Member
	for _, p := range paths {
		m = append(m, seedfile.Member{Path: p})
	}
	return m
}

// Paths that are one path elsewhere are found, folders too (SP-PATH-04).
func TestSP_PATH_04_Collisions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		paths []string
		want  [][2]string
	}{
		{"none", []string{"a", "b/a", "b/c", "c"}, nil},
		{"case", []string{"README", "readme"}, [][2]string{{"README", "readme"}}},
		{"three", []string{"A", "Aa", "aA", "aa"}, [][2]string{{"Aa", "aA"}, {"aA", "aa"}}},
		{"normal forms", []string{"cafe\u0301", "caf\u00e9"}, [][2]string{{"cafe\u0301", "caf\u00e9"}}},
		{"form and case", []string{"CAFE\u0301", "caf\u00e9"}, [][2]string{{"CAFE\u0301", "caf\u00e9"}}},
		{"folders, once", []string{"Src/a", "Src/b", "src/c", "src/d"}, [][2]string{{"Src", "src"}}},
		{"folder and file", []string{"Doc", "doc/x"}, [][2]string{{"Doc", "doc"}}},
		{"below folders", []string{"A/x", "a/x"}, [][2]string{{"A", "a"}, {"A/x", "a/x"}}},
		{"several lower forms", []string{"\u03c2", "\u03c3"}, [][2]string{{"\u03c2", "\u03c3"}}},
		{"long s", []string{"S", "\u017f"}, [][2]string{{"S", "\u017f"}}},
		{"Kelvin", []string{"k", "\u212a"}, [][2]string{{"k", "\u212a"}}},
		{"case below other folders", []string{"x/a", "y/A"}, nil},
		{"not UTF-8", []string{"a\xff/b", "a\xff/c"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := packer.Collisions(members(c.paths...)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Whatever the names: no panic, and a pair is never a path with itself.
func TestSP_PATH_04_AnyNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.StringMatching(`[aAéÉİıßſ\x{301}\x{300}\x{345}\x{338}]{1,3}(/[aAéÉİ\x{301}\x{338}]{1,3}){0,3}`), 0, 8).Draw(t, "paths")
		slices.Sort(list)
		for _, pair := range packer.Collisions(members(list...)) {
			if pair[0] == pair[1] {
				t.Fatalf("got %q twice", pair[0])
			}
		}
	})
}

package jcs_test

import (
	"fmt"
	"strconv"
	"strings"

	"pgregory.net/rapid"
)

// document draws the text of a JSON document: any whitespace, any spelling of
// strings and numbers, names from a pool so small that some objects have one
// twice if the caller allows it.
type document struct {
	t      *rapid.T
	twice  bool   // names may repeat
	prefix string // of every name
}

// draws is how many documents a property draws each time it is checked.
const draws = 20

// root draws a document that is an array or an object.
func (g document) root() string { return g.container(3, rapid.Bool().Draw(g.t, "object")) }

func (g document) pick(what string, of ...string) string {
	return rapid.SampledFrom(of).Draw(g.t, what)
}

func (g document) space() string { return g.pick("space", "", "", "", " ", "\n", "\t\r ") }

func (g document) value(depth int) string {
	last := 6
	if depth == 0 {
		last = 4
	}
	kind := rapid.IntRange(0, last).Draw(g.t, "kind")
	switch kind {
	case 0:
		return g.pick("literal", "null", "true", "false")
	case 1, 2:
		return g.spell(g.text())
	case 3, 4:
		return g.number()
	}
	return g.container(depth, kind == 6)
}

func (g document) container(depth int, object bool) string {
	if !object {
		list := make([]string, rapid.IntRange(0, 4).Draw(g.t, "elements"))
		for i := range list {
			list[i] = g.space() + g.value(depth-1) + g.space()
		}
		return "[" + g.space() + strings.Join(list, ",") + "]"
	}
	names := rapid.SliceOfN(g.names(), 0, 6)
	if !g.twice {
		names = rapid.SliceOfNDistinct(g.names(), 0, 20, rapid.ID)
	}
	var members []string
	for _, name := range names.Draw(g.t, "names") {
		members = append(members, g.space()+g.spell(g.prefix+name)+g.space()+":"+g.space()+g.value(depth-1)+g.space())
	}
	return "{" + g.space() + strings.Join(members, ",") + "}"
}

func (g document) names() *rapid.Generator[string] {
	pool := rapid.SampledFrom([]string{
		"", "a", "b", "aa", "a\x00", "\"", "\\", "\n", "/", "é", "e\u0301", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0001f600",
		"payload.summary", "payload.summarx", "payload.summary\uffff", "payload.summary\U0001f600",
	})
	if g.twice {
		return pool
	}
	return rapid.OneOf(pool, rapid.String())
}

func (g document) text() string {
	return rapid.StringOf(rapid.OneOf(
		rapid.Rune(),
		rapid.RuneFrom([]rune("abc \"\\/\b\f\n\r\t\x00\x1f\x7f<>&")),
		rapid.RuneFrom([]rune("é\u2028\u2029\ufeff\ufffd\uffff\U0001f600\U0010ffff")),
	)).Draw(g.t, "text")
}

// spell writes a string with a random choice among the spellings of each rune.
func (g document) spell(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		short := strings.IndexRune("\"\\/\b\f\n\r\t", r)
		how := rapid.IntRange(0, 3).Draw(g.t, "spelling")
		switch {
		case how == 0 && short >= 0:
			b.WriteByte('\\')
			b.WriteByte(`"\/bfnrt`[short])
		case how == 1 || r < 0x20 || r == '"' || r == '\\':
			format := g.pick("hex", `\u%04x`, `\u%04X`)
			if r >= 0x10000 {
				fmt.Fprintf(&b, format+format, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
			} else {
				fmt.Fprintf(&b, format, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (g document) number() string {
	f := rapid.OneOf(rapid.Float64(), rapid.Float64Range(-1000, 1000), rapid.Map(rapid.Int64(), func(n int64) float64 { return float64(n) }),
		rapid.Map(rapid.Int32(), func(n int32) float64 { return float64(n) / 8 })).Draw(g.t, "number")
	return strconv.FormatFloat(f, g.pick("format", "e", "E", "f", "g")[0], -1, 64)
}

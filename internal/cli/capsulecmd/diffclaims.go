package capsulecmd

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/jcs"
)

// printClaims shows the members that differ. Hashes and ids follow from the rest
// and are shown only where nothing else is.
func (c *cmds) printClaims(out *command.Lines, d *diffJSON) {
	alone := len(d.Files.Added)+len(d.Files.Removed)+len(d.Files.Changed) == 0
	for _, m := range d.Claims {
		alone = alone && m.Derived
	}
	list := claimList{c: c, out: out}
	for _, m := range d.Claims {
		if m.Derived && !alone {
			continue
		}
		list.compare(m.Document+"."+m.Member, claimed(m.A), claimed(m.B), 0)
	}
	if list.n > mostRows {
		out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(list.n-mostRows)))
	}
}

// claimed is the value of a claim, a missing one where there is none.
func claimed(raw []byte) jcs.Value {
	doc := new(jcs.Doc)
	if len(raw) == 0 || doc.Parse(raw, jcs.Limits{Size: len(raw)}) != nil {
		return jcs.Value{} // it came from a document that was read
	}
	return doc.Root()
}

// claimList prints claims that differ, each by its name and what the two say.
type claimList struct {
	c   *cmds
	out *command.Lines
	n   int
}

// maxInto is how deep objects and arrays are compared part by part. Each level
// reads them once more, and a stranger's document may nest hundreds deep.
const maxInto = 6

// compare shows two values if they differ: of objects and arrays only the parts
// that do.
func (l *claimList) compare(name string, a, b jcs.Value, depth int) {
	switch {
	case a.Exists() && b.Exists() && bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil)):
	case depth < maxInto && a.Kind() == jcs.Object && b.Kind() == jcs.Object:
		is := make(map[string]jcs.Value, b.Len())
		for member, v := range b.Members() {
			is[member] = v
		}
		was := make(map[string]bool, a.Len())
		for member, v := range a.Members() {
			was[member] = true
			l.compare(name+"."+member, v, is[member], depth+1)
		}
		for member, v := range b.Members() {
			if !was[member] {
				l.compare(name+"."+member, jcs.Value{}, v, depth+1)
			}
		}
	case depth < maxInto && a.Kind() == jcs.Array && b.Kind() == jcs.Array:
		was, is := elements(a), elements(b)
		for i := range max(len(was), len(is)) {
			var v, w jcs.Value
			if i < len(was) {
				v = was[i]
			}
			if i < len(is) {
				w = is[i]
			}
			l.compare(fmt.Sprintf("%s[%d]", name, i), v, w, depth+1)
		}
	default:
		l.show(name, spell(a), spell(b))
	}
}

func (l *claimList) show(name, was, is string) {
	p := l.c.UI.Color
	if l.n == 0 {
		l.out.Printf("\n%s", p.Bold("Claims"))
	}
	if l.n++; l.n > mostRows {
		return
	}
	room := l.c.UI.Columns() - 6
	if from := diverge(was, is, room); from > 0 {
		was, is = "…"+was[from:], "…"+is[from:]
	}
	l.out.Printf("  %s", visible.Line(name, room))
	l.out.Printf("    %s %s", p.Bad("-"), visible.Line(was, room))
	l.out.Printf("    %s %s", p.Good("+"), visible.Line(is, room))
}

func elements(v jcs.Value) []jcs.Value {
	var list []jcs.Value
	for _, e := range v.Elements() {
		list = append(list, e)
	}
	return list
}

func spell(v jcs.Value) string {
	if !v.Exists() {
		return "(none)"
	}
	return string(v.AppendCompact(nil))
}

// diverge says from where two texts are to be shown so that room columns are
// enough to see how they differ; 0 is from the beginning.
func diverge(a, b string, room int) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	if n+8 < room && visible.Line(a, room) != visible.Line(b, room) {
		return 0
	}
	n -= 8
	for n > 0 && !utf8.RuneStart(a[n]) {
		n--
	}
	return max(n, 0)
}

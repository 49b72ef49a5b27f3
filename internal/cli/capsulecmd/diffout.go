package capsulecmd

import (
	"fmt"
	"strconv"

	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
)

// mostRows is how many rows of one kind of difference a person is shown.
const mostRows = 50

func (c *cmds) printDiff(d *diffJSON, sides [2]*side, trust *signers) error {
	p := c.UI.Color
	out := &command.Lines{W: c.UI.Out}
	for i, s := range sides {
		out.Printf("%c  %s: %s", "AB"[i], visible.Text(s.file.name), c.headline(s.res, trust))
		for _, q := range s.res.Qualifiers {
			c.item(out, "   ", "- ", visible.Text(c.phrase(q, trust)))
		}
	}
	switch {
	case d.SameBytes:
		out.Printf("\n%s, byte for byte", p.Good("equal"))
		return out.Err
	case d.Equal && (sides[0].inside() || sides[1].inside()):
		out.Printf("\n%s inside; only the encryption around it differs", p.Good("equal"))
		return out.Err
	case d.Equal:
		out.Printf("\n%s; only bytes of the container that carry no content differ", p.Good("equal"))
		return out.Err
	case d.Lineage == "b_names_a":
		out.Printf("\n%s; B's lineage names A as its predecessor", p.Warn("they differ"))
	case d.Lineage == "a_names_b":
		out.Printf("\n%s; A's lineage names B as its predecessor", p.Warn("they differ"))
	case d.SameID:
		out.Printf("\n%s; one capsule id: the same origin", p.Warn("they differ"))
	default:
		out.Printf("\n%s; two capsule ids: not of one origin", p.Warn("they differ"))
	}
	c.printFileChanges(out, &d.Files)
	c.printEventChanges(out, &d.Events)
	rows := newRows(c, out, "Signers")
	for _, s := range d.Signers.Removed {
		rows.add("-", s.Role, s.PublicKey)
	}
	for _, s := range d.Signers.Added {
		rows.add("+", s.Role, s.PublicKey)
	}
	rows.end()
	rows = newRows(c, out, "Participants")
	for _, s := range d.Participants.Removed {
		rows.add("-", s)
	}
	for _, s := range d.Participants.Added {
		rows.add("+", s)
	}
	rows.end()
	c.printClaims(out, d)
	return out.Err
}

func (c *cmds) printFileChanges(out *command.Lines, d *filesJSON) {
	rows := newRows(c, out, "Files")
	for _, f := range d.Removed {
		rows.add("-", ui.Size(f.Size), f.Path)
	}
	for _, f := range d.Added {
		rows.add("+", ui.Size(f.Size), f.Path)
	}
	for _, f := range d.Changed {
		size := ui.Size(f.SizeB)
		if f.SizeA != f.SizeB {
			size = ui.Size(f.SizeA) + " to " + size
		}
		rows.add("~", size, f.Path)
	}
	rows.end()
}

func (c *cmds) printEventChanges(out *command.Lines, d *eventsDiff) {
	words := ""
	switch d.Relation {
	case "same":
		return
	case "not_compared":
		words = "not compared: one of the chains cannot be read"
	case "extended":
		words = fmt.Sprintf("B continues A: %d in common, %d appended", d.Common, d.CountB-d.Common)
	case "shortened":
		words = fmt.Sprintf("B ends before A: %d in common, %d missing", d.Common, d.CountA-d.Common)
	default:
		words = fmt.Sprintf("diverged at event %d: %d in common", d.DivergedAt, d.Common)
	}
	rows := newRows(c, out, "Events, "+words)
	rows.head()
	for _, e := range d.OnlyA {
		rows.add("-", strconv.Itoa(e.Seq), e.Actor, e.Action+" "+e.Target)
	}
	for _, e := range d.OnlyB {
		rows.add("+", strconv.Itoa(e.Seq), e.Actor, e.Action+" "+e.Target)
	}
	rows.end()
}

// rows is a section of a difference: a heading when there is something below it.
type rows struct {
	c     *cmds
	out   *command.Lines
	title string
	table ui.Table
	n     int
}

func newRows(c *cmds, out *command.Lines, title string) *rows {
	return &rows{c: c, out: out, title: title, table: ui.Table{Indent: 2}}
}

// head prints the heading even if nothing follows.
func (r *rows) head() {
	if r.title != "" {
		r.out.Printf("\n%s", r.c.UI.Color.Bold(r.title))
	}
	r.title = ""
}

// add shows a row: the last cell gets the room that is left of 80 columns.
func (r *rows) add(sign string, cells ...string) {
	r.head()
	if r.n++; r.n > mostRows {
		return
	}
	style := ui.Warn
	switch sign {
	case "+":
		style = ui.Good
	case "-":
		style = ui.Bad
	}
	line := []ui.Cell{{Text: sign, Style: style}}
	left := r.c.UI.Columns() - 2 - 1
	for i, text := range cells {
		room := 24
		if i == len(cells)-1 {
			room = max(left-2, 16)
		}
		text = visible.Line(text, room)
		left -= 2 + 24
		line = append(line, ui.Cell{Text: text})
	}
	r.table.Add(line...)
}

func (r *rows) end() {
	if r.n == 0 {
		return
	}
	if r.out.Err == nil {
		r.out.Err = r.table.Print(r.out.W, r.c.UI.Color)
	}
	if r.n > mostRows {
		r.out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(r.n-mostRows)))
	}
}

package keyscmd

import (
	"bytes"
	"strings"

	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
)

// rows is a list of things that have a key: a row of cells, and below it the key,
// which takes most of a line by itself.
type rows struct {
	c     *cmds
	table ui.Table
	below []string // under each row but the heading
}

func newList(c *cmds, heads ...string) *rows {
	r := &rows{c: c}
	var cells []ui.Cell
	for _, h := range heads {
		cells = append(cells, ui.Cell{Text: h, Style: ui.Dim})
	}
	r.table.Add(cells...)
	return r
}

// labelWidth is what other columns leave for a label.
const labelWidth = 24

func shortLabel(text string) string { return visible.Line(text, labelWidth) }

// add puts a row on the list, and text below it.
func (r *rows) add(text string, style ui.Style, cells ...ui.Cell) {
	r.table.Add(cells...)
	r.below = append(r.below, r.c.UI.Color.Apply(style, visible.Text(text)))
}

func (r *rows) print() error {
	var buf bytes.Buffer
	if err := r.table.Print(&buf, r.c.UI.Color); err != nil {
		return err
	}
	out := &command.Lines{W: r.c.UI.Out}
	i := -1 // the heading has nothing below it
	for line := range strings.Lines(buf.String()) {
		out.Printf("%s", strings.TrimSuffix(line, "\n"))
		if i >= 0 {
			out.Printf("  %s", r.below[i])
		}
		i++
	}
	return out.Err
}

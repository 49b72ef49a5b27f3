package ui

import (
	"io"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"seed/internal/visible"
)

// Cell is one field of a [Table]. Its text may come from outside.
type Cell struct {
	Text  string
	Style Style
	Right bool // set against the right edge of its column, for numbers
}

// Table lays rows of cells out in columns as wide as their widest cell, two
// spaces apart. The zero value is an empty table.
type Table struct {
	Indent int // spaces before every row
	// Max cuts a cell that is wider, so that one long name does not push
	// everything else off the screen; 0 means no limit.
	Max  int
	rows [][]Cell
}

// Add appends a row.
func (t *Table) Add(cells ...Cell) {
	row := make([]Cell, len(cells))
	for i, c := range cells {
		if t.Max > 0 {
			c.Text = visible.Line(c.Text, t.Max)
		} else {
			c.Text = visible.Text(c.Text)
		}
		row[i] = c
	}
	t.rows = append(t.rows, row)
}

// Print writes the table. A row never ends in spaces.
func (t *Table) Print(w io.Writer, p Paint) error {
	var widths []int
	for _, row := range t.rows {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], DisplayWidth(c.Text))
		}
	}
	var b strings.Builder
	for _, row := range t.rows {
		gap := t.Indent
		for i, c := range row {
			if c.Text == "" {
				gap += widths[i] + 2
				continue
			}
			pad := widths[i] - DisplayWidth(c.Text)
			if c.Right {
				gap, pad = gap+pad, 0
			}
			spaces(&b, gap)
			b.WriteString(p.Apply(c.Style, c.Text))
			gap = pad + 2
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func spaces(b *strings.Builder, n int) {
	for range n {
		b.WriteByte(' ')
	}
}

// DisplayWidth estimates how many terminal columns text takes that has been
// made visible: two for the wide characters of East Asia and emoji, none for
// marks that stand on another character.
func DisplayWidth(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r < 0x300:
			n++
		case r == 0x200d, unicode.In(r, unicode.Mn, unicode.Me):
		case isWide(r):
			n += 2
		default:
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	k := width.LookupRune(r).Kind()
	return k == width.EastAsianWide || k == width.EastAsianFullwidth
}

package capsulecmd

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
)

func (c *cmds) chainCmd() *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:     "chain FILE",
		GroupID: "read",
		Short:   "List what happened: the events of a capsule",
		Long: `List the events of a capsule in their order: when, who, what kind, what was done and
to what. All of it is what the authors say; nothing is verified, and even a chain that
verifies proves order and content at the time of sealing, not time, truth or authority.
--limit N shows the first N. --json prints an array of the events as they are stored,
in full. FILE may be - for standard input.

Exit codes: 0 listed; 2 encrypted, without a chain, not a capsule, or unreadable.`,
		Example: `  seed capsule chain work.capsule
  seed capsule chain work.capsule --limit 10
  seed capsule chain work.capsule --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 0 {
				return command.UsageError(cmd, errors.New("--limit is negative"))
			}
			f, err := c.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			opened, err := c.read(f)
			if err != nil {
				return err
			}
			if err := readable(f, opened); err != nil {
				return err
			}
			return c.chain(f, opened, limit)
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 0, "show the first `N` events only; 0 shows all")
	return cmd
}

func (c *cmds) chain(f *file, opened *capsule.Capsule, limit int) error {
	var (
		list        eventList
		seen, shown int
	)
	if c.JSON {
		list = &eventsJSON{p: newPrinter(c.UI.Out)}
	} else {
		list = newEventTable(c.UI)
	}
	if r := opened.File(chain.Path); r != nil {
		// Its checksum stands at the end; nothing is printed before.
		if _, err := io.Copy(io.Discard, r); err != nil {
			return unreadable(f, err)
		}
	}
	walk, err := opened.Events(func(e chain.Event) error {
		seen++
		if limit > 0 && shown == limit {
			return nil // the rest is walked for the count
		}
		shown++
		return list.add(e)
	})
	if err != nil {
		return unreadable(f, err)
	}
	if err := list.end(); err != nil {
		return err
	}
	if more := seen - shown; more > 0 {
		c.UI.Note("%s not shown", ui.Plural(int64(more), "more event is", "more events are"))
	}
	if n := len(walk.Problems) + walk.More; n > 0 {
		c.UI.Warn("%s: the chain does not hold, %s found; seed capsule verify says which",
			f.name, ui.Plural(int64(n), "problem was", "problems were"))
	}
	return nil
}

// eventList is a way to show events one by one.
type eventList interface {
	add(e chain.Event) error
	end() error
}

// eventsJSON is an array of events as they are stored.
type eventsJSON struct {
	p *printer
	n int
}

func (l *eventsJSON) add(e chain.Event) error {
	if l.n > 0 {
		l.p.w.WriteByte(',')
	} else {
		l.p.w.WriteByte('[')
	}
	l.n++
	l.p.depth = 1
	l.p.line()
	l.p.value(e.Value.Raw())
	return nil
}

func (l *eventsJSON) end() error {
	text := "\n]\n"
	if l.n == 0 {
		text = "[]\n"
	}
	l.p.w.WriteString(text)
	return l.p.flush()
}

// eventTable has columns of a fixed width, as a chain may be too long to be held.
type eventTable struct {
	w     *bufio.Writer
	paint ui.Paint
	what  int // columns left for action and target
	n     int
}

const (
	seqWidth   = 4
	timeWidth  = 20
	actorWidth = 16
	kindWidth  = 11
)

func newEventTable(s *ui.Streams) *eventTable {
	rest := s.Columns() - (seqWidth + timeWidth + actorWidth + kindWidth + 4*2)
	return &eventTable{w: bufio.NewWriter(s.Out), paint: s.Color, what: max(rest, 16)}
}

func (t *eventTable) add(e chain.Event) error {
	if t.n == 0 {
		t.row(t.paint.Dim, "seq", "time", "actor", "kind", "what was done")
	}
	t.n++
	what := e.Action()
	if target := e.Target(); target != "" {
		what += " " + target
	}
	plain := func(s string) string { return s }
	return t.row(plain, strconv.Itoa(e.Pos), e.Timestamp(), e.Actor(), e.Kind(), what)
}

func (t *eventTable) row(style func(string) string, seq, when, actor, kind, what string) error {
	line := fmt.Sprintf("%*s  %s  %s  %s  %s", seqWidth, seq, column(when, timeWidth), column(actor, actorWidth),
		column(kind, kindWidth), visible.Line(what, t.what))
	_, err := io.WriteString(t.w, style(strings.TrimRight(line, " "))+"\n")
	return err
}

func (t *eventTable) end() error {
	if t.n == 0 {
		t.w.WriteString("no events\n")
	}
	return t.w.Flush()
}

// column makes text visible and exactly so many columns wide.
func column(text string, width int) string {
	s := visible.Line(text, width)
	return s + strings.Repeat(" ", max(width-ui.DisplayWidth(s), 0))
}

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
			return c.withContent(cmd.Context(), args[0], func(f *file, opened *capsule.Capsule) error {
				return c.chain(f, opened, limit)
			})
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
	if r := opened.File(chain.Path); r != nil {
		// Its checksum stands at the end; nothing is printed before.
		if _, err := io.Copy(io.Discard, r); err != nil {
			return unreadable(f, err)
		}
	}
	if c.JSON {
		list = &eventsJSON{p: newPrinter(c.UI.Out)}
	} else {
		actor, err := widestActor(opened, limit)
		if err != nil {
			return unreadable(f, err)
		}
		list = newEventTable(c.UI, actor)
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

// eventTable has a line for each event, and a second one for what it is about.
// Its columns are fixed beforehand, as a chain may be too long to be held.
type eventTable struct {
	w     *bufio.Writer
	paint ui.Paint
	wide  int // columns of the screen
	actor int // columns of the actor
	n     int
}

const (
	seqWidth   = 4
	timeWidth  = 20
	actorWidth = 16 // at most
	kindWidth  = 11
)

// widestActor is how many columns the actors of the events that are shown take, at
// most actorWidth.
func widestActor(opened *capsule.Capsule, limit int) (int, error) {
	widest, seen := len("actor"), 0
	enough := errors.New("enough was seen")
	_, err := opened.Events(func(e chain.Event) error {
		widest = max(widest, ui.DisplayWidth(visible.Line(e.Actor(), actorWidth)))
		if seen++; seen == limit || widest >= actorWidth {
			return enough
		}
		return nil
	})
	if errors.Is(err, enough) {
		err = nil
	}
	return min(widest, actorWidth), err
}

func newEventTable(s *ui.Streams, actor int) *eventTable {
	return &eventTable{w: bufio.NewWriter(s.Out), paint: s.Color, wide: s.Columns(), actor: actor}
}

func (t *eventTable) add(e chain.Event) error {
	if t.n == 0 {
		t.row(t.paint.Dim, "seq", "time", "actor", "kind", "what was done")
	}
	t.n++
	plain := func(s string) string { return s }
	if err := t.row(plain, strconv.Itoa(e.Pos), e.Timestamp(), e.Actor(), e.Kind(), e.Action()); err != nil {
		return err
	}
	room := t.wide - (seqWidth + 2)
	about, said := e.Target(), summary(e)
	switch {
	case said == "":
		about = visible.Line(about, room)
	case about == "":
		about = visible.Line(said, room)
	default:
		about = visible.Line(about, room/2) + ": "
		about += visible.Line(said, room-ui.DisplayWidth(about))
	}
	if about == "" {
		return nil
	}
	_, err := fmt.Fprintf(t.w, "%*s  %s\n", seqWidth, "", t.paint.Dim(about))
	return err
}

// summary is what the payload of an event says in one line, "" when nothing.
func summary(e chain.Event) string {
	const enough = 4 << 10 // bytes, more than any screen shows
	for _, name := range [...]string{"summary", "statement", "note"} {
		text := e.Payload().Member(name).Str()
		if line := strings.Join(strings.Fields(text[:min(len(text), enough)]), " "); line != "" {
			return line
		}
	}
	return ""
}

func (t *eventTable) row(style func(string) string, seq, when, actor, kind, what string) error {
	left := t.wide - (seqWidth + timeWidth + t.actor + kindWidth + 4*2)
	line := fmt.Sprintf("%*s  %s  %s  %s  %s", seqWidth, seq, column(when, timeWidth), column(actor, t.actor),
		column(kind, kindWidth), visible.Line(what, max(left, 16)))
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

package cli

import (
	"context"
	"errors"
	"io"
	"sync"

	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/grow"
	"seed/internal/ui"
)

// growing shows progress while files are written, and only then: a line that is
// drawn anew would wipe out a question, or the output of a script.
type growing struct {
	a     *app
	start sync.Once
	p     *ui.Progress
}

// over counts what is read from the files. The first read begins the watch.
func (g *growing) over(files []disk.File) {
	if !g.a.UI.Redraw {
		return
	}
	var total int64
	for _, f := range files {
		total += f.Size
	}
	for i := range files {
		open := files[i].Open
		files[i].Open = func() io.Reader {
			g.start.Do(func() { g.p = ui.NewProgress(g.a.UI, "growing", total, int64(len(files))) })
			return &counted{open(), g.p}
		}
	}
}

// step ends the watch before anything but a landing.
func (g *growing) step(s *grow.Step) {
	if s.Directive != "unfold" && s.Directive != "copy" {
		g.stop()
	}
}

func (g *growing) stop() {
	if g.p != nil {
		g.p.Done()
	}
}

// counted adds what is read to a progress, and one item at its end.
type counted struct {
	r io.Reader
	p *ui.Progress
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	var items int64
	if err == io.EOF {
		items = 1
	}
	c.p.Add(int64(n), items)
	return n, err
}

// scriptFailed adds to an error what is known of the script that did not end
// well: its exit status, or that it was stopped in the middle.
func scriptFailed(ctx context.Context, r *grow.Result, err error) error {
	if r == nil {
		return err
	}
	for _, s := range r.Steps {
		if s.Status != "failed" || s.Code == "" {
			continue
		}
		var stopped command.Interrupted
		if errors.As(context.Cause(ctx), &stopped) {
			stopped.At = s.Directive
			return &command.Failure{
				Err: stopped, Code: stopped.Code(),
				Hint: "what it did until then stays, and so does what was written below " + r.Dest,
			}
		}
		f := command.Explain(err)
		f.ExecExit = s.ExecExit
		return f
	}
	return err
}

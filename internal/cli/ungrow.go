package cli

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/grow"
	"seed/internal/ui"
	"seed/internal/visible"
)

func (a *app) ungrowCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "ungrow PATH",
		GroupID: "seeds",
		Short:   "Take back what was grown at a destination",
		Long: `Remove what seed grow wrote below PATH, from the record it kept: only files whose
content is still what was written, folders that it made and that are empty now, and
links that install made. What was edited since stays and is named. What --force
replaced, or a script did, cannot be brought back.

Exit codes: 0 done; 2 nothing on record for PATH, or it failed.`,
		Example: `  seed ungrow ./skills/my-skill`,
		Args:    command.Args(1, 1),
		RunE: func(_ *cobra.Command, args []string) error {
			places, err := a.Places()
			if err != nil {
				return err
			}
			if err := a.recover(args[0]); err != nil {
				return err
			}
			j := &grow.Journal{Dir: filepath.Join(places.State, "grown"), Now: time.Now}
			u, err := j.Ungrow(args[0])
			if errors.Is(err, grow.ErrNoRecord) {
				return &command.Failure{
					Err: fmt.Errorf("%s: %w", args[0], err), Code: command.Cannot, Reason: "no_record",
					Hint: "only what seed grow wrote on this machine can be taken back",
				}
			}
			if err != nil {
				return err
			}
			return a.ungrowReport(u)
		},
	}
}

func (a *app) ungrowReport(u *grow.Undone) error {
	if a.JSON {
		return a.UI.JSON(u)
	}
	out := &command.Lines{W: a.UI.Out}
	for _, k := range u.Kept {
		out.Printf("kept %s: changed since, or not empty", visible.Text(k))
	}
	parts := []string{ui.Plural(int64(len(u.Removed)), "path", "paths") + " removed"}
	if n := len(u.Links); n > 0 {
		parts = append(parts, ui.Plural(int64(n), "link", "links")+" removed")
	}
	if n := len(u.Kept); n > 0 {
		parts = append(parts, fmt.Sprintf("%d kept", n))
	}
	if n := len(u.Missing); n > 0 {
		parts = append(parts, fmt.Sprintf("%d already gone", n))
	}
	out.Printf("%s: %s", visible.Text(u.Dest), strings.Join(parts, ", "))
	return out.Err
}

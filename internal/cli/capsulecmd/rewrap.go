package capsulecmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/internal/command"
)

func (c *cmds) rewrapCmd() *cobra.Command {
	var (
		f            sealFlags
		t            build.Takeover
		participants []string
		invalid      bool
	)
	cmd := &cobra.Command{
		Use:     "rewrap FILE",
		GroupID: "write",
		Short:   "Take custody of somebody else's capsule under your own key",
		Long: `Continue a capsule that another key began: its content is carried over byte for byte
into a new capsule with your key as originator, a new log, and the old capsule named
in its lineage. The lineage is your declaration; the old signers did not countersign.

The output is of format 0.7, because 0.6 has no lineage. A predecessor that does not
verify is refused (--allow-invalid-predecessor overrides); so is one whose content is
encrypted: decrypt it first.

Exit codes: 0 written; 2 refused, or could not.`,
		Example: `  seed capsule rewrap report.capsule --key bob -o report-bob.capsule --label "Bob"
  seed capsule verify report-bob.capsule --predecessor report.capsule`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			in, err := c.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			res, opened, err := capsule.VerifyOpen(in, in.size, capsule.Options{})
			if err != nil {
				return err
			}
			if t.CreatedAt, err = c.moment("created-at", t.CreatedAt); err != nil {
				return err
			}
			if t.Participants, err = parseParticipants(participants); err != nil {
				return err
			}
			if err := takeable(in.name, res, opened, invalid); err != nil {
				return err
			}
			d, err := build.Rewrap(opened, res, t, invalid)
			if err != nil {
				return err
			}
			if res.Verdict != capsule.Valid {
				c.UI.Warn("the predecessor does not verify: %s", problem(res))
			}
			sealed, err := c.seal(cmd.Context(), &d, &f)
			if err != nil {
				return err
			}
			c.UI.Note("written as format 0.7, which has lineage; readers of 0.6 alone will not open it")
			return c.announce(&f, sealed, "rewrapped", nil)
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&t.Label, "label", "", "your name as the capsule will claim it")
	fl.StringArrayVar(&participants, "participant", nil, "an actor of the new log, as `ID[=LABEL]` (repeatable)")
	fl.StringVar(&t.Actor, "custody-actor", "", "who received custody, as the first event says (default system:host)")
	fl.BoolVar(&t.NoEvent, "no-custody-event", false, "do not record the takeover as an event")
	fl.BoolVar(&invalid, "allow-invalid-predecessor", false, "go on although the predecessor does not verify")
	fl.StringVar(&t.CreatedAt, "created-at", "", "the `TIME` of creation to claim (default now)")
	return cmd
}

// takeable refuses a predecessor with the reason words of CAP-RWP-01.
func takeable(name string, res *capsule.Result, opened *capsule.Capsule, invalid bool) error {
	refused := func(reason, hint string, err error) error {
		return &command.Failure{Err: fmt.Errorf("%s: %w (CAP-RWP-01)", name, err), Code: command.Cannot, Reason: reason, Hint: hint}
	}
	switch {
	case res.Verdict == capsule.Unsupported && *res.VerdictReason == capsule.UnsupportedProfile:
		return refused("unsupported_profile", "", errors.New(res.Problems[0].Message))
	case res.Verdict == capsule.Unsupported:
		return refused("unsupported_version", "", errors.New(res.Problems[0].Message))
	case opened == nil:
		return refused("verification_failed", "", errors.New(res.Problems[0].Message))
	case res.Verdict != capsule.Valid && !invalid:
		return refused("verification_failed", "seed capsule verify reports everything; --allow-invalid-predecessor goes on",
			fmt.Errorf("does not verify: %s", problem(res)))
	case opened.Encrypted():
		return refused("encrypted_predecessor", "decrypt it first: seed capsule decrypt FILE -o PLAIN --key KEY", errors.New("its content is encrypted"))
	}
	return nil
}

package capsulecmd

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/internal/command"
	"seed/internal/visible"
	"seed/internal/workfolder"
)

func (c *cmds) initCmd() *cobra.Command {
	var (
		label, createdAt, pith string
		participants           []string
	)
	cmd := &cobra.Command{
		Use:     "init DIR",
		GroupID: "write",
		Short:   "Make a working folder to author a capsule in",
		Long: `Make a working folder: plain files to edit, and a log of events that only grows.

  DIR/capsule.json         label, participants
  DIR/program.md           what this is, where it stands, what to do next
  DIR/agents.md            who works on it, and how
  DIR/skills/<id>/         one folder a skill: SKILL.md, and skill.json beside it
  DIR/payload/             the work product
  DIR/chain/events.jsonl   what happened; seed capsule append adds to it

Who may act in the log is said here: with participants declared, events by anybody
else are refused. --pith normalises the prose of all events that are added later.
When the folder is ready, seed capsule seal makes a signed capsule of it.

Exit codes: 0 made; 2 could not.`,
		Example: `  seed capsule init report --label "Ana Reis" --participant human:ana --participant ai:writer
  $EDITOR report/program.md && cp findings.csv report/payload/
  seed capsule append report --actor human:ana --action created --payload '{"summary":"First draft."}'
  seed capsule seal report -o report.capsule --key ana`,
		Args: pithArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			at, err := c.moment("created-at", createdAt)
			if err != nil {
				return err
			}
			if visible.Text(label) != label {
				return command.UsageError(cmd, errors.New("--label holds characters that cannot be seen"))
			}
			s := workfolder.State{Label: label, CreatedAt: at, Pith: pith}
			if s.Participants, err = parseParticipants(participants); err != nil {
				return err
			}
			if _, err := pithOptions(pith); err != nil {
				return err
			}
			if _, err := workfolder.Init(args[0], s); err != nil {
				if errors.Is(err, fs.ErrExist) {
					return notEmpty(args[0])
				}
				return err
			}
			if c.JSON {
				return c.UI.JSON(map[string]any{"dir": args[0], "created_at": at, "label": label, "participants": len(participants)})
			}
			c.UI.Done("made %s; next: edit %s/program.md, fill %s/payload, then seed capsule append and seed capsule seal", args[0], args[0], args[0])
			return nil
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&label, "label", "", "the originator's name as the capsule will claim it")
	fl.StringArrayVar(&participants, "participant", nil, "an actor that may appear in events, as `ID[=LABEL]` such as human:ana=Ana (repeatable)")
	fl.StringVar(&createdAt, "created-at", "", "the `TIME` of creation to claim (default now)")
	addPith(cmd, &pith)
	return cmd
}

func notEmpty(dir string) error {
	return &command.Failure{Err: fmt.Errorf("%s is not empty", dir), Code: command.Cannot, Reason: "exists", Hint: "name a new or empty folder"}
}

// parseParticipants reads ID or ID=LABEL.
func parseParticipants(list []string) ([]build.Participant, error) {
	var all []build.Participant
	for _, s := range list {
		id, label, _ := strings.Cut(s, "=")
		if !capsule.ActorID(id) {
			return nil, &command.Failure{
				Err: fmt.Errorf("--participant: %q does not match an allowed namespace (CAP-MAN-07)", id), Code: command.Cannot, Reason: "usage",
				Hint: "write human:NAME, ai:NAME, system:NAME or capsule:ID",
			}
		}
		p := build.Participant{ActorID: id, Label: label}
		p.Raw = p.JSON()
		all = append(all, p)
	}
	return all, nil
}

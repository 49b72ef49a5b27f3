package capsulecmd

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"seed/capsule/chain"
	"seed/capsule/pith"
	"seed/finding"
	"seed/internal/command"
	"seed/internal/noun"
	"seed/internal/workfolder"
)

// eventFlags describe one event.
type eventFlags struct {
	actor, kind, action, target string
	payload, timestamp, pith    string
	untrusted, extra            []string
	trustAll, narrative         bool
}

func (f *eventFlags) add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&f.actor, "actor", "", "who acted, such as human:ana or ai:writer; system:host is always allowed")
	fl.StringVar(&f.kind, "kind", "", "decision, observation (default), mutation, session or checkpoint")
	fl.StringVar(&f.action, "action", "", "what was done, such as approved")
	fl.StringVar(&f.target, "target", "", "what it was done to, such as payload/plan.md (default capsule)")
	fl.Var(&payloadFlag{&f.payload}, "payload", "a JSON object: the text itself, `@FILE`, or - for standard input")
	f.payload = noPayload
	fl.StringVar(&f.timestamp, "timestamp", "", "the `TIME` it happened, as claimed (default now)")
	fl.StringArrayVar(&f.untrusted, "untrusted", nil, "mark this `PATH`, such as payload.comment, as text from outside (repeatable)")
	fl.BoolVar(&f.trustAll, "no-untrusted", false, "mark nothing; by default payload.summary and payload.statement are marked")
	fl.BoolVar(&f.narrative, "mark-narrative", false, "mark every field that holds prose")
	fl.StringArrayVar(&f.extra, "extension", nil, "a further member as `x-VENDOR-NAME=JSON` (repeatable)")
	addPith(cmd, &f.pith)
}

func addPith(cmd *cobra.Command, to *string) {
	cmd.Flags().StringVar(to, "pith", "", "shorten prose to its point: newer (default), july or off")
	cmd.Flags().Lookup("pith").NoOptDefVal = "newer"
}

// pithOptions reads the flag; nil means that nothing is normalised.
func pithOptions(word string) (*pith.Options, error) {
	switch word {
	case "", "off":
		return nil, nil
	case "newer":
		return &pith.Options{}, nil
	case "july":
		return &pith.Options{Variant: pith.July}, nil
	}
	return nil, &command.Failure{Err: fmt.Errorf("--pith takes newer, july or off, not %q", word), Code: command.Cannot, Reason: "usage"}
}

// given reports whether an event was described at all.
func (f *eventFlags) given() bool { return f.actor != "" || f.action != "" || f.payload != noPayload }

// payloadFlag keeps an empty text apart from no text.
type payloadFlag struct{ to *string }

func (p *payloadFlag) String() string     { return "" }
func (p *payloadFlag) Set(s string) error { *p.to = s; return nil }
func (p *payloadFlag) Type() string       { return "@FILE" }

// draft makes an event of the flags. byDefault is the folder's own choice of
// normaliser.
func (c *cmds) draft(f *eventFlags, byDefault string) (chain.Draft, error) {
	d := chain.Draft{
		Actor: f.actor, Kind: f.kind, Action: f.action, Target: f.target, Untrusted: f.untrusted, MarkNarrative: f.narrative,
	}
	if f.trustAll {
		d.Untrusted = []string{}
	}
	word := f.pith
	if word == "" {
		word = byDefault
	}
	var err error
	if d.Pith, err = pithOptions(word); err != nil {
		return d, err
	}
	if d.Timestamp, err = c.moment("timestamp", f.timestamp); err != nil {
		return d, err
	}
	for _, s := range f.extra {
		name, value, ok := strings.Cut(s, "=")
		if !ok {
			return d, &command.Failure{Err: fmt.Errorf("--extension wants x-VENDOR-NAME=JSON, not %q", s), Code: command.Cannot, Reason: "usage"}
		}
		d.Extra = append(d.Extra, chain.Member{Name: name, Value: []byte(value)})
	}
	d.Payload, err = c.payload(f.payload)
	return d, err
}

// payload reads the JSON of --payload. Text that is there and empty is refused:
// a command that failed in front of the pipe must not become an event.
func (c *cmds) payload(text string) ([]byte, error) {
	if text == noPayload {
		return nil, nil
	}
	name, data := "--payload", []byte(text)
	var err error
	switch {
	case text == "-":
		name = "standard input"
		data, err = limited(c.UI.In, name)
	case strings.HasPrefix(text, "@"):
		name = text[1:]
		file, _, oerr := noun.OpenRegular(name)
		if oerr != nil {
			return nil, oerr
		}
		defer file.Close()
		data, err = limited(file, name)
	}
	if err == nil && len(bytes.TrimSpace(data)) == 0 {
		err = &command.Failure{Err: fmt.Errorf("%s is empty, not a JSON object", name), Code: command.Cannot, Reason: "usage"}
	}
	return data, err
}

// noPayload is what the flag holds when it was not given: no JSON looks so.
const noPayload = "\x00"

func limited(r io.Reader, name string) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, chain.MaxLine+1))
	if err == nil && len(data) > chain.MaxLine {
		err = fmt.Errorf("%s has more than %d bytes, the most an event may have", name, chain.MaxLine)
	}
	return data, err
}

func (c *cmds) appendCmd() *cobra.Command {
	var f eventFlags
	cmd := &cobra.Command{
		Use:     "append DIR",
		GroupID: "write",
		Short:   "Add an event to the log of a working folder",
		Long: `Add one event to DIR/chain/events.jsonl. Each event carries the hash of the one before
it, so history can be added to but not changed. What the verifier would refuse is
refused here: an actor that is not declared, an unknown kind, a payload that is not
a portable JSON object.

Text that came from outside should be marked with --untrusted, so that readers frame
it as data. payload.summary and payload.statement are marked unless you say otherwise.

Exit codes: 0 added; 2 refused, or could not.`,
		Example: `  seed capsule append report --actor human:ana --kind decision --action approved \
      --target payload/plan.md --payload '{"summary":"Plan approved."}'
  seed capsule append report --actor ai:writer --action imported --payload @mail.json --untrusted payload.body
  jq -c . result.json | seed capsule append report --actor system:host --action measured --payload -`,
		Args: pithArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if f.actor == "" || f.action == "" {
				return command.UsageError(cmd, errors.New("an event needs --actor and --action (CAP-BLD-02)"))
			}
			folder, err := workfolder.Load(args[0])
			if err != nil {
				return notFolder(err)
			}
			d, err := c.draft(&f, folder.State.Pith)
			if err != nil {
				return err
			}
			added, err := folder.Append(d)
			if err != nil {
				return undeclared(err, args[0])
			}
			if c.JSON {
				return c.UI.JSON(map[string]any{"seq": added.Seq, "hash": added.Hash})
			}
			c.UI.Done("event %d added, %s", added.Seq, added.Hash)
			return nil
		},
	}
	f.add(cmd)
	return cmd
}

// undeclared says where to declare an actor.
func undeclared(err error, dir string) error {
	var broken *finding.Error
	if !errors.As(err, &broken) || broken.Rule.ID != "CAP-CHN-05" {
		return err
	}
	return &command.Failure{
		Err: err, Code: command.Cannot, Reason: "usage",
		Hint: "nobody is registered silently: add the actor to participants in " + filepath.Join(dir, workfolder.StateFile),
	}
}

// pithArgs is one argument; a word behind --pith is taken for a second one.
func pithArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 2 && cmd.Flags().Changed("pith") {
		if _, err := pithOptions(args[1]); err == nil {
			return command.UsageError(cmd, fmt.Errorf("write --pith=%s", args[1]))
		}
	}
	return command.Args(1, 1)(cmd, args)
}

// notFolder tells how to make a working folder.
func notFolder(err error) error {
	if !errors.Is(err, workfolder.ErrNotFolder) {
		return err
	}
	return &command.Failure{
		Err: err, Code: command.Cannot, Reason: "usage",
		Hint: "seed capsule init DIR makes one, seed capsule open FILE DIR turns a capsule into one",
	}
}

package capsulecmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/internal/command"
)

// HydrateFlags are the choices of turning a capsule into model context.
type HydrateFlags struct {
	MaxTokens int
	Payload   []string
	Allowlist []string
	Key       string
	Force     bool

	PassphraseFile string // for Key
}

// Add adds the flags to a command.
func (f *HydrateFlags) Add(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.IntVar(&f.MaxTokens, "max-tokens", 0, "leave parts out to stay within `N` tokens, by an offline estimate (0: no limit)")
	fl.StringArrayVar(&f.Payload, "payload", nil, "also give the text of this payload `PATH` (repeatable)")
	fl.StringSliceVar(&f.Allowlist, "allowlist", nil, "the signing `KEY`s that count as trusted, instead of the trust file")
	fl.StringVar(&f.Key, "key", "", "the recipient's `KEY` for encrypted content")
	fl.BoolVar(&f.Force, "force", false, "give out the text of a capsule that fails, all of it framed as untrusted")
}

// HydrateLong explains the output; every command that hydrates shows it.
const HydrateLong = `The order is: identity and verdict, program.md, agents.md, the events, skills with
their tier, the list of payload files, and payload text where --payload asks for it.
Each part stands between lines with a mark that no content can know, so content cannot
end its own frame. Marked event fields, unsigned skills, payload, and everything of a
capsule without a trusted signer are framed as untrusted. A frame tells a model what
is data; it cannot make a model obey.

With --max-tokens the verdict and the program come first, then the newest events; what
is left out is said. Tokens are estimated offline: about 20 % too many on English, code
and JSON, up to twice too many on other scripts, never a real tokenizer's exact count.`

func (c *cmds) hydrateCmd() *cobra.Command {
	var f HydrateFlags
	cmd := &cobra.Command{
		Use:     "hydrate FILE",
		GroupID: "read",
		Short:   "Print a verified capsule as context for a model",
		Long: `Verify a capsule and print what a model needs to continue the work. A capsule that
does not verify gives no text.

` + HydrateLong + `

Exit codes: 0 printed; 2 refused, or could not.`,
		Example: `  seed capsule hydrate report.capsule
  seed capsule hydrate report.capsule --max-tokens 8000 --payload payload/plan.md
  seed capsule hydrate report.capsule --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := c.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer in.Close()
			return c.hydrate(cmd.Context(), in, &f)
		},
	}
	f.Add(cmd)
	return cmd
}

func (c *cmds) hydrate(ctx context.Context, in *file, f *HydrateFlags) error {
	// A variable that turned out to be empty must not widen the list.
	if slices.Contains(f.Allowlist, "") || f.Allowlist != nil && len(f.Allowlist) == 0 {
		return &command.Failure{Err: errors.New("--allowlist: want a public key of 64 hex digits"), Code: command.Cannot, Reason: "usage"}
	}
	trust, err := c.trusted(f.Allowlist, false)
	if err != nil {
		return err
	}
	o := capsule.Options{Allowlist: trust.keys}
	if f.Key != "" {
		if o.Recipient, err = c.recipient(ctx, f.Key); err != nil {
			return err
		}
	}
	res, opened, err := capsule.VerifyOpen(in, in.size, o)
	if err != nil {
		return err
	}
	if err := refuse(in.name, res, f.Key != ""); err != nil && !(f.Force && opened != nil && !opened.Encrypted()) {
		return err
	}
	parts, err := opened.Context(res, capsule.ContextOptions{Payload: f.Payload, Force: f.Force, MaxTokens: f.MaxTokens})
	if err != nil {
		return err
	}
	return c.PrintContext(in.name, "capsule", fmt.Sprintf("# Capsule %s\n", res.CapsuleID), parts, f.MaxTokens)
}

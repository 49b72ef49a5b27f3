package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/hydrate"
	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/noun"
	"seed/seedfile"
)

// maxContext is the most bytes of a payload or an archive member that are given
// to a model.
const maxContext = 16 << 20

func (a *app) hydrateCmd() *cobra.Command {
	var (
		f inputFlags
		h capsulecmd.HydrateFlags
	)
	cmd := &cobra.Command{
		Use:     "hydrate THING",
		GroupID: "both",
		Short:   "Print a seed or a capsule as context for a model",
		Long: `Print what a model should read, in order, with untrusted parts framed. THING is a
capsule or a seed: a file, - for standard input, or a URL of a seed. A thing
that does not verify gives no text. A seed is framed as untrusted unless a trusted
signer signed it.

` + capsulecmd.HydrateLong + `

Exit codes: 0 printed; 2 refused, or could not.`,
		Example: `  seed hydrate report.capsule --max-tokens 8000
  seed hydrate my-skill.seed
  seed hydrate my-skill.seed --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == "-" && h.Key == "-" {
				return command.UsageError(cmd, errors.New("standard input can be only one of them"))
			}
			in, err := a.openThing(cmd.Context(), args[0], "hydrate", &f, true, noun.SeedFile, noun.Capsule)
			if err != nil {
				return err
			}
			defer in.Close()
			if in.isCapsule() {
				return a.hydrateCapsule(cmd.Context(), in, &f, &h)
			}
			return a.hydrateSeed(cmd.Context(), in, &f, &h)
		},
	}
	h.Add(cmd)
	cmd.Flags().StringVar(&h.PassphraseFile, "passphrase-file", "", command.PassphraseUsage)
	f.add(cmd)
	return cmd
}

// hydrateSeed prints a seed: what was found out about it, and its text.
func (a *app) hydrateSeed(ctx context.Context, in *input, f *inputFlags, h *capsulecmd.HydrateFlags) error {
	seed, err := a.read(in, f, seedfile.Options{})
	if err != nil {
		return err
	}
	again, err := in.settle(ctx, seed)
	if err != nil {
		return err
	}
	if again {
		if seed, err = a.read(in, f, seedfile.Options{}); err != nil {
			return err
		}
	}
	trusted, verdict, err := a.seedVerdict(in, seed, h.Allowlist)
	if err != nil {
		return err
	}
	why := ""
	if !trusted {
		why = "no trusted signer"
	}
	parts := []hydrate.Part{
		{Kind: "verdict", Title: "what was found out", Trusted: true, Text: verdict, Rank: -1},
		{Kind: "metadata", Title: "metadata", Trusted: trusted, Why: why, Text: string(seed.Meta.Raw()), Rank: 1},
	}
	content, err := seedContent(seed)
	if err != nil {
		return err
	}
	for _, p := range content {
		p.Trusted, p.Why = trusted, why
		parts = append(parts, p)
	}
	return a.PrintContext(in.name, "seed", "# Seed\n", parts, h.MaxTokens)
}

// seedContent is the payload, or the files of an archive with its reading guide
// first.
func seedContent(seed *seedfile.File) ([]hydrate.Part, error) {
	if seed.Archive == nil {
		text, err := limitedText(seed.Payload(), "the payload")
		if err != nil {
			return nil, err
		}
		return []hydrate.Part{{Kind: "program", Title: seed.Filename, Text: text}}, nil
	}
	var guide, rest []hydrate.Part
	for i := range seed.Archive.Files {
		e := &seed.Archive.Files[i]
		if e.Encoded {
			rest = append(rest, hydrate.Part{Kind: "file", Title: e.Path, Text: fmt.Sprintf("(binary, %d bytes)\n", e.Size), Rank: 3})
			continue
		}
		text, err := limitedText(seed.Archive.Open(e), e.Path)
		if err != nil {
			return nil, err
		}
		switch e.Path {
		case "SKILL.md", "SEED.md", "README.md":
			guide = append(guide, hydrate.Part{Kind: "program", Title: e.Path, Text: text})
		default:
			rest = append(rest, hydrate.Part{Kind: "file", Title: e.Path, Text: text, Rank: 2})
		}
	}
	return append(guide, rest...), nil
}

func limitedText(r io.Reader, name string) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxContext+1))
	if err == nil && len(text) > maxContext {
		err = fmt.Errorf("%s has more than %d bytes, too much for context", finding.Quote(name), maxContext)
	}
	return string(text), err
}

// seedVerdict is our own word about a seed, and whether a trusted signer stands
// behind it. A signature that is not valid gives no text at all.
func (a *app) seedVerdict(in *input, seed *seedfile.File, allowlist []string) (trusted bool, text string, err error) {
	t := &trusting{a: a}
	if t.only, err = a.Allowlist(allowlist); err != nil {
		return false, "", err
	}
	sig, err := seed.Signature()
	if err != nil {
		return false, "", err
	}
	if sig.State == seedfile.SignatureInvalid {
		return false, "", sig.Breach
	}
	j := t.describe(sig, seed.Meta)
	text = fmt.Sprintf("seed %s, conforms to Seed/1.0\n%s\n", finding.Quote(in.name), j.line(false))
	if len(j.Wants) > 0 {
		text += "growing it would need: " + strings.Join(j.Wants, ", ") + "; nothing was run\n"
	}
	return j.Trusted, text, nil
}

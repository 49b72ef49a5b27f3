package capsulecmd

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/ui"
)

// VerifyOptions are the choices of verifying a capsule.
type VerifyOptions struct {
	Allowlist      []string // keys, names or files
	RequireTrusted bool
	Predecessors   []string // files
	Versions       []string
	Profiles       []string // id/version
	Strict         bool
	Key            string // name or file of the recipient's key, or -
	PassphraseFile string // with the passphrase of that key
}

// Verify judges a capsule and prints the report.
func Verify(ctx context.Context, app *command.App, in Input, o VerifyOptions) error {
	return (&cmds{App: app, passphraseFile: o.PassphraseFile}).verify(ctx, in.file(), &o)
}

func (c *cmds) verifyCmd() *cobra.Command {
	var (
		o     VerifyOptions
		alias string
	)
	cmd := &cobra.Command{
		Use:     "verify FILE",
		GroupID: "read",
		Short:   "Say whether a capsule is what it claims to be, and who sealed it",
		Long: `Check everything that a capsule states about itself: the container, every file against
the content index, the chain of events, the signatures and the set of signers. No
network is needed or used. FILE may be - for standard input.

The report keeps four things apart. Intact: the bytes and hashes agree. Signed: by
these keys, the mathematics holds. Trusted: you listed the key, in the trust file
(seed trust) or with --allowlist. What a seal does not bind or this run did not check is
named beside the verdict. Times and names are claims of the signer.

Trust is no part of the verdict unless you demand it: --allowlist and --require-trusted
make a signer that you trust a condition. With --allowlist, only its keys count.

An encrypted capsule is verified from outside (L2). With the recipient's key its content
is opened and verified too (L3): --key takes the name of a key, its file, or - for
standard input.

Exit codes: 0 valid, and all that was demanded is met; 1 invalid, unsupported, not a
capsule at all, or a demand not met; 2 usage, or the file could not be read.`,
		Example: `  seed capsule verify work.capsule
  seed capsule verify work.capsule --allowlist 5f2a...
  seed capsule verify work.capsule --key my-inbox --require-trusted
  seed capsule verify next.capsule --predecessor work.capsule --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.PassphraseFile = c.passphraseFile
			if cmd.Flags().Changed("decryption-key") {
				if cmd.Flags().Changed("key") {
					return command.UsageError(cmd, errors.New("--key and --decryption-key are one flag; give one of them"))
				}
				o.Key = alias
			}
			if err := o.Check(cmd, args[0]); err != nil {
				return err
			}
			f, err := c.open(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			return c.verify(cmd.Context(), f, &o)
		},
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&o.Allowlist, "allowlist", nil, "demand that one of these `KEYS` signed it: a key, a name or a file; may be repeated")
	fl.BoolVar(&o.RequireTrusted, "require-trusted", false, "demand a signer that you trust")
	fl.StringArrayVar(&o.Predecessors, "predecessor", nil, "compare the declared lineage with this `FILE`; may be repeated")
	fl.StringSliceVar(&o.Versions, "accept-versions", nil, "demand one of these format `VERSIONS`")
	fl.StringSliceVar(&o.Profiles, "accept-profiles", nil, "demand one of these `PROFILES`, each written id/version")
	fl.BoolVar(&o.Strict, "strict", false, "refuse data descriptors and an archive comment in the container")
	fl.StringVar(&o.Key, "key", "", "open and verify encrypted content with this private `KEY`: name, file or -")
	fl.StringVar(&alias, "decryption-key", "", "the same as --key")
	if err := fl.MarkHidden("decryption-key"); err != nil {
		panic(err) // a flag of that name was just made
	}
	return cmd
}

func (c *cmds) verify(ctx context.Context, f *file, o *VerifyOptions) error {
	trust, err := c.trusted(o.Allowlist, o.RequireTrusted)
	if err != nil {
		return err
	}
	terms := trust.options()
	terms.Strict = o.Strict
	terms.AcceptVersions, terms.AcceptProfiles = o.Versions, o.Profiles
	for _, name := range o.Predecessors {
		p, err := c.open(ctx, name)
		if err != nil {
			return err
		}
		defer p.Close()
		terms.Predecessors = append(terms.Predecessors, capsule.Source{Name: p.name, Reader: p, Size: p.size})
	}
	if o.Key != "" {
		if terms.Recipient, err = c.recipient(ctx, o.Key); err != nil {
			return err
		}
	}
	res, err := c.judge(f, terms)
	if err != nil {
		return err
	}
	if terms.Recipient != nil && res.Level == "L2" && res.Verdict == capsule.Valid && !res.Has(capsule.EncryptedOuterOnly) {
		c.UI.Note("%s is not encrypted; the key was not used", f.name)
	}
	if c.JSON {
		err = c.UI.JSON(res)
	} else {
		err = c.printReport(f, res, trust, terms.Predecessors)
	}
	if err == nil && !res.OK {
		err = command.ErrVerdict
	}
	return err
}

// options are the terms of a verification against these signers.
func (s *signers) options() capsule.Options {
	return capsule.Options{Allowlist: s.keys, RequireTrusted: s.demand}
}

// judge verifies a file and shows how far it has come.
func (c *cmds) judge(f *file, o capsule.Options) (*capsule.Result, error) {
	res, _, err := c.judgeOpen(f, o)
	return res, err
}

func (c *cmds) judgeOpen(f *file, o capsule.Options) (*capsule.Result, *capsule.Capsule, error) {
	progress := ui.NewProgress(c.UI, "verify", f.size, 0)
	defer progress.Done()
	o.Progress = func(n int64) { progress.Add(n, 0) }
	res, opened, err := capsule.VerifyOpen(f, f.size, o)
	if err != nil {
		return nil, nil, fmt.Errorf("verify %s: %w", f.name, err)
	}
	return res, opened, nil
}

// Check refuses flags of cmd that could be taken for a demand and would make none:
// a variable that turned out to be empty must not switch trust off. The inputs are
// arguments that may be standard input.
func (o *VerifyOptions) Check(cmd *cobra.Command, inputs ...string) error {
	for _, l := range [...]struct {
		name  string
		given []string
		fine  func(string) bool
		want  string
	}{
		{"allowlist", o.Allowlist, func(s string) bool { return s != "" }, "the public key of a signer, the name of a key or a file"},
		{"predecessor", o.Predecessors, func(s string) bool { return s != "" }, "a file"},
		{"accept-versions", o.Versions, capsule.VersionText, "a version such as 0.6"},
		{"accept-profiles", o.Profiles, capsule.ProfileText, "a profile such as v0.6-suite/1.0"},
	} {
		bad := cmd.Flags().Changed(l.name) && len(l.given) == 0
		for _, s := range l.given {
			bad = bad || !l.fine(s)
		}
		if bad {
			return command.UsageError(cmd, fmt.Errorf("--%s: want %s", l.name, l.want))
		}
	}
	if o.Key == "" && (cmd.Flags().Changed("key") || cmd.Flags().Changed("decryption-key")) {
		return command.UsageError(cmd, errors.New("--key: want the name of a key, a file or -"))
	}
	stdin := 0
	for _, s := range slices.Concat(inputs, []string{o.Key, o.PassphraseFile}, o.Predecessors) {
		if s == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return command.UsageError(cmd, errors.New("standard input can be only one of them"))
	}
	return nil
}

package capsulecmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/ui"
)

type verifyFlags struct {
	allowlist      []string
	requireTrusted bool
	predecessors   []string
	versions       []string
	profiles       []string
	strict         bool
	key            string
}

func (c *cmds) verifyCmd() *cobra.Command {
	var o verifyFlags
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
		RunE: func(cmd *cobra.Command, args []string) error { return c.verify(cmd, args[0], &o) },
	}
	fl := cmd.Flags()
	fl.StringSliceVar(&o.allowlist, "allowlist", nil, "demand a signer with one of these public keys (`HEX`; may be repeated)")
	fl.BoolVar(&o.requireTrusted, "require-trusted", false, "demand a signer that you trust")
	fl.StringArrayVar(&o.predecessors, "predecessor", nil, "compare the declared lineage with this `FILE` (may be repeated)")
	fl.StringSliceVar(&o.versions, "accept-versions", nil, "demand one of these format `VERSIONS`")
	fl.StringSliceVar(&o.profiles, "accept-profiles", nil, "demand one of these `PROFILES`, each written id/version")
	fl.BoolVar(&o.strict, "strict", false, "refuse data descriptors and an archive comment in the container")
	fl.StringVar(&o.key, "decryption-key", "", "open and verify encrypted content with this private `KEY`: name, file or -")
	fl.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if name == "key" {
			name = "decryption-key"
		}
		return pflag.NormalizedName(name)
	})
	return cmd
}

func (c *cmds) verify(cmd *cobra.Command, arg string, o *verifyFlags) error {
	if err := o.check(cmd, arg, c.passphraseFile); err != nil {
		return err
	}
	trust, err := c.trusted(o.allowlist, o.requireTrusted)
	if err != nil {
		return err
	}
	terms := trust.options()
	terms.Strict = o.strict
	terms.AcceptVersions, terms.AcceptProfiles = o.versions, o.profiles
	f, err := c.open(cmd.Context(), arg)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, name := range o.predecessors {
		p, err := c.open(cmd.Context(), name)
		if err != nil {
			return err
		}
		defer p.Close()
		terms.Predecessors = append(terms.Predecessors, capsule.Source{Name: name, Reader: p, Size: p.size})
	}
	if o.key != "" {
		if terms.Recipient, err = c.recipient(cmd.Context(), o.key); err != nil {
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
		err = c.printReport(f, res, trust)
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

// check refuses flags that could be taken for a demand and would make none: a
// variable that turned out to be empty must not switch trust off.
func (o *verifyFlags) check(cmd *cobra.Command, inputs ...string) error {
	for _, l := range [...]struct {
		name  string
		given []string
		fine  func(string) bool
		want  string
	}{
		{"allowlist", o.allowlist, func(s string) bool { return s != "" }, "a public key of 64 hex digits"},
		{"accept-versions", o.versions, version, "a version such as 0.6"},
		{"accept-profiles", o.profiles, profile, "a profile such as v0.6-suite/1.0"},
	} {
		bad := cmd.Flags().Changed(l.name) && len(l.given) == 0
		for _, s := range l.given {
			bad = bad || !l.fine(s)
		}
		if bad {
			return command.UsageError(cmd, fmt.Errorf("--%s: want %s", l.name, l.want))
		}
	}
	if cmd.Flags().Changed("decryption-key") && o.key == "" {
		return command.UsageError(cmd, errors.New("--decryption-key: want the name of a key, a file or -"))
	}
	stdin := 0
	for _, s := range slices.Concat(inputs, []string{o.key}, o.predecessors) {
		if s == "-" {
			stdin++
		}
	}
	if stdin > 1 {
		return command.UsageError(cmd, errors.New("standard input can be only one of them"))
	}
	return nil
}

// version reports whether s has the grammar of CAP-VSN-01.
func version(s string) bool {
	major, minor, ok := strings.Cut(s, ".")
	return ok && decimal(major) && decimal(minor)
}

func decimal(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == "" && (s == "0" || s[0] != '0')
}

func profile(s string) bool {
	id, v, ok := strings.Cut(s, "/")
	return ok && id != "" && version(v)
}

package capsulecmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/internal/command"
	"seed/internal/workfolder"
)

// folderFlags are those of commands that seal a working folder.
type folderFlags struct {
	sealFlags
	allowSecret  []string
	allowSecrets bool
}

func (f *folderFlags) add(cmd *cobra.Command) {
	f.sealFlags.add(cmd)
	cmd.Flags().StringArrayVar(&f.allowSecret, "allow-secret", nil, "seal `PATH` although it looks like it holds a secret (repeatable)")
	cmd.Flags().BoolVar(&f.allowSecrets, "allow-secrets", false, "do not look for secrets")
}

func (c *cmds) sealCmd() *cobra.Command {
	var (
		f            folderFlags
		version      string
		template     bool
		noCommitment bool
	)
	cmd := &cobra.Command{
		Use:     "seal DIR",
		GroupID: "write",
		Short:   "Make a signed capsule of a working folder, encrypted if you say to whom",
		Long: `Hash every file of the working folder, sign the whole with your key, and write one
.capsule file. The same folder, keys and times give the same bytes. What was written
is read back and verified before it gets its name; nothing is left behind otherwise.

Sealed are program.md, agents.md, skills, payload and the events, and files that
capsule.json lists; .seedignore leaves files out. A skill with a skill.json can be
taken as instructions by a host that trusts a signer; one with only a SKILL.md never.

The key of --key signs as originator: with the first event it makes the identity of
the capsule. Further signers are given as --sign ROLE=KEY; all of them are bound by
the seal. With --to, the content can be read by those recipients only; who sealed it,
for whom and when stays readable (less of it with --minimal-outer).

Likely secrets stop the sealing.

Exit codes: 0 sealed; 2 refused, or could not.`,
		Example: `  seed capsule seal report -o report.capsule --key ana
  seed capsule seal report -o report.capsule --key ana --sign approver=legal
  seed capsule seal report -o report.capsule --key ana --to bob --to x25519:702f...`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			folder, err := workfolder.Load(args[0])
			if err != nil {
				return notFolder(err)
			}
			if o := folder.State.Origin; o != nil && o.Events > 0 {
				return &command.Failure{
					Err:  fmt.Errorf("%s was opened from capsule %.16s…, which is sealed already", args[0], o.CapsuleID),
					Code: command.Cannot, Reason: "usage",
					Hint: "go on with the same key: seed capsule continue; take it over under your own: seed capsule rewrap",
				}
			}
			return c.sealFolder(cmd.Context(), folder, &f, "sealed", func(d *build.Draft) error {
				d.Version, d.Template, d.NoCommitment = version, template, noCommitment
				return nil
			})
		},
	}
	f.add(cmd)
	fl := cmd.Flags()
	fl.StringVar(&version, "format", capsule.Version06, "the version of the format to write: 0.6 or 0.7")
	fl.BoolVar(&template, "template", false, "seal without any event; otherwise one is added that says so")
	fl.BoolVar(&noCommitment, "no-commitment", false, "do not bind the set of signers, for readers of the first generation")
	return cmd
}

// maxNamed is how many files that are left out are named.
const maxNamed = 10

// sealFolder collects a folder, lets set change the draft, and seals it.
func (c *cmds) sealFolder(ctx context.Context, folder *workfolder.Folder, f *folderFlags, verb string, set func(*build.Draft) error) error {
	got, err := folder.Collect(f.out, !f.allowSecrets)
	if err != nil {
		return err
	}
	defer got.Close()
	for _, stray := range got.Strays {
		c.UI.Note("not sealed: %s is in none of the folder's places; list it under \"files\" in %s", stray, workfolder.StateFile)
	}
	for i, left := range got.Left {
		if i == maxNamed {
			c.UI.Note("left out by ignore rules: and %d more", len(got.Left)-i)
			break
		}
		c.UI.Note("left out by ignore rules: %s (%s)", left.Path, left.Why)
	}
	for _, odd := range got.Odd {
		c.UI.Note("%s", odd)
	}
	d := &got.Draft
	if err := set(d); err != nil {
		return err
	}
	if d.Chain.Size == 0 && !d.Template {
		c.UI.Note("the log is empty, so one event is added that says so; --template seals without any")
	}
	d.Reviewed = func() error { return command.RefuseSecrets(got.Secrets.Found(), f.allowSecret, "sealed") }
	sealed, err := c.seal(ctx, d, &f.sealFlags)
	if err != nil {
		return err
	}
	return c.announce(&f.sealFlags, sealed, verb, got.Strays, got.Left...)
}

// Package capsulecmd is the commands about capsules: `seed capsule …`, and the
// same under the program name `capsule`. One file a command; the rules of the
// format are in package capsule.
package capsulecmd

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/fetch"
	"seed/internal/noun"
)

// cmds carries what all commands share.
type cmds struct {
	*command.App
	passphraseFile string
}

const long = `A capsule is one .capsule file: a work product, the context to continue it, a
hash-chained log of what happened, and the signatures of those who sealed it;
optionally all of it encrypted to its recipients.

Reading never runs anything, and verifying never needs the network.

Exit codes: 0 done; 1 a negative verdict; 2 could not: usage, refused, unreadable.`

// New builds the tree of commands about capsules.
func New(app *command.App) *cobra.Command {
	c := &cmds{App: app}
	root := &cobra.Command{
		Use:   "capsule",
		Short: "Author, verify, encrypt and continue capsules",
		Long:  long,
		Example: `  seed capsule verify work.capsule       is it what it claims to be, and who says so?
  seed capsule inspect work.capsule      what is in it
  seed capsule seal ./work -o work.capsule --key ana`,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) > 0 {
				return command.UnknownCommand(cmd, words[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := cmd.Help(); err != nil {
				return err
			}
			return &command.Failure{Err: errors.New("name a command"), Code: command.Cannot, Reason: "usage"}
		},
	}
	root.AddGroup(
		&cobra.Group{ID: "read", Title: "Read and judge:"},
		&cobra.Group{ID: "write", Title: "Author and hand over:"},
	)
	root.AddCommand(c.verifyCmd(), c.inspectCmd(), c.chainCmd(), c.manifestCmd(), c.envelopeCmd(),
		c.programCmd(), c.agentsCmd(), c.extractCmd(), c.diffCmd(), c.vectorsCmd(), c.hydrateCmd(),
		c.initCmd(), c.appendCmd(), c.sealCmd(), c.openCmd(), c.continueCmd(), c.encryptCmd(), c.decryptCmd(), c.rewrapCmd(), c.keygenCmd())
	root.PersistentFlags().StringVar(&c.passphraseFile, "passphrase-file", "", command.PassphraseUsage)
	return root
}

// Input is a capsule that the caller has opened; closing it stays with the caller.
type Input struct {
	io.ReaderAt
	Size  int64
	Name  string // for messages
	Stdin bool   // it came from standard input
}

func (in Input) file() *file {
	f := &file{ReaderAt: in.ReaderAt, Closer: io.NopCloser(nil), name: in.Name, arg: in.Name, size: in.Size}
	if in.Stdin {
		f.arg = "-"
	}
	return f
}

// Inspect prints what a capsule says about itself.
func Inspect(app *command.App, in Input) error {
	c := &cmds{App: app}
	f := in.file()
	opened, err := c.read(f)
	if err != nil {
		return err
	}
	return c.inspect(f, opened)
}

// HydrateInput prints a capsule as model context.
func HydrateInput(ctx context.Context, app *command.App, in Input, f *HydrateFlags) error {
	return (&cmds{App: app, passphraseFile: f.PassphraseFile}).hydrate(ctx, in.file(), f)
}

// file is a capsule that is at hand to be read.
type file struct {
	io.ReaderAt
	io.Closer
	name string // for messages
	arg  string // by which the user named it
	size int64
}

// maxStdin is how much of standard input is taken for a capsule.
const maxStdin = 2 << 30

// open gives access to a file, or to standard input when the argument is "-".
func (c *cmds) open(ctx context.Context, arg string) (*file, error) {
	if arg == "-" {
		spool, err := fetch.ReadAll(ctx, c.UI.In, fetch.Source{MaxSize: maxStdin})
		if err != nil {
			return nil, err
		}
		return &file{ReaderAt: spool, Closer: spool, name: "standard input", arg: arg, size: spool.Size()}, nil
	}
	f, info, err := noun.OpenRegular(arg)
	if err != nil {
		return nil, err
	}
	return &file{ReaderAt: cancelReader{ctx, f}, Closer: f, name: arg, arg: arg, size: info.Size()}, nil
}

// read opens a file as a capsule without judging it. What is not a capsule is
// refused with its rule; the exit code is 2 for every command but verify.
func (c *cmds) read(f *file) (*capsule.Capsule, error) {
	opened, err := capsule.Open(f, f.size, capsule.Limits{})
	var refused *capsule.RefusedError
	if errors.As(err, &refused) {
		return nil, &command.Failure{Err: fmt.Errorf("%s: not a capsule that can be read: %w", f.name, err), Code: command.Cannot, Reason: string(refused.Reason)}
	}
	return opened, err
}

// withCapsule opens what arg names as a capsule, unverified, and hands it to use.
func (c *cmds) withCapsule(ctx context.Context, arg string, use func(*file, *capsule.Capsule) error) error {
	f, err := c.open(ctx, arg)
	if err != nil {
		return err
	}
	defer f.Close()
	opened, err := c.read(f)
	if err != nil {
		return err
	}
	return use(f, opened)
}

// withContent is withCapsule for commands that show what encryption hides.
func (c *cmds) withContent(ctx context.Context, arg string, use func(*file, *capsule.Capsule) error) error {
	return c.withCapsule(ctx, arg, func(f *file, opened *capsule.Capsule) error {
		if !opened.Encrypted() {
			return use(f, opened)
		}
		return &command.Failure{
			Err: fmt.Errorf("%s: its content is encrypted", f.name), Code: command.Cannot, Reason: "encrypted",
			Hint: "decrypt it first: seed capsule decrypt FILE -o PLAIN --key KEY",
		}
	})
}

// unreadable says of which capsule a part could not be read.
func unreadable(f *file, err error) error {
	failure := &command.Failure{Err: fmt.Errorf("%s: %w", f.name, err), Code: command.Cannot}
	var refused *capsule.RefusedError
	if errors.As(err, &refused) {
		failure.Reason = string(refused.Reason)
	}
	return failure
}

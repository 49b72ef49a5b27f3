package keyscmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/visible"
)

type newFlags struct {
	receive    bool
	label      string
	passphrase bool
	file       string
}

func (c *cmds) newCmd() *cobra.Command {
	var f newFlags
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Make a key pair",
		Long: `Make a key pair and keep it in the store as NAME: Ed25519, for signing, or X25519, for
receiving encrypted capsules, with --receive. The public key is printed.

--passphrase asks for a passphrase, twice, on the terminal, which does not show it. For
scripts it comes from a file or standard input, never from the command line.

Exit codes: 0 made; 2 refused or could not, and nothing was made.`,
		Example: `  seed keys new work --label "Ada at work" --passphrase
  seed keys new inbox --receive`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.make(cmd.Context(), args[0], &f) },
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.receive, "receive", false, "make an X25519 key, which receives and cannot sign")
	fl.StringVar(&f.label, "label", "", "`TEXT` that says whose key it is; goes with the public key")
	addPassphrase(cmd, &f.passphrase, &f.file)
	return cmd
}

func addPassphrase(cmd *cobra.Command, ask *bool, file *string) {
	cmd.Flags().BoolVar(ask, "passphrase", false, "ask for a passphrase that protects the key in the store")
	cmd.Flags().StringVar(file, "passphrase-file", "", command.PassphraseUsage)
	cmd.MarkFlagsMutuallyExclusive("passphrase", "passphrase-file")
}

func (c *cmds) make(ctx context.Context, name string, f *newFlags) error {
	store, err := c.Keys()
	if err != nil {
		return err
	}
	// Nobody should type a passphrase for nothing.
	if err := free(store, name, f.label); err != nil {
		return err
	}
	pass, err := c.newPassphrase(ctx, name, f.passphrase, f.file)
	if err != nil {
		return err
	}
	defer clear(pass)
	kind := keys.Signing
	if f.receive {
		kind = keys.Receiving
	}
	key, err := keys.Generate(kind, nil)
	if err != nil {
		return err
	}
	defer key.Wipe()
	info, err := store.New(name, f.label, key, pass, time.Now())
	if err != nil {
		return err
	}
	return c.kept(info)
}

// free refuses a name or label that will not do.
func free(store keys.Store, name, label string) error {
	err := keys.CheckName(name)
	if err == nil {
		err = keys.CheckLabel(label)
	}
	if err != nil {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage"}
	}
	_, err = store.Info(name)
	if errors.Is(err, keys.ErrNoKey) {
		return nil
	}
	return &command.Failure{
		Err: fmt.Errorf("a key called %s is there: %w", name, fs.ErrExist), Code: command.Cannot,
		Hint: "choose another name, or remove that key first",
	}
}

// newPassphrase is the one that will protect a key, nil for none.
func (c *cmds) newPassphrase(ctx context.Context, name string, ask bool, file string) ([]byte, error) {
	if !ask && file == "" {
		return nil, nil
	}
	from := c.PassphraseFrom(ctx, file)
	pass, err := from("new passphrase for key " + name + ":")
	if err != nil || file != "" {
		return pass, err
	}
	if len(pass) == 0 {
		return nil, usage("the passphrase is empty", "without --passphrase the key is not protected")
	}
	again, err := from("the same again:")
	defer clear(again)
	if err == nil && !bytes.Equal(pass, again) {
		err = usage("the two passphrases differ; nothing was made", "")
	}
	if err != nil {
		clear(pass)
		return nil, err
	}
	return pass, nil
}

// kept reports a key that is in the store now.
func (c *cmds) kept(k keys.Info) error {
	if c.JSON {
		return c.UI.JSON(describe(k))
	}
	if !k.Protected {
		c.UI.Note("the key is not protected by a passphrase: whoever reads your files can use it")
	}
	out := &command.Lines{W: c.UI.Out}
	out.Printf("%s  %s", k.Name, k.Public)
	if k.Label != "" {
		out.Printf("  %s", visible.Text(k.Label))
	}
	return out.Err
}

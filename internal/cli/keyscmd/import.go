package keyscmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
)

type importFlags struct {
	name, label string
	kind        string
	passphrase  bool
	file        string // of the passphrase
}

func (c *cmds) importCmd() *cobra.Command {
	var f importFlags
	cmd := &cobra.Command{
		Use:   "import FILE|-",
		Short: "Put a private key into the store",
		Long: `Put a copy of a private key into the store: a key file of seed, an OpenSSH key of type
ssh-ed25519 without a passphrase, or 64 hex digits with --kind. The name is that of the
file unless --name gives another. FILE stays as it is.

A passphrase that FILE has protects the copy too; --passphrase asks for another one.
Public keys of others do not belong here: seed trust add is for those.

Exit codes: 0 imported; 2 refused or could not, and nothing was imported.`,
		Example: `  seed keys import work.key
  seed keys import ~/.ssh/id_ed25519 --name laptop --passphrase
  seed keys import signer.hex --kind ed25519`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.importKey(cmd.Context(), args[0], &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.name, "name", "", "`NAME` of the key in the store")
	fl.StringVar(&f.label, "label", "", "`TEXT` that says whose key it is, instead of what the file says")
	fl.StringVar(&f.kind, "kind", "", "ed25519 or x25519, where the file does not say it")
	addPassphrase(cmd, &f.passphrase, &f.file)
	words := cobra.FixedCompletions([]string{"ed25519", "x25519"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("kind", words); err != nil {
		panic(err) // a flag of that name was just made
	}
	return cmd
}

func (c *cmds) importKey(ctx context.Context, path string, f *importFlags) error {
	store, err := c.Keys()
	if err != nil {
		return err
	}
	if err := f.check(path); err != nil {
		return err
	}
	if err := free(store, f.name, f.label); err != nil {
		return err
	}
	var pass []byte
	defer func() { clear(pass) }()
	key, err := c.readKey(path, keys.Kind(f.kind), remember(c.PassphraseFrom(ctx, f.file), &pass))
	if err != nil {
		return err
	}
	defer key.Wipe()
	if key.Warning != "" {
		c.UI.Warn("%s", key.Warning)
	}
	if f.passphrase || f.file != "" && pass == nil {
		clear(pass)
		if pass, err = c.newPassphrase(ctx, f.name, f.passphrase, f.file); err != nil {
			return err
		}
	}
	label := f.label
	if label == "" {
		label = key.Label
	}
	info, err := store.New(f.name, label, key, pass, time.Now())
	if err != nil {
		return err
	}
	return c.kept(info)
}

// check fills in the name and refuses flags that do not fit.
func (f *importFlags) check(path string) error {
	switch f.kind {
	case "", string(keys.Signing), string(keys.Receiving):
	default:
		return usage(fmt.Sprintf("--kind takes ed25519 or x25519, not %q", f.kind), "")
	}
	if path == "-" && f.file == "-" {
		return usage("standard input cannot be both the key and the passphrase", "give one of them as a file")
	}
	if f.name != "" {
		return nil
	}
	if path == "-" {
		return usage("a key from standard input needs a name", "add --name NAME")
	}
	f.name = filepath.Base(path)
	for _, ext := range []string{".hex", ".private", ".key", ".pem"} {
		f.name = strings.TrimSuffix(f.name, ext)
	}
	if err := keys.CheckName(f.name); err != nil {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage", Hint: "give the key a name: --name NAME"}
	}
	return nil
}

// maxKey is more than any key file has.
const maxKey = 16 << 10

func (c *cmds) readKey(path string, kind keys.Kind, ask keys.Asker) (*keys.Private, error) {
	if path != "-" {
		return keys.ReadFile(path, kind, ask)
	}
	data := make([]byte, maxKey+1)
	defer clear(data)
	n, err := io.ReadFull(c.UI.In, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	return keys.ParsePrivate(data[:n], kind, ask)
}

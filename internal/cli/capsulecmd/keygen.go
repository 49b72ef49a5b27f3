package capsulecmd

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/keys"
	"seed/internal/visible"
)

func (c *cmds) keygenCmd() *cobra.Command {
	var out, label string
	cmd := &cobra.Command{
		Use:     "keygen",
		GroupID: "write",
		Short:   "Make a pair of files with a new signing key",
		Long: `Make a new Ed25519 key for signing capsules and write it to two files of 64 hex digits,
LABEL.public.hex and LABEL.private.hex, the latter for you alone. Files that are there
are never replaced, and the private key is never printed.

seed keys new keeps a key in the key store instead, with its kind and a passphrase; a
key for receiving encrypted capsules is made there too.

Exit codes: 0 written; 2 a file is there already, or it could not be written.`,
		Example: `  seed capsule keygen --label ana
  seed capsule keygen --out ~/keys --label ana --json`,
		Args: command.Args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := keys.CheckName(label); err != nil {
				return command.UsageError(cmd, fmt.Errorf("--label: %w", err))
			}
			if out == "" {
				return command.UsageError(cmd, errors.New("--out: want a folder"))
			}
			return c.keygen(out, label)
		},
	}
	cmd.Flags().StringVar(&out, "out", ".", "write the files into this `DIR`, which is made where missing")
	cmd.Flags().StringVar(&label, "label", "capsule", "`NAME` that the files begin with")
	return cmd
}

type keygenJSON struct {
	Label       string `json:"label"`
	PublicKey   string `json:"public_key"`
	PublicFile  string `json:"public_key_file"`
	PrivateFile string `json:"private_key_file"`
}

func (c *cmds) keygen(dir, label string) error {
	key, err := keys.Generate(keys.Signing, nil)
	if err != nil {
		return err
	}
	defer key.Wipe()
	secret, err := key.MarshalHex()
	if err != nil {
		return err
	}
	defer clear(secret)
	j := keygenJSON{
		Label: label, PublicKey: key.Hex(),
		PublicFile: filepath.Join(dir, label+".public.hex"), PrivateFile: filepath.Join(dir, label+".private.hex"),
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for the keys: %w", err)
	}
	// Whoever writes first wins; a public half alone would be of no use.
	if err := writeKey(j.PrivateFile, 0o600, secret); err != nil {
		return err
	}
	if err := writeKey(j.PublicFile, 0o644, []byte(j.PublicKey+"\n")); err != nil {
		return errors.Join(err, os.Remove(j.PrivateFile))
	}
	if c.JSON {
		return c.UI.JSON(j)
	}
	lines := &command.Lines{W: c.UI.Out}
	lines.Printf("public key   %s", j.PublicKey)
	lines.Printf("public file  %s", visible.Text(j.PublicFile))
	lines.Printf("private file %s", visible.Text(j.PrivateFile))
	return lines.Err
}

// writeKey puts half of a key at a path where nothing is.
func writeKey(path string, perm fs.FileMode, text []byte) error {
	err := disk.WriteNew(path, perm, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return &command.Failure{
			Err: fmt.Errorf("%s is there already; a key is never replaced", path), Code: command.Cannot, Reason: "exists",
			Hint: "choose another --label or --out",
		}
	}
	return err
}

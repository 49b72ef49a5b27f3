package capsulecmd

import (
	"crypto/rand"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/crypt"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/ui"
)

func (c *cmds) encryptCmd() *cobra.Command {
	var f sealFlags
	cmd := &cobra.Command{
		Use:     "encrypt FILE",
		GroupID: "write",
		Short:   "Seal a plain capsule inside an encrypted one",
		Long: `Encrypt a sealed capsule to one or more recipients. The content stays as it was
sealed; the outer capsule around it has the same identity and must be signed by the
same signers, so every one of their keys is needed: --key for the originator's,
--sign ROLE=KEY for each other one.

The file is opened again with the key in hand before it gets its name. A recipient's
key is an X25519 key (seed keys new NAME --receive); a signing key is refused, because
nobody could open what is encrypted to one.

Exit codes: 0 encrypted; 2 refused, or could not.`,
		Example: `  seed capsule encrypt report.capsule -o secret.capsule --key ana --to bob
  seed capsule encrypt report.capsule -o secret.capsule --key ana --sign approver=legal --to bob --to carol`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			if len(f.to) == 0 {
				return command.UsageError(cmd, errors.New("name who may open it: --to RECIPIENT"))
			}
			got, err := c.sealed(cmd.Context(), args[0], "")
			var failed *command.Failure
			if errors.As(err, &failed) && failed.Reason == "encrypted" {
				failed.Hint = "decrypt it first, with the key of a recipient: seed capsule decrypt FILE -o PLAIN --key KEY"
			}
			if err != nil {
				return err
			}
			defer got.Close()
			o := build.EncryptOptions{Rand: rand.Reader, MinimalOuter: f.minimal}
			if o.Signers, err = c.signers(cmd.Context(), &f); err != nil {
				return err
			}
			if o.Recipients, err = c.recipients(f.to); err != nil {
				return err
			}
			sealed, err := c.write(cmd.Context(), &f, func(w build.Target, progress func(int64)) (*build.Sealed, error) {
				o.Progress = progress
				plain := make([]byte, got.size, got.size+crypt.Overhead)
				if _, err := io.ReadFull(io.NewSectionReader(got, 0, got.size), plain); err != nil {
					return nil, err
				}
				return build.Encrypt(w, got.capsule, got.result, plain, o)
			})
			if err != nil {
				return err
			}
			return c.announce(&f, sealed, "encrypted", nil)
		},
	}
	f.addOut(cmd)
	f.addSigners(cmd)
	f.addRecipients(cmd)
	return cmd
}

func (c *cmds) decryptCmd() *cobra.Command {
	var (
		f   sealFlags
		key string
	)
	cmd := &cobra.Command{
		Use:     "decrypt FILE",
		GroupID: "write",
		Short:   "Write the plain capsule that is inside an encrypted one",
		Long: `Verify an encrypted capsule, open it with the key of a recipient, verify the content,
and write it as the plain capsule that was sealed. Nothing is written unless all of
that succeeds.

Exit codes: 0 decrypted; 2 refused, or could not.`,
		Example: `  seed capsule decrypt secret.capsule -o report.capsule --key bob`,
		Args:    command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			if key == "" {
				return command.UsageError(cmd, errors.New("name the recipient's key: --key KEY"))
			}
			return c.decrypt(cmd, args[0], key, &f)
		},
	}
	f.addOut(cmd)
	addRecipientKey(cmd, &key)
	return cmd
}

func (c *cmds) decrypt(cmd *cobra.Command, path, key string, f *sealFlags) error {
	in, err := c.open(cmd.Context(), path)
	if err != nil {
		return err
	}
	defer in.Close()
	recipient, err := c.recipient(cmd.Context(), key)
	if err != nil {
		return err
	}
	p := ui.NewProgress(c.UI, "decrypting", 0, 0)
	res, plain, err := capsule.VerifyDecrypt(in, in.size, capsule.Options{Recipient: recipient, Progress: func(n int64) { p.Add(n, 0) }})
	p.Done()
	if err != nil {
		return err
	}
	if err := refuse(in.name, res, true); err != nil {
		return err
	}
	if plain == nil {
		return &command.Failure{Err: errors.New(in.name + ": is not encrypted"), Code: command.Cannot, Reason: "plain"}
	}
	pending, err := disk.CreatePending(f.out, 0o600)
	if err != nil {
		return err
	}
	defer pending.Abort()
	if _, err := pending.Write(plain); err != nil {
		return err
	}
	if err := commit(pending, f); err != nil {
		return err
	}
	return c.announce(f, &build.Sealed{
		CapsuleID: res.CapsuleID, ManifestHash: res.ManifestHash, Events: res.Chain.Events, Size: int64(len(plain)), Result: plainResult(res),
	}, "decrypted", nil)
}

// plainResult is the result of the content as of a file of its own.
func plainResult(res *capsule.Result) *capsule.Result {
	own := *res
	own.Outer = nil
	return &own
}

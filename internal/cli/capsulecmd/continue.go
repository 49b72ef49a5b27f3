package capsulecmd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/internal/command"
	"seed/internal/workfolder"
)

func (c *cmds) openCmd() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:     "open FILE DIR",
		GroupID: "write",
		Short:   "Turn a verified capsule back into a working folder",
		Long: `Verify a capsule and lay its content out in DIR as a working folder, ready for new
events. A capsule that does not verify is not opened. An encrypted one needs the key
of a recipient. DIR must be new or empty; if anything fails, nothing is left in it.

Exit codes: 0 opened; 2 refused, or could not.`,
		Example: `  seed capsule open report.capsule report
  seed capsule open secret.capsule report --key bob`,
		Args: command.Args(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			got, err := c.sealed(cmd.Context(), args[0], key)
			if err != nil {
				return err
			}
			defer got.Close()
			folder, err := workfolder.Unpack(got.capsule, got.result, args[1])
			if err != nil {
				return err
			}
			if c.JSON {
				return c.UI.JSON(map[string]any{
					"dir": args[1], "capsule_id": got.result.CapsuleID, "events": got.result.Chain.Events,
					"originator_public_key": folder.State.Origin.OriginatorKey, "qualifiers": got.result.Qualifiers,
				})
			}
			c.UI.Done("opened %s in %s: %d events; add more with seed capsule append, then seed capsule continue or rewrap",
				args[0], args[1], got.result.Chain.Events)
			return nil
		},
	}
	addRecipientKey(cmd, &key)
	return cmd
}

func addRecipientKey(cmd *cobra.Command, key *string) {
	cmd.Flags().StringVar(key, "key", "", "the recipient's `KEY` for encrypted content: a name or a file")
	cmd.Flags().StringVar(key, "decryption-key", "", "the same as --key")
	_ = cmd.Flags().MarkHidden("decryption-key")
}

// verifiedCapsule is a capsule that verified, content included.
type verifiedCapsule struct {
	*file
	capsule *capsule.Capsule // the content when it was encrypted
	result  *capsule.Result
}

// sealed opens and verifies a capsule whose content is wanted. What does not
// verify is refused with its first problem.
func (c *cmds) sealed(ctx context.Context, path, key string) (*verifiedCapsule, error) {
	f, err := c.open(ctx, path)
	if err != nil {
		return nil, err
	}
	o := capsule.Options{}
	if key != "" {
		if o.Recipient, err = c.recipient(ctx, key); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	res, opened, err := capsule.VerifyOpen(f, f.size, o)
	if err == nil {
		err = refuse(f.name, res, key != "")
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &verifiedCapsule{f, opened, res}, nil
}

// refuse turns a result into an error unless its content can be relied on.
func refuse(name string, res *capsule.Result, keyed bool) error {
	switch {
	case res.Decryption != nil && !res.Decryption.OK && res.Decryption.Reason == capsule.NotAddressed:
		return &command.Failure{
			Err: fmt.Errorf("%s: no matching recipient bundle: it is not addressed to this key (CAP-ENC-07)", name), Code: command.Cannot, Reason: "not_addressed",
			Hint: "seed capsule inspect lists the keys it is addressed to",
		}
	case res.Verdict != capsule.Valid:
		p := res.Problems[0]
		return &command.Failure{
			Err: fmt.Errorf("%s: does not verify: %s (%s)", name, p.Message, p.Rule), Code: command.Cannot, Reason: "verification_failed",
			Hint: "seed capsule verify " + name + " reports everything",
		}
	case res.Has(capsule.EncryptedOuterOnly) && !keyed:
		return &command.Failure{
			Err: fmt.Errorf("%s: its content is encrypted", name), Code: command.Cannot, Reason: "encrypted",
			Hint: "add --key with the key of a recipient",
		}
	}
	return nil
}

func (c *cmds) continueCmd() *cobra.Command {
	var (
		f   folderFlags
		e   eventFlags
		dec string
	)
	cmd := &cobra.Command{
		Use:     "continue DIR|FILE",
		GroupID: "write",
		Short:   "Seal again under the same identity, with the key that began the line",
		Long: `Seal what was added since a capsule was opened. The capsule keeps its identity: the
events it was sealed with must still be there, and --key must be the key that began
the line. To go on from somebody else's capsule under your own key, use rewrap.

Given a capsule FILE instead of a folder, one event can be added on the way with
--actor and --action.

Exit codes: 0 sealed; 2 refused, or could not.`,
		Example: `  seed capsule open report.capsule report && seed capsule append report --actor human:ana --action revised
  seed capsule continue report -o report-2.capsule --key ana
  seed capsule continue report.capsule -o report-2.capsule --key ana --actor human:ana --action approved`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				if e.given() {
					return command.UsageError(cmd, errors.New("add events to a folder with seed capsule append"))
				}
				return c.continueFolder(cmd.Context(), args[0], &f)
			}
			return c.continueFile(cmd.Context(), args[0], dec, &f, &e)
		},
	}
	f.add(cmd)
	e.add(cmd)
	cmd.Flags().StringVar(&dec, "decryption-key", "", "the recipient's `KEY` when FILE is encrypted")
	return cmd
}

func (c *cmds) continueFolder(ctx context.Context, dir string, f *folderFlags) error {
	folder, err := workfolder.Load(dir)
	if err != nil {
		return notFolder(err)
	}
	o := folder.State.Origin
	if o == nil {
		return &command.Failure{
			Err: fmt.Errorf("%s was not opened from a capsule", dir), Code: command.Cannot, Reason: "usage",
			Hint: "seal it for the first time: seed capsule seal",
		}
	}
	if err := folder.Continues(); err != nil {
		return err
	}
	return c.sealFolder(ctx, folder, f, "continued", func(d *build.Draft) error {
		return c.sameKey(ctx, &f.sealFlags, o.OriginatorKey)
	})
}

// sameKey refuses another key than the one that began the line.
func (c *cmds) sameKey(ctx context.Context, f *sealFlags, originator string) error {
	signers, err := c.signers(ctx, f)
	if err != nil {
		return err
	}
	return build.Continues(&build.Draft{Signers: signers}, originator)
}

func (c *cmds) continueFile(ctx context.Context, path, dec string, f *folderFlags, e *eventFlags) error {
	got, err := c.sealed(ctx, path, dec)
	if err != nil {
		return err
	}
	defer got.Close()
	d, err := build.Resume(got.capsule, got.result)
	if err != nil {
		return err
	}
	if err := c.sameKey(ctx, &f.sealFlags, got.capsule.Manifest.OriginatorKey); err != nil {
		return err
	}
	if e.given() {
		if d.Chain, err = c.extended(ctx, d, e); err != nil {
			return err
		}
	}
	sealed, err := c.seal(ctx, &d, &f.sealFlags)
	if err != nil {
		return err
	}
	return c.announce(&f.sealFlags, sealed, "continued", nil)
}

// extended is the chain of a draft with one more event.
func (c *cmds) extended(ctx context.Context, d build.Draft, e *eventFlags) (build.File, error) {
	r, err := d.Chain.Open()
	if err != nil {
		return build.File{}, err
	}
	old, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return build.File{}, err
	}
	log, err := chain.Resume(bytes.NewReader(old), build.Actors(d.Participants))
	if err != nil {
		return build.File{}, err
	}
	event, err := c.draft(ctx, e, "")
	if err != nil {
		return build.File{}, err
	}
	line, err := log.Append(event)
	if err != nil {
		return build.File{}, err
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	return build.Bytes(chain.Path, append(old, line...)), nil
}

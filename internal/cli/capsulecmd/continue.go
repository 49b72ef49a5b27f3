package capsulecmd

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
	"seed/internal/command"
	"seed/internal/packer"
	"seed/internal/secrets"
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
			if errors.Is(err, fs.ErrExist) {
				return notEmpty(args[1])
			}
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
				got.name, args[1], got.result.Chain.Events)
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
		reason := string(res.Reason)
		if reason == "" {
			reason = "verification_failed"
		}
		return &command.Failure{
			Err: fmt.Errorf("%s: does not verify: %s", name, problem(res)), Code: command.Cannot, Reason: reason,
			Hint: "seed capsule verify FILE reports everything",
		}
	case res.Has(capsule.EncryptedOuterOnly) && !keyed:
		return &command.Failure{
			Err: fmt.Errorf("%s: its content is encrypted", name), Code: command.Cannot, Reason: "encrypted",
			Hint: "add --key with the key of a recipient",
		}
	}
	return nil
}

// problem is the first thing wrong with a capsule, with its place and rule.
func problem(res *capsule.Result) string {
	p := res.Problems[0]
	text := p.Message
	if p.Path != "" {
		text = finding.Quote(p.Path) + ": " + text
	}
	return text + " (" + p.Rule + ")"
}

// continueFlags are those of continue alone.
type continueFlags struct {
	folderFlags
	event eventFlags
	key   string // of the recipient
	plain bool
}

func (c *cmds) continueCmd() *cobra.Command {
	var f continueFlags
	cmd := &cobra.Command{
		Use:     "continue DIR|FILE",
		GroupID: "write",
		Short:   "Seal again under the same identity, with the key that began the line",
		Long: `Seal what was added since a capsule was opened. The capsule keeps its identity: the
events it was sealed with must still be there, and --key must be the key that began
the line. To go on from somebody else's capsule under your own key, use rewrap.

Given a capsule FILE instead of a folder, one event can be added on the way with
--actor and --action. What was encrypted stays so: name the recipients again with --to,
or say --plain.

Exit codes: 0 sealed; 2 refused, or could not.`,
		Example: `  seed capsule open report.capsule report && seed capsule append report --actor human:ana --action revised
  seed capsule continue report -o report-2.capsule --key ana
  seed capsule continue report.capsule -o report-2.capsule --key ana --actor human:ana --action approved`,
		Args: pithArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.output(cmd); err != nil {
				return err
			}
			if info, err := os.Stat(args[0]); err == nil && info.IsDir() {
				if f.event.given() {
					return command.UsageError(cmd, errors.New("add events to a folder with seed capsule append"))
				}
				return c.continueFolder(cmd.Context(), args[0], &f)
			}
			return c.continueFile(cmd.Context(), args[0], &f)
		},
	}
	f.add(cmd)
	f.event.add(cmd)
	cmd.Flags().StringVar(&f.key, "decryption-key", "", "the recipient's `KEY` when FILE is encrypted")
	cmd.Flags().BoolVar(&f.plain, "plain", false, "write a plain capsule although the old one was encrypted")
	return cmd
}

// stays refuses to turn encrypted content into plain content unasked.
func (f *continueFlags) stays(encrypted bool) error {
	if !encrypted || f.plain || len(f.to) > 0 {
		return nil
	}
	return &command.Failure{
		Err: errors.New("the capsule was encrypted, and no recipient is named"), Code: command.Cannot, Reason: "usage",
		Hint: "name who may open it: --to RECIPIENT; --plain writes it readable for everybody",
	}
}

// template explains why there is nothing to continue.
func template(name string) error {
	return &command.Failure{
		Err: fmt.Errorf("%s is a template: it has no events, so there is no line to continue", name), Code: command.Cannot, Reason: "usage",
		Hint: "begin one: seed capsule open FILE DIR, append events, then seed capsule seal DIR",
	}
}

// missing notes who sealed the old capsule and does not seal the new one.
func (c *cmds) missing(ctx context.Context, before []sealedSigner, f *sealFlags) error {
	now, err := c.signers(ctx, f)
	if err != nil {
		return err
	}
	for _, old := range before {
		if !slices.ContainsFunc(now, func(s build.Signer) bool {
			return s.Role == old.Role && hex.EncodeToString(s.Key.Public().(ed25519.PublicKey)) == old.PublicKey
		}) {
			c.UI.Note("no longer signed as %s by %s; add --sign ROLE=KEY to keep the signer", old.Role, old.PublicKey)
		}
	}
	return nil
}

func (c *cmds) continueFolder(ctx context.Context, dir string, f *continueFlags) error {
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
	if o.Events == 0 {
		return template(dir)
	}
	if err := f.stays(o.Encrypted); err != nil {
		return err
	}
	var before []sealedSigner
	for _, s := range o.Signers {
		before = append(before, sealedSigner{s.Role, s.PublicKey})
	}
	return c.sealFolder(ctx, folder, &f.folderFlags, "continued", func(*build.Draft) error {
		if err := c.sameKey(ctx, &f.sealFlags, o.OriginatorKey); err != nil {
			return err
		}
		return c.missing(ctx, before, &f.sealFlags)
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

func (c *cmds) continueFile(ctx context.Context, path string, f *continueFlags) error {
	got, err := c.sealed(ctx, path, f.key)
	if err != nil {
		return err
	}
	defer got.Close()
	if got.result.Chain.Events == 0 {
		return template(path)
	}
	d, err := build.Resume(got.capsule, got.result)
	if err != nil {
		return err
	}
	d.NoCommitment = false // what was not bound before is from now on
	if err := c.sameKey(ctx, &f.sealFlags, got.capsule.Manifest.OriginatorKey); err != nil {
		return err
	}
	if err := f.stays(got.result.Outer != nil); err != nil {
		return err
	}
	var before []sealedSigner
	for _, s := range got.capsule.Envelope.Signers {
		before = append(before, sealedSigner{s.Role, s.PublicKey})
	}
	if err := c.missing(ctx, before, &f.sealFlags); err != nil {
		return err
	}
	if f.event.given() {
		if d.Chain, err = c.extended(d, f); err != nil {
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
func (c *cmds) extended(d build.Draft, f *continueFlags) (build.File, error) {
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
	event, err := c.draft(&f.event, "")
	if err != nil {
		return build.File{}, err
	}
	line, err := log.Append(event)
	if err != nil {
		return build.File{}, err
	}
	if !f.allowSecrets { // the rest was sealed before
		var found packer.Secrets
		found.Add(chain.Path, secrets.ScanBytes(chain.Path, line))
		if err := command.RefuseSecrets(found.Found(), f.allowSecret, "sealed"); err != nil {
			return build.File{}, err
		}
	}
	if len(old) > 0 && old[len(old)-1] != '\n' {
		old = append(old, '\n')
	}
	return build.Bytes(chain.Path, append(old, line...)), nil
}

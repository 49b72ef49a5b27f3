package capsulecmd

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/keys"
	"seed/internal/packer"
	"seed/internal/ui"
	"seed/internal/visible"
)

// sealFlags are those of every command that seals.
type sealFlags struct {
	out      string
	force    bool
	key      string
	sign     []string // ROLE=KEY
	to       []string
	minimal  bool
	signedAt string

	loaded []build.Signer // the keys, once they were read and perhaps asked for
}

func (f *sealFlags) add(cmd *cobra.Command) {
	f.addOut(cmd)
	f.addSigners(cmd)
	cmd.Flags().StringVar(&f.signedAt, "signed-at", "", "the `TIME` of sealing that the signers claim (default now)")
	f.addRecipients(cmd)
}

func (f *sealFlags) addOut(cmd *cobra.Command) {
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "the `FILE` to write")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace the output file if it exists")
}

func (f *sealFlags) addSigners(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.key, "key", "", "the originator's signing `KEY`: a name from seed keys list, or a file")
	cmd.Flags().StringArrayVar(&f.sign, "sign", nil, "a further signer as `ROLE=KEY` (repeatable)")
}

func (f *sealFlags) addRecipients(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.to, "to", nil, "encrypt to this `RECIPIENT`: a key's name, a public key file or x25519:HEX (repeatable)")
	cmd.Flags().BoolVar(&f.minimal, "minimal-outer", false, "leave label and participants out of what stays readable when encrypted")
}

// output holds the place to write to what a caller expects of it, before any
// work is done.
func (f *sealFlags) output(cmd *cobra.Command) error {
	if f.out == "" || f.out == "-" {
		return command.UsageError(cmd, errors.New("name the file to write: -o FILE"))
	}
	return command.CheckOutput(f.out)
}

// signers loads the keys. The one of --key signs as originator.
func (c *cmds) signers(ctx context.Context, f *sealFlags) ([]build.Signer, error) {
	if f.key == "" {
		return nil, &command.Failure{
			Err: errors.New("no signing key was named"), Code: command.Cannot, Reason: "usage",
			Hint: "add --key NAME (seed keys list shows the names, seed keys new NAME makes one)",
		}
	}
	if f.loaded != nil {
		return f.loaded, nil
	}
	var all []build.Signer
	for _, s := range append([]string{"originator=" + f.key}, f.sign...) {
		role, ref, ok := strings.Cut(s, "=")
		if !ok || role == "" || ref == "" {
			// Not shown: it may be a key that somebody took for what is wanted here.
			return nil, &command.Failure{Err: errors.New("--sign wants ROLE=KEY"), Code: command.Cannot, Reason: "usage"}
		}
		if len(ref) == 64 && strings.Trim(ref, "0123456789abcdefABCDEF") == "" {
			return nil, &command.Failure{
				Err: errors.New("a private key does not belong on the command line, where others can see it"), Code: command.Cannot, Reason: "usage",
				Hint: "put it into a file of mode 600 and name that, or import it: seed keys import FILE --kind ed25519",
			}
		}
		key, err := c.privateKey(ctx, ref, keys.Signing)
		if err != nil {
			return nil, err
		}
		all = append(all, build.Signer{Role: role, Key: key.Ed25519()})
	}
	f.loaded = all
	return all, nil
}

// recipients resolves who may open the content.
func (c *cmds) recipients(refs []string) ([][32]byte, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	store, err := c.Keys()
	if err != nil {
		return nil, err
	}
	var all [][32]byte
	for _, ref := range refs {
		key, _, err := store.ResolvePublic(ref, keys.Receiving)
		switch {
		case errors.Is(err, keys.ErrWrongKind):
			return nil, &command.Failure{
				Err: fmt.Errorf("--to: %w", err), Code: command.Cannot, Reason: "usage",
				Hint: "ask them for a receiving key, made by seed keys new NAME --receive and given out by seed keys export NAME",
			}
		case err != nil:
			return nil, fmt.Errorf("--to: %w", err)
		case slices.Contains(all, key.Key):
			return nil, &command.Failure{Err: fmt.Errorf("--to: %s is named twice", key), Code: command.Cannot, Reason: "usage"}
		}
		all = append(all, key.Key)
	}
	return all, nil
}

// now is the time that is written where none is given. SOURCE_DATE_EPOCH makes
// it repeatable.
func (c *cmds) now() (string, error) {
	if s := c.Env("SOURCE_DATE_EPOCH"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return "", &command.Failure{Err: errors.New("SOURCE_DATE_EPOCH is not a number of seconds since 1970"), Code: command.Cannot, Reason: "usage"}
		}
		return time.Unix(n, 0).UTC().Format(chain.TimeLayout), nil
	}
	return time.Now().UTC().Format(chain.TimeLayout), nil
}

// moment reads a time from a flag, or takes now.
func (c *cmds) moment(flag, text string) (string, error) {
	if text == "" {
		return c.now()
	}
	if !chain.Timestamp(text) {
		return "", &command.Failure{
			Err: fmt.Errorf("--%s: %q is not a time of the form 2026-01-31T12:00:00Z", flag, text), Code: command.Cannot, Reason: "usage",
		}
	}
	return text, nil
}

// seal fills a draft in with what the flags say and writes it.
func (c *cmds) seal(ctx context.Context, d *build.Draft, f *sealFlags) (*build.Sealed, error) {
	var err error
	if d.Signers, err = c.signers(ctx, f); err != nil {
		return nil, err
	}
	if d.Recipients, err = c.recipients(f.to); err != nil {
		return nil, err
	}
	if d.SignedAt, err = c.moment("signed-at", f.signedAt); err != nil {
		return nil, err
	}
	d.Rand, d.MinimalOuter = rand.Reader, f.minimal
	stopping(ctx, d)
	return c.write(ctx, f, func(w build.Target, progress func(int64)) (*build.Sealed, error) {
		d.Progress = progress
		return build.Write(w, d)
	})
}

// write puts a capsule in its place: read back and verified first, and only then
// visible to anybody (CAP-BLD-05).
func (c *cmds) write(ctx context.Context, f *sealFlags, do func(build.Target, func(int64)) (*build.Sealed, error)) (*build.Sealed, error) {
	pending, err := disk.CreatePending(f.out, 0o644)
	if err != nil {
		return nil, err
	}
	defer pending.Abort()
	p := ui.NewProgress(c.UI, "sealing", 0, 0)
	sealed, err := do(until(ctx, pending), func(n int64) { p.Add(n, 0) })
	p.Done()
	if err != nil {
		return nil, err
	}
	return sealed, commit(pending, f)
}

func commit(pending *disk.Pending, f *sealFlags) error {
	if f.force {
		return pending.Commit()
	}
	err := pending.CommitNew()
	if errors.Is(err, fs.ErrExist) {
		return &command.Failure{Err: fmt.Errorf("%s exists already", f.out), Code: command.Cannot, Reason: "exists", Hint: "add --force to replace it"}
	}
	return err
}

// sealedJSON is what commands that write a capsule print.
type sealedJSON struct {
	File         string `json:"file"`
	CapsuleID    string `json:"capsule_id"`
	ManifestHash string `json:"manifest_hash"`                   // of the file that was written
	Content      string `json:"content_manifest_hash,omitempty"` // of the capsule inside an encrypted one
	EntryHash    string `json:"entry_hash,omitempty"`
	Version      string `json:"format_version"`
	Events       int    `json:"events"`
	Size         int64  `json:"size"`
	Encrypted    bool   `json:"encrypted"`
	Recipients   int    `json:"recipients,omitempty"`
	Level        string `json:"level"`
	Verdict      string `json:"verdict"`

	Signers    []sealedSigner      `json:"signers"`
	Qualifiers []capsule.Qualifier `json:"qualifiers"`
	NotSealed  []string            `json:"not_sealed,omitempty"`
	LeftOut    []packer.Left       `json:"left_out,omitempty"`     // by ignore rules
	Lineage    []string            `json:"predecessors,omitempty"` // capsule ids, as declared
}

type sealedSigner struct {
	Role      string `json:"role"`
	PublicKey string `json:"public_key"`
}

// announce says what was written.
func (c *cmds) announce(f *sealFlags, s *build.Sealed, verb string, strays []string, left ...packer.Left) error {
	r := s.Result
	out := sealedJSON{
		File: f.out, CapsuleID: s.CapsuleID, ManifestHash: s.ManifestHash, EntryHash: s.EntryHash, Version: r.FormatVersion.Observed,
		Events: s.Events, Size: s.Size, Encrypted: r.Outer != nil, Recipients: len(f.to), Level: r.Level, Verdict: string(r.Verdict),
		Signers: []sealedSigner{}, Qualifiers: r.Qualifiers, NotSealed: strays, LeftOut: left,
	}
	for _, e := range r.Lineage.Entries {
		out.Lineage = append(out.Lineage, e.CapsuleID)
	}
	if r.Outer != nil {
		out.ManifestHash, out.Content = r.Outer.ManifestHash, r.ManifestHash
	}
	for _, signer := range r.Envelope.Signers {
		out.Signers = append(out.Signers, sealedSigner{signer.Role, signer.PublicKey})
	}
	if c.JSON {
		return c.UI.JSON(out)
	}
	l := &command.Lines{W: c.UI.Out}
	kind := "plain"
	if out.Encrypted {
		kind = "encrypted to " + ui.Plural(int64(out.Recipients), "recipient", "recipients")
	}
	l.Printf("%s %s  %s, %s, %s", c.UI.Color.Good(verb), visible.Text(f.out), ui.Size(s.Size), ui.Plural(int64(s.Events), "event", "events"), kind)
	l.Printf("  capsule   %s", out.CapsuleID)
	l.Printf("  manifest  %s", out.ManifestHash)
	if out.Content != "" {
		l.Printf("  content   %s", out.Content)
	}
	for _, signer := range out.Signers {
		l.Printf("  signed    as %s", visible.Line(signer.Role, 60))
		l.Printf("            %s", signer.PublicKey)
	}
	l.Printf("  format    %s, verified at %s", out.Version, out.Level)
	for _, id := range out.Lineage {
		l.Printf("  after     %s, as it declares", id)
	}
	if out.Encrypted {
		l.Printf("  readable  for everybody: who sealed it, for which keys, its size and time")
	}
	return l.Err
}

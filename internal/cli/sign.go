package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/keys"
	"seed/internal/noun"
	"seed/internal/visible"
	"seed/seedfile"
)

type signFlags struct {
	key        string
	out        string
	remove     bool
	passphrase string
	input      inputFlags
}

func (a *app) signCmd() *cobra.Command {
	var f signFlags
	cmd := &cobra.Command{
		Use:     "sign FILE|-",
		GroupID: "trust",
		Short:   "Sign a seed with a key of yours",
		Long: `Sign the metadata and the payload of a seed, in place, with an Ed25519 key. A signature
that is there is replaced, and what it was is said. The shell part is not covered: it
is written anew, so a seed whose shell part is not a canonical one is refused.

--key names a key of the store (seed keys) or the file of a private key; without it,
the only signing key of the store is used. --remove takes the signature off. With -
the seed comes from standard input and goes to standard output.

Exit codes: 0 signed; 2 refused or could not, and nothing was changed.`,
		Example: `  seed sign my-skill.seed
  seed sign my-skill.seed --key work -o signed.seed
  seed pack ./my-skill | seed sign - --key work > my-skill.seed
  seed sign my-skill.seed --remove`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.sign(cmd.Context(), args[0], &f) },
	}
	fl := cmd.Flags()
	fl.StringVarP(&f.key, "key", "k", "", "sign with `KEY`: a name in the store, or a file")
	fl.StringVarP(&f.out, "output", "o", "", "write to `FILE` instead (- for standard output)")
	fl.BoolVar(&f.remove, "remove", false, "take the signature off")
	fl.StringVar(&f.passphrase, "passphrase-file", "", command.PassphraseUsage)
	f.input.addSize(cmd)
	complete := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return a.KeyNames(), cobra.ShellCompDirectiveDefault // or a file
	}
	if err := cmd.RegisterFlagCompletionFunc("key", complete); err != nil {
		panic(err) // a flag of that name was just made
	}
	return cmd
}

// signJSON is what sign did.
type signJSON struct {
	Seed      string        `json:"seed"`
	Digest    string        `json:"digest"`
	Size      int64         `json:"size"`
	Signature signatureJSON `json:"signature"`
	Before    signatureJSON `json:"before"`
	Changed   bool          `json:"changed"` // the bytes are others than before
}

func (a *app) sign(ctx context.Context, arg string, f *signFlags) error {
	in, err := a.openToSign(ctx, arg, f)
	if err != nil {
		return err
	}
	defer in.Close()
	seed, err := a.readSettled(ctx, in, &f.input)
	if err != nil {
		return err
	}
	if !seed.Transport.Canonical {
		return &command.Failure{
			Err:  fmt.Errorf("%s: its shell part is not a canonical one and would be replaced", in.name),
			Code: command.Cannot, Reason: "invalid",
			Hint: "look at it with seed verify; seed pack FILE -o FILE gives the seed the canonical one",
		}
	}
	before, err := seed.Signature()
	if err != nil {
		return err
	}
	packed, want, err := a.signed(ctx, seed, f)
	if err != nil {
		return err
	}
	sum, err := a.writeSigned(ctx, packed, want, f.out)
	if err != nil {
		return err
	}
	t := &trusting{a: a}
	return a.reportSigned(&signJSON{
		Seed: f.out, Digest: sum, Size: packed.Size,
		Signature: t.describe(want, packed.Meta), Before: t.describe(before, seed.Meta),
		Changed: !bytes.Equal(packed.Meta.Raw(), seed.Meta.Raw()),
	})
}

// openToSign brings the seed and settles where the result goes.
func (a *app) openToSign(ctx context.Context, arg string, f *signFlags) (*input, error) {
	if f.remove && (f.key != "" || f.passphrase != "") {
		return nil, usageFailure("--remove needs no key", "")
	}
	if arg == "-" && f.passphrase == "-" {
		return nil, usageFailure("standard input cannot be both the seed and the passphrase", "give one of them as a file")
	}
	if err := command.CheckOutput(f.out); err != nil {
		return nil, err
	}
	if f.out == "" {
		f.out = arg
	}
	if a.JSON && f.out == "-" {
		return nil, usageFailure("--json prints the summary, so the seed needs a file of its own", "add -o FILE")
	}
	if arg == "-" {
		return a.openStdin(ctx, &f.input)
	}
	n, err := noun.Detect(arg, noun.Options{})
	if errors.Is(err, noun.ErrNoRegistry) { // what is signed is at hand
		return nil, fmt.Errorf("%s: %w", arg, noun.ErrNotFound)
	}
	if err != nil {
		return nil, err
	}
	if err := n.Want("sign", noun.SeedFile, noun.File); err != nil {
		if n.Kind == noun.Capsule {
			err = &command.Failure{Err: err, Code: command.Cannot, Hint: "a capsule gets its signatures when it is sealed: seed capsule seal"}
		}
		return nil, err
	}
	file, info, err := noun.OpenRegular(n.Path)
	if err != nil {
		return nil, err
	}
	return &input{ReaderAt: file, Closer: file, size: info.Size(), name: n.Path, where: n.Kind, file: file}, nil
}

func usageFailure(msg, hint string) error {
	return &command.Failure{Err: errors.New(msg), Code: command.Cannot, Reason: "usage", Hint: hint}
}

// signed gives the seed that is to be, and the verdict that its signature must get.
func (a *app) signed(ctx context.Context, seed *seedfile.File, f *signFlags) (*seedfile.Packed, seedfile.Signature, error) {
	var want seedfile.Signature
	if f.remove {
		packed, err := seedfile.Unsign(seed, seedfile.PackOptions{})
		return packed, want, err
	}
	store, err := a.Keys()
	if err != nil && f.key == "" { // a file needs no store
		return nil, want, err
	}
	ref := f.key
	if ref == "" {
		if ref, err = onlyKey(store); err != nil {
			return nil, want, err
		}
	}
	key, err := store.Resolve(ref, keys.Signing, a.PassphraseFrom(ctx, f.passphrase))
	if err != nil {
		return nil, want, err
	}
	defer key.Wipe()
	if key.Warning != "" {
		a.UI.Warn("%s", key.Warning)
	}
	private := key.Ed25519()
	defer clear(private)
	want = seedfile.Signature{State: seedfile.SignatureValid, Signer: key.Key}
	packed, err := seedfile.Sign(seed, private, seedfile.PackOptions{})
	return packed, want, err
}

// onlyKey is the signing key that is meant when none is named.
func onlyKey(store keys.Store) (string, error) {
	list, err := store.List()
	if err != nil {
		return "", err
	}
	list = slices.DeleteFunc(list, func(k keys.Info) bool { return k.Problem != "" || k.Public.Kind != keys.Signing })
	switch len(list) {
	case 0:
		return "", usageFailure("there is no key to sign with", "make one: seed keys new NAME; or name a file: --key FILE")
	case 1:
		return list[0].Name, nil
	}
	var names []string
	for _, k := range list {
		names = append(names, k.Name)
	}
	return "", usageFailure("more than one key could sign: "+strings.Join(names, ", "), "choose one: --key NAME")
}

// writeSigned puts the seed in its place, after it was read back and its
// signature was found to be the one that was meant. It returns the digest.
func (a *app) writeSigned(ctx context.Context, packed *seedfile.Packed, want seedfile.Signature, out string) (string, error) {
	if out == "-" {
		return a.printSigned(ctx, packed, want)
	}
	mode := os.FileMode(0o644)
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real // a link is the user's word for the file behind it
		if info, err := os.Stat(real); err == nil {
			mode = info.Mode().Perm()
		}
	}
	pending, err := disk.CreatePending(out, mode)
	if err != nil {
		return "", err
	}
	defer pending.Abort()
	seed, err := produceSigned(ctx, packed, want, pending, pending)
	if err != nil {
		return "", err
	}
	return digest(seed), pending.Commit()
}

func (a *app) printSigned(ctx context.Context, packed *seedfile.Packed, want seedfile.Signature) (string, error) {
	tmp, err := os.CreateTemp("", "seed-sign-")
	if err != nil {
		return "", err
	}
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	seed, err := produceSigned(ctx, packed, want, tmp, tmp)
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(a.UI.Out, io.NewSectionReader(tmp, 0, packed.Size)); err != nil {
		return "", fmt.Errorf("write standard output: %w", err)
	}
	return digest(seed), nil
}

func produceSigned(ctx context.Context, packed *seedfile.Packed, want seedfile.Signature, w io.Writer, r io.ReaderAt) (*seedfile.File, error) {
	seed, err := produce(ctx, packed, w, r)
	if err != nil {
		return nil, err
	}
	got, err := seed.Signature()
	if err == nil && got != want {
		err = errors.New("check what was signed: its signature is not the one that was meant")
	}
	return seed, err
}

func (a *app) reportSigned(j *signJSON) error {
	if a.JSON {
		return a.UI.JSON(j)
	}
	w := a.UI.Out
	if j.Seed == "-" {
		w, j.Seed = a.UI.Err, "standard output"
	}
	did := "signed by " + j.Signature.Signer
	if j.Signature.State == "unsigned" {
		did = "not signed"
	}
	switch {
	case j.Before.State == "invalid":
		did += "; an invalid signature was taken off: " + j.Before.Reason
	case j.Before.State == "signed" && j.Before.Signer != j.Signature.Signer:
		did += "; the signature by " + j.Before.Signer
		if j.Before.Label != "" {
			did += " (" + finding.Quote(j.Before.Label) + ")"
		}
		did += " was taken off"
	case !j.Changed:
		did += ", as it was before"
	}
	_, err := fmt.Fprintf(w, "%s  %s\n  %s\n", visible.Text(j.Seed), j.Digest, visible.Text(did))
	return err
}

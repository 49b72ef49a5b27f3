package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/noun"
)

// isCapsule tells a capsule by the first bytes of what was opened: standard input
// has no other way to say what it is, and a file may have changed since it was
// looked at. What a URL brings is a seed.
func (in *input) isCapsule() bool {
	if in.where == noun.URL {
		return false
	}
	head := make([]byte, noun.SniffLen)
	n, _ := in.ReadAt(head, 0) // what cannot be read shows when it is read for its content
	return noun.Sniff(head[:n]) == noun.Capsule
}

// asCapsule is the input as the commands about capsules take it.
func (in *input) asCapsule() capsulecmd.Input {
	return capsulecmd.Input{ReaderAt: in, Size: in.size, Name: in.name, Stdin: in.where == noun.Stdin}
}

// noCapsule refuses a capsule for a verb of seeds and names the one that serves.
func noCapsule(verb string, err error) error {
	hint := ""
	switch verb {
	case "grow":
		hint = "to write the files of a capsule: seed capsule extract FILE DIR"
	case "show":
		hint = "to print what a capsule is about: seed capsule program FILE"
	}
	return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage", Hint: hint}
}

// checkCapsulePin holds a capsule to the digest that the caller demands, on the
// very bytes that are used afterwards: with a pin they are a copy of our own.
func checkCapsulePin(in *input, f *inputFlags) error {
	if f.sha256 == "" {
		return nil
	}
	var sum [sha256.Size]byte
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(in, 0, in.size)); err != nil {
		return err
	}
	h.Sum(sum[:0])
	return checkPins(in, f, sum)
}

// verifyCapsule is seed verify for a capsule: the pin, then its own verdict.
func (a *app) verifyCapsule(ctx context.Context, in *input, f *inputFlags, o capsulecmd.VerifyOptions) error {
	if err := checkCapsulePin(in, f); err != nil {
		return &command.Failure{Err: err, Code: command.Negative, Reason: "invalid"}
	}
	return capsulecmd.Verify(ctx, &a.App, in.asCapsule(), o)
}

// inspectCapsule is seed inspect for a capsule.
func (a *app) inspectCapsule(cmd *cobra.Command, in *input, f *inputFlags, rest []string) error {
	if len(rest) > 0 {
		return command.UsageError(cmd, errors.New("PATH is for seeds; a capsule is shown without one"))
	}
	if err := checkCapsulePin(in, f); err != nil {
		return err
	}
	return capsulecmd.Inspect(&a.App, in.asCapsule())
}

// hydrateCapsule is seed hydrate for a capsule.
func (a *app) hydrateCapsule(ctx context.Context, in *input, f *inputFlags, h *capsulecmd.HydrateFlags) error {
	if err := checkCapsulePin(in, f); err != nil {
		return err
	}
	return capsulecmd.HydrateInput(ctx, &a.App, in.asCapsule(), h)
}

// seedsOnly refuses flags that mean nothing for a seed, so that none is taken for
// a demand that was met.
func seedsOnly(cmd *cobra.Command, flags ...string) error {
	for _, name := range flags {
		if cmd.Flags().Changed(name) {
			return command.UsageError(cmd, errors.New("--"+name+" is for capsules, and this is a seed"))
		}
	}
	return nil
}

package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/noun"
)

// capsulePath is the path of arg when it names a capsule, else "". Verbs that
// mean something for several nouns ask this first.
func (a *app) capsulePath(arg string) string {
	n, err := noun.Detect(arg, noun.Options{})
	if err != nil || n.Kind != noun.Capsule {
		return ""
	}
	return n.Path
}

// runCapsule runs a capsule command with these words.
func (a *app) runCapsule(ctx context.Context, words ...string) error {
	root := capsulecmd.New(&a.App)
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return err })
	root.SetArgs(words)
	return root.ExecuteContext(ctx)
}

// verifyCapsule is seed verify for a capsule: its own verdict, and the pin.
func (a *app) verifyCapsule(ctx context.Context, path string, f *inputFlags, allowlist []string, strict, trusted bool) error {
	if err := checkCapsulePin(path, f); err != nil {
		return err
	}
	words := []string{"verify", path}
	if strict {
		words = append(words, "--strict")
	}
	if trusted {
		words = append(words, "--require-trusted")
	}
	only, err := a.allowlist(allowlist)
	if err != nil {
		return err
	}
	for _, key := range only {
		words = append(words, "--allowlist", key.Hex())
	}
	return a.runCapsule(ctx, words...)
}

// checkCapsulePin holds a capsule to the digest that the caller demands.
func checkCapsulePin(path string, f *inputFlags) error {
	if err := f.checkPin(); err != nil || f.sha256 == "" {
		return err
	}
	file, _, err := noun.OpenRegular(path)
	if err != nil {
		return err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return err
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != f.sha256 {
		return &command.Failure{
			Err:  rulePin.Errorf(finding.Place{Name: path}, "not intact: its SHA-256 is %s, not %s", got, f.sha256),
			Code: command.Negative, Reason: "invalid",
		}
	}
	return nil
}

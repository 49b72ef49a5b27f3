package cli

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

func (a *app) verifyCmd() *cobra.Command {
	var (
		f inputFlags
		o capsulecmd.VerifyOptions
	)
	cmd := &cobra.Command{
		Use:     "verify THING",
		GroupID: "both",
		Short:   "Say whether a seed or a capsule is what it claims to be",
		Long: `Hold a seed to every rule of the format and report all that was found. THING is a
file, - for standard input, a URL written seed+https://..., or a registry id. A capsule,
told by its content, is verified as seed capsule verify does it, which has more choices.

The verdict has two parts: whether the seed conforms, and whether its shell part is
one of the canonical transports, byte for byte. A custom transport is shown by the
lines that differ; what a shell would do with it is not known. --sha256 also demands
one exact content. A digest proves that the bytes are the ones you meant, not that
what they say is harmless.

A signature is reported in three more words: signed (this key signed this content),
trusted (you listed the key with seed trust) and allowed (with what the seed wants to
do). It covers metadata and payload, not the shell part. By themselves the last two
change no verdict; --require-trusted demands a signer of your list, --allowlist one of
the keys given here, which must come from the person and not from the seed.

For capsules only: --key opens encrypted content with a recipient's key and verifies it
too, --predecessor compares the declared lineage with a file.

Exit codes: 0 conforms; 1 does not, has an invalid signature, or is not what was
demanded; 2 could not be read.`,
		Example: `  seed verify my-skill.seed
  seed verify my-skill.seed --sha256 5f2a...
  seed verify --strict --json my-skill.seed
  seed verify my-skill.seed --require-trusted
  seed verify my-skill.seed --allowlist ed25519:03a1...
  seed verify secret.capsule --key my-inbox`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.Check(cmd, args[0]); err != nil {
				return err
			}
			in, err := a.openThing(cmd.Context(), args[0], "verify", &f, false, noun.SeedFile, noun.Capsule)
			if err != nil {
				return err
			}
			defer in.Close()
			if in.isCapsule() {
				return a.verifyCapsule(cmd.Context(), in, &f, o)
			}
			if err := seedsOnly(cmd, "key", "predecessor", "passphrase-file"); err != nil {
				return err
			}
			t := &trusting{a: a}
			if t.only, err = a.Allowlist(o.Allowlist); err != nil {
				return err
			}
			return a.verify(cmd.Context(), in, &f, verifyDemands{strict: o.Strict, trusted: o.RequireTrusted, trust: t})
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&o.Strict, "strict", false, "count warnings as breaches")
	fl.BoolVar(&o.RequireTrusted, "require-trusted", false, "demand a signer that you trust")
	fl.StringArrayVar(&o.Allowlist, "allowlist", nil, "demand that `KEY` signed it: a key, a name or a file; may be repeated")
	fl.StringVar(&o.Key, "key", "", "capsules: open encrypted content with this private `KEY`: name, file or -")
	fl.StringArrayVar(&o.Predecessors, "predecessor", nil, "capsules: compare the declared lineage with this `FILE`; may be repeated")
	fl.StringVar(&o.PassphraseFile, "passphrase-file", "", "capsules: "+command.PassphraseUsage)
	f.add(cmd)
	return cmd
}

// verifyDemands are what a seed is held to beyond the format.
type verifyDemands struct {
	strict  bool
	trusted bool
	trust   *trusting
}

type verifyJSON struct {
	Seed      string         `json:"seed"`
	Conforms  bool           `json:"conforms"`
	Intact    *bool          `json:"intact,omitempty"` // only when a digest was demanded
	Digest    string         `json:"digest"`
	Size      int64          `json:"size"`
	Transport *transportJSON `json:"transport,omitempty"`
	Signature *signatureJSON `json:"signature,omitempty"`
	Metadata  *metadataJSON  `json:"metadata,omitempty"`
	Files     int            `json:"files,omitempty"`
	Findings  []findingJSON  `json:"findings"`
}

func (a *app) verify(ctx context.Context, in *input, f *inputFlags, demand verifyDemands) error {
	o := seedfile.Options{Name: in.name, Hidden: true}
	seed, rep, err := seedfile.Check(in, in.size, o)
	if err != nil {
		return err
	}
	if again, err := in.settle(ctx, seed); err != nil {
		return err
	} else if again {
		if seed, rep, err = seedfile.Check(in, in.size, o); err != nil {
			return err
		}
	}
	if seed != nil {
		portability(seed, rep)
	}
	var sum [32]byte
	h := sha256.New()
	if _, err := io.Copy(h, io.NewSectionReader(in, 0, in.size)); err != nil {
		return err
	}
	h.Sum(sum[:0])
	v := verifyJSON{Seed: in.name, Digest: fmt.Sprintf("sha256:%x", sum), Size: in.size}
	if f.sha256 != "" || in.pin != "" {
		intact := true
		if err := checkPins(in, f, sum); err != nil {
			var broken *finding.Error
			if !errors.As(err, &broken) {
				return err
			}
			intact = false
			rep.Add(broken.Finding)
		}
		v.Intact = &intact
	}
	v.Conforms = seed != nil && !(demand.strict && rep.Count(finding.Warning) > 0)
	if seed != nil {
		if v.Signature, err = demand.signature(seed, rep); err != nil {
			return err
		}
	}
	v.Findings = describeFindings(rep.Findings)
	if seed != nil {
		t, m := describeTransport(seed.Transport), describeMetadata(seed)
		v.Transport, v.Metadata = &t, &m
		if seed.Archive != nil {
			v.Files = len(seed.Archive.Files)
		}
	}
	if a.JSON {
		err = a.UI.JSON(v)
	} else {
		err = a.printVerdict(v, rep, seed)
	}
	if err == nil && (!v.Conforms || rep.Err() != nil) {
		err = command.ErrVerdict
	}
	return err
}

// signature judges the signature and adds what speaks against it to the report.
func (d *verifyDemands) signature(seed *seedfile.File, rep *finding.Report) (*signatureJSON, error) {
	sig, err := seed.Signature()
	if err != nil {
		return nil, err
	}
	j := d.trust.describe(sig, seed.Meta)
	if sig.Breach != nil {
		rep.Add(sig.Breach.Finding)
	}
	if d.trusted || d.trust.only != nil {
		if d.trust.only == nil && d.trust.err != nil {
			return nil, d.trust.err // nobody knows whom the user trusts
		}
		j.demand(rep, d.trust.only != nil)
	}
	return &j, nil
}

func (a *app) printVerdict(v verifyJSON, rep *finding.Report, seed *seedfile.File) error {
	p := a.UI.Color
	verdict := p.Good("conforms")
	switch {
	case seed == nil:
		verdict = p.Bad("does not conform")
	case !v.Conforms:
		verdict = p.Bad("does not conform strictly")
	}
	if v.Intact != nil {
		if *v.Intact {
			verdict += ", " + p.Good("intact")
		} else {
			verdict += ", " + p.Bad("not intact")
		}
	}
	if seed != nil {
		transport := p.Warn("custom transport")
		if seed.Transport.Canonical {
			transport = "canonical transport " + seed.Transport.Profile.String()
		}
		verdict += ", " + transport
		if v.Signature.State == "invalid" {
			verdict += ", " + p.Bad("invalid signature")
		}
	}
	out := &command.Lines{W: a.UI.Out}
	out.Printf("%s: %s", visible.Text(v.Seed), verdict)
	out.Printf("  %s  %s", v.Digest, ui.Size(v.Size))
	if seed != nil {
		out.Printf("  %s", v.Signature.line(p))
	}
	for _, f := range rep.Findings {
		out.Printf("%s", a.FindingLine(f))
		if f.Hint != "" {
			out.Printf("  %s", p.Dim(visible.Text(f.Hint)))
		}
	}
	if seed != nil && !seed.Transport.Canonical {
		out.Printf("  lines that differ from the nearest canonical transport, %s:", seed.Transport.Profile)
		for _, d := range seed.Transport.Diff {
			sign := "+"
			if d.Missing {
				sign = "-"
			}
			out.Printf("  %s %s:%d: %s", sign, d.Part, d.Line, visible.Line(d.Text, 160))
		}
		if seed.Transport.Cut {
			out.Printf("  ... and more")
		}
	}
	return out.Err
}

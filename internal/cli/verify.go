package cli

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/seedfile"
)

func (a *app) verifyCmd() *cobra.Command {
	var (
		f      inputFlags
		strict bool
	)
	cmd := &cobra.Command{
		Use:     "verify SEED",
		GroupID: "seeds",
		Short:   "Say whether a seed is what it claims to be",
		Long: `Hold a seed to every rule of the format and report all that was found. SEED is a
file, - for standard input, a URL written seed+https://..., or a registry id.

The verdict has two parts: whether the seed conforms, and whether its shell part is
one of the canonical transports, byte for byte. A custom transport is shown by the
lines that differ; what a shell would do with it is not known. --sha256 also demands
one exact content. A digest proves that the bytes are the ones you meant, not that
what they say is harmless.

Exit codes: 0 conforms; 1 does not, or is not the pinned content; 2 could not be read.`,
		Example: `  seed verify my-skill.seed
  seed verify my-skill.seed --sha256 5f2a...
  seed verify --strict --json my-skill.seed`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.open(cmd.Context(), args[0], "verify", &f, false)
			if err != nil {
				return err
			}
			defer in.Close()
			return a.verify(in, &f, strict)
		},
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "count warnings as breaches")
	f.add(cmd)
	return cmd
}

type verifyJSON struct {
	Seed      string         `json:"seed"`
	Conforms  bool           `json:"conforms"`
	Intact    *bool          `json:"intact,omitempty"` // only when a digest was demanded
	Digest    string         `json:"digest"`
	Size      int64          `json:"size"`
	Transport *transportJSON `json:"transport,omitempty"`
	Metadata  *metadataJSON  `json:"metadata,omitempty"`
	Files     int            `json:"files,omitempty"`
	Findings  []findingJSON  `json:"findings"`
}

func (a *app) verify(in *input, f *inputFlags, strict bool) error {
	seed, rep, err := seedfile.Check(in, in.size, seedfile.Options{Name: in.name, Hidden: true})
	if err != nil {
		return err
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
	v.Conforms = seed != nil && !(strict && rep.Count(finding.Warning) > 0)
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
	}
	out := &command.Lines{W: a.UI.Out}
	out.Printf("%s: %s", visible.Text(v.Seed), verdict)
	out.Printf("  %s  %s", v.Digest, ui.Size(v.Size))
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

package cli

import (
	"io"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/visible"
	"seed/seedfile"
)

func (a *app) showCmd() *cobra.Command {
	var f inputFlags
	cmd := &cobra.Command{
		Use:     "show SEED",
		GroupID: "seeds",
		Short:   "Write a seed's payload to standard output",
		Long: `Write a seed's payload to standard output, and do nothing else. SEED is a file,
an https URL, the id of a seed in the configured registry, or - for standard input.

The bytes are exact, except on a terminal, where control characters are removed.

Exit codes: 0 shown; 2 not a conforming seed, or it could not be read.`,
		Example: `  seed show my-skill.seed
  seed show https://seeds.example/s/abc12 | less`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := a.open(cmd.Context(), args[0], "show", &f, true)
			if err != nil {
				return err
			}
			defer in.Close()
			seed, err := a.read(in, &f, seedfile.Options{})
			if err != nil {
				return err
			}
			if a.JSON {
				return a.showJSON(seed)
			}
			return a.showPayload(seed.Payload())
		},
	}
	f.add(cmd)
	return cmd
}

// showPayload writes a payload as its reader can bear it (SP-DIR-01).
func (a *app) showPayload(r io.Reader) error {
	if !a.UI.OutTTY {
		_, err := io.Copy(a.UI.Out, r)
		return err
	}
	w := visible.NewWriter(a.UI.Out, visible.Remove)
	if _, err := io.Copy(w, r); err != nil {
		return err
	}
	return w.Flush()
}

// maxShowJSON bounds a payload that is held in memory for JSON.
const maxShowJSON = 64 << 20

func (a *app) showJSON(seed *seedfile.File) error {
	if n := seed.Payload().Size(); n > maxShowJSON {
		return &command.Failure{Err: errTooLong, Code: command.Cannot, Hint: "without --json it is streamed"}
	}
	text, err := io.ReadAll(seed.Payload())
	if err != nil {
		return err
	}
	return a.UI.JSON(struct {
		Digest   string       `json:"digest"`
		Metadata metadataJSON `json:"metadata"`
		Payload  string       `json:"payload"`
	}{digest(seed), describeMetadata(seed), string(text)})
}

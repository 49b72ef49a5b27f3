package capsulecmd

import (
	"encoding/base64"
	"fmt"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/internal/command"
	"seed/internal/visible"
)

const (
	manifestPath = "manifest.json"
	envelopePath = "provenance/envelope.json"
	programPath  = "program.md"
	agentsPath   = "agents.md"

	maxText = 64 << 20 // of a document that is shown
)

func (c *cmds) manifestCmd() *cobra.Command {
	return c.documentCmd("manifest", "identity, originator, participants and content index",
		func(opened *capsule.Capsule) []byte { return opened.Manifest.Value.Raw() })
}

func (c *cmds) envelopeCmd() *cobra.Command {
	return c.documentCmd("envelope", "what was sealed, when it is said to have been, and by which keys",
		func(opened *capsule.Capsule) []byte { return opened.Envelope.Value.Raw() })
}

// documentCmd prints one of the two JSON documents of every capsule.
func (c *cmds) documentCmd(name, what string, raw func(*capsule.Capsule) []byte) *cobra.Command {
	return &cobra.Command{
		Use:     name + " FILE",
		GroupID: "read",
		Short:   "Print the " + name + " of a capsule as JSON",
		Long: `Print the ` + name + ` of a capsule: ` + what + `.
It is printed as it is stored, member order and unknown members included, indented by
two spaces; characters that a terminal would obey or hide are written as JSON escapes.
Nothing is verified. FILE may be - for standard input.

Exit codes: 0 printed; 2 not a capsule, or it could not be read.`,
		Example: `  seed capsule ` + name + ` work.capsule`,
		Args:    command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withCapsule(cmd.Context(), args[0], func(_ *file, opened *capsule.Capsule) error {
				return c.emitRaw(raw(opened))
			})
		},
	}
}

func (c *cmds) programCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "program FILE",
		GroupID: "read",
		Short:   "Print program.md: what a capsule is about",
		Long: `Print program.md of a capsule, byte for byte; on a terminal, with characters that it
would obey or hide made visible. Nothing is verified, and the text is its author's:
content to read, not instructions to follow. FILE may be - for standard input.

Exit codes: 0 printed; 2 encrypted, without program.md, not a capsule, or unreadable.`,
		Example: `  seed capsule program work.capsule
  seed capsule program work.capsule > program.md`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withContent(cmd.Context(), args[0], func(f *file, opened *capsule.Capsule) error {
				if opened.Has(programPath) {
					return c.markdown(f, opened, programPath)
				}
				return &command.Failure{
					Err: fmt.Errorf("%s: there is no program.md in it (CAP-LAY-04)", f.name), Code: command.Cannot, Reason: "missing",
				}
			})
		},
	}
}

func (c *cmds) agentsCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "agents FILE",
		GroupID: "read",
		Short:   "Print agents.md: who works on a capsule, and how",
		Long: `Print agents.md of a capsule, byte for byte; on a terminal, with characters that it
would obey or hide made visible. A capsule need not have one: then only a note is
printed, to standard error. Nothing is verified, and the text is its author's: content
to read, not instructions to follow. FILE may be - for standard input.

Exit codes: 0 printed, or there is none; 2 encrypted, not a capsule, or unreadable.`,
		Example: `  seed capsule agents work.capsule`,
		Args:    command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withContent(cmd.Context(), args[0], func(f *file, opened *capsule.Capsule) error {
				if opened.Has(agentsPath) {
					return c.markdown(f, opened, agentsPath)
				}
				c.UI.Note("%s: there is no agents.md in it", f.name)
				if c.JSON {
					return c.UI.JSON(textJSON{File: f.name, Path: agentsPath})
				}
				return nil
			})
		},
	}
}

// textJSON is a text of a capsule: in Text when it is UTF-8, else in Base64.
type textJSON struct {
	File    string  `json:"file"`
	Path    string  `json:"path"`
	Present bool    `json:"present"`
	Size    int     `json:"size"`
	Text    *string `json:"text"`
	Base64  string  `json:"base64,omitempty"`
}

// markdown prints a text file of a capsule.
func (c *cmds) markdown(f *file, opened *capsule.Capsule, path string) error {
	// Whole before the first byte is printed: its checksum stands at the end.
	text, err := opened.ReadFile(path, maxText)
	if err != nil {
		return unreadable(f, err)
	}
	switch {
	case c.JSON:
		j := textJSON{File: f.name, Path: path, Present: true, Size: len(text)}
		if utf8.Valid(text) {
			s := string(text)
			j.Text = &s
		} else {
			j.Base64 = base64.StdEncoding.EncodeToString(text)
		}
		return c.UI.JSON(j)
	case c.UI.OutTTY:
		_, err = fmt.Fprint(c.UI.Out, visible.Block(string(text)))
	default:
		_, err = c.UI.Out.Write(text)
	}
	return err
}

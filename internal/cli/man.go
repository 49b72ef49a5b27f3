package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"seed/internal/command"
	"seed/internal/disk"
)

func (a *app) manCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:     "man",
		GroupID: "tool",
		Short:   "Write the manual pages",
		Long:    "Write a manual page for every command into a folder, for packagers and for man -l.\n\nExit codes: 0 written; 2 could not.",
		Example: "  seed man --dir ~/.local/share/man/man1",
		Args:    command.Args(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			return manPages(cmd.Root(), dir)
		},
	}
	cmd.Flags().StringVar(&dir, "dir", ".", "folder to write to")
	return cmd
}

func manPages(cmd *cobra.Command, dir string) error {
	if cmd.IsAvailableCommand() || !cmd.HasParent() {
		name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
		err := disk.WriteFile(filepath.Join(dir, name), 0o644, func(w io.Writer) error {
			_, err := w.Write(manPage(cmd))
			return err
		})
		if err != nil {
			return err
		}
	}
	for _, c := range cmd.Commands() {
		if err := manPages(c, dir); err != nil {
			return err
		}
	}
	return nil
}

// manPage is one command as roff. It has no date, so that the same version gives
// the same bytes.
func manPage(cmd *cobra.Command) []byte {
	var b bytes.Buffer
	title := strings.ToUpper(strings.ReplaceAll(cmd.CommandPath(), " ", "-"))
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"seed %s\"\n", roff(title), roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(strings.ReplaceAll(cmd.CommandPath(), " ", "-")), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	long := cmd.Long
	if long == "" {
		long = cmd.Short
	}
	b.WriteString(".SH DESCRIPTION\n")
	for i, par := range strings.Split(long, "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		b.WriteString(roff(par) + "\n")
	}
	if cmd.HasAvailableSubCommands() {
		b.WriteString(".SH COMMANDS\n")
		for _, c := range cmd.Commands() {
			if c.IsAvailableCommand() {
				fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(c.Name()), roff(c.Short))
			}
		}
	}
	manFlags(&b, "OPTIONS", cmd.NonInheritedFlags())
	manFlags(&b, "GLOBAL OPTIONS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(cmd.Example))
	}
	return b.Bytes()
}

func manFlags(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		value, usage := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
	})
}

// roff escapes text so that no line of it is a request and no dash is a hyphen.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}

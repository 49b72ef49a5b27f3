package cli

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"seed/internal/command"
)

// helpColumns is the width that help is laid out for, except its examples.
const helpColumns = 80

// layOut wraps what help says, for every command of a tree, where it is printed: the
// texts and the usages of flags are written without counting columns.
func layOut(root *cobra.Command) {
	root.SetUsageTemplate(strings.NewReplacer(
		".FlagUsages |", fmt.Sprintf(".FlagUsagesWrapped %d |", helpColumns),
		"for more information about a command", "for more about a command",
	).Replace(root.UsageTemplate()))
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		before, after, _ := strings.Cut(cmd.UsageString(), cmd.Example)
		// Standard output may be what fails, so there is nobody to tell.
		_, _ = io.WriteString(cmd.OutOrStdout(), wrapped(cmp.Or(cmd.Long, cmd.Short))+"\n\n"+hung(before)+cmd.Example+hung(after))
	})
}

// wrapped fills the lines of each paragraph anew; indented lines stay their own.
func wrapped(text string) string {
	var out []string
	line := ""
	end := func() {
		if line != "" {
			out, line = append(out, line), ""
		}
	}
	for given := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if given == "" || given[0] == ' ' {
			end()
			out = append(out, hung(given))
			continue
		}
		for word := range strings.FieldsSeq(given) {
			if line != "" && len(line)+1+len(word) > helpColumns {
				end()
			}
			if line != "" {
				line += " "
			}
			line += word
		}
	}
	end()
	return strings.Join(out, "\n")
}

// hung breaks lines that are too wide; the rest hangs below the second column of a
// list, or below the beginning of the line.
func hung(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		column := len(line) - len(strings.TrimLeft(line, " "))
		if at := strings.Index(line[column:], "  "); at >= 0 {
			rest := strings.TrimLeft(line[column+at:], " ")
			column = len(line) - len(rest)
		}
		var out []string
		for len(line) > helpColumns {
			at := strings.LastIndexByte(line[:helpColumns+1], ' ')
			if at <= column {
				break // one word that is too long stays whole
			}
			out = append(out, strings.TrimRight(line[:at], " "))
			line = strings.Repeat(" ", column) + strings.TrimLeft(line[at:], " ")
		}
		lines[i] = strings.Join(append(out, line), "\n")
	}
	return strings.Join(lines, "\n")
}

// parents gives the two commands that the library brings, help and completion,
// the manners of the others: a wrong word is an error, and help has examples.
func parents(root *cobra.Command) {
	root.SuggestionsMinimumDistance = 2
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			helpOf(root, c)
		case "completion":
			completionOf(c)
		}
	}
}

func helpOf(root, c *cobra.Command) {
	c.Short = "Help about any command"
	c.Long = "Print the help of a command.\n\nExit codes: 0 printed; 2 there is no such command."
	c.Example = "  seed help grow"
	c.Run = nil
	c.RunE = func(_ *cobra.Command, words []string) error {
		cmd, rest, err := root.Find(words)
		if err != nil || len(rest) > 0 {
			return command.UnknownCommand(root, strings.Join(words, " "))
		}
		cmd.InitDefaultHelpFlag() // as it is listed by --help
		return cmd.Help()
	}
}

func completionOf(c *cobra.Command) {
	c.SuggestionsMinimumDistance = 2
	c.Short = "Print what a shell needs to complete seed commands"
	c.Long = `Print a script that teaches a shell to complete the commands and flags of seed.

Exit codes: 0 printed; 2 not a shell that is known.`
	c.Example = `  seed completion bash > ~/.local/share/bash-completion/completions/seed
  seed completion zsh > "${fpath[1]}/_seed"
  seed completion fish > ~/.config/fish/completions/seed.fish`
	c.Args = nil
	c.RunE = func(cmd *cobra.Command, words []string) error {
		if len(words) == 0 {
			return command.UsageError(cmd, fmt.Errorf("name a shell: bash, zsh, fish or powershell"))
		}
		return command.UnknownCommand(cmd, words[0])
	}
	for _, shell := range c.Commands() {
		shell.Long += "\n\nExit codes: 0 printed; 2 could not."
		shell.Example = "  seed completion " + shell.Name()
	}
}

// Package cli is the command line: one file a command. It turns arguments into
// calls of the packages that do the work, and what they return into text, JSON
// and an exit code. The rules of the formats are not here: what breaks one comes
// with its id.
package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seed/internal/cli/capsulecmd"
	"seed/internal/cli/keyscmd"
	"seed/internal/command"
	"seed/internal/ui"
)

// app carries what all commands share to the commands of this package.
type app struct{ command.App }

// Interrupted is the cause of a context that a signal ended.
type Interrupted = command.Interrupted

// Main runs one command and returns the exit code of the process.
func Main(ctx context.Context, args []string, in, out, errs *os.File, env func(string) string) int {
	a := &app{command.App{UI: ui.NewStreams(in, out, errs, env), Env: env, Version: version}}
	root := a.root(args[1:])
	if name := strings.TrimSuffix(filepath.Base(args[0]), ".exe"); name == "capsule" {
		a.UI.Program = name
		root = a.capsuleRoot(args[1:])
	}
	root.SetArgs(args[1:])
	root.SetIn(in)
	root.SetOut(out)
	root.SetErr(errs)
	err := root.ExecuteContext(ctx)
	var script command.Interrupted
	if ctx.Err() != nil && err != nil && !(errors.As(err, &script) && script.At != "") {
		err = context.Cause(ctx) // what a signal broke in the middle says less than the signal
	}
	return a.Finish(err)
}

const rootLong = `seed passes context and work between agents, machines and organisations.

A seed is one text file: markdown to a reader, a shell script to a shell. What came
from outside is parsed, checked and shown before anything in it can act.`

// root builds the tree of commands; words are those of the command line.
func (a *app) root(words []string) *cobra.Command {
	root := &cobra.Command{
		Use:   "seed",
		Short: "Pack, inspect, verify and grow seeds",
		Long:  rootLong,
		Example: `  seed pack ./my-skill -o my-skill.seed     a folder becomes one file
  seed inspect my-skill.seed ./here         what growing it would do
  seed verify my-skill.seed                 is it what it claims to be?
  seed grow my-skill.seed ./here            do it`,
		Version: version,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) > 0 {
				return command.UnknownCommand(cmd, words[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	a.frame(root, words)
	root.AddGroup(
		&cobra.Group{ID: "seeds", Title: "Seeds:"},
		&cobra.Group{ID: "capsules", Title: "Capsules:"},
		&cobra.Group{ID: "both", Title: "Seeds and capsules:"},
		&cobra.Group{ID: "trust", Title: "Keys and trust:"},
		&cobra.Group{ID: "tool", Title: "The tool:"},
	)
	root.AddCommand(append(keyscmd.New(&a.App), a.signCmd())...)
	root.AddCommand(a.packCmd(), a.showCmd(), a.inspectCmd(), a.verifyCmd(), a.growCmd(), a.ungrowCmd(),
		a.doctorCmd(), a.versionCmd(), a.manCmd())
	capsules := capsulecmd.New(&a.App)
	capsules.GroupID = "capsules"
	root.AddCommand(capsules, a.hydrateCmd())
	root.SetHelpCommandGroupID("tool")
	root.SetCompletionCommandGroupID("tool")
	root.SetVersionTemplate(versionLine())
	parents(root)
	return root
}

// capsuleRoot is the tree under the program name capsule: the same commands, and
// help that speaks of that name.
func (a *app) capsuleRoot(words []string) *cobra.Command {
	root := capsulecmd.New(&a.App)
	root.Version = capsuleVersion
	root.SetVersionTemplate("capsule " + capsuleVersion + "\n")
	a.frame(root, words)
	parents(root)
	renamed(root)
	return root
}

// capsuleVersion is what capsule --version says: the version of the format, as
// scripts for it expect.
const capsuleVersion = "0.6.0"

// renamed makes texts of seed capsule ones of capsule.
func renamed(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Long, &cmd.Example} {
		*text = strings.ReplaceAll(*text, "seed capsule ", "capsule ")
	}
	for _, c := range cmd.Commands() {
		renamed(c)
	}
}

// frame gives a root what every command has.
func (a *app) frame(root *cobra.Command, words []string) {
	root.SilenceErrors, root.SilenceUsage, root.DisableAutoGenTag = true, true, true
	root.PersistentPreRun = func(*cobra.Command, []string) {
		if a.NoColor {
			a.UI.NoColor()
		}
	}
	root.PersistentFlags().BoolVar(&a.JSON, "json", false, "print the result as JSON")
	root.PersistentFlags().BoolVar(&a.NoColor, "no-color", false, "never colour the output (also: NO_COLOR)")
	layOut(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		a.JSON = a.JSON || slices.Contains(words, "--json") // it may stand behind the mistake
		return command.UsageError(cmd, err)
	})
	root.CompletionOptions.HiddenDefaultCmd = false
}

// Package command is what the commands of the command line share: the streams
// and flags of one run, the ways to fail, and the one mapping of errors to exit
// codes and JSON. It has no commands of its own.
package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/config"
	"seed/internal/ui"
	"seed/internal/visible"
)

// App is one run of the program.
type App struct {
	UI      *ui.Streams
	Env     func(string) string
	Version string // of the build
	JSON    bool
	NoColor bool
}

// Places finds the directories of seed on this machine.
func (a *App) Places() (config.Places, error) {
	home, _ := os.UserHomeDir() // without one, only absolute XDG places work
	return config.Find(config.World{Env: a.Env, Home: home, OS: runtime.GOOS})
}

// Registry is the configured registry, "" when there is none.
func (a *App) Registry() (string, error) {
	places, err := a.Places()
	if err != nil {
		return "", err
	}
	c, err := config.Load(places, a.Env)
	return c.Registry, err
}

// FindingLine is one finding with its severity in colour.
func (a *App) FindingLine(f finding.Finding) string {
	text := visible.Text(f.String())
	switch f.Severity {
	case finding.Breach:
		return a.UI.Color.Bad("error:") + " " + text
	case finding.Warning:
		return a.UI.Color.Warn("warning:") + " " + text
	}
	return a.UI.Color.Dim("note:") + " " + text
}

// Args demands a number of arguments, with an error that says how to go on.
func Args(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, got []string) error {
		switch {
		case len(got) < least:
			return UsageError(cmd, errors.New("an argument is missing"))
		case len(got) > most:
			return UsageError(cmd, errors.New("too many arguments"))
		}
		return nil
	}
}

// UnknownCommand is the error for a word that is no command of cmd.
func UnknownCommand(cmd *cobra.Command, word string) error {
	hint := cmd.CommandPath() + " --help lists the commands"
	if near := cmd.SuggestionsFor(word); len(near) > 0 {
		hint = "did you mean " + strings.Join(near, " or ") + "? " + hint
	}
	return &Failure{Err: fmt.Errorf("unknown command %q for %q", word, cmd.CommandPath()), Code: Cannot, Reason: "usage", Hint: hint}
}

// Lines prints lines and keeps the first error.
type Lines struct {
	W   io.Writer
	Err error
}

// Printf prints one line; the newline is its own.
func (l *Lines) Printf(format string, args ...any) {
	if l.Err == nil {
		_, l.Err = fmt.Fprintf(l.W, format+"\n", args...)
	}
}

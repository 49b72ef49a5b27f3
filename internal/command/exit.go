package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/disk"
	"seed/internal/fetch"
	"seed/internal/grow"
	"seed/internal/keys"
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/seedfile"
)

// Exit codes of every command.
const (
	Done     = 0
	Negative = 1 // a negative verdict, or a step that failed
	Cannot   = 2 // usage, refused, malformed input, I/O
)

// Interrupted is a signal that ended the work.
type Interrupted struct {
	Signal os.Signal

	At string // the directive whose script it stopped, or ""
}

func (i Interrupted) Error() string {
	if i.At != "" {
		return "interrupted while the script of " + i.At + " ran"
	}
	return "interrupted; nothing is left half done"
}

// Code is the exit code by which shells know the signal.
func (i Interrupted) Code() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return Cannot
}

// Failure is an error with what the command line adds to it.
type Failure struct {
	Err    error
	Code   int
	Reason string // for --json: one word that a program can branch on
	Hint   string

	Details []string // further lines, each of which may hold text from outside

	ExecExit *int // status of the script that failed
	InJSON   bool // standard output has it already
}

func (f *Failure) Error() string { return f.Err.Error() }
func (f *Failure) Unwrap() error { return f.Err }

// ErrVerdict ends a command whose negative verdict is already on standard output.
var ErrVerdict = errors.New("negative verdict")

func UsageError(cmd *cobra.Command, err error) error {
	return &Failure{Err: err, Code: Cannot, Reason: "usage", Hint: "usage: " + cmd.UseLine() + "; see " + cmd.CommandPath() + " --help"}
}

// ErrorJSON is the form of every error under --json.
type ErrorJSON struct {
	Rule    string   `json:"rule,omitempty"`
	At      string   `json:"at,omitempty"`
	Message string   `json:"message"`
	Hint    string   `json:"hint,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Details []string `json:"details,omitempty"`

	ExecExit *int `json:"exec_exit,omitempty"` // of the script that failed
}

// Finish reports an error and turns it into the exit code. No other place does.
func (a *App) Finish(err error) int {
	if err == nil {
		return Done
	}
	if errors.Is(err, ErrVerdict) {
		return Negative
	}
	f := Explain(err)
	f.Hint = a.UI.Own(f.Hint)
	if a.JSON && !f.InJSON {
		// Standard output may be what failed, so there is nobody to tell.
		_ = a.UI.JSON(failedJSON{Error: DescribeError(f), Reason: f.Reason, ExecExit: f.ExecExit})
	}
	a.UI.Fail(f.Err, f.Hint, f.Details...)
	return f.Code
}

// failedJSON is what a failed command prints. What programs branch on stands at
// the top too, where it stands when nothing failed.
type failedJSON struct {
	Error    ErrorJSON `json:"error"`
	Reason   string    `json:"reason,omitempty"`
	ExecExit *int      `json:"exec_exit,omitempty"`
}

func DescribeError(f *Failure) ErrorJSON {
	e := ErrorJSON{Message: f.Error(), Hint: f.Hint, Reason: f.Reason, Details: f.Details, ExecExit: f.ExecExit}
	var broken *finding.Error
	if errors.As(f.Err, &broken) {
		e.Rule, e.At, e.Message = broken.Rule.ID, broken.At.String(), broken.Msg
	}
	return e
}

// Explain finds the exit code, the reason word and the hint of an error.
func Explain(err error) *Failure {
	f := &Failure{Err: err, Code: Cannot, Reason: reasonOf(err)}
	var (
		known       *Failure
		broken      *finding.Error
		refused     *seedfile.RefusedError
		interrupted Interrupted
	)
	if errors.As(err, &broken) {
		f.Hint = broken.Hint
	}
	switch {
	case errors.As(err, &known):
		if known.Hint != "" {
			f.Hint = known.Hint
		}
		f.Code, f.Details, f.ExecExit, f.InJSON = known.Code, known.Details, known.ExecExit, known.InJSON
		if known.Reason != "" {
			f.Reason = known.Reason
		}
	case errors.As(err, &interrupted):
		f.Code = interrupted.Code()
	case errors.Is(err, context.Canceled):
		f.Code = 128 + int(syscall.SIGINT)
	case errors.Is(err, grow.ErrStep):
		f.Code = Negative
	case errors.As(err, &refused):
		f.Err = fmt.Errorf("the format cannot carry %s; nothing was packed", ui.Plural(int64(len(refused.Refused)), "path", "paths"))
		f.Details = refusals(refused)
		f.Hint = refusalHint(refused)
	}
	f.Err = plain(f.Err)
	return f
}

// plainError says in words of the product what the system said in its own.
type plainError struct {
	error
	text string
}

func (e *plainError) Error() string { return e.text }
func (e *plainError) Unwrap() error { return e.error }

// plain words a file that is missing as a person would: "stat x: no such file or
// directory" names a call that nobody made.
func plain(err error) error {
	var pe *fs.PathError
	if !errors.As(err, &pe) || pe.Op != "stat" || !errors.Is(pe.Err, fs.ErrNotExist) {
		return err
	}
	return &plainError{err, strings.Replace(err.Error(), pe.Error(), pe.Path+": no such file", 1)}
}

func refusals(e *seedfile.RefusedError) []string {
	var lines []string
	for _, r := range e.Refused {
		lines = append(lines, r.Path+": "+r.Why+" ("+r.Rule.ID+")")
	}
	return lines
}

// refusalHint says what helps: no flag carries a name that breaks the path rule.
func refusalHint(e *seedfile.RefusedError) string {
	names, content := false, false
	for _, r := range e.Refused {
		isName := strings.HasPrefix(r.Rule.ID, "SP-PATH-")
		names, content = names || isName, content || !isName
	}
	var ways []string
	if content {
		ways = append(ways, "leave it out with --binary=skip, --symlinks=skip or --special=skip; carry binary files with --binary=base64")
	}
	if names {
		ways = append(ways, "rename a file whose name cannot be carried, or list it in .seedignore")
	}
	return strings.Join(ways, "; ")
}

// reasonOf is the word for --json (SP-GROW-08).
func reasonOf(err error) string {
	var (
		broken  *finding.Error
		refused *seedfile.RefusedError
	)
	switch {
	case errors.Is(err, grow.ErrConsent):
		return "consent"
	case errors.Is(err, grow.ErrStep):
		return "step"
	case errors.Is(err, disk.ErrUnsafe):
		return "unsafe_path"
	case errors.Is(err, disk.ErrExists), errors.Is(err, disk.ErrBlocked), errors.Is(err, fs.ErrExist):
		return "exists"
	case errors.Is(err, fetch.ErrNetwork):
		return "network"
	case errors.Is(err, fetch.ErrTooLarge):
		return "invalid"
	case errors.Is(err, noun.ErrURL), errors.Is(err, noun.ErrNotFound), errors.Is(err, noun.ErrNoRegistry),
		errors.Is(err, keys.ErrNoKey), errors.Is(err, keys.ErrWrongKind):
		return "usage"
	case errors.Is(err, keys.ErrPassphrase), errors.Is(err, keys.ErrNeedPassphrase):
		return "passphrase"
	case errors.As(err, &refused):
		return "unrepresentable"
	case errors.As(err, &broken):
		switch id := broken.Rule.ID; {
		case strings.HasPrefix(id, "SP-PATH-"):
			return "unsafe_path"
		case id == "SP-DIR-03" || id == "SP-DIR-05":
			return "usage" // this destination or bin directory will not do
		case id == "SP-GROW-01" || id == "SP-DIR-06":
			return "unknown_directive"
		case strings.HasPrefix(id, "SP-ARC-08"):
			return "unrepresentable"
		case strings.HasPrefix(id, "SIG-"):
			return "signature"
		case strings.HasPrefix(id, "SP-"):
			return "invalid"
		}
	}
	return ""
}

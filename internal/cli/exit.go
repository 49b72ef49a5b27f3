package cli

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
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/seedfile"
)

// Exit codes of every command.
const (
	exitDone     = 0
	exitNegative = 1 // a negative verdict, or a step that failed
	exitCannot   = 2 // usage, refused, malformed input, I/O
)

// Interrupted is a signal that ended the work.
type Interrupted struct {
	Signal os.Signal

	at string // the directive whose script it stopped, or ""
}

func (i Interrupted) Error() string {
	if i.at != "" {
		return "interrupted while the script of " + i.at + " ran"
	}
	return "interrupted; nothing is left half done"
}

// Code is the exit code by which shells know the signal.
func (i Interrupted) Code() int {
	if s, ok := i.Signal.(syscall.Signal); ok {
		return 128 + int(s)
	}
	return exitCannot
}

// failure is an error with what the command line adds to it.
type failure struct {
	err    error
	code   int
	reason string // for --json: one word that a program can branch on
	hint   string

	details []string // further lines, each of which may hold text from outside

	execExit *int // status of the script that failed
	inJSON   bool // standard output has it already
}

func (f *failure) Error() string { return f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// errVerdict ends a command whose negative verdict is already on standard output.
var errVerdict = errors.New("negative verdict")

func usageError(cmd *cobra.Command, err error) error {
	return &failure{err: err, code: exitCannot, reason: "usage", hint: "usage: " + cmd.UseLine() + "; see " + cmd.CommandPath() + " --help"}
}

// errorJSON is the form of every error under --json.
type errorJSON struct {
	Rule    string   `json:"rule,omitempty"`
	At      string   `json:"at,omitempty"`
	Message string   `json:"message"`
	Hint    string   `json:"hint,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Details []string `json:"details,omitempty"`

	ExecExit *int `json:"exec_exit,omitempty"` // of the script that failed
}

// finish reports an error and turns it into the exit code. No other place does.
func (a *app) finish(err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, errVerdict) {
		return exitNegative
	}
	f := explain(err)
	if a.json && !f.inJSON {
		// Standard output may be what failed, so there is nobody to tell.
		_ = a.ui.JSON(failedJSON{Error: describeError(f), Reason: f.reason, ExecExit: f.execExit})
	}
	a.ui.Fail(f.err, f.hint, f.details...)
	return f.code
}

// failedJSON is what a failed command prints. What programs branch on stands at
// the top too, where it stands when nothing failed.
type failedJSON struct {
	Error    errorJSON `json:"error"`
	Reason   string    `json:"reason,omitempty"`
	ExecExit *int      `json:"exec_exit,omitempty"`
}

func describeError(f *failure) errorJSON {
	e := errorJSON{Message: f.Error(), Hint: f.hint, Reason: f.reason, Details: f.details, ExecExit: f.execExit}
	var broken *finding.Error
	if errors.As(f.err, &broken) {
		e.Rule, e.At, e.Message = broken.Rule.ID, broken.At.String(), broken.Msg
	}
	return e
}

// explain finds the exit code, the reason word and the hint of an error.
func explain(err error) *failure {
	f := &failure{err: err, code: exitCannot, reason: reasonOf(err)}
	var (
		known       *failure
		broken      *finding.Error
		refused     *seedfile.RefusedError
		interrupted Interrupted
	)
	if errors.As(err, &broken) {
		f.hint = broken.Hint
	}
	switch {
	case errors.As(err, &known):
		if known.hint != "" {
			f.hint = known.hint
		}
		f.code, f.details, f.execExit, f.inJSON = known.code, known.details, known.execExit, known.inJSON
		if known.reason != "" {
			f.reason = known.reason
		}
	case errors.As(err, &interrupted):
		f.code = interrupted.Code()
	case errors.Is(err, context.Canceled):
		f.code = 128 + int(syscall.SIGINT)
	case errors.Is(err, grow.ErrStep):
		f.code = exitNegative
	case errors.As(err, &refused):
		f.err = fmt.Errorf("the format cannot carry %s; nothing was packed", ui.Plural(int64(len(refused.Refused)), "path", "paths"))
		f.details = refusals(refused)
		f.hint = refusalHint(refused)
	}
	return f
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
	case errors.Is(err, noun.ErrURL), errors.Is(err, noun.ErrNotFound), errors.Is(err, noun.ErrNoRegistry):
		return "usage"
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
		case strings.HasPrefix(id, "SP-"):
			return "invalid"
		}
	}
	return ""
}

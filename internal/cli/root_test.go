package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/fetch"
	"seed/internal/grow"
	"seed/internal/noun"
	"seed/internal/ui"
	"seed/seedfile"
)

func testApp() (*app, *bytes.Buffer, *bytes.Buffer) {
	var stdout, stderr bytes.Buffer
	a := &app{command.App{Env: func(string) string { return "" }, UI: &ui.Streams{In: strings.NewReader(""), Out: &stdout, Err: &stderr}}}
	return a, &stdout, &stderr
}

func TestEveryCommandHasExampleAndExitCodes(t *testing.T) {
	t.Parallel()
	a, _, _ := testApp()
	var look func(cmd *cobra.Command)
	n := 0
	look = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			n++
			if !strings.Contains(c.Example, "seed "+c.Name()) && !strings.Contains(c.Example, c.CommandPath()) {
				t.Errorf("%s: got the example %q, want one that calls it", c.CommandPath(), c.Example)
			}
			if !strings.Contains(c.Long, "\n\nExit codes: 0 ") {
				t.Errorf("%s: the help does not say its exit codes", c.CommandPath())
			}
			if c.Short == "" || strings.HasSuffix(c.Short, ".") {
				t.Errorf("%s: got %q in the list of commands, want a phrase without a full stop", c.CommandPath(), c.Short)
			}
			look(c)
		}
	}
	look(a.root(nil))
	if n < 14 {
		t.Errorf("got %d commands, want at least 14", n)
	}
}

// TestHelpIsNarrow: nothing but examples is wider than 80 columns, under both
// names of the program.
func TestHelpIsNarrow(t *testing.T) {
	t.Parallel()
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		var out bytes.Buffer
		cmd.SetOut(&out)
		cmd.InitDefaultHelpFlag()
		if err := cmd.Help(); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		if long := strings.Fields(cmd.Long); !strings.Contains(text, "\nUsage:\n") || !slices.Equal(strings.Fields(text)[:len(long)], long) {
			t.Errorf("%s: got %q, want its text and its usage", cmd.CommandPath(), text)
		}
		before, rest, _ := strings.Cut(text, "\nExamples:\n"+cmd.Example)
		for line := range strings.SplitSeq(before+rest, "\n") {
			if n := ui.DisplayWidth(line); n > 80 {
				t.Errorf("%s: a line of help has %d columns: %q", cmd.CommandPath(), n, line)
			}
		}
		for _, c := range cmd.Commands() {
			look(c)
		}
	}
	a, _, _ := testApp()
	look(a.root(nil))
	look(a.capsuleRoot(nil))
}

func TestWrapped(t *testing.T) {
	t.Parallel()
	word := strings.Repeat("x", 39)
	for _, tt := range []struct{ text, want string }{
		{"", ""},
		{"a\nb\n\nc\n", "a b\n\nc"},
		{word + " " + word + "x z", word + " " + word + "x\nz"},
		{strings.Repeat("y", 90) + " z", strings.Repeat("y", 90) + "\nz"},
		{
			"list:\n  name  " + word + " " + word + "\n  " + word + " " + word + " z\n  " + strings.Repeat("y", 90),
			"list:\n  name  " + word + "\n        " + word + "\n  " + word + "\n  " + word + " z\n  " + strings.Repeat("y", 90),
		},
		{"list:\n  one   two\n  three\nafter", "list:\n  one   two\n  three\nafter"},
	} {
		if got := wrapped(tt.text); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestSP_GROW_08_Reasons: one word for each way to be refused.
func TestSP_GROW_08_Reasons(t *testing.T) {
	t.Parallel()
	broken := func(id string) error { return finding.Rule{ID: id}.Errorf(finding.Place{}, "broken") }
	for _, tt := range []struct {
		err  error
		want string
		code int
	}{
		{broken("SP-META-01"), "invalid", command.Cannot},
		{broken("SP-PATH-01"), "unsafe_path", command.Cannot},
		{broken("SP-GROW-01"), "unknown_directive", command.Cannot},
		{broken("SP-ARC-08"), "unrepresentable", command.Cannot},
		{broken("SIG-08"), "signature", command.Cannot},
		{fmt.Errorf("x: %w", grow.ErrConsent), "consent", command.Cannot},
		{fmt.Errorf("x: %w", grow.ErrStep), "step", command.Negative},
		{fmt.Errorf("x: %w", disk.ErrUnsafe), "unsafe_path", command.Cannot},
		{fmt.Errorf("x: %w", disk.ErrExists), "exists", command.Cannot},
		{fmt.Errorf("x: %w", disk.ErrBlocked), "exists", command.Cannot},
		{fmt.Errorf("x: %w", fs.ErrExist), "exists", command.Cannot},
		{fmt.Errorf("x: %w", fetch.ErrNetwork), "network", command.Cannot},
		{fmt.Errorf("x: %w", fetch.ErrTooLarge), "invalid", command.Cannot},
		{fmt.Errorf("x: %w", noun.ErrURL), "usage", command.Cannot},
		{badRedirect(fmt.Errorf("x: %w", noun.ErrURL)), "network", command.Cannot},
		{&seedfile.RefusedError{Refused: []seedfile.Refusal{{Path: "x"}}}, "unrepresentable", command.Cannot},
		{errors.New("disk on fire"), "", command.Cannot},
	} {
		f := command.Explain(tt.err)
		if f.Reason != tt.want || f.Code != tt.code {
			t.Errorf("%v: got %q and %d, want %q and %d", tt.err, f.Reason, f.Code, tt.want, tt.code)
		}
	}
}

func TestSizeFlag(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want int64
		back string
	}{
		{"1", 1, "1"},
		{"64MiB", 64 << 20, "64MiB"},
		{"1GiB", 1 << 30, "1GiB"},
		{"2 KiB", 2 << 10, "2KiB"},
		{"1MB", 1e6, "1000000"},
		{"5B", 5, "5"},
		{"1024KiB", 1 << 20, "1MiB"},
	} {
		var s sizeFlag
		if err := s.Set(tt.text); err != nil || int64(s) != tt.want || s.String() != tt.back {
			t.Errorf("%q: got %d, %q, %v, want %d, %q", tt.text, s, &s, err, tt.want, tt.back)
		}
		if err := s.Set(s.String()); err != nil || int64(s) != tt.want {
			t.Errorf("%q: what it prints is read as %d, %v", tt.text, s, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "many", "1.5MiB", "9999999999GiB", "MiB"} {
		var s sizeFlag
		if err := s.Set(text); err == nil {
			t.Errorf("%q: got %d, want an error", text, s)
		}
	}
}

func TestErrorsUnderJSON(t *testing.T) {
	t.Parallel()
	a, stdout, stderr := testApp()
	a.JSON = true
	code := 7
	err := finding.Rule{ID: "SP-DIR-04"}.Errorf(finding.Place{Name: "x", Line: 3}, "bad \x1b[2J")
	if got := a.Finish(&command.Failure{Err: err, Code: command.Negative, Reason: "step", ExecExit: &code}); got != command.Negative {
		t.Errorf("got exit code %d, want %d", got, command.Negative)
	}
	want := `{
  "error": {
    "rule": "SP-DIR-04",
    "at": "x:3",
    "message": "bad \u001b[2J",
    "reason": "step",
    "exec_exit": 7
  },
  "reason": "step",
  "exec_exit": 7
}
`
	if stdout.String() != want {
		t.Errorf("got %s, want %s", stdout, want)
	}
	if strings.Contains(stderr.String(), "\x1b") {
		t.Errorf("got %q on standard error", stderr)
	}
}

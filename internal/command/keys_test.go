package command_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/ui"
)

// terminal is one at which the answer was typed already.
type terminal struct {
	io.Reader
	io.Writer
}

func (terminal) Close() error { return nil }

func app(stdin, typed string) *command.App {
	open := func() (ui.Terminal, error) { return terminal{strings.NewReader(typed), io.Discard}, nil }
	if typed == "" {
		open = func() (ui.Terminal, error) { return nil, errors.New("no such device") }
	}
	return &command.App{
		Env: func(string) string { return "" },
		UI:  &ui.Streams{In: strings.NewReader(stdin), Out: io.Discard, Err: io.Discard, OpenTTY: open},
	}
}

func TestAskPassphrase(t *testing.T) {
	t.Parallel()
	pass, err := app("", " two words \n").AskPassphrase(t.Context())("?")
	if string(pass) != " two words " || err != nil {
		t.Errorf("got %q, %v, want the line as it was typed", pass, err)
	}
	for _, typed := range []string{"", "cut"} {
		pass, err := app("x\n", typed).AskPassphrase(t.Context())("?")
		if pass != nil || !errors.Is(err, keys.ErrNeedPassphrase) {
			t.Errorf("%q: got %q, %v, want ErrNeedPassphrase", typed, pass, err)
		}
	}
}

func TestPassphraseFrom(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ content, want, err string }{
		{"secret\n", "secret", ""},
		{"secret", "secret", ""},
		{"secret\r\n", "secret", ""},
		{" secret  \n", " secret  ", ""},
		{strings.Repeat("s", 4096) + "\r\n", strings.Repeat("s", 4096), ""},
		{"", "", "is empty"},
		{"\n", "", "is empty"},
		{"secret\n\n", "", "more than one line"},
		{"secret\nsecret", "", "more than one line"},
		{strings.Repeat("s", 4097), "", "longer than 4096 bytes"},
		{strings.Repeat("s", 1<<20), "", "longer than 4096 bytes"},
	} {
		file := filepath.Join(t.TempDir(), "pass")
		if err := os.WriteFile(file, []byte(tt.content), 0o600); err != nil {
			t.Fatal(err)
		}
		for name, a := range map[string]*command.App{file: app("", ""), "-": app(tt.content, "")} {
			got, err := a.PassphraseFrom(t.Context(), name)("?")
			if string(got) != tt.want || (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%.20q: got %.20q, %v, want %.20q, %q", tt.content, got, err, tt.want, tt.err)
			}
			if err != nil && strings.Contains(err.Error(), "sss") {
				t.Errorf("got %v, which repeats the secret", err)
			}
		}
	}
	if _, err := app("", "").PassphraseFrom(t.Context(), filepath.Join(t.TempDir(), "nowhere"))("?"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want os.ErrNotExist", err)
	}
	_, err := app("", "").PassphraseFrom(t.Context(), "")("?")
	if f := command.Explain(err); f.Reason != "passphrase" || !strings.Contains(f.Hint, "--passphrase-file") {
		t.Errorf("got %+v, want the way to give one in a script", f)
	}
}

func TestReasonsOfKeys(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]string{
		keys.ErrNoKey: "usage", keys.ErrWrongKind: "usage", keys.ErrPassphrase: "passphrase", keys.ErrNeedPassphrase: "passphrase",
	} {
		if f := command.Explain(err); f.Reason != want || f.Code != command.Cannot {
			t.Errorf("%v: got %q and %d, want %q and %d", err, f.Reason, f.Code, want, command.Cannot)
		}
	}
}

// TestMissingFileInPlainWords: what a file that is not there is called, whatever
// call found out; the error stays the one it was.
func TestMissingFileInPlainWords(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "none")
	_, err := os.Stat(path)
	f := command.Explain(fmt.Errorf("read the vector: %w", err))
	if want := "read the vector: " + path + ": no such file"; f.Error() != want || !errors.Is(f, os.ErrNotExist) {
		t.Errorf("got %v, want %q", f, want)
	}
	for _, other := range []error{os.ErrNotExist, &os.PathError{Op: "open", Path: "x", Err: os.ErrPermission}} {
		if f := command.Explain(other); f.Error() != other.Error() {
			t.Errorf("got %v, want %v as it is", f, other)
		}
	}
}

// TestHintsOfProgram: under another name, hints and notes name the commands by it;
// what comes from outside is not touched.
func TestHintsOfProgram(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"":        "note: seed capsule x: seed capsule verify says it\nseed: seed capsule x\n hint: try seed capsule verify\n",
		"capsule": "note: seed capsule x: capsule verify says it\ncapsule: seed capsule x\n hint: try capsule verify\n",
	} {
		var errs strings.Builder
		a := &command.App{UI: &ui.Streams{Out: io.Discard, Err: &errs, Program: program}}
		a.UI.Note("%s: seed capsule verify says it", "seed capsule x")
		a.Finish(&command.Failure{Err: errors.New("seed capsule x"), Code: command.Cannot, Hint: "try seed capsule verify"})
		if errs.String() != want {
			t.Errorf("got %q, want %q", errs.String(), want)
		}
	}
}

func TestPlacesOfKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := &command.App{Env: func(name string) string {
		if name == "XDG_CONFIG_HOME" {
			return dir
		}
		return ""
	}}
	store, err := a.Keys()
	if want := filepath.Join(dir, "seed", "keys"); err != nil || store.Dir != want {
		t.Errorf("got %q, %v, want %q", store.Dir, err, want)
	}
	trust, err := a.Trust()
	if err != nil || len(trust.Entries) != 0 {
		t.Errorf("got %v, %v, want an empty list", trust, err)
	}
	path, err := a.TrustFile()
	if want := filepath.Join(dir, "seed", "trust.yaml"); err != nil || path != want {
		t.Errorf("got %q, %v, want %q", path, err, want)
	}
}

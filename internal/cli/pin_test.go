package cli

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/command"
	"seed/internal/ui"
)

// SP-SEC-01: what a digest was demanded of is a copy that nobody else can write
// to; the file itself may change between being judged and being used.
func TestPinnedFileIsCopied(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.seed")
	if err := os.WriteFile(path, []byte("# Usage: curl -sSL before"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := &app{command.App{UI: &ui.Streams{Out: io.Discard, Err: io.Discard}, Env: func(string) string { return "" }}}
	in, err := a.open(t.Context(), path, "grow", &inputFlags{sha256: strings.Repeat("0", 64)}, true)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString("# Usage: curl -sSL AFTER!"); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(io.NewSectionReader(in, 0, in.size))
	if err != nil || !strings.HasSuffix(string(got), "before") {
		t.Errorf("got %q, %v, want what was there when it was opened", got, err)
	}
}

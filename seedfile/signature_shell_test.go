//go:build unix

package seedfile_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"seed/seedfile"
)

// growIn feeds a seed to a shell and describes everything that came of it, but
// for the lines of a signature in the document that landed.
func growIn(t *testing.T, shell []string, text string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	dest := filepath.Join(t.TempDir(), "dest")
	cmd := exec.CommandContext(ctx, shell[0], append(shell[1:], "-s", "--", dest)...)
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + t.TempDir(), "SEED_ALLOW=exec"}
	cmd.Stdin = strings.NewReader(text)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	out := fmt.Sprintf("status %d, stdout %q, stderr %q\n", cmd.ProcessState.ExitCode(), stdout.String(), strings.ReplaceAll(stderr.String(), dest, "DEST"))
	err := filepath.WalkDir(dest, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		var kept []string
		for line := range strings.Lines(string(data)) {
			if !strings.HasPrefix(line, "signer: ") && !strings.HasPrefix(line, "signature: ") {
				kept = append(kept, line)
			}
		}
		out += fmt.Sprintf("%s %v %q\n", strings.TrimPrefix(path, dest), info.Mode(), strings.Join(kept, ""))
		return err
	})
	if err != nil {
		t.Fatalf("%v: %v after %s", shell, err, out)
	}
	return out
}

// SIG-09: a signed seed grows in every shell as it does without the signature,
// and a document lands with its signature.
func TestSignedSeeds_SIG_09_ShellsGrowTheSame(t *testing.T) {
	t.Parallel()
	seeds := everyProfile(t)
	for _, shell := range [][]string{{"bash"}, {"dash"}, {"busybox", "ash"}, {"mksh"}, {"zsh"}} {
		t.Run(shell[0], func(t *testing.T) {
			t.Parallel()
			if _, err := exec.LookPath(shell[0]); err != nil {
				if os.Getenv("CI") == "true" {
					t.Fatalf("%s is not installed", shell[0])
				}
				t.Skipf("%s is not installed", shell[0])
			}
			for profile, text := range seeds {
				out := signed(t, text, testKey, seedfile.PackOptions{})
				want, got := growIn(t, shell, text), growIn(t, shell, out)
				if got != want || !strings.HasPrefix(got, "status 0") || strings.Count(got, "\n") < 2 {
					t.Errorf("%v: got %s\nwant %s", profile, got, want)
				}
			}
		})
	}
}

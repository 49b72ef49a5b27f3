//go:build unix

package transport_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"seed/seedfile/transport"
)

func script(grow, payload string) string {
	return "---\nseed: \"1.0\"\ngrow: " + grow + "\ntype: tool\n---\n\n" + payload
}

// SP-GROW-06: without consent nothing runs, and nothing is changed either.
func TestSP_GROW_06_Consent(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			must(t, os.Mkdir(root+"/bin", 0o755))
			before := snapshot(t, root)
			for document, allow := range map[string]string{
				script("exec", "echo ran\n"):                        "",
				script("[show, exec]", "echo ran\n"):                "url,install",
				script("[show, exec] ", "echo ran\n"):               "execute,notexec, exec",
				script("https://127.0.0.1:1/x", "echo ran\n"):       "exec,install",
				tree("[unfold, https://127.0.0.1:1/x]"):             "",
				tree("[unfold, install]"):                           "exec,url",
				script("[exec, https://127.0.0.1:1/x]", "echo x\n"): "exec",
			} {
				r := run{shell: sh, path: systemPath + ":" + root + "/bin", env: []string{"SEED_ALLOW=" + allow, "SEED_BIN=" + root + "/bin"}}
				got := r.grow(t, plain(transport.Full, document), root+"/dest")
				refused(t, got, root, before)
				if got.stdout != "" || !strings.Contains(got.stderr, "needs consent") {
					t.Errorf("got %v", got)
				}
			}
		})
	}
}

// SP-GROW-02, SP-DIR-04: where and how a script runs.
func TestSP_DIR_04_Exec(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dest := filepath.Join(root, "my dest")
			r := run{shell: sh, umask: "007", env: []string{"SEED_ALLOW=url,exec", "MINE=kept"}}
			got := r.grow(t, plain(transport.Full, script("exec", "pwd; echo \"$DEST|$TARGET|$MINE\"; cat; umask; ls -A\n")), dest)
			lines := strings.Split(got.stdout, "\n")
			want := []string{dest, dest + "|" + dest + "|kept", "0007", "seed.md", ""}
			if len(lines) == len(want) && lines[2] == "007" {
				lines[2] = "0007"
			}
			if got.code != 0 || got.stderr != "" || strings.Join(lines, "\n") != strings.Join(want, "\n") {
				t.Errorf("got %v, want %q", got, want)
			}
			got = r.grow(t, plain(transport.Full, script("[exec, show]", "exit 7\n")), root+"/two")
			if got.code != 1 || got.stdout != "" || !strings.Contains(got.stderr, "exec failed") || !strings.Contains(got.stderr, "stays") {
				t.Errorf("failing script: got %v", got)
			}
			if _, err := os.Stat(root + "/two/seed.md"); err != nil || stage.MatchString(snapshot(t, root)) {
				t.Errorf("failing script: %v, left\n%s", err, snapshot(t, root))
			}
		})
	}
}

// SP-GROW-05: a signal while a script runs removes the stage.
func TestSP_GROW_05_Signals(t *testing.T) {
	t.Parallel()
	for _, sh := range shells(t) {
		for sig, status := range map[syscall.Signal]int{syscall.SIGHUP: 129, syscall.SIGINT: 130, syscall.SIGTERM: 143} {
			t.Run(sh.name+"/"+sig.String(), func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				r := run{shell: sh, env: []string{"SEED_ALLOW=exec"}}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				// What says that it is ready must be what the signal meets: a shell can
				// lose one that comes while it starts a command.
				cmd := r.command(ctx, t, plain(transport.Full, script("exec", "echo ready > r; exec tail -f r\n")), root+"/dest")
				out, err := cmd.StdoutPipe()
				must(t, err)
				must(t, cmd.Start())
				line, err := bufio.NewReader(out).ReadString('\n')
				if line != "ready\n" {
					t.Errorf("got %q, %v", line, err)
				}
				must(t, syscall.Kill(-cmd.Process.Pid, sig)) // as a terminal does it
				_ = cmd.Wait()
				if got := cmd.ProcessState.ExitCode(); got != status {
					t.Errorf("got status %d (%v), want %d", got, cmd.ProcessState, status)
				}
				if s := snapshot(t, root); stage.MatchString(s) {
					t.Errorf("the stage is still there:\n%s", s)
				}
			})
		}
	}
}

// SP-DIR-05: a link in the bin directory; doing it twice is no error.
func TestSP_DIR_05_Install(t *testing.T) {
	t.Parallel()
	document := archiveDocument("[unfold, install]", map[string]member{"tool": {content: "#!/bin/sh\necho tool\n", mode: 0o755}})
	for _, sh := range shells(t) {
		t.Run(sh.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			bin := root + "/my bin"
			must(t, os.Mkdir(bin, 0o755))
			r := run{shell: sh, path: systemPath + ":" + bin, env: []string{"SEED_ALLOW=install", "SEED_BIN=" + bin}}
			for range 2 {
				got := r.grow(t, plain(transport.Full, document), root+"/dest")
				if target, err := os.Readlink(bin + "/tool"); got.code != 0 || target != root+"/dest/tool" {
					t.Fatalf("got %v, link to %q, %v", got, target, err)
				}
			}
			must(t, os.Remove(bin+"/tool"))
			write(t, bin, map[string]string{"tool": "another\n"})
			got := r.grow(t, plain(transport.Full, document), root+"/dest")
			if b, _ := os.ReadFile(bin + "/tool"); got.code == 0 || string(b) != "another\n" {
				t.Errorf("over another file: got %v, %q", got, b)
			}
			must(t, os.Remove(bin+"/tool"))
			plainFile := archiveDocument("[unfold, install]", map[string]member{"tool": {content: "x\n"}})
			if got := r.grow(t, plain(transport.Full, plainFile), root+"/other"); got.code == 0 || !strings.Contains(got.stderr, "not an executable file") {
				t.Errorf("not executable: got %v", got)
			}
			before := snapshot(t, root)
			r.path = systemPath
			refused(t, r.grow(t, plain(transport.Full, document), root+"/third"), root, before)
			r.path, r.env = systemPath+":"+root+"/missing", []string{"SEED_ALLOW=install", "SEED_BIN=" + root + "/missing"}
			refused(t, r.grow(t, plain(transport.Full, document), root+"/third"), root, before)
		})
	}
}

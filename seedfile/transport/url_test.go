//go:build unix

package transport_test

import (
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/seedfile/transport"
)

// SP-DIR-06: a script is fetched whole over https and run, or nothing is.
func TestSP_DIR_06_URL(t *testing.T) {
	t.Parallel()
	need(t, "curl")
	const body = "echo fetched; pwd\n"
	insecure := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("echo insecure\n"))
	}))
	t.Cleanup(insecure.Close)
	mux := http.NewServeMux()
	mux.HandleFunc("/good", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) })
	mux.HandleFunc("/fails", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("exit 3\n")) })
	mux.HandleFunc("/makes", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("mkdir d; echo mine > t\n")) })
	mux.HandleFunc("/nul", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("echo shown \x00; echo not shown\n"))
	})
	mux.Handle("/moved", http.RedirectHandler("/good", http.StatusFound))
	mux.Handle("/downgrade", http.RedirectHandler(insecure.URL, http.StatusFound))
	mux.HandleFunc("/cut", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000")
		_, _ = w.Write([]byte("echo cut\n"))
	})
	server := httptest.NewTLSServer(mux)
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600))
	pin := fmt.Sprintf("#sha256=%x", sha256.Sum256([]byte(body)))

	for _, sh := range shells(t) {
		for _, c := range []struct {
			path, stdout, stderr string
			code                 int
		}{
			{path: "/good", stdout: "fetched\nDEST\n"},
			{path: "/moved", stdout: "fetched\nDEST\n"},
			{path: "/good" + pin, stdout: "fetched\nDEST\n"},
			{path: "/good" + pin[:8] + strings.ToUpper(pin[8:]), stdout: "fetched\nDEST\n"},
			{path: "/nul", code: 1, stderr: "a NUL byte"}, // some awks show a line only up to it
			{path: "/fails" + pin, code: 1, stderr: "sha256 differs"},
			{path: "/good#sha256=", code: 1, stderr: "sha256 differs"},
			{path: "/good" + strings.ToUpper(pin[:10]) + pin[10:], stdout: "fetched\nDEST\n"}, // no pin: another fragment
			{path: "/missing", code: 1, stderr: "cannot fetch"},
			{path: "/downgrade", code: 1, stderr: "cannot fetch"},
			{path: "/cut", code: 1, stderr: "cannot fetch"},
			{path: "/fails", code: 1, stderr: "failed"},
		} {
			t.Run(sh.name+c.path, func(t *testing.T) {
				t.Parallel()
				root := t.TempDir()
				r := run{shell: sh, env: []string{"SEED_ALLOW=url", "CURL_CA_BUNDLE=" + ca}}
				got := r.grow(t, plain(transport.Full, script(server.URL+c.path, "x\n")), root+"/dest")
				want := strings.ReplaceAll(c.stdout, "DEST", root+"/dest")
				if got.code != c.code || got.stdout != want || !strings.Contains(got.stderr, c.stderr) {
					t.Errorf("got %v, want status %d, stdout %q, stderr with %q", got, c.code, want, c.stderr)
				}
				if s := snapshot(t, root); stage.MatchString(s) {
					t.Errorf("the stage is still there:\n%s", s)
				}
			})
		}
		t.Run(sh.name+"/user-name", func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			r := run{shell: sh, env: []string{"SEED_ALLOW=url", "CURL_CA_BUNDLE=" + ca}}
			url := strings.Replace(server.URL, "https://", "https://seed.example@", 1)
			got := r.grow(t, plain(transport.Full, script(url+"/good", "x\n")), root+"/dest")
			if got.code != 1 || !strings.Contains(got.stderr, "a user name in a url") || snapshot(t, root) != snapshot(t, t.TempDir()) {
				t.Errorf("got %v, want it refused before any change", got)
			}
		})
		t.Run(sh.name+"/before-unfold", func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			r := run{shell: sh, env: []string{"SEED_ALLOW=url", "CURL_CA_BUNDLE=" + ca}}
			// The script changes what unfold meets, so unfold looks again.
			got := r.grow(t, plain(transport.Full, tree("["+server.URL+"/makes, unfold]")), root+"/dest")
			if b, _ := os.ReadFile(root + "/dest/t"); got.code != 1 || string(b) != "mine\n" || !strings.Contains(got.stderr, "exists and differs") {
				t.Errorf("got %v and %q", got, b)
			}
			got = r.grow(t, plain(transport.Full, tree("["+server.URL+"/good, unfold, unfold, "+server.URL+"/good, copy]")), root+"/two")
			if b, _ := os.ReadFile(root + "/two/d/a"); got.code != 0 || string(b) != "hello\n" || strings.Count(got.stdout, "fetched") != 2 {
				t.Errorf("got %v and %q", got, b)
			}
		})
	}
}

package capsulecmd_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/ui"
)

// TestVectorsVerify: a vector of the reference holds, and a changed one does not.
func TestVectorsVerify(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.shared("plain-basic.json")
	a := w.expect(0, "vectors", "verify", path)
	w.narrow(a.out)
	has(t, a.out, "as expected", "equal", "signer set is not bound")
	names, values := members(t, w.expect(0, "vectors", "verify", path, "--json").out)
	if want := []string{"ok", "sdk_verifier_ok", "hashes_match", "diffs", "observed", "sdk_result"}; !slices.Equal(names, want) {
		t.Errorf("got the members %q, want %q", names, want)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var vector struct{ Expected map[string]json.RawMessage }
	var observed map[string]json.RawMessage
	if err := json.Unmarshal(data, &vector); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(values["observed"], &observed); err != nil {
		t.Fatal(err)
	}
	if len(observed) != len(vector.Expected) {
		t.Errorf("got %d values, want the %d that the vector pins", len(observed), len(vector.Expected))
	}
	for name, want := range vector.Expected {
		text := strings.Trim(string(want), `"`)
		if name == "event_hashes" {
			text = strings.Split(text, `"`)[1]
		}
		other := strings.Repeat("0", len(text))
		changed := w.write("changed.json", []byte(strings.Replace(string(data), text, other, strings.Count(string(data), text))))
		a := w.expect(1, "vectors", "verify", changed)
		has(t, a.out, "not as expected", name, text[:60])
	}

	w.expect(2, "vectors", "verify", w.write("x.json", []byte(`{"expected":{}}`)))
	w.expect(2, "vectors", "verify", w.write("y.json", []byte(`{"capsule_bytes_b64":"AA==","expected":{}}`)))
	w.expect(2, "vectors", "verify", w.write("z.json", []byte(`{"capsule_bytes_b64":"*","expected":{"capsule_id":""}}`)))
	w.expect(2, "vectors", "verify", w.path("nowhere"))
	a = w.expect(1, "vectors", "verify", w.write("v.json", []byte(`{"capsule_bytes_b64":"AA==","expected":{"capsule_id":""}}`)), "--json")
	has(t, a.out, `"sdk_verifier_ok": false`, `"hashes_match": false`, `"observed": null`)
}

// TestKeygen: two files of 64 hex digits and LF, never replaced, the secret
// never shown.
func TestKeygen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	dir := w.path("keys")
	a := w.expect(0, "keygen", "--out", dir, "--label", "ana", "--json")
	names, values := members(t, a.out)
	if want := []string{"label", "public_key", "public_key_file", "private_key_file"}; !slices.Equal(names, want) {
		t.Errorf("got the members %q, want %q", names, want)
	}
	secret, err := os.ReadFile(filepath.Join(dir, "ana.private.hex"))
	if err != nil {
		t.Fatal(err)
	}
	public, err := os.ReadFile(filepath.Join(dir, "ana.public.hex"))
	if err != nil {
		t.Fatal(err)
	}
	if len(secret) != 65 || len(public) != 65 || secret[64] != '\n' || `"`+string(public[:64])+`"` != string(values["public_key"]) {
		t.Errorf("got %d and %d bytes, and the public key %s", len(secret), len(public), values["public_key"])
	}
	if _, err := hex.DecodeString(string(secret[:64])); err != nil || strings.ToLower(string(secret)) != string(secret) {
		t.Errorf("the private key is not lower-case hex: %v", err)
	}
	if strings.Contains(a.out+a.errors, string(secret[:64])) {
		t.Error("the private key was printed")
	}
	if fi, err := os.Stat(filepath.Join(dir, "ana.private.hex")); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("got %v, %v, want mode 0600", fi, err)
	}

	has(t, w.expect(2, "keygen", "--out", dir, "--label", "ana").errors, "never replaced")
	if err := os.Remove(filepath.Join(dir, "ana.private.hex")); err != nil {
		t.Fatal(err)
	}
	w.expect(2, "keygen", "--out", dir, "--label", "ana")
	if _, err := os.Stat(filepath.Join(dir, "ana.private.hex")); !os.IsNotExist(err) {
		t.Errorf("got %v, want no private key beside the public one of another", err)
	}
	for _, label := range []string{"", "a/b", "..", "a\x1b", "con"} {
		w.expect(2, "keygen", "--out", dir, "--label", label)
	}
	has(t, w.expect(0, "keygen", "--out", dir).out, "public key", "capsule.private.hex")
}

// TestHelp: what every command of the program must say.
func TestHelp(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "seed"}
	root.AddCommand(capsulecmd.New(&command.App{UI: &ui.Streams{}, Env: func(string) string { return "" }}))
	var look func(cmd *cobra.Command)
	look = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			if !strings.Contains(sub.Example, sub.CommandPath()) {
				t.Errorf("%s: got the example %q", sub.CommandPath(), sub.Example)
			}
			if !strings.Contains(sub.Long, "\n\nExit codes: 0 ") || strings.HasSuffix(sub.Short, ".") {
				t.Errorf("%s: got %q and %q", sub.CommandPath(), sub.Short, sub.Long)
			}
			look(sub)
		}
	}
	look(root.Commands()[0])
}

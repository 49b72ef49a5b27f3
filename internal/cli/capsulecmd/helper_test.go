package capsulecmd_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/internal/cli/capsulecmd"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/zipstore"
)

// world is where a test runs commands: a folder for files and places of its own.
type world struct {
	t     *testing.T
	dir   string
	stdin string
	tty   bool // standard output is a terminal
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{t: t, dir: t.TempDir()}
}

// answer is what a command left behind.
type answer struct {
	code        int
	out, errors string
}

// run executes `seed capsule WORDS…` as the program does.
func (w *world) run(words ...string) answer {
	w.t.Helper()
	var out, errs bytes.Buffer
	app := &command.App{
		UI: &ui.Streams{In: strings.NewReader(w.stdin), Out: &out, Err: &errs, OutTTY: w.tty},
		Env: func(name string) string {
			if strings.HasPrefix(name, "XDG_") {
				return filepath.Join(w.dir, name)
			}
			return ""
		},
	}
	root := &cobra.Command{Use: "seed", SilenceErrors: true, SilenceUsage: true}
	root.PersistentFlags().BoolVar(&app.JSON, "json", false, "")
	root.SetFlagErrorFunc(command.UsageError)
	root.AddCommand(capsulecmd.New(app))
	root.SetArgs(append([]string{"capsule"}, words...))
	root.SetOut(&out)
	root.SetErr(&errs)
	code := app.Finish(root.ExecuteContext(w.t.Context()))
	return answer{code, out.String(), errs.String()}
}

// expect runs a command that must end with a code.
func (w *world) expect(code int, words ...string) answer {
	w.t.Helper()
	a := w.run(words...)
	if a.code != code {
		w.t.Errorf("%q: got exit code %d, want %d; output:\n%s\nerrors:\n%s", words, a.code, code, a.out, a.errors)
	}
	return a
}

// has demands that a text holds each of some parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("got %s\nwant it to hold %q", text, p)
		}
	}
}

// narrow demands that no line is wider than 80 columns; the names of the files
// do not count.
func (w *world) narrow(text string) {
	w.t.Helper()
	text = regexp.MustCompile(regexp.QuoteMeta(w.dir)+`\S+`).ReplaceAllString(text, "")
	for line := range strings.Lines(text) {
		if n := ui.DisplayWidth(strings.TrimSuffix(line, "\n")); n > 80 {
			w.t.Errorf("got a line of %d columns: %s", n, line)
		}
	}
}

// members gives the names of a JSON object in order, and their values.
func members(t *testing.T, text string) ([]string, map[string]json.RawMessage) {
	t.Helper()
	values := map[string]json.RawMessage{}
	if err := json.Unmarshal([]byte(text), &values); err != nil {
		t.Fatalf("got %q: %v", text, err)
	}
	var names []string
	dec := json.NewDecoder(strings.NewReader(text))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var skip json.RawMessage
		if err := dec.Decode(&skip); err != nil {
			t.Fatal(err)
		}
	}
	return names, values
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

// write puts a file into the world and returns its path.
func (w *world) write(name string, data []byte) string {
	w.t.Helper()
	path := w.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

// memory is a file in memory to build into.
type memory struct{ build.Memory }

func testKey(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, 32))
}

func publicHex(key ed25519.PrivateKey) string {
	return hex.EncodeToString(key.Public().(ed25519.PublicKey))
}

const testTime = "2026-05-21T12:00:00Z"

// events writes a chain of drafts.
func events(t *testing.T, drafts ...chain.Draft) build.File {
	t.Helper()
	var log chain.Log
	var text []byte
	for _, d := range drafts {
		if d.Timestamp == "" {
			d.Timestamp = testTime
		}
		line, err := log.Append(d)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, line...)
	}
	return build.Bytes(chain.Path, text)
}

func created() chain.Draft {
	return chain.Draft{Actor: "human:ana", Kind: "decision", Action: "created", Target: "payload/plan.md"}
}

func reviewed() chain.Draft {
	return chain.Draft{Actor: "ai:critic", Action: "reviewed", Target: "payload/plan.md", Payload: []byte(`{"score":1.5,"summary":"fine"}`)}
}

// draft is an ordinary capsule, for tests to change.
func draft(t *testing.T) *build.Draft {
	t.Helper()
	return &build.Draft{
		Label: "Ana", SignedAt: testTime,
		Participants: []build.Participant{{ActorID: "human:ana", Role: "author"}, {ActorID: "ai:critic"}},
		Files: []build.File{
			build.Text("program.md", "# Plan\n"), build.Text("agents.md", "# Agents\n"),
			build.Text("payload/plan.md", "one\n"), build.Text("payload/data.csv", "a,b\n"),
		},
		Chain:   events(t, created(), reviewed()),
		Signers: []build.Signer{{Role: "originator", Key: testKey(1)}},
	}
}

// seal builds a capsule and writes it into the world.
func (w *world) seal(name string, d *build.Draft) string {
	w.t.Helper()
	var out memory
	if _, err := build.Write(&out, d); err != nil {
		w.t.Fatalf("seal %s: %v", name, err)
	}
	return w.write(name, out.Bytes())
}

// damage replaces the one place of a text in a file by another of equal length.
func (w *world) damage(path, from, to string) {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	if n := bytes.Count(data, []byte(from)); n != 1 || len(from) != len(to) {
		w.t.Fatalf("%q stands %d times in %s", from, n, path)
	}
	if err := os.WriteFile(path, bytes.Replace(data, []byte(from), []byte(to), 1), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// without writes a capsule again with one entry left out.
func (w *world) without(path, name string) string {
	w.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		w.t.Fatal(err)
	}
	archive, err := zipstore.Open(bytes.NewReader(data), int64(len(data)), zipstore.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	var files []zipstore.File
	for i := range archive.Entries {
		e := &archive.Entries[i]
		if e.Name == name {
			continue
		}
		text, err := archive.ReadFile(e, e.Size)
		if err != nil {
			w.t.Fatal(err)
		}
		files = append(files, zipstore.File{
			Name: e.Name, Size: e.Size, CRC32: crc32.ChecksumIEEE(text),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil },
		})
	}
	if len(files) == len(archive.Entries) {
		w.t.Fatalf("%s has no %s", path, name)
	}
	var out bytes.Buffer
	if _, err := zipstore.Write(&out, files, zipstore.Options{}); err != nil {
		w.t.Fatal(err)
	}
	return w.write("without.capsule", out.Bytes())
}

// shared brings a file of the shared vectors into the world, or skips.
func (w *world) shared(name string) string {
	w.t.Helper()
	path := filepath.Join("..", "..", "..", "..", "shared", "vectors", "capsule", filepath.FromSlash(name))
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		w.t.Skipf("no shared vectors: %s", path)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	return w.write(filepath.Base(path), data)
}

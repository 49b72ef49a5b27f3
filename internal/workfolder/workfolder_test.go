package workfolder_test

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/internal/workfolder"
)

const at = "2026-01-31T12:00:00Z"

func key(b byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, 32)) }

type memory struct{ build.Memory }

func initFolder(t *testing.T, participants ...string) *workfolder.Folder {
	t.Helper()
	s := workfolder.State{Label: "Ana", CreatedAt: at}
	for _, id := range participants {
		s.Participants = append(s.Participants, build.Participant{ActorID: id})
	}
	f, err := workfolder.Init(filepath.Join(t.TempDir(), "work"), s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func put(t *testing.T, dir, path, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// seal seals a folder in memory.
func seal(t *testing.T, f *workfolder.Folder, set func(*build.Draft)) ([]byte, *workfolder.Collected) {
	t.Helper()
	got, err := f.Collect("", true)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	d := &got.Draft
	d.SignedAt, d.Signers = at, []build.Signer{{Role: "originator", Key: key(1)}}
	if set != nil {
		set(d)
	}
	var out memory
	if _, err := build.Write(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), got
}

func open(t *testing.T, data []byte) (*capsule.Capsule, *capsule.Result) {
	t.Helper()
	res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), capsule.Options{})
	if err != nil || res.Verdict != capsule.Valid {
		t.Fatalf("got %+v, %v, want a valid capsule", res, err)
	}
	return c, res
}

// TestCAP_BLD_06_RoundTrip: a folder that is sealed, opened and sealed again with
// the same key and times gives the same bytes, files outside the usual places and
// extension members included.
func TestCAP_BLD_06_RoundTrip(t *testing.T) {
	t.Parallel()
	f := initFolder(t, "human:ana")
	put(t, f.Dir, "payload/a.txt", "a")
	put(t, f.Dir, "skills/fix/SKILL.md", "# Fix\n")
	if _, err := f.Append(chain.Draft{Actor: "human:ana", Action: "began"}); err != nil {
		t.Fatal(err)
	}
	first, _ := seal(t, f, func(d *build.Draft) {
		d.Files = append(d.Files, build.Text("surface.md", "old\n"))
		d.Extra = []chain.Member{{Name: "x-acme-note", Value: []byte(`{"b":1,"a":[]}`)}}
	})
	c, res := open(t, first)
	dir := filepath.Join(t.TempDir(), "again")
	if _, err := workfolder.Unpack(c, res, dir); err != nil {
		t.Fatal(err)
	}
	loaded, err := workfolder.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if o := loaded.State.Origin; o == nil || o.CapsuleID != res.CapsuleID || o.Events != 1 || o.ManifestHash != res.ManifestHash {
		t.Errorf("got the origin %+v, want that of %s", o, res.CapsuleID)
	}
	second, _ := seal(t, loaded, nil)
	if !bytes.Equal(first, second) {
		t.Error("got other bytes after opening and sealing again")
	}
	// History that was emptied, rewritten or hidden is not sealed over.
	events, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(chain.Path)))
	if err != nil {
		t.Fatal(err)
	}
	var other chain.Log
	line, err := other.Append(chain.Draft{Actor: "human:ana", Action: "invented", Timestamp: at})
	if err != nil {
		t.Fatal(err)
	}
	for name, log := range map[string]string{"emptied": "", "rewritten": string(line)} {
		put(t, dir, chain.Path, log)
		if err := trySeal(t, loaded); err == nil || !strings.Contains(err.Error(), "CAP-BLD-06") {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
	put(t, dir, chain.Path, string(events))
	for _, pattern := range []string{"events.jsonl", "program.md", "surface.md", "*"} {
		put(t, dir, ".seedignore", pattern+"\n")
		if err := trySeal(t, loaded); err == nil || !strings.Contains(err.Error(), "left out by an ignore rule") {
			t.Errorf("%s ignored: got %v, want a refusal", pattern, err)
		}
	}
}

// trySeal collects and seals a folder and returns what went wrong.
func trySeal(t *testing.T, f *workfolder.Folder) error {
	t.Helper()
	got, err := f.Collect("", true)
	if err != nil {
		return err
	}
	defer got.Close()
	got.Draft.SignedAt, got.Draft.Signers = at, []build.Signer{{Role: "originator", Key: key(1)}}
	_, err = build.Write(&memory{}, &got.Draft)
	return err
}

// TestFolderOfLinks: parts of a folder that are links or pipes are refused before
// anything is read or written through them.
func TestFolderOfLinks(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	for _, name := range []string{"chain", "capsule.json", "payload", "skills"} {
		f := initFolder(t)
		path := filepath.Join(f.Dir, name)
		if err := os.Rename(path, filepath.Join(outside, name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(outside, name), path); err != nil {
			t.Fatal(err)
		}
		if _, err := workfolder.Load(f.Dir); err == nil || !strings.Contains(err.Error(), "symbolic link") {
			t.Errorf("%s: got %v, want a refusal", name, err)
		}
	}
}

// TestSecretsInTheManifest: what goes into the manifest is looked at too.
func TestSecretsInTheManifest(t *testing.T) {
	t.Parallel()
	token := "ghp_" + "ptgUzEjfebzJ6sZWdoHIxrXl0gqn87b1PZqZ"
	f := initFolder(t)
	f.State.Participants = []build.Participant{{ActorID: "human:ana", Label: token}}
	got, err := f.Collect("", true)
	if err != nil {
		t.Fatal(err)
	}
	defer got.Close()
	if found := got.Secrets.Found(); len(found) != 1 || found[0].Path != workfolder.StateFile {
		t.Errorf("got %v, want the token in %s", found, workfolder.StateFile)
	}
}

// TestCAP_CHN_02_AppendConcurrently: writers at once form one chain.
func TestCAP_CHN_02_AppendConcurrently(t *testing.T) {
	t.Parallel()
	f := initFolder(t)
	var wg sync.WaitGroup
	errs := make([]error, 20)
	for i := range errs {
		wg.Go(func() {
			_, errs[i] = f.Append(chain.Draft{Actor: "ai:" + strconv.Itoa(i), Action: "ran", Timestamp: at})
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	log, err := os.Open(filepath.Join(f.Dir, filepath.FromSlash(chain.Path)))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	res, err := chain.Walk(log, chain.Options{})
	if err != nil || !res.OK() || res.Events != len(errs) {
		t.Errorf("got %+v, %v, want %d linked events", res, err, len(errs))
	}
}

// TestCAP_BLD_02_DefaultTime: an event without a time has that of the folder's
// creation.
func TestCAP_BLD_02_DefaultTime(t *testing.T) {
	t.Parallel()
	f := initFolder(t)
	a, err := f.Append(chain.Draft{Actor: "system:host", Action: "ran"})
	if err != nil || !strings.Contains(string(a.Line), `"timestamp":"`+at+`"`) {
		t.Errorf("got %v, %v, want the time %s", a, err, at)
	}
}

// TestCollect: what is sealed, what is named as left out, and what is refused.
func TestCollect(t *testing.T) {
	t.Parallel()
	f := initFolder(t)
	put(t, f.Dir, "payload/a.txt", "a")
	put(t, f.Dir, "payload/skip.log", "x")
	put(t, f.Dir, ".seedignore", "*.log\n")
	put(t, f.Dir, "notes.txt", "n")
	put(t, f.Dir, "chain/other.txt", "x")
	data, got := seal(t, f, nil)
	c, _ := open(t, data)
	want := "agents.md chain/events.jsonl manifest.json payload/a.txt program.md provenance/envelope.json"
	var have []string
	for _, e := range c.Entries() {
		have = append(have, e.Path)
	}
	if strings.Join(have, " ") != want {
		t.Errorf("got %v, want %s", have, want)
	}
	if strings.Join(got.Strays, " ") != "chain/other.txt notes.txt" {
		t.Errorf("got strays %q, want chain/other.txt and notes.txt", got.Strays)
	}
	if err := os.Symlink("a.txt", filepath.Join(f.Dir, "payload", "link")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Collect("", true); err == nil || !strings.Contains(err.Error(), "CAP-ZIP-17") {
		t.Errorf("got %v for a symbolic link, want a refusal", err)
	}
}

// TestCAP_ZIP_26_Unpack: names that no folder should hold are refused, and nothing
// is left behind.
func TestCAP_ZIP_26_Unpack(t *testing.T) {
	t.Parallel()
	for name, paths := range map[string][]string{
		"state file":    {"capsule.json"},
		"case":          {"payload/A", "payload/a"},
		"normalisation": {"payload/\u00e9", "payload/e\u0301"},
		"device":        {"payload/con"},
		"both":          {"payload/x", "payload/x/y"},
		"stage":         {"payload/.seed-00000000000000000000000000000000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var files []build.File
			for _, p := range paths {
				f := build.Text(p, "x")
				f.Carried = true
				files = append(files, f)
			}
			var out memory
			if _, err := build.Write(&out, &build.Draft{
				SignedAt: at, Files: files, Signers: []build.Signer{{Role: "originator", Key: key(1)}},
			}); err != nil {
				t.Fatal(err)
			}
			c, res := open(t, out.Bytes())
			dir := filepath.Join(t.TempDir(), "out")
			if _, err := workfolder.Unpack(c, res, dir); err == nil || !strings.Contains(err.Error(), "CAP-ZIP-26") {
				t.Errorf("got %v, want a refusal", err)
			}
			if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("got %v, want nothing at the destination", err)
			}
		})
	}
}

func TestInitRefusesFullFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, "x", "x")
	if _, err := workfolder.Init(dir, workfolder.State{CreatedAt: at}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want %v", err, fs.ErrExist)
	}
	if _, err := workfolder.Load(dir); !errors.Is(err, workfolder.ErrNotFolder) {
		t.Errorf("got %v, want %v", err, workfolder.ErrNotFolder)
	}
}

// TestFileChangedWhileSealing: what is sealed is what was hashed and looked
// through, whatever becomes of the file meanwhile.
func TestFileChangedWhileSealing(t *testing.T) {
	t.Parallel()
	f := initFolder(t)
	before := strings.Repeat("before", 100_000)
	put(t, f.Dir, "payload/a.txt", before)
	data, _ := seal(t, f, func(d *build.Draft) {
		d.Reviewed = func() error {
			return os.WriteFile(filepath.Join(f.Dir, "payload/a.txt"), []byte(strings.Repeat("after!", 100_000)), 0o644)
		}
	})
	c, _ := open(t, data)
	if got, err := c.ReadFile("payload/a.txt", 1<<20); err != nil || string(got) != before {
		t.Errorf("got %.20q, %v, want what was there when it was read", got, err)
	}
}

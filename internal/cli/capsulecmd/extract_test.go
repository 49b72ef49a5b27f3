package capsulecmd_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"seed/capsule/build"
)

// TestCAP_ZIP_26_Extract: all entries, mode 0644, into an empty or new folder.
func TestCAP_ZIP_26_Extract(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	dest := w.path("out/deep")
	a := w.expect(0, "extract", path, dest)
	has(t, a.errors, "7 files", "intact", "not trusted", "no allowlist") // CAP-RES-04
	for name, want := range map[string]string{"program.md": "# Plan\n", "payload/plan.md": "one\n", "payload/data.csv": "a,b\n"} {
		got, err := os.ReadFile(filepath.Join(dest, filepath.FromSlash(name)))
		if err != nil || string(got) != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"manifest.json", "provenance/envelope.json", "chain/events.jsonl"} {
		fi, err := os.Stat(filepath.Join(dest, filepath.FromSlash(name)))
		if err != nil {
			t.Error(err)
		} else if runtime.GOOS != "windows" && fi.Mode().Perm()&^0o644 != 0 {
			t.Errorf("%s: got mode %o", name, fi.Mode().Perm())
		}
	}

	a = w.expect(2, "extract", path, dest)
	has(t, a.errors, "is not empty", "--force")
	if err := os.WriteFile(filepath.Join(dest, "program.md"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	a = w.expect(0, "extract", path, dest, "--force", "--json")
	_, values := members(t, a.out)
	if string(values["replaced"]) != "1" || string(values["same"]) != "6" || string(values["verdict"]) != `"valid"` {
		t.Errorf("got %s", a.out)
	}
	empty := w.path("empty")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	w.expect(0, "extract", path, empty)
}

// TestCAP_ZIP_26_Refused: names that cannot be written safely anywhere leave
// nothing behind.
func TestCAP_ZIP_26_Refused(t *testing.T) {
	t.Parallel()
	for name, paths := range map[string][]string{
		"CAP-ZIP-26 case":           {"payload/A.txt", "payload/a.txt"},
		"CAP-ZIP-26 case of folder": {"payload/Dir/x", "payload/dir/y"},
		"CAP-ZIP-26 normalisation":  {"payload/\u00e9", "payload/e\u0301"},
		"CAP-ZIP-26 device":         {"payload/aux.txt"},
		"CAP-ZIP-26 colon":          {"payload/a:b"},
		"CAP-ZIP-26 trailing dot":   {"payload/a."},
		"CAP-ZIP-26 file as folder": {"payload/a", "payload/a/b"},
		"CAP-ZIP-26 stage":          {"payload/.seed-" + strings.Repeat("0a", 16) + "/x"},
		"CAP-ZIP-26 long":           {"payload/" + strings.Repeat("n", 300)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			d := draft(t)
			for _, p := range paths {
				f := build.Text(p, "x")
				f.Carried = true
				d.Files = append(d.Files, f)
			}
			dest := w.path("out")
			a := w.expect(2, "extract", w.seal("odd.capsule", d), dest, "--force", "--unverified")
			has(t, a.errors, "CAP-ZIP-26", "nothing was written")
			if _, err := os.Lstat(dest); !os.IsNotExist(err) {
				t.Errorf("got %v, want nothing at the destination", err)
			}
		})
	}
}

// TestExtractInvalid: what does not verify is written only on demand.
func TestExtractInvalid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.shared("tamper-detection/output/tampered-payload.capsule")
	dest := w.path("out")
	a := w.expect(2, "extract", path, dest, "--force")
	has(t, a.errors, "does not verify", "CAP-IDX-04", "--unverified")
	if _, err := os.Lstat(dest); !os.IsNotExist(err) {
		t.Errorf("got %v, want nothing at the destination", err)
	}
	a = w.expect(0, "extract", path, dest, "--unverified")
	has(t, a.errors, "does not verify", "invalid")
	if _, err := os.Stat(filepath.Join(dest, "program.md")); err != nil {
		t.Error(err)
	}
	crc := w.seal("crc.capsule", draft(t))
	w.damage(crc, "one\n", "two\n")
	other := w.path("other")
	w.expect(2, "extract", crc, other, "--unverified")
	w.expect(2, "extract", w.write("junk", []byte("junk")), other, "--unverified")
	if _, err := os.Lstat(other); !os.IsNotExist(err) {
		t.Errorf("got %v, want nothing at the destination", err)
	}
}

// TestExtractFollowsNoLink: a link below the destination is refused, also with
// --force, and what it points to stays as it is.
func TestExtractFollowsNoLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	path := w.seal("good.capsule", draft(t))
	outside := w.path("outside")
	dest := w.path("dest")
	for _, dir := range []string{outside, dest} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(dest, "payload")); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skipf("no symbolic links here: %v", err)
	}
	w.expect(2, "extract", path, dest, "--force")
	for _, dir := range []string{outside, dest} {
		left, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range left {
			if e.Name() != "payload" {
				t.Errorf("got %s in %s", e.Name(), dir)
			}
		}
	}
}

// TestCAP_SKL_03_PayloadIsInert: a script in the payload is written like any text,
// and no command runs it.
func TestCAP_SKL_03_PayloadIsInert(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	mark := w.path("it-ran")
	d := draft(t)
	d.Files = append(d.Files, build.Text("payload/run.sh", "#!/bin/sh\ntouch '"+mark+"'\n"))
	path := w.seal("script.capsule", d)
	dest := w.path("out")
	for _, words := range [][]string{{"verify", path}, {"inspect", path}, {"program", path}, {"diff", path, path}, {"extract", path, dest}} {
		w.expect(0, words...)
	}
	fi, err := os.Stat(filepath.Join(dest, "payload", "run.sh"))
	if err != nil || runtime.GOOS != "windows" && fi.Mode().Perm()&0o111 != 0 {
		t.Errorf("got %v, %v, want a file that cannot be executed", fi, err)
	}
	if _, err := os.Lstat(mark); !os.IsNotExist(err) {
		t.Errorf("got %v: the script ran", err)
	}
}

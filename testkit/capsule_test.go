package testkit_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"regexp"
	"strings"
	"testing"

	"seed/testkit"
)

func TestCapsules(t *testing.T) {
	t.Parallel()
	capsules, err := testkit.Capsules()
	if err != nil {
		t.Fatal(err)
	}
	rule := regexp.MustCompile(`^CAP-[A-Z0-9]+-[0-9]{2}$`)
	seen := make(map[string]string)
	good := 0
	for _, c := range capsules {
		for _, id := range c.Rules {
			if !rule.MatchString(id) {
				t.Errorf("%s: rule %q is no rule id", c.Name, id)
			}
		}
		ok := fine(c)
		if ok {
			good++
		}
		if named := strings.HasPrefix(c.Name, "base/") || strings.Contains(c.Name, "/ok-"); named != ok {
			t.Errorf("%s: the first answer is %+v, but the name says otherwise", c.Name, c.Runs[0])
		}
		data, err := testkit.BuildCapsule(c.Name)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(data) < 1<<20 { // the large ones take long and are made of the same steps
			again, err := testkit.BuildCapsule(c.Name)
			if err != nil || !bytes.Equal(data, again) {
				t.Errorf("%s: built twice, got two files (%v)", c.Name, err)
			}
		}
		// Two sources may give one file where they differ in what the host asks.
		sum := sha256.Sum256(data)
		key := hex.EncodeToString(sum[:]) + options(c)
		if other := seen[key]; other != "" {
			t.Errorf("%s: same file and same questions as %s", c.Name, other)
		}
		seen[key] = c.Name
		if ok {
			readable(t, c.Name, data)
		}
	}
	if bad := len(capsules) - good; good < 150 || bad < 150 {
		t.Errorf("got %d good and %d bad vectors, want at least 150 of each", good, bad)
	}
}

// fine reports whether the vector shows something that must be accepted: its
// first answer at the highest level asked for is valid.
func fine(c *testkit.Capsule) bool {
	for _, r := range c.Runs {
		if r.Level == "L3" {
			return r.Verdict == "valid"
		}
	}
	return c.Runs[0].Verdict == "valid"
}

func options(c *testkit.Capsule) string {
	var b strings.Builder
	for _, r := range c.Runs {
		b.WriteString(strings.Join([]string{r.Key, strings.Join(r.Allow, ","), strings.Join(r.Accept, ","), strings.Join(r.Predecessors, ",")}, " "))
		if r.MaxEntries+int(r.MaxTotal) > 0 {
			b.WriteString("limited")
		}
	}
	return b.String()
}

// readable holds our own writer against an independent reader: what is good is a
// ZIP file to others too.
func readable(t *testing.T, name string, data []byte) {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Errorf("%s: archive/zip says %v", name, err)
		return
	}
	for _, f := range r.File {
		rc, err := f.Open()
		if err == nil {
			_, err = io.Copy(io.Discard, rc)
		}
		if err != nil {
			t.Errorf("%s: archive/zip says of %q: %v", name, f.Name, err)
		}
	}
}

// The bytes of some vectors are pinned, so that another implementation of the
// sources can see whether it builds the same files. docs/conformance/vectors.md
// has the same list.
func TestCapsuleBytes(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"base/plain":        "84da9807bb7eaee095f9fd724c9a29bbfab5b152a10ff19c6a38ff46d61a3583",
		"base/july":         "0c46ba45c2865cb6365d1ee9e5909ebdd919ae35e4348b5640d81ff2588d3dee",
		"base/encrypted":    "77f78b5bea8b2fa3f9418ca05f3544ea72a99dd5d90d89390b1e8646e8dde446",
		"base/v07-lineage":  "4d9b2f40355fd2491e189af569a11a0118cfdc10db958e0ef408d89a551f80eb",
		"zip/trailing-byte": "2035020d13e03287ad89d7c71e681af78edd130136475a4d8e0adcef219400f0",
	} {
		data, err := testkit.BuildCapsule(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(data)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s: got %s of %d bytes, want %s", name, got, len(data), want)
		}
	}
}

func TestCapsuleUnknown(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "base/", "base/no-such-vector", "../base/plain"} {
		if data, err := testkit.BuildCapsule(name); err == nil {
			t.Errorf("%q: got %d bytes, want an error", name, len(data))
		}
	}
}

package capsule_test

import (
	"bytes"
	"hash/crc32"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"seed/capsule"
	"seed/internal/zipstore"
	"seed/jcs"
	"seed/testkit"
)

const (
	manifestFile = "manifest.json"
	envelopeFile = "provenance/envelope.json"
)

// verify judges data; the error of reading cannot happen on bytes.
func verify(t testing.TB, data []byte, o capsule.Options) (*capsule.Result, *capsule.Capsule) {
	t.Helper()
	res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatalf("verify %d bytes: %v", len(data), err)
	}
	return res, c
}

// contents reads all files of a capsule.
func contents(t testing.TB, c *capsule.Capsule) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, e := range c.Entries() {
		data, err := c.ReadFile(e.Path, e.Size)
		if err != nil {
			t.Fatalf("read %q: %v", e.Path, err)
		}
		files[e.Path] = data
	}
	return files
}

// repack writes files into a container of their own.
func repack(t testing.TB, files map[string][]byte) []byte {
	t.Helper()
	var list []zipstore.File
	for name, data := range files {
		list = append(list, zipstore.File{
			Name: name, Size: int64(len(data)), CRC32: crc32.ChecksumIEEE(data),
			Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
		})
	}
	var buf bytes.Buffer
	if _, err := zipstore.Write(&buf, list, zipstore.Options{}); err != nil {
		t.Fatalf("repack: %v", err)
	}
	return buf.Bytes()
}

// canonical is the canonical form of a document, without one member.
func canonical(t testing.TB, doc []byte, without string) string {
	t.Helper()
	d, err := jcs.ParseStrict(doc)
	if err != nil {
		t.Fatalf("a document of a valid capsule is not strict: %v", err)
	}
	return string(d.Root().AppendCanonicalWithout(nil, without))
}

// sameMeaning demands that two valid capsules say the same: all content byte for
// byte, the structural documents as values.
func sameMeaning(t *testing.T, what string, got, want map[string][]byte) {
	t.Helper()
	if g, w := slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)); !slices.Equal(g, w) {
		t.Errorf("%s: valid with files %q, want %q", what, g, w)
		return
	}
	for name, data := range want {
		switch {
		case name == manifestFile:
			if canonical(t, got[name], "") != canonical(t, data, "") {
				t.Errorf("%s: valid with another manifest", what)
			}
		case name == envelopeFile:
			if canonical(t, got[name], "signers") != canonical(t, data, "signers") {
				t.Errorf("%s: valid with another envelope", what)
			}
		case !bytes.Equal(got[name], data):
			t.Errorf("%s: valid with another %s", what, name)
		}
	}
}

// small are the capsules whose every byte is tried, with the options under which
// they are valid.
func small(t *testing.T) map[string]capsule.Options {
	t.Helper()
	return map[string]capsule.Options{
		"base/minimal":              {},
		"base/july":                 {},
		"base/empty-chain":          {},
		"base/encrypted":            {Recipient: testkit.X25519Key("rita")},
		"base/v07-lineage":          {},
		"zip/ok-comment":            {},
		"zip/ok-descriptor-bare":    {},
		"zip/ok-directory-marker":   {},
		"zip/ok-unicode-path-field": {},
	}
}

// stride is 1 for what is always tried whole and for everything in a full run;
// otherwise n, which is odd so that every bit of a byte has its turn.
func stride(whole bool, n int) int {
	if whole || os.Getenv("SEED_TEST_FULL") == "1" {
		return 1
	}
	return n
}

func TestCAP_VER_00_truncated(t *testing.T) {
	t.Parallel()
	for name, o := range small(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := buildVector(t, name)
			if res, _ := verify(t, data, o); res.Verdict != capsule.Valid {
				t.Fatalf("got %s before cutting: %v", res.Verdict, res.Problems)
			}
			for n := 0; n < len(data); n += stride(name == "base/minimal" || name == "base/encrypted", 7) {
				if res, _ := verify(t, data[:n], o); res.Verdict == capsule.Valid {
					t.Errorf("got valid for the first %d of %d bytes", n, len(data))
				}
			}
		})
	}
}

// Every single bit of the file: valid only where nothing seals it, and then with
// the same content.
func TestCAP_VER_00_flippedBits(t *testing.T) {
	t.Parallel()
	for name, o := range small(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data := buildVector(t, name)
			_, c := verify(t, data, o)
			want := contents(t, c)
			unsealed := 0
			for bit := 0; bit < 8*len(data); bit += stride(name == "base/minimal", 13) {
				flipped := bytes.Clone(data)
				flipped[bit/8] ^= 1 << (bit % 8)
				res, c := verify(t, flipped, o)
				if res.Verdict != capsule.Valid {
					continue
				}
				unsealed++
				sameMeaning(t, "bit "+strconv.Itoa(bit), contents(t, c), want)
			}
			// Times, versions and attributes of six or so entries.
			if unsealed == 0 {
				t.Error("no flipped bit left the capsule valid, but times are not sealed")
			}
			if most := 8 * 40 * (len(want) + 3); unsealed > most {
				t.Errorf("%d flipped bits left the capsule valid, want at most %d", unsealed, most)
			}
		})
	}
}

// Every single bit of every file, with a container that fits: only JSON spacing
// and what stands beside a signature may change.
func TestCAP_ENV_01_flippedBitsResealedContainer(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"base/minimal", "base/empty-chain"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, c := verify(t, buildVector(t, name), capsule.Options{})
			want := contents(t, c)
			for path, data := range want {
				for bit := 0; bit < 8*len(data); bit += stride(false, 7) {
					files := maps.Clone(want)
					files[path] = bytes.Clone(data)
					files[path][bit/8] ^= 1 << (bit % 8)
					res, _ := verify(t, repack(t, files), capsule.Options{})
					if res.Verdict != capsule.Valid {
						continue
					}
					sameMeaning(t, path+" bit "+strconv.Itoa(bit), files, want)
					if path != manifestFile && path != envelopeFile {
						t.Errorf("%s: bit %d flipped and still valid", path, bit)
					}
				}
			}
		})
	}
}

func TestCAP_ZIP_21_limitsAtTheEdge(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"base/plain", "base/skills", "zip/ok-descriptor-bare"} {
		data := buildVector(t, name)
		_, c := verify(t, data, capsule.Options{})
		var total int64
		for _, e := range c.Entries() {
			total += e.Size
		}
		n := len(c.Entries())
		for _, limit := range []struct {
			limits capsule.Limits
			want   capsule.Reason
		}{
			{capsule.Limits{MaxEntries: n, MaxTotal: total}, ""},
			{capsule.Limits{MaxEntries: n - 1}, "entry_count_limit"},
			{capsule.Limits{MaxEntries: 1}, "entry_count_limit"},
			{capsule.Limits{MaxTotal: total - 1}, "total_size_limit"},
			{capsule.Limits{MaxTotal: 1}, "total_size_limit"},
		} {
			res, _ := verify(t, data, capsule.Options{Limits: limit.limits})
			if res.Reason != limit.want || (res.Verdict == capsule.Valid) != (limit.want == "") {
				t.Errorf("%s with %+v: got %s %q, want reason %q", name, limit.limits, res.Verdict, res.Reason, limit.want)
			}
		}
	}
}

func TestCAP_ZIP_21_limitsOfContent(t *testing.T) {
	t.Parallel()
	data := buildVector(t, "base/encrypted")
	rita := testkit.X25519Key("rita")
	_, inner := verify(t, data, capsule.Options{Recipient: rita})
	var total int64
	for _, e := range inner.Entries() {
		total += e.Size
	}
	_, outer := verify(t, data, capsule.Options{})
	var around int64
	for _, e := range outer.Entries() {
		around += e.Size
	}
	edge := max(total, around)
	if res, _ := verify(t, data, capsule.Options{Recipient: rita, Limits: capsule.Limits{MaxTotal: edge}}); res.Verdict != capsule.Valid || res.Level != "L3" {
		t.Errorf("got %s at %s with a limit of %d, want valid at L3", res.Verdict, res.Level, edge)
	}
	if res, _ := verify(t, data, capsule.Options{Recipient: rita, Limits: capsule.Limits{MaxTotal: edge - 1}}); res.Reason != "total_size_limit" {
		t.Errorf("got %s %q with a limit of %d, want total_size_limit", res.Verdict, res.Reason, edge-1)
	}
}

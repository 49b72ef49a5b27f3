package capsule_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
)

// rewrapped is data continued under the key of name.
func rewrapped(t testing.TB, data []byte, name string, change func(d *build.Draft)) []byte {
	t.Helper()
	res, c, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), capsule.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := build.Rewrap(c, res, build.Takeover{Label: name, CreatedAt: sealedLater, SignedAt: sealedLater}, true)
	if err != nil {
		t.Fatal(err)
	}
	d.Signers = []build.Signer{{Role: "originator", Key: signerKey(name)}}
	if change != nil {
		change(&d)
	}
	var out memoryFile
	if _, err := build.Write(&out, &d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func supplied(files ...[]byte) capsule.Options {
	var o capsule.Options
	for i, f := range files {
		o.Predecessors = append(o.Predecessors, capsule.Source{Name: fmt.Sprint(i), Reader: bytes.NewReader(f), Size: int64(len(f))})
	}
	return o
}

// statuses lists the entries as "depth status reason".
func statuses(res *capsule.Result) string {
	var list []string
	for _, e := range res.Lineage.Entries {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%d %s %s", e.Depth, e.Status, e.Reason)))
	}
	return strings.Join(list, ", ")
}

func TestCAP_LIN_01_ShapeOfTheDeclaration(t *testing.T) {
	t.Parallel()
	next := rewrapped(t, sealFile(t, nil), "ana", nil)
	entry := func(p *parts) map[string]any { return p.manifest["predecessors"].([]any)[0].(map[string]any) }
	ab := strings.Repeat("ab", 32)
	for name, change := range map[string]func(p *parts){
		"not an array":             func(p *parts) { p.manifest["predecessors"] = entry(p) },
		"null":                     func(p *parts) { p.manifest["predecessors"] = nil },
		"empty":                    func(p *parts) { p.manifest["predecessors"] = []any{} },
		"not an object":            func(p *parts) { p.manifest["predecessors"] = []any{ab} },
		"an unknown member":        func(p *parts) { entry(p)["note"] = "x" },
		"a missing id":             func(p *parts) { delete(entry(p), "capsule_id") },
		"a missing version":        func(p *parts) { delete(entry(p), "format_version") },
		"a malformed version":      func(p *parts) { entry(p)["format_version"] = "six" },
		"a missing key":            func(p *parts) { delete(entry(p), "originator_public_key") },
		"a missing manifest hash":  func(p *parts) { delete(entry(p), "manifest_hash") },
		"upper case":               func(p *parts) { entry(p)["manifest_hash"] = strings.ToUpper(ab) },
		"short":                    func(p *parts) { entry(p)["manifest_hash"] = ab[2:] },
		"one null event hash":      func(p *parts) { entry(p)["entry_hash"] = nil },
		"the other one null":       func(p *parts) { entry(p)["first_event_hash"] = nil },
		"a missing event hash":     func(p *parts) { delete(entry(p), "entry_hash") },
		"an event hash of a kind":  func(p *parts) { entry(p)["entry_hash"] = 7 },
		"the same manifest twice":  func(p *parts) { p.manifest["predecessors"] = []any{entry(p), entry(p)} },
		"CAP-LIN-02 a foreign id":  func(p *parts) { entry(p)["capsule_id"] = ab },
		"CAP-LIN-02 another key":   func(p *parts) { entry(p)["originator_public_key"] = signerHex("bob") },
		"CAP-LIN-02 other version": func(p *parts) { entry(p)["format_version"] = "0.7" },
	} {
		res := judgeFile(t, reseal(t, next, change), capsule.Options{})
		rule := "CAP-LIN-01"
		if strings.HasPrefix(name, "CAP-LIN-02") {
			rule = "CAP-LIN-02"
		}
		if !slices.Equal(reasons(res), []string{"lineage/lineage_malformed"}) || res.Problems[0].Rule != rule || res.Lineage.OK || !res.Lineage.Declared {
			t.Errorf("%s: got %v, %+v", name, res.Problems, res.Lineage)
		}
	}
	for name, change := range map[string]func(p *parts){
		"as written":      func(*parts) {},
		"an x- member":    func(p *parts) { entry(p)["x-acme-note"] = []any{1} },
		"another version": func(p *parts) { entry(p)["format_version"], entry(p)["capsule_id"] = "0.9", ab },
	} {
		res := judgeFile(t, reseal(t, next, change), capsule.Options{})
		if res.Verdict != capsule.Valid || statuses(res) != "1 unverified" || !res.Has(capsule.LineageDeclaredUnverified) {
			t.Errorf("%s: got %s, %s, %v", name, res.Verdict, statuses(res), res.Problems)
		}
		if got := res.Lineage.Entries[0].IdentityChecked; got != (name != "another version") {
			t.Errorf("CAP-LIN-02 %s: identity checked: %t", name, got)
		}
	}
	t.Run("CAP-LIN-02 null stands for 32 zero bytes", func(t *testing.T) {
		t.Parallel()
		template := sealFile(t, func(d *build.Draft) { d.Chain, d.Template = build.File{}, true })
		res := judgeFile(t, rewrapped(t, template, "bob", nil), supplied(template))
		if res.Verdict != capsule.Valid || statuses(res) != "1 verified" || !res.Lineage.Entries[0].IdentityChecked {
			t.Errorf("got %s, %s: %v", res.Verdict, statuses(res), res.Problems)
		}
	})
}

func TestCAP_LIN_03_DataInVersion06(t *testing.T) {
	t.Parallel()
	before := sealFile(t, nil)
	p, err := build.Describe(openFile(t, before))
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []any{nil, "x", []any{}, []any{map[string]any{"capsule_id": p.CapsuleID, "manifest_hash": p.ManifestHash}}} {
		data := reseal(t, before, func(p *parts) { p.manifest["predecessors"] = value })
		res := judgeFile(t, data, supplied(before))
		if res.Verdict != capsule.Valid || res.Lineage.Declared || len(res.Lineage.Entries) != 0 || res.Has(capsule.LineageDeclaredUnverified) {
			t.Errorf("%v: got %s, %+v", value, res.Verdict, res.Lineage)
		}
	}
}

func TestCAP_LIN_04_SuppliedFiles(t *testing.T) {
	t.Parallel()
	before := sealFile(t, nil)
	next := rewrapped(t, before, "bob", nil)
	later := sealFile(t, func(d *build.Draft) { d.SignedAt, d.Label = "2026-06-01T00:00:00Z", "Ana II" }) // same id, another state
	stranger := sealFile(t, func(d *build.Draft) { d.Signers[0].Key = signerKey("eve") })
	tampered := reseal(t, before, func(p *parts) { p.files["program.md"] = []byte("other") }) // same manifest
	for _, c := range []struct {
		name      string
		files     [][]byte
		statuses  string
		depth     int
		unmatched int
		satisfied bool
		qualifier capsule.Qualifier
	}{
		{"none", nil, "1 unverified", 0, 0, false, capsule.LineageDeclaredUnverified},
		{"the right one", [][]byte{before}, "1 verified", 1, 0, true, ""},
		{"another state", [][]byte{later}, "1 mismatch", 0, 1, false, capsule.LineageMismatch},
		{"both, the right one last", [][]byte{later, before}, "1 verified", 1, 1, false, ""},
		{"both, the right one first", [][]byte{before, later}, "1 verified", 1, 1, false, ""},
		{"a stranger", [][]byte{stranger}, "1 unverified", 0, 1, false, capsule.LineageDeclaredUnverified},
		{"no capsule at all", [][]byte{[]byte("PK")}, "1 unverified", 0, 1, false, capsule.LineageDeclaredUnverified},
		{"a tampered one", [][]byte{tampered}, "1 predecessor_invalid", 0, 0, false, capsule.LineagePredecessorInvalid},
		{"itself", [][]byte{next}, "1 unverified", 0, 1, false, capsule.LineageDeclaredUnverified},
	} {
		res := judgeFile(t, next, supplied(c.files...))
		if statuses(res) != c.statuses || res.Lineage.VerifiedDepth != c.depth || res.Custody.Unmatched != c.unmatched || res.Custody.Supplied != len(c.files) ||
			res.Custody.VerifiedDepth != c.depth {
			t.Errorf("%s: got %s, %+v, %+v", c.name, statuses(res), res.Lineage, res.Custody)
		}
		// Only a report: the verdict is that of the file alone.
		if res.Verdict != capsule.Valid || !res.Lineage.OK || !res.IntegrityOK {
			t.Errorf("%s: got %s", c.name, res.Verdict)
		}
		if s := res.Custody.Satisfied; (s == nil) != (len(c.files) == 0) || s != nil && (*s != c.satisfied || res.OK != c.satisfied) {
			t.Errorf("%s: got ok %t, %+v", c.name, res.OK, res.Custody)
		}
		for _, q := range []capsule.Qualifier{capsule.LineageDeclaredUnverified, capsule.LineageMismatch, capsule.LineagePredecessorInvalid} {
			if res.Has(q) != (q == c.qualifier) {
				t.Errorf("%s: got %v, want %s", c.name, res.Qualifiers, c.qualifier)
			}
		}
	}
}

func TestCAP_LIN_04_Unverifiable(t *testing.T) {
	t.Parallel()
	plain := sealFile(t, nil)
	encrypted := sealFor(t, "rita")
	unknown := reseal(t, plain, func(p *parts) { format(p.manifest)["version"], p.envelope["version"] = "0.9", "0.9" })
	profiled := reseal(t, plain, func(p *parts) {
		format(p.manifest)["profile"] = map[string]any{"id": "x-acme-suite", "version": "1.0"}
		p.envelope["profile"] = format(p.manifest)["profile"]
	})
	declare := func(id, version, manifestHash string) []byte {
		next := rewrapped(t, plain, "ana", nil)
		return reseal(t, next, func(p *parts) {
			e := p.manifest["predecessors"].([]any)[0].(map[string]any)
			e["capsule_id"], e["format_version"], e["manifest_hash"] = id, version, manifestHash
		})
	}
	id := openFile(t, plain).Manifest.ID
	manifestHash := func(data []byte) string {
		// The documents of an unsupported file are not opened; its manifest is
		// stored in canonical form.
		at := bytes.Index(data, []byte(`{"content_index"`))
		end := bytes.Index(data[at:], []byte("PK\x03\x04"))
		return hexSum(data[at : at+end])
	}
	for _, c := range []struct {
		name, version, reason string
		data                  []byte
	}{
		{"encrypted", "0.6", "encrypted_predecessor", encrypted},
		{"an unknown version", "0.9", "unsupported_version", unknown},
		{"an unknown profile", "0.6", "unsupported_profile", profiled},
	} {
		res := judgeFile(t, declare(id, c.version, manifestHash(c.data)), supplied(c.data))
		if res.Verdict != capsule.Valid || statuses(res) != "1 predecessor_unverifiable "+c.reason || res.Lineage.VerifiedDepth != 0 || *res.Custody.Satisfied ||
			res.Custody.Unmatched != 0 || !res.Has(capsule.LineagePredecessorUnproven) || !res.Has(capsule.LineageDeclaredUnverified) {
			t.Errorf("%s: got %s, %s, %+v, %v", c.name, res.Verdict, statuses(res), res.Custody, res.Qualifiers)
		}
		if got := res.Lineage.Entries[0].IdentityChecked; got != (c.version == "0.6") {
			t.Errorf("%s: identity checked: %t", c.name, got)
		}
	}
}

// TestCAP_LIN_04_DepthOverThreeHops walks a line of four capsules.
func TestCAP_LIN_04_DepthOverThreeHops(t *testing.T) {
	t.Parallel()
	first := sealFile(t, nil)
	second := rewrapped(t, first, "bob", nil)
	third := rewrapped(t, second, "cy", nil)
	fourth := rewrapped(t, third, "dora", nil)
	broken := reseal(t, second, func(p *parts) {
		p.signers, p.files["program.md"] = [][2]string{{"originator", "bob"}}, []byte("other")
	})
	for _, c := range []struct {
		name     string
		files    [][]byte
		depth    int
		statuses string
	}{
		{"all", [][]byte{first, second, third}, 3, "1 verified, 2 verified, 3 verified"},
		{"all, in another order", [][]byte{third, first, second}, 3, "1 verified, 2 verified, 3 verified"},
		{"two", [][]byte{third, second}, 2, "1 verified, 2 verified, 3 unverified"},
		{"one", [][]byte{third}, 1, "1 verified, 2 unverified"},
		{"a gap", [][]byte{third, first}, 1, "1 verified, 2 unverified"},
		{"not the nearest", [][]byte{second, first}, 0, "1 unverified"},
		{"one that fails", [][]byte{third, broken, first}, 1, "1 verified, 2 predecessor_invalid"},
		{"one twice", [][]byte{third, third, second}, 2, "1 verified, 2 verified, 3 unverified"},
	} {
		res := judgeFile(t, fourth, supplied(c.files...))
		if res.Lineage.VerifiedDepth != c.depth || res.Custody.VerifiedDepth != c.depth || statuses(res) != c.statuses || res.Verdict != capsule.Valid {
			t.Errorf("%s: got %d, %s, %s", c.name, res.Lineage.VerifiedDepth, statuses(res), res.Verdict)
		}
		// The capsule declares its first hop only.
		if c.depth > 0 && res.Has(capsule.LineageDeclaredUnverified) {
			t.Errorf("%s: got %v", c.name, res.Qualifiers)
		}
	}

	t.Run("CAP-LIN-04 two predecessors count when both are verified", func(t *testing.T) {
		t.Parallel()
		other := sealFile(t, func(d *build.Draft) { d.Signers[0].Key = signerKey("eve") })
		p, err := build.Describe(openFile(t, other))
		if err != nil {
			t.Fatal(err)
		}
		merged := rewrapped(t, second, "cy", func(d *build.Draft) { d.Predecessors = append(d.Predecessors, p) })
		for files, want := range map[*[][]byte]int{{second}: 0, {second, first}: 0, {second, other}: 1, {second, other, first}: 2} {
			if res := judgeFile(t, merged, supplied(*files...)); res.Lineage.VerifiedDepth != want {
				t.Errorf("%d files: got %d (%s), want %d", len(*files), res.Lineage.VerifiedDepth, statuses(res), want)
			}
		}
	})
}

// TestCAP_LIN_05_OneLineageInsideAndOutside needs both manifests to carry it.
func TestCAP_LIN_05_OneLineageInsideAndOutside(t *testing.T) {
	t.Parallel()
	before := sealFile(t, nil)
	secret := func(d *build.Draft) {
		d.Recipients, d.Rand = [][32]byte{[32]byte(readerKey(t, "rita").PublicKey().Bytes())}, repeating(3)
	}
	outer := rewrapped(t, before, "ana", secret)
	rita := capsule.Options{Recipient: readerKey(t, "rita")}
	for name, c := range map[string]struct {
		change func(p *parts)
		want   []string
	}{
		"equal":                 {func(*parts) {}, []string{}},
		"missing outside":       {func(p *parts) { delete(p.manifest, "predecessors") }, []string{}},
		"another entry outside": {func(p *parts) { p.manifest["predecessors"].([]any)[0].(map[string]any)["x-a-b"] = 1 }, []string{"l3/inner_outer_mismatch"}},
	} {
		res := judgeFile(t, reseal(t, outer, c.change), rita)
		if res.Level != "L3" || !slices.Equal(reasons(res), c.want) {
			t.Errorf("%s: got %s, %v", name, res.Level, res.Problems)
		}
		for _, p := range res.Problems {
			if p.Rule != "CAP-LIN-05" {
				t.Errorf("%s: got %+v", name, p)
			}
		}
	}
}

// TestCAP_LIN_06_NotCountersigned: every way in which a lineage is reported says
// that it is one-sided, and nothing says that the two are one.
func TestCAP_LIN_06_NotCountersigned(t *testing.T) {
	t.Parallel()
	if got := capsule.LineageDeclaredUnverified.Phrase(); !strings.Contains(got, "did not countersign") {
		t.Errorf("got %q", got)
	}
	before := sealFile(t, nil)
	next := rewrapped(t, before, "bob", nil)
	res := judgeFile(t, next, supplied(before))
	if res.CapsuleID == res.Lineage.Entries[0].CapsuleID {
		t.Error("the successor has the identity of its predecessor")
	}
	events, err := openFile(t, next).ReadFile("chain/events.jsonl", 1<<16)
	if err != nil || !bytes.Contains(events, []byte("it did not countersign")) {
		t.Errorf("the opening event: got %s, %v", events, err)
	}
}

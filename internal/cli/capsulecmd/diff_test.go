package capsulecmd_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"seed/capsule/build"
	"seed/capsule/chain"
)

type diffView struct {
	Equal     bool
	SameBytes bool `json:"same_bytes"`
	SameID    bool `json:"same_capsule_id"`
	A, B      struct{ Verdict string }
	Files     struct {
		Added, Removed, Changed []struct{ Path string }
	}
	Events struct {
		Relation   string
		Common     int
		DivergedAt int                       `json:"diverged_at"`
		OnlyA      []struct{ Action string } `json:"only_in_a"`
		OnlyB      []struct{ Action string } `json:"only_in_b"`
	}
	Signers      struct{ Added, Removed []struct{ Role string } }
	Participants struct{ Added, Removed []string }
	Claims       []struct {
		Document, Member string
		Derived          bool
	}
}

func (w *world) diff(code int, a, b string) diffView {
	w.t.Helper()
	var v diffView
	if err := json.Unmarshal([]byte(w.expect(code, "diff", a, b, "--json").out), &v); err != nil {
		w.t.Fatal(err)
	}
	return v
}

func TestDiffEqual(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.seal("a.capsule", draft(t))
	if v := w.diff(0, a, w.seal("b.capsule", draft(t))); !v.Equal || !v.SameBytes || !v.SameID || v.Events.Relation != "same" {
		t.Errorf("got %+v", v)
	}
	// A comment of the container carries nothing that is sealed.
	data, err := os.ReadFile(a)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] = 2
	c := w.write("c.capsule", append(data, "hi"...))
	if v := w.diff(0, a, c); !v.Equal || v.SameBytes {
		t.Errorf("got %+v", v)
	}
	has(t, w.expect(0, "diff", a, c).out, "equal; only bytes of the container", "comment that nothing seals")
	has(t, w.expect(0, "diff", a, a).out, "equal, byte for byte")
}

// TestCAP_CLI_04_DiffContinued: a later state of the same line.
func TestCAP_CLI_04_DiffContinued(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.seal("a.capsule", draft(t))
	d := draft(t)
	d.Chain = events(t, created(), reviewed(), chain.Draft{Actor: "human:ana", Action: "released", Target: "capsule"})
	d.Files[2] = build.Text("payload/plan.md", "two\n")
	d.Files[3] = build.Text("payload/new.csv", "a,b\n")
	d.Participants = append(d.Participants, build.Participant{ActorID: "human:bo"})
	d.Signers = append(d.Signers, build.Signer{Role: "approver", Key: testKey(2)})
	d.SignedAt, d.CreatedAt = "2026-06-01T00:00:00Z", testTime
	d.Extra = []chain.Member{{Name: "x-test-note", Value: []byte(`"hi"`)}}
	b := w.seal("b.capsule", d)
	v := w.diff(1, a, b)
	if v.Equal || !v.SameID || v.Events.Relation != "extended" || v.Events.Common != 2 || len(v.Events.OnlyB) != 1 || len(v.Events.OnlyA) != 0 {
		t.Errorf("got %+v", v)
	}
	if len(v.Files.Added) != 1 || len(v.Files.Removed) != 1 || len(v.Files.Changed) != 2 || len(v.Signers.Added) != 1 || len(v.Participants.Added) != 1 {
		t.Errorf("got %+v", v)
	}
	var claims []string
	for _, c := range v.Claims {
		if !c.Derived {
			claims = append(claims, c.Document+"."+c.Member)
		}
	}
	if got := strings.Join(claims, " "); got != "manifest.x-test-note envelope.signed_at" {
		t.Errorf("got the claims %s", got)
	}
	out := w.expect(1, "diff", a, b).out
	w.narrow(out)
	has(t, out, "they differ; one capsule id", "B continues A: 2 in common, 1 appended", "released capsule", "payload/new.csv", "approver", "human:bo",
		"manifest.x-test-note", `"hi"`, "(none)")
	if v := w.diff(1, b, a); v.Events.Relation != "shortened" || len(v.Events.OnlyA) != 1 || len(v.Signers.Removed) != 1 {
		t.Errorf("got %+v the other way round", v)
	}
}

func TestDiffDiverged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.seal("a.capsule", draft(t))
	d := draft(t)
	d.Chain = events(t, created(), chain.Draft{Actor: "human:ana", Action: "rejected"})
	b := w.seal("b.capsule", d)
	if v := w.diff(1, a, b); v.Events.Relation != "diverged" || v.Events.DivergedAt != 2 || v.Events.Common != 1 {
		t.Errorf("got %+v", v)
	}
	has(t, w.expect(1, "diff", a, b).out, "diverged at event 2")
	stranger := draft(t)
	stranger.Signers[0].Key = testKey(5)
	if v := w.diff(1, a, w.seal("c.capsule", stranger)); v.SameID {
		t.Errorf("got %+v for another originator", v)
	}
}

// TestDiffVerdicts: an invalid capsule is compared, and its verdict stands first.
func TestDiffVerdicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	clean := w.shared("tamper-detection/output/clean.capsule")
	bad := w.shared("tamper-detection/output/tampered-payload.capsule")
	v := w.diff(1, clean, bad)
	if v.A.Verdict != "valid" || v.B.Verdict != "invalid" || len(v.Files.Changed) != 1 || v.Files.Changed[0].Path != "program.md" {
		t.Errorf("got %+v", v)
	}
	out := w.expect(1, "diff", clean, bad).out
	has(t, out, "not intact", "signer set is not bound by the seal")
	encrypted := w.shared("tamper-detection/output/clean-encrypted.capsule")
	if v := w.diff(1, clean, encrypted); v.Events.Relation != "not_compared" {
		t.Errorf("got %+v", v)
	}
	w.expect(2, "diff", clean, w.write("junk", []byte("junk")))
	w.expect(2, "diff", clean, w.path("nowhere"))
	w.expect(2, "diff", "-", "-")
}

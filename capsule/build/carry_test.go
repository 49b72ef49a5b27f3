package build_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/finding"
	"seed/jcs"
)

// resume goes on from a capsule without adding anything to it.
func resume(t tb, data []byte) build.Draft {
	t.Helper()
	res, c := verify(t, data, capsule.Options{})
	d, err := build.Resume(c, res)
	if err != nil {
		t.Fatal(err)
	}
	d.SignedAt, d.Signers = c.Envelope.SignedAt, []build.Signer{{Role: "originator", Key: signing("ana")}}
	return d
}

func TestCAP_BLD_06_ContinueALine(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"0.6", "0.7"} {
		for _, unbound := range []bool{false, true} {
			d := draft(t)
			d.Version, d.NoCommitment = version, unbound
			data, before := write(t, d)
			again := resume(t, data)
			if same, _ := write(t, again); !bytes.Equal(same, data) {
				t.Errorf("%s: resumed and sealed again, the file is another", version)
			}
			// One more event: the same identity, another state.
			log, err := chain.Resume(strings.NewReader(content(t, opened(t, data), chain.Path)), build.Actors(again.Participants))
			if err != nil {
				t.Fatal(err)
			}
			line, err := log.Append(chain.Draft{Actor: "ai:helper", Action: "reviewed", Timestamp: later})
			if err != nil {
				t.Fatal(err)
			}
			again.Chain = build.Bytes(chain.Path, append([]byte(content(t, opened(t, data), chain.Path)), line...))
			again.SignedAt = "2026-06-01T00:00:00Z"
			grown, after := write(t, again)
			if after.CapsuleID != before.CapsuleID || after.EntryHash == before.EntryHash || after.EntryHash != log.Last() || after.Events != 3 || after.ManifestHash == before.ManifestHash {
				t.Errorf("%s: got %+v after %+v", version, after, before)
			}
			if c := opened(t, grown); c.Manifest.CreatedAt != noon || c.Manifest.Version != version {
				t.Errorf("%s: got %+v, want the claims of before", version, c.Manifest)
			}
		}
	}
	t.Run("CAP-CHN-20 a template stays one until there are events", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Chain, d.Template = build.File{}, true
		data, _ := write(t, d)
		if same, sealed := write(t, resume(t, data)); !bytes.Equal(same, data) || sealed.Events != 0 {
			t.Errorf("got %d events, want the same file", sealed.Events)
		}
	})
}

func TestCAP_BLD_06_Continues(t *testing.T) {
	t.Parallel()
	data, _ := write(t, draft(t))
	key := opened(t, data).Manifest.OriginatorKey
	d := resume(t, data)
	if err := build.Continues(&d, key); err != nil {
		t.Errorf("the key that began: %v", err)
	}
	d.Signers = []build.Signer{{Role: "originator", Key: signing("bob")}}
	var broken *finding.Error
	if err := build.Continues(&d, key); !errors.As(err, &broken) || broken.Rule.ID != "CAP-BLD-06" || !strings.Contains(broken.Hint, "rewrap") {
		t.Errorf("another key: got %v, want CAP-BLD-06 and the way out", err)
	}
	if _, err := build.Write(&memory{}, &d); !errors.As(err, &broken) || broken.Rule.ID != "CAP-BLD-06" {
		t.Errorf("sealing with another key: got %v, want CAP-BLD-06", err)
	}
	// Whoever says that it goes on from nothing makes another capsule.
	d.Continues = nil
	if _, sealed := write(t, d); sealed.CapsuleID == opened(t, data).Manifest.ID {
		t.Error("another originator has the same id")
	}
}

// TestCAP_BLD_06_HistoryIsNotRewritten: a continuation holds the events it goes on
// from in their place; a log of its own, whole in itself, does not do.
func TestCAP_BLD_06_HistoryIsNotRewritten(t *testing.T) {
	t.Parallel()
	data, _ := write(t, draft(t))
	sealed := content(t, opened(t, data), chain.Path)
	lines := strings.SplitAfter(sealed, "\n")
	log, err := chain.Resume(strings.NewReader(lines[0]), nil)
	if err != nil {
		t.Fatal(err)
	}
	other, err := log.Append(chain.Draft{Actor: "human:ana", Action: "thought again", Timestamp: later})
	if err != nil {
		t.Fatal(err)
	}
	for name, events := range map[string]string{"cut": lines[0], "another second event": lines[0] + string(other)} {
		d := resume(t, data)
		d.Chain = build.Bytes(chain.Path, []byte(events))
		var broken *finding.Error
		if _, err := build.Write(&memory{}, &d); !errors.As(err, &broken) || broken.Rule.ID != "CAP-BLD-06" {
			t.Errorf("%s: got %v, want CAP-BLD-06", name, err)
		}
	}
}

func TestCAP_BLD_06_ResumeRefuses(t *testing.T) {
	t.Parallel()
	data, _ := write(t, draft(t))
	bad := bytes.Replace(data, []byte(`"signed_at": "2026`), []byte(`"signed_at": "2025`), 1)
	badCRC, c := verify(t, bad, capsule.Options{})
	if _, err := build.Resume(c, badCRC); err == nil {
		t.Error("resumed a capsule that does not open")
	}
	tampered := reseal(t, data, func(m map[string]any) { m["id"] = strings.Repeat("0", 64) })
	res, c := verify(t, tampered, capsule.Options{})
	if _, err := build.Resume(c, res); err == nil || res.Verdict == capsule.Valid {
		t.Errorf("resumed a capsule that is %s", res.Verdict)
	}
	outer, _ := write(t, secret(t))
	res, c = verify(t, outer, capsule.Options{})
	if _, err := build.Resume(c, res); !errors.Is(err, build.ErrEncrypted) {
		t.Errorf("resumed from outside: got %v", err)
	}
	if _, err := build.Resume(nil, nil); err == nil {
		t.Error("resumed nothing")
	}
}

// TestCAP_JSON_09_ResumeKeepsUnknownMembers: what others added under x- names is
// there after one more seal.
func TestCAP_JSON_09_ResumeKeepsUnknownMembers(t *testing.T) {
	t.Parallel()
	plain, _ := write(t, draft(t))
	data := reseal(t, plain, func(m map[string]any) {
		m["x-acme-ticket"] = map[string]any{"b": 1.5, "a": []any{nil, true}}
		m["participants"] = []any{"human:ana", map[string]any{"actor_id": "ai:helper", "role": []any{1.0}, "x-acme-team": "core"}}
		m["verdict"] = "trusted" // not ours to repeat
	})
	d := resume(t, data)
	again, _ := write(t, d)
	m := opened(t, again).Manifest
	for name, want := range map[string]string{
		"x-acme-ticket": `{"a":[null,true],"b":1.5}`,
		"participants":  `["human:ana",{"actor_id":"ai:helper","role":[1],"x-acme-team":"core"}]`,
		"verdict":       "",
	} {
		if got := string(m.Value.Member(name).AppendCanonical(nil)); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if got := build.Actors(d.Participants); len(got) != 2 || !got["human:ana"] || !got["ai:helper"] {
		t.Errorf("actors: got %v", got)
	}
	if build.Actors(nil) != nil || build.Actors([]build.Participant{{Raw: []byte(`{`)}, {Raw: []byte(`7`)}}) != nil {
		t.Error("nobody is declared, and still there is a set")
	}
}

func takeover() build.Takeover {
	return build.Takeover{Label: "Bob", Participants: []build.Participant{{ActorID: "human:bob"}}, CreatedAt: later, SignedAt: later}
}

// rewrap continues data under bob's key.
func rewrap(t tb, data []byte, o build.Takeover, allowInvalid bool) (build.Draft, error) {
	t.Helper()
	res, c := verify(t, data, capsule.Options{})
	d, err := build.Rewrap(c, res, o, allowInvalid)
	d.Signers = []build.Signer{{Role: "originator", Key: signing("bob")}}
	return d, err
}

func TestCAP_RWP_01_ContinueUnderAnotherKey(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Extra = []chain.Member{{Name: "x-acme-claim", Value: []byte(`true`)}}
	d.Files = append(d.Files, build.Text("payload/é😀", "\x00\xff"))
	data, before := write(t, d)
	next, err := rewrap(t, data, takeover(), false)
	if err != nil {
		t.Fatal(err)
	}
	out, sealed := write(t, next)
	old, c := opened(t, data), opened(t, out)
	for _, e := range old.Entries() {
		if e.Path != "manifest.json" && e.Path != "provenance/envelope.json" && e.Path != chain.Path && content(t, c, e.Path) != content(t, old, e.Path) {
			t.Errorf("%s was not carried byte for byte", e.Path)
		}
	}
	if len(c.Entries()) != len(old.Entries()) {
		t.Errorf("got %s, want the files of %s", paths(c), paths(old))
	}
	m := c.Manifest
	if m.OriginatorKey != public("bob") || m.Label != "Bob" || m.Value.Member("x-acme-claim").Exists() || len(m.Participants) != 1 || m.CreatedAt != later {
		t.Errorf("claims were not reset: %s", m.Value.Raw())
	}
	if sealed.CapsuleID == before.CapsuleID || len(c.Envelope.Signers) != 1 || c.Envelope.Signers[0].PublicKey != public("bob") {
		t.Errorf("got %+v, want an identity of its own", sealed)
	}

	t.Run("CAP-LIN-01 the entry is derived from the bytes", func(t *testing.T) {
		t.Parallel()
		want := `[{"capsule_id":"` + before.CapsuleID + `","entry_hash":"` + before.EntryHash + `","first_event_hash":"` + old.Envelope.FirstEventHash +
			`","format_version":"0.6","manifest_hash":"` + before.ManifestHash + `","originator_public_key":"` + public("ana") + `"}]`
		if got := string(m.Value.Member("predecessors").AppendCanonical(nil)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		got := build.Lineage(m)
		again, err := jcs.Canonical(build.PredecessorsJSON(got))
		if err != nil || len(got) != 1 || got[0].ManifestHash != before.ManifestHash || string(again) != want {
			t.Errorf("read back: got %+v, %s, %v", got, again, err)
		}
	})
	t.Run("CAP-RWP-02 the opening event", func(t *testing.T) {
		t.Parallel()
		if _, err := c.Events(func(e chain.Event) error {
			if e.Pos != 1 || e.Actor() != "system:host" || e.Kind() != "observation" || e.Action() != "custody_received" ||
				e.Target() != "capsule:"+before.CapsuleID || e.Payload().Member("note").Str() == "" {
				t.Errorf("got %s", e.Value.Raw())
			}
			return nil
		}); err != nil || sealed.Events != 1 {
			t.Errorf("got %d events, %v", sealed.Events, err)
		}
		o := takeover()
		o.Actor = "human:bob"
		d, err := rewrap(t, data, o, false)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := write(t, d)
		if !strings.Contains(content(t, opened(t, out), chain.Path), `"actor":"human:bob"`) {
			t.Error("the custodian does not stand in the event")
		}
		o.Actor = "human:eve"
		var broken *finding.Error
		if _, err := rewrap(t, data, o, false); !errors.As(err, &broken) || broken.Rule.ID != "CAP-CHN-05" {
			t.Errorf("an undeclared custodian: got %v", err)
		}
		o.NoEvent = true
		if d, err = rewrap(t, data, o, false); err != nil {
			t.Fatal(err)
		}
		if _, sealed := write(t, d); sealed.Events != 0 || !sealed.Result.Has(capsule.EmptyChainNotWalked) {
			t.Errorf("opted out: got %d events", sealed.Events)
		}
	})
	t.Run("CAP-RWP-03 lineage is of 0.7", func(t *testing.T) {
		t.Parallel()
		if m.Version != "0.7" || next.Version != "0.7" {
			t.Errorf("got version %s", m.Version)
		}
		six := next
		six.Version = "0.6"
		var broken *finding.Error
		if _, err := build.Write(&memory{}, &six); !errors.As(err, &broken) || broken.Rule.ID != "CAP-LIN-03" {
			t.Errorf("lineage in 0.6: got %v", err)
		}
		six.Predecessors = nil // custody stands in the event alone
		if _, sealed := write(t, six); sealed.Result.Lineage.Declared {
			t.Errorf("got %+v", sealed.Result.Lineage)
		}
	})
	t.Run("CAP-LIN-03 predecessors of a 0.6 capsule are not taken for lineage", func(t *testing.T) {
		t.Parallel()
		odd := reseal(t, data, func(m map[string]any) { m["predecessors"] = "none of your business" })
		if got := build.Lineage(opened(t, odd).Manifest); got != nil {
			t.Errorf("got %+v", got)
		}
	})
}

func TestCAP_RWP_01_TemplateAsPredecessor(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Chain, d.Template = build.File{}, true
	data, _ := write(t, d)
	next, err := rewrap(t, data, takeover(), false)
	if err != nil {
		t.Fatal(err)
	}
	out, sealed := write(t, next)
	entry := string(opened(t, out).Manifest.Value.Member("predecessors").AppendCanonical(nil))
	if !strings.Contains(entry, `"entry_hash":null,"first_event_hash":null`) || !sealed.Result.Lineage.OK {
		t.Errorf("got %s", entry)
	}
}

func TestCAP_RWP_01_Refusals(t *testing.T) {
	t.Parallel()
	data, before := write(t, draft(t))
	bad := reseal(t, data, func(m map[string]any) { m["first_event_hash"] = strings.Repeat("ab", 32) })
	var broken *finding.Error
	if _, err := rewrap(t, bad, takeover(), false); !errors.As(err, &broken) || broken.Rule.ID != "CAP-RWP-01" {
		t.Errorf("a predecessor that fails: got %v", err)
	}
	d, err := rewrap(t, bad, takeover(), true)
	if err != nil {
		t.Fatalf("with the override: %v", err)
	}
	out, _ := write(t, d)
	// The id in the entry derives from the bytes that are there, not from the claim.
	if got := build.Lineage(opened(t, out).Manifest)[0]; got.CapsuleID == before.CapsuleID || got.FirstEventHash != strings.Repeat("ab", 32) {
		t.Errorf("got %+v, want an id derived from the members", got)
	}
	unknown := reseal(t, data, func(m map[string]any) { m["format"].(map[string]any)["version"] = "0.9" })
	profile := reseal(t, data, func(m map[string]any) {
		m["format"].(map[string]any)["profile"] = map[string]any{"id": "x-acme-other", "version": "1.0"}
	})
	for name, data := range map[string][]byte{"an unknown version": unknown, "an unknown profile": profile, "no capsule": []byte("PK"), "a cut one": data[:len(data)-1]} {
		for _, override := range []bool{false, true} {
			if _, err := rewrap(t, data, takeover(), override); !errors.As(err, &broken) || broken.Rule.ID != "CAP-RWP-01" {
				t.Errorf("%s, override %t: got %v", name, override, err)
			}
		}
	}
	outer, _ := write(t, secret(t))
	for _, override := range []bool{false, true} {
		if _, err := rewrap(t, outer, takeover(), override); !errors.Is(err, build.ErrEncrypted) {
			t.Errorf("encrypted, override %t: got %v", override, err)
		}
	}
}

// TestCAP_RWP_01_EncryptedContent: the content of an encrypted capsule can be
// continued by whoever can open it.
func TestCAP_RWP_01_EncryptedContent(t *testing.T) {
	t.Parallel()
	data, _ := write(t, secret(t))
	key, _ := recipient(t, "sam")
	res, c := verify(t, data, capsule.Options{Recipient: key})
	d, err := build.Rewrap(c, res, takeover(), false)
	if err != nil {
		t.Fatal(err)
	}
	_, rita := recipient(t, "rita")
	d.Signers = []build.Signer{{Role: "originator", Key: signing("bob")}}
	d.Recipients, d.Rand = [][32]byte{rita}, constant(9)
	out, sealed := write(t, d)
	if sealed.Result.Level != "L3" || !sealed.Result.Lineage.Declared || !sealed.Result.Outer.Lineage.Declared {
		t.Errorf("CAP-LIN-05: got %+v, want lineage inside and outside", sealed.Result.Lineage)
	}
	if got := build.Lineage(opened(t, out).Manifest); len(got) != 1 || got[0].ManifestHash != res.ManifestHash {
		t.Errorf("got %+v, want the content's manifest hash", got)
	}
}

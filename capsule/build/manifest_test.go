package build_test

import (
	"errors"
	"sort"
	"strings"
	"sync/atomic"
	"testing"

	"seed/capsule"
	"seed/capsule/build"
	"seed/capsule/chain"
	"seed/jcs"
)

func members(v jcs.Value) string {
	var names []string
	for name := range v.Members() {
		names = append(names, name)
	}
	sort.Strings(names)
	return strings.Join(names, " ")
}

func TestCAP_MAN_09_SkillTrustIsWrittenForParity(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Files = append(d.Files, build.Text("skills/json/skill.json", "{}"), build.Text("skills/other/README.md", "x"))
	data, _ := write(t, d)
	want := `{"json":"signed","notes":"unsigned","review":"signed"}`
	if got := string(opened(t, data).Manifest.Value.Member("skill_trust").AppendCanonical(nil)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	d.Files = nil
	data, _ = write(t, d)
	if got := string(opened(t, data).Manifest.Value.Member("skill_trust").AppendCanonical(nil)); got != `{}` {
		t.Errorf("without skills: got %s, want {}", got)
	}

	t.Run("CAP-VSN-05 version 0.7 has none", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Version = "0.7"
		data, sealed := write(t, d)
		c := opened(t, data)
		if c.Manifest.Value.Member("skill_trust").Exists() || c.Manifest.Version != "0.7" || c.Envelope.Version != "0.7" {
			t.Errorf("got %s", content(t, c, "manifest.json"))
		}
		d.Version = "0.6"
		if _, six := write(t, d); six.CapsuleID == sealed.CapsuleID {
			t.Error("the two versions give one id: the domain does not name the version")
		}
	})
}

// TestCAP_PRF_03_MembersOfTheManifest: exactly what the format names; no profile
// is declared.
func TestCAP_PRF_03_MembersOfTheManifest(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]string{
		"0.6": "content_index created_at encryption first_event_hash format id originator participants signer_commitment skill_trust",
		"0.7": "content_index created_at encryption first_event_hash format id originator participants signer_commitment",
	} {
		d := draft(t)
		d.Version = version
		data, _ := write(t, d)
		c := opened(t, data)
		if got := members(c.Manifest.Value); got != want {
			t.Errorf("%s: got %s, want %s", version, got, want)
		}
		if got := members(c.Manifest.Value.Member("format")); got != "canonicalization container hash_algorithm version" {
			t.Errorf("%s: format has %s", version, got)
		}
		if got := members(c.Envelope.Value); got != "capsule_id cipher content_index_hash encrypted_blob_hash entry_hash first_event_hash manifest_hash signed_at signers version" {
			t.Errorf("%s: envelope has %s", version, got)
		}
		if !c.Manifest.Value.Member("encryption").IsNull() || !c.Envelope.Value.Member("encrypted_blob_hash").IsNull() {
			t.Errorf("%s: a plain capsule that speaks of encryption", version)
		}
	}
}

func TestCAP_MAN_10_CommitmentIsSortedAndOptional(t *testing.T) {
	t.Parallel()
	d := draft(t)
	for _, s := range []string{"bob legal", "cy approver", "ana notary", "dora approver", "bob approver"} {
		name, role, _ := strings.Cut(s, " ")
		d.Signers = append(d.Signers, build.Signer{Role: role, Key: signing(name)})
	}
	data, sealed := write(t, d)
	c := opened(t, data)
	var rows []string
	for _, row := range c.Manifest.Value.Member("signer_commitment").Elements() {
		if members(row) != "public_key role" {
			t.Errorf("a row has %s", members(row))
		}
		rows = append(rows, row.Member("public_key").Str()+" "+row.Member("role").Str())
	}
	if len(rows) != 6 || !sort.StringsAreSorted(rows) {
		t.Errorf("got %q, want six rows sorted by key and role", rows)
	}
	if !sealed.Result.SignerSet.Bound || sealed.Result.Has(capsule.SignerSetUnbound) {
		t.Errorf("got %+v, want a bound set", sealed.Result.SignerSet)
	}
	// The envelope keeps the order of the draft.
	if got := c.Envelope.Signers[1].Role; got != "legal" {
		t.Errorf("signer 2: got %s, want legal", got)
	}
	d.NoCommitment = true
	data, sealed = write(t, d)
	if opened(t, data).Manifest.Value.Member("signer_commitment").Exists() || !sealed.Result.Has(capsule.SignerSetUnbound) {
		t.Error("NoCommitment: the set is bound all the same")
	}
}

func TestCAP_MAN_11_FurtherMembers(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Extra = []chain.Member{{Name: "x-acme-ticket", Value: []byte(`{"n": 1.0, "a":"\u0041"}`)}, {Name: "x-acme-none", Value: []byte(`null`)}}
	data, _ := write(t, d)
	m := opened(t, data).Manifest.Value
	if got := string(m.Member("x-acme-ticket").AppendCanonical(nil)); got != `{"a":"A","n":1}` || !m.Member("x-acme-none").IsNull() {
		t.Errorf("got %s", m.Raw())
	}
	with := func(name, value string) func(*build.Draft) {
		return func(d *build.Draft) {
			d.Extra = append(d.Extra, chain.Member{Name: "x-a-b", Value: []byte("1")}, chain.Member{Name: name, Value: []byte(value)})
		}
	}
	refused(t, "CAP-MAN-11", `member "trusted" is not named x-<vendor>-<name>`, with("trusted", "true"))
	refused(t, "CAP-MAN-11", `member "x-acme" is not named`, with("x-acme", "true"))
	refused(t, "CAP-MAN-11", `member "x-a-b" stands twice`, with("x-a-b", "2"))
	refused(t, "CAP-MAN-11", `CAP-JSON-05`, with("x-a-c", "1e19"))
	refused(t, "CAP-MAN-11", `CAP-JSON-02`, with("x-a-c", `{"a":1,"a":1}`))
	refused(t, "CAP-MAN-11", `CAP-JSON-01`, with("x-a-c", `1,"id":"x"`))
}

func TestCAP_MAN_12_NoExecutionMetadata(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"runtime", "entrypoint", "command", "tool_id"} {
		refused(t, "CAP-MAN-12", "member "+name+" is execution metadata", func(d *build.Draft) {
			d.Extra = []chain.Member{{Name: name, Value: []byte(`"sh"`)}}
		})
	}
}

func TestCAP_CHN_11_BackstopAndTemplate(t *testing.T) {
	t.Parallel()
	for _, empty := range []build.File{{}, build.Text(chain.Path, ""), build.Text("", "\n")} {
		d := draft(t)
		d.Chain = empty
		data, sealed := write(t, d)
		c := opened(t, data)
		n := 0
		if _, err := c.Events(func(e chain.Event) error {
			n++
			if e.Actor() != "system:host" || e.Kind() != "observation" || e.Action() != "session_ended" || e.Target() != "capsule" ||
				e.Timestamp() != later || e.Payload().Member("note").Str() != "host emitted backstop event before seal" {
				t.Errorf("got %s", e.Value.Raw())
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if n != 1 || sealed.Events != 1 || sealed.EntryHash == "" {
			t.Errorf("got %d events, %+v, want one", n, sealed)
		}
	}

	t.Run("CAP-CHN-20 a template has null anchors", func(t *testing.T) {
		t.Parallel()
		d := draft(t)
		d.Chain, d.Template = build.File{}, true
		data, sealed := write(t, d)
		c := opened(t, data)
		for _, v := range []jcs.Value{
			c.Manifest.Value.Member("first_event_hash"), c.Envelope.Value.Member("first_event_hash"), c.Envelope.Value.Member("entry_hash"),
		} {
			if !v.IsNull() {
				t.Errorf("got %s, want null", v.Raw())
			}
		}
		if sealed.Events != 0 || sealed.EntryHash != "" || !sealed.Result.Has(capsule.EmptyChainNotWalked) || content(t, c, chain.Path) != "" {
			t.Errorf("got %+v, want no events", sealed)
		}
		id, err := capsule.DeriveID("0.6", public("ana"), chain.Genesis)
		if err != nil || sealed.CapsuleID != id {
			t.Errorf("got %s, %v, want %s: 32 zero bytes stand in", sealed.CapsuleID, err, id)
		}
		// Events in a template are kept: it only permits that there are none.
		d.Chain = events(t, "began")
		if _, sealed := write(t, d); sealed.Events != 1 {
			t.Errorf("got %d events, want 1", sealed.Events)
		}
	})
}

func TestCAP_LAY_01_FilesOfAPlainCapsule(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Files = append(d.Files, build.Text("notes/other.txt", "legal when indexed"), build.Text("surface.md", "old name"))
	data, _ := write(t, d)
	c := opened(t, data)
	want := "agents.md chain/events.jsonl manifest.json notes/other.txt payload/data.txt program.md provenance/envelope.json " +
		"skills/notes/SKILL.md skills/review/SKILL.md skills/review/skill.json surface.md"
	if got := paths(c); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var listed []string
	for _, f := range c.Manifest.Files {
		listed = append(listed, f.Path)
	}
	if got := strings.Join(listed, " "); got != strings.NewReplacer("manifest.json ", "", "provenance/envelope.json ", "").Replace(want) {
		t.Errorf("CAP-IDX-01: the index lists %s", got)
	}
}

func TestCAP_LAY_06_SkillIDs(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]bool{
		"review": true, "A-b_9": true, "-": true, "": false, "decryption": false, "Decryption": true, "a b": false, "a.b": false, "é": false, "a/b": false, "..": false,
	} {
		if got := build.SkillID(id); got != want {
			t.Errorf("SkillID(%q): got %t, want %t", id, got, want)
		}
	}
	d := draft(t)
	d.Files = []build.File{build.Text("skills/A-b_9/SKILL.md", "x"), build.Text("skills/A-b_9/deep/er/file", "x")}
	data, _ := write(t, d)
	if got := opened(t, data).Skills(); len(got) != 1 || got[0].ID != "A-b_9" || got[0].JSON || !got[0].Markdown {
		t.Errorf("got %+v", got)
	}
}

// TestCAP_LAY_07_PayloadBelowPayload: what is given for the payload stays there,
// byte for byte and at any depth.
func TestCAP_LAY_07_PayloadBelowPayload(t *testing.T) {
	t.Parallel()
	d := draft(t)
	d.Files = []build.File{build.Text("payload/a/b/c", "\x00\xff\r\n"), build.Text("payload/manifest.json", "{}"), build.Text("payload/empty", "")}
	data, _ := write(t, d)
	c := opened(t, data)
	for path, want := range map[string]string{"payload/a/b/c": "\x00\xff\r\n", "payload/manifest.json": "{}", "payload/empty": ""} {
		if got := content(t, c, path); got != want {
			t.Errorf("%s: got %q, want %q", path, got, want)
		}
	}
	refused(t, "CAP-LAY-01", "empty component", func(d *build.Draft) { d.Files = append(d.Files, build.Text("payload/", "x")) })
}

func TestWrite_Reviewed(t *testing.T) {
	t.Parallel()
	stop := errors.New("a secret was found")
	var out memory
	d := draft(t)
	all, calls := d.Chain.Size, 0
	for _, f := range d.Files {
		all += f.Size
	}
	var read atomic.Int64 // progress is told from several goroutines
	d.Progress = func(n int64) { read.Add(n) }
	d.Reviewed = func() error {
		calls++
		if read.Load() != all {
			t.Errorf("called after %d bytes read, want all %d", read.Load(), all)
		}
		worthless(t, &out)
		return stop
	}
	if _, err := build.Write(&out, &d); !errors.Is(err, stop) || calls != 1 {
		t.Errorf("got %v after %d calls", err, calls)
	}
	worthless(t, &out)
	d.Reviewed = func() error { return nil }
	if _, err := build.Write(&out, &d); err != nil {
		t.Error(err)
	}
}

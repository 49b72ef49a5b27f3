package capsulecmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/internal/command"
	"seed/jcs"
)

func (c *cmds) diffCmd() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use:     "diff A B",
		GroupID: "read",
		Short:   "Say what changed from one capsule to another",
		Long: `Compare two capsules: the verdict about each, then files, events, signers, participants
and the claims of manifest and envelope that differ. Events are compared from the first
on: B may continue the chain of A, or the two diverge. Encrypted content is compared
from outside only, unless --key opens it: then it is verified and compared, for both
capsules. Either of the two may be - for standard input.

Equal means that nothing which a capsule seals or claims differs; the containers may
still differ in bytes that carry no content, and the report says so.

Exit codes: 0 equal; 1 they differ; 2 one of them is not a capsule, or unreadable.`,
		Example: `  seed capsule diff monday.capsule friday.capsule
  seed capsule diff monday.capsule friday.capsule --json
  seed capsule diff secret-1.capsule secret-2.capsule --key my-inbox`,
		Args: command.Args(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			o := VerifyOptions{Key: key, PassphraseFile: c.passphraseFile}
			if err := o.Check(cmd, args...); err != nil {
				return err
			}
			return c.diff(cmd.Context(), args[0], args[1], key)
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "open encrypted content with this private `KEY`: name, file or -")
	return cmd
}

func (c *cmds) diff(ctx context.Context, nameA, nameB, key string) error {
	trust, err := c.trusted(nil, false)
	if err != nil {
		return err
	}
	terms := trust.options()
	if key != "" {
		if terms.Recipient, err = c.recipient(ctx, key); err != nil {
			return err
		}
	}
	var sides [2]*side
	for i, arg := range [...]string{nameA, nameB} {
		f, err := c.open(ctx, arg)
		if err != nil {
			return err
		}
		defer f.Close()
		if sides[i], err = c.side(f, terms); err != nil {
			return err
		}
	}
	if key != "" && !sides[0].inside() && !sides[1].inside() {
		c.UI.Note("neither of them is encrypted; the key was not used")
	}
	d, err := compare(sides[0], sides[1])
	if err != nil {
		return err
	}
	if c.JSON {
		err = c.emit(d)
	} else {
		err = c.printDiff(d, sides, trust)
	}
	if err == nil && !d.Equal {
		err = command.ErrVerdict
	}
	return err
}

// side is one of the two capsules that are compared: with a key, the content of an
// encrypted one.
type side struct {
	*capsule.Capsule
	file *file
	res  *capsule.Result
}

func (c *cmds) side(f *file, terms capsule.Options) (*side, error) {
	res, opened, err := c.judgeOpen(f, terms)
	if err != nil {
		return nil, err
	}
	if opened == nil {
		_, err := c.read(f) // says why
		if err == nil {
			err = fmt.Errorf("%s was changed while it was read", f.name)
		}
		return nil, err
	}
	if d := res.Decryption; d != nil && !d.OK {
		return nil, &command.Failure{
			Err: fmt.Errorf("%s: the key does not open it: %s", f.name, d.Error), Code: command.Cannot, Reason: string(d.Reason),
			Hint: "without --key the two are compared from outside",
		}
	}
	return &side{Capsule: opened, file: f, res: res}, nil
}

// inside reports whether the side is the content of an encrypted capsule.
func (s *side) inside() bool { return s.res.Outer != nil }

// names reports whether the lineage that s declares names other, from outside or
// its content. Declared is all it is: a predecessor does not countersign.
func (s *side) names(other *side) bool {
	if s.Manifest.Version == capsule.Version06 {
		return false // there the member means nothing (CAP-LIN-03)
	}
	hashes := []string{other.res.ManifestHash}
	if other.inside() {
		hashes = append(hashes, other.res.Outer.ManifestHash)
	}
	for _, p := range s.Manifest.Value.Member("predecessors").Elements() {
		if hash := p.Member("manifest_hash").Str(); hash != "" && slices.Contains(hashes, hash) {
			return true
		}
	}
	return false
}

type diffJSON struct {
	Equal        bool         `json:"equal"`
	SameBytes    bool         `json:"same_bytes"`
	SameID       bool         `json:"same_capsule_id"`
	Lineage      string       `json:"lineage,omitempty"` // b_names_a or a_names_b: the one declares the other its predecessor
	A            sideJSON     `json:"a"`
	B            sideJSON     `json:"b"`
	Files        filesJSON    `json:"files"`
	Events       eventsDiff   `json:"events"`
	Signers      signersDiff  `json:"signers"`
	Participants stringsDiff  `json:"participants"`
	Claims       []claimsDiff `json:"claims"`
}

type sideJSON struct {
	File         string              `json:"file"`
	Size         int64               `json:"file_size_bytes"`
	CapsuleID    string              `json:"capsule_id"`
	ManifestHash string              `json:"manifest_hash"`
	Verdict      capsule.Verdict     `json:"verdict"`
	Qualifiers   []capsule.Qualifier `json:"qualifiers"`
	Encrypted    bool                `json:"encrypted"`
}

type filesJSON struct {
	Added   []payloadJSON `json:"added"`
	Removed []payloadJSON `json:"removed"`
	Changed []changedFile `json:"changed"`
}

type changedFile struct {
	Path  string `json:"path"`
	SizeA int64  `json:"size_a"`
	SizeB int64  `json:"size_b"`
}

type signersDiff struct {
	Added   []signerJSON `json:"added"`
	Removed []signerJSON `json:"removed"`
}

type stringsDiff struct {
	Added   []string `json:"added"`
	Removed []string `json:"removed"`
}

// claimsDiff is a member of one of the two documents that differs; a side that
// does not have it is left out. Derived members differ because of something else.
type claimsDiff struct {
	Document string          `json:"document"`
	Member   string          `json:"member"`
	A        json.RawMessage `json:"a,omitempty"`
	B        json.RawMessage `json:"b,omitempty"`
	Derived  bool            `json:"derived"`
}

func compare(a, b *side) (*diffJSON, error) {
	d := &diffJSON{A: a.describe(), B: b.describe(), SameID: a.Manifest.ID == b.Manifest.ID}
	switch {
	case b.names(a):
		d.Lineage = "b_names_a"
	case a.names(b):
		d.Lineage = "a_names_b"
	}
	var err error
	if d.SameBytes, err = sameContent(a.section(), b.section()); err != nil {
		return nil, err
	}
	if d.Files, err = compareFiles(a, b); err != nil {
		return nil, err
	}
	if d.Events, err = compareEvents(a, b); err != nil {
		return nil, err
	}
	d.Signers = signersDiff{missing(signerRows(b), signerRows(a)), missing(signerRows(a), signerRows(b))}
	was, is := declared(a.Manifest.Value.Member("participants")), declared(b.Manifest.Value.Member("participants"))
	d.Participants = stringsDiff{missing(is, was), missing(was, is)}
	d.Claims = append(compareMembers("manifest", a.Manifest.Value, b.Manifest.Value),
		compareMembers("envelope", a.Envelope.Value, b.Envelope.Value)...)
	for i := range d.Claims {
		if d.Claims[i].Member == "participants" { // the same actors with other roles or labels are listed nowhere else
			d.Claims[i].Derived = len(d.Participants.Added)+len(d.Participants.Removed) > 0
		}
	}
	d.Equal = len(d.Files.Added)+len(d.Files.Removed)+len(d.Files.Changed)+len(d.Claims) == 0
	return d, nil
}

func (s *side) describe() sideJSON {
	return sideJSON{
		File: s.file.name, Size: s.file.size, CapsuleID: s.Manifest.ID, ManifestHash: s.res.ManifestHash,
		Verdict: s.res.Verdict, Qualifiers: s.res.Qualifiers, Encrypted: s.Encrypted() || s.inside(),
	}
}

func (s *side) section() io.Reader { return io.NewSectionReader(s.file, 0, s.file.size) }

// sameContent compares two streams.
func sameContent(a, b io.Reader) (bool, error) {
	var x, y [64 << 10]byte
	for {
		n, errA := io.ReadFull(a, x[:])
		m, errB := io.ReadFull(b, y[:])
		for _, err := range [...]error{errA, errB} {
			if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF { //nolint:errorlint // ReadFull returns them bare
				return false, err
			}
		}
		if n != m || !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		if errA != nil {
			return true, nil
		}
	}
}

// compareFiles looks at every file but the two documents, whose members are
// compared one by one.
func compareFiles(a, b *side) (filesJSON, error) {
	d := filesJSON{Added: []payloadJSON{}, Removed: []payloadJSON{}, Changed: []changedFile{}}
	old := make(map[string]int64)
	for _, e := range a.Entries() {
		old[e.Path] = e.Size
	}
	for _, e := range b.Entries() {
		size, both := old[e.Path]
		delete(old, e.Path)
		switch {
		case structural(e.Path):
			continue
		case !both:
			d.Added = append(d.Added, payloadJSON(e))
			continue
		}
		same := size == e.Size
		if same {
			var err error
			if same, err = sameContent(a.File(e.Path), b.File(e.Path)); err != nil {
				return d, fmt.Errorf("compare %q: %w", e.Path, err)
			}
		}
		if !same {
			d.Changed = append(d.Changed, changedFile{e.Path, size, e.Size})
		}
	}
	for _, e := range a.Entries() {
		if _, left := old[e.Path]; left && !structural(e.Path) {
			d.Removed = append(d.Removed, payloadJSON(e))
		}
	}
	return d, nil
}

// structural reports whether a path is one of the two documents, which no index
// covers.
func structural(path string) bool { return path == manifestPath || path == envelopePath }

func signerRows(s *side) []signerJSON {
	rows := make([]signerJSON, len(s.Envelope.Signers))
	for i, r := range s.Envelope.Signers {
		rows[i] = signerJSON{r.Role, r.PublicKey}
	}
	return rows
}

// missing lists what is in have and not in other.
func missing[T comparable](have, other []T) []T {
	there := make(map[T]bool, len(other))
	for _, v := range other {
		there[v] = true
	}
	out := []T{}
	for _, v := range have {
		if !there[v] {
			out = append(out, v)
			there[v] = true
		}
	}
	return out
}

// compareMembers lists the members of a document whose values differ. Spelling
// and order do not count; unknown members do.
func compareMembers(document string, a, b jcs.Value) []claimsDiff {
	out := []claimsDiff{}
	old := make(map[string]jcs.Value, a.Len())
	for name, v := range a.Members() {
		old[name] = v
	}
	add := func(name string, x, y jcs.Value) {
		out = append(out, claimsDiff{document, name, x.AppendCompact(nil), y.AppendCompact(nil), derived(name)})
	}
	for name, v := range b.Members() {
		before, both := old[name]
		delete(old, name)
		if !both || !bytes.Equal(before.AppendCanonical(nil), v.AppendCanonical(nil)) {
			add(name, before, v)
		}
	}
	for name, v := range a.Members() {
		if _, left := old[name]; left {
			add(name, v, jcs.Value{})
		}
	}
	return out
}

// derived reports whether a member follows from content, events and claims that
// are listed on their own.
func derived(name string) bool {
	switch name {
	case "id", "capsule_id", "first_event_hash", "entry_hash", "manifest_hash", "content_index", "content_index_hash",
		"encrypted_blob_hash", "signers", "signer_commitment", "participants":
		return true
	}
	return false
}

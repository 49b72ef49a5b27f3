package capsulecmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/jcs"
)

func (c *cmds) vectorsCmd() *cobra.Command {
	verify := &cobra.Command{
		Use:   "verify FILE",
		Short: "Check this build against a vector with a capsule inside",
		Long: `Read a test vector, a JSON file with a capsule in capsule_bytes_b64 and the values it is
known to have in expected, verify the capsule and compare the values with those that are
computed here. FILE may be - for standard input.

Exit codes: 0 verified and all values are equal; 1 not; 2 not a vector, or unreadable.`,
		Example: `  seed capsule vectors verify plain-basic.json
  seed capsule vectors verify plain-basic.json --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.vector(cmd.Context(), args[0]) },
	}
	cmd := &cobra.Command{
		Use:     "vectors",
		GroupID: "read",
		Short:   "Check this build against test vectors",
		Long: `Check this build against test vectors of the format.

Exit codes: 0 as expected; 1 not; 2 usage, or a file could not be read.`,
		Example: `  seed capsule vectors verify plain-basic.json`,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) > 0 {
				return command.UnknownCommand(cmd, words[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return command.UsageError(cmd, errors.New("name a command"))
		},
	}
	cmd.AddCommand(verify)
	return cmd
}

// maxVector is the largest vector that is read.
const maxVector = 256 << 20

// facts are the values of a capsule that vectors pin.
type facts struct {
	CapsuleID        string   `json:"capsule_id"`
	FirstEventHash   *string  `json:"first_event_hash"`
	EntryHash        *string  `json:"entry_hash"`
	ManifestHash     string   `json:"manifest_hash"`
	ContentIndexHash string   `json:"content_index_hash"`
	Signature        string   `json:"envelope_signature_hex"`
	EventHashes      []string `json:"event_hashes"`
}

type factDiff struct {
	Field    string          `json:"field"`
	Expected json.RawMessage `json:"expected"`
	Observed json.RawMessage `json:"observed"`
}

type vectorJSON struct {
	OK         bool            `json:"ok"`
	VerifierOK bool            `json:"sdk_verifier_ok"`
	Match      bool            `json:"hashes_match"`
	Diffs      []factDiff      `json:"diffs"`
	Observed   *facts          `json:"observed"`
	Result     *capsule.Result `json:"sdk_result"`
}

func (c *cmds) vector(ctx context.Context, arg string) error {
	f, err := c.open(ctx, arg)
	if err != nil {
		return err
	}
	defer f.Close()
	data, expected, err := readVector(f)
	if err != nil {
		return &command.Failure{Err: fmt.Errorf("%s: not a vector: %w", f.name, err), Code: command.Cannot, Reason: "invalid"}
	}
	res, opened, err := capsule.VerifyOpen(bytes.NewReader(data), int64(len(data)), capsule.Options{})
	if err != nil {
		return err
	}
	v := vectorJSON{VerifierOK: res.OK, Diffs: []factDiff{}, Result: res}
	var unknown []string
	if opened != nil {
		if v.Observed, err = observe(opened, res); err != nil {
			return err
		}
		if v.Diffs, unknown, err = compareFacts(expected, v.Observed); err != nil {
			return err
		}
	}
	v.Match = opened != nil && len(v.Diffs) == 0
	v.OK = v.VerifierOK && v.Match
	for _, name := range unknown {
		c.UI.Note("expected.%s is not a value that is compared", name)
	}
	if c.JSON {
		err = c.emit(v)
	} else {
		err = c.printVector(f, &v)
	}
	if err == nil && !v.OK {
		err = command.ErrVerdict
	}
	return err
}

// readVector takes a vector apart. It is data of the project's own kind and
// still read strictly: a doubled member would leave open what was expected.
func readVector(f *file) (data []byte, expected jcs.Value, err error) {
	if f.size > maxVector {
		return nil, jcs.Value{}, fmt.Errorf("larger than %s", ui.Size(maxVector))
	}
	text := make([]byte, f.size)
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, f.size), text); err != nil {
		return nil, jcs.Value{}, err
	}
	doc := new(jcs.Doc)
	if err := doc.Parse(text, jcs.Limits{Size: maxVector}); err != nil {
		return nil, jcs.Value{}, err
	}
	encoded, ok := doc.Root().Member("capsule_bytes_b64").Text()
	if !ok {
		return nil, jcs.Value{}, errors.New("it has no capsule_bytes_b64")
	}
	expected = doc.Root().Member("expected")
	if expected.Kind() != jcs.Object || expected.Len() == 0 {
		return nil, jcs.Value{}, errors.New("it expects nothing: the object expected is missing or empty")
	}
	data, err = base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, jcs.Value{}, fmt.Errorf("capsule_bytes_b64: %w", err)
	}
	return data, expected, nil
}

// observe computes the values anew. Of an encrypted capsule the events cannot be
// read; their anchors are then those that the envelope states.
func observe(opened *capsule.Capsule, res *capsule.Result) (*facts, error) {
	o := &facts{ManifestHash: res.ManifestHash, EventHashes: []string{}}
	first, last := opened.Envelope.FirstEventHash, opened.Envelope.EntryHash
	if !opened.Encrypted() && opened.Has(chain.Path) {
		_, err := opened.Events(func(e chain.Event) error {
			prev, _ := hex.DecodeString(e.Value.Member("prev_hash").Str()) // a bad one gives another hash
			sum := sha256.Sum256(e.Value.AppendCanonicalWithout(prev, "hash"))
			o.EventHashes = append(o.EventHashes, hex.EncodeToString(sum[:]))
			return nil
		})
		if err != nil {
			return nil, err
		}
		first, last = "", ""
		if n := len(o.EventHashes); n > 0 {
			first, last = o.EventHashes[0], o.EventHashes[n-1]
		}
	}
	if first != "" {
		o.FirstEventHash = &first
	}
	if last != "" {
		o.EntryHash = &last
	}
	var err error
	if o.CapsuleID, err = capsule.DeriveID(opened.Manifest.Version, opened.Manifest.OriginatorKey, first); err != nil {
		return nil, err
	}
	for _, row := range opened.Envelope.Value.Member("signers").Elements() {
		o.Signature = row.Member("signature").Str()
		break
	}
	o.ContentIndexHash, err = indexHash(opened)
	return o, err
}

// indexHash is the hash of the content index that the files give.
func indexHash(opened *capsule.Capsule) (string, error) {
	var entries []capsule.IndexEntry
	for _, e := range opened.Entries() {
		if structural(e.Path) || opened.Encrypted() && e.Path == "content.enc" {
			continue
		}
		h := sha256.New()
		if _, err := io.Copy(h, opened.File(e.Path)); err != nil {
			return "", err
		}
		entries = append(entries, capsule.IndexEntry{Path: e.Path, SHA256: hex.EncodeToString(h.Sum(nil))})
	}
	capsule.SortIndex(entries)
	sum := sha256.Sum256(capsule.AppendIndex(nil, entries))
	return hex.EncodeToString(sum[:]), nil
}

// compareFacts holds the values that are expected against those observed.
func compareFacts(expected jcs.Value, o *facts) (diffs []factDiff, unknown []string, err error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, nil, err
	}
	observed, err := jcs.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	diffs = []factDiff{}
	for name, want := range expected.Members() {
		got := observed.Root().Member(name)
		switch {
		case !got.Exists():
			unknown = append(unknown, name)
		case !bytes.Equal(want.AppendCanonical(nil), got.AppendCanonical(nil)):
			diffs = append(diffs, factDiff{Field: name, Expected: want.AppendCompact(nil), Observed: got.AppendCompact(nil)})
		}
	}
	return diffs, unknown, nil
}

func (c *cmds) printVector(f *file, v *vectorJSON) error {
	p := c.UI.Color
	out := &command.Lines{W: c.UI.Out}
	verdict := p.Good("as expected")
	if !v.OK {
		verdict = p.Bad("not as expected")
	}
	out.Printf("%s: %s", visible.Text(f.name), verdict)
	out.Printf("  %-14s %s", "capsule", v.Result.Verdict)
	for _, q := range v.Result.Qualifiers {
		c.item(out, "  ", "- ", visible.Text(q.Phrase()))
	}
	for _, pr := range v.Result.Problems {
		c.item(out, "  ", p.Bad(pr.Rule)+" ", visible.Text(problemText(pr)))
	}
	match := "equal"
	if !v.Match {
		match = "not equal"
	}
	out.Printf("  %-14s %s", "values", match)
	for _, d := range v.Diffs {
		out.Printf("  %s", visible.Line(d.Field, 60))
		out.Printf("    expected %s", visible.Line(string(d.Expected), c.UI.Columns()-13))
		out.Printf("    observed %s", visible.Line(string(d.Observed), c.UI.Columns()-13))
	}
	return out.Err
}

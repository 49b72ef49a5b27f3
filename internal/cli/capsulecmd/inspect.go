package capsulecmd

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seed/capsule"
	"seed/capsule/chain"
	"seed/internal/command"
	"seed/internal/ui"
	"seed/internal/visible"
	"seed/jcs"
)

func (c *cmds) inspectCmd() *cobra.Command {
	return &cobra.Command{
		Use:     "inspect FILE",
		GroupID: "read",
		Short:   "Show what a capsule says about itself, without verifying it",
		Long: `Show what a capsule says about itself: identity, originator, participants, signers,
events and files. Nothing is verified: everything shown may be untrue until
seed capsule verify has said otherwise. FILE may be - for standard input.

Exit codes: 0 shown; 2 not a capsule, or it could not be read.`,
		Example: `  seed capsule inspect work.capsule
  seed capsule inspect work.capsule --json`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.withCapsule(cmd.Context(), args[0], c.inspect)
		},
	}
}

func (c *cmds) inspect(f *file, opened *capsule.Capsule) error {
	o, err := look(f, opened)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.emit(o)
	}
	return c.printOverview(f, o, opened)
}

// overview has exactly the members that the reference prints, and for an encrypted
// capsule the recipients. What stands in the manifest is handed on as it is stored.
// chain_length is null when the events are not readable.
type overview struct {
	File           string          `json:"file"`
	FileSize       int64           `json:"file_size_bytes"`
	CapsuleID      string          `json:"capsule_id"`
	FirstEventHash json.RawMessage `json:"first_event_hash"`
	Originator     json.RawMessage `json:"originator"`
	Participants   json.RawMessage `json:"participants"`
	Format         json.RawMessage `json:"format"`
	Encryption     json.RawMessage `json:"encryption"`
	SignedAt       json.RawMessage `json:"signed_at"`
	Cipher         json.RawMessage `json:"cipher"`
	Signers        []signerJSON    `json:"signers"`
	IndexFiles     int             `json:"content_index_files"`
	ChainLength    *int            `json:"chain_length"`
	Actions        map[string]int  `json:"action_histogram"`
	Payload        []payloadJSON   `json:"payload_files"`
	PayloadBytes   int64           `json:"payload_total_bytes"`
	Predecessors   json.RawMessage `json:"predecessors,omitempty"`
	Recipients     *[]string       `json:"x-seed-recipients,omitempty"` // X25519 keys as hex; only of an encrypted capsule whose list can be read
}

type signerJSON struct {
	Role      string `json:"role"`
	PublicKey string `json:"public_key"`
}

type payloadJSON struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

// look gathers the overview of a capsule.
func look(f *file, opened *capsule.Capsule) (*overview, error) {
	m, e := opened.Manifest.Value, opened.Envelope.Value
	o := &overview{
		File: f.name, FileSize: f.size, CapsuleID: opened.Manifest.ID,
		FirstEventHash: raw(m.Member("first_event_hash"), "null"),
		Originator:     raw(m.Member("originator"), "null"),
		Participants:   raw(m.Member("participants"), "[]"),
		Format:         raw(m.Member("format"), "null"),
		Encryption:     raw(m.Member("encryption"), "null"),
		SignedAt:       raw(e.Member("signed_at"), "null"),
		Cipher:         raw(e.Member("cipher"), "null"),
		Signers:        []signerJSON{},
		IndexFiles:     len(opened.Manifest.Files),
		Actions:        map[string]int{},
		Payload:        []payloadJSON{},
	}
	if p := m.Member("predecessors"); p.Exists() {
		o.Predecessors = p.Raw()
	}
	for _, s := range opened.Envelope.Signers {
		o.Signers = append(o.Signers, signerJSON{s.Role, s.PublicKey})
	}
	for _, entry := range opened.Entries() {
		if strings.HasPrefix(entry.Path, "payload/") {
			o.Payload = append(o.Payload, payloadJSON(entry))
			o.PayloadBytes += entry.Size
		}
	}
	if opened.Encrypted() {
		if meta, err := opened.Recipients(); err == nil {
			list := []string{}
			for _, b := range meta.Bundles {
				list = append(list, hex.EncodeToString(b.Recipient[:]))
			}
			o.Recipients = &list
		}
		return o, nil
	}
	if !opened.Has(chain.Path) {
		return o, nil
	}
	events := 0
	_, err := opened.Events(func(e chain.Event) error {
		events++
		o.Actions[e.Action()]++
		return nil
	})
	if err != nil {
		return nil, unreadable(f, err)
	}
	o.ChainLength = &events
	return o, nil
}

// raw is a value as it is stored, or what stands in for one that is missing.
func raw(v jcs.Value, missing string) json.RawMessage {
	if !v.Exists() {
		return json.RawMessage(missing)
	}
	return v.Raw()
}

func (c *cmds) printOverview(f *file, o *overview, opened *capsule.Capsule) error {
	p := c.UI.Color
	out := &command.Lines{W: c.UI.Out}
	m := opened.Manifest
	out.Printf("%s: %s", p.Bold(visible.Text(o.File)), p.Warn("nothing of this was verified"))
	wide := c.UI.Columns() - 15
	row := func(name, value string) {
		if value != "" {
			out.Printf("  %-12s %s", name, visible.Line(value, wide))
		}
	}
	row("capsule", m.ID)
	row("format", m.Version+", "+ui.Size(o.FileSize))
	row("originator", m.OriginatorKey)
	row("label", m.Label)
	row("created at", m.CreatedAt)
	row("signed at", opened.Envelope.SignedAt)
	row("encryption", encryptionWords(opened, o))
	row("participants", strings.Join(declared(m.Value.Member("participants")), ", "))
	row("skills", skillWords(opened.Skills()))
	for i, before := range m.Value.Member("predecessors").Elements() {
		if i == maxShown {
			break
		}
		row("predecessor", before.Member("capsule_id").Str())
	}
	row("events", eventWords(o))
	out.Printf("\n%s", p.Bold("Signers, not checked"))
	for i, s := range o.Signers {
		if i == maxShown {
			out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(len(o.Signers)-maxShown)))
			break
		}
		out.Printf("  %s", visible.Line(s.Role, 60))
		out.Printf("    %s", visible.Line(s.PublicKey, 64))
	}
	c.printRecipients(out, opened, o)
	c.printEntries(out, opened.Entries())
	out.Printf("\nFor a verdict: %s %s", c.UI.Own("seed capsule verify"), asArgument(f.arg))
	return out.Err
}

func (c *cmds) printRecipients(out *command.Lines, opened *capsule.Capsule, o *overview) {
	if !opened.Encrypted() {
		return
	}
	if o.Recipients != nil && len(*o.Recipients) > 0 {
		out.Printf("\n%s", c.UI.Color.Bold("Recipients, as stated"))
		for i, key := range *o.Recipients {
			if i == maxShown {
				out.Printf("  ... and %s more (--json lists all)", ui.Count(int64(len(*o.Recipients)-maxShown)))
				break
			}
			out.Printf("  x25519:%s", key)
		}
	}
	out.Printf("")
	c.item(out, "", "", openToAll)
}

// asArgument is a file as it can be typed after a command.
func asArgument(arg string) string {
	switch {
	case arg == "-":
		return "- < FILE"
	case visible.Text(arg) != arg:
		return "FILE"
	case strings.HasPrefix(arg, "-"):
		arg = "./" + arg
	}
	if strings.Trim(arg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/+,:@%=") == "" {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

func (c *cmds) printEntries(out *command.Lines, entries []capsule.Entry) {
	const most = 200
	var total int64
	t := ui.Table{Indent: 2, Max: c.UI.Columns() - 14}
	for i, e := range entries {
		total += e.Size
		if i < most {
			t.Add(ui.Cell{Text: ui.Size(e.Size), Right: true}, ui.Cell{Text: e.Path})
		}
	}
	out.Printf("\n%s", c.UI.Color.Bold(ui.Plural(int64(len(entries)), "file", "files")+", "+ui.Size(total)))
	if out.Err == nil {
		out.Err = t.Print(out.W, c.UI.Color)
	}
	if len(entries) > most {
		out.Printf("  ... and %s more", ui.Count(int64(len(entries)-most)))
	}
}

// declared lists the actors that a manifest names, in either of the two forms.
func declared(participants jcs.Value) []string {
	var ids []string
	for _, p := range participants.Elements() {
		if id, ok := p.Text(); ok {
			ids = append(ids, id)
		} else {
			ids = append(ids, p.Member("actor_id").Str())
		}
	}
	return ids
}

func encryptionWords(opened *capsule.Capsule, o *overview) string {
	switch {
	case !opened.Encrypted():
		return "none"
	case o.Recipients == nil:
		return opened.Envelope.Cipher + ", recipients not readable"
	}
	return opened.Envelope.Cipher + ", " + ui.Plural(int64(len(*o.Recipients)), "recipient", "recipients")
}

func skillWords(skills []capsule.Skill) string {
	names := make([]string, len(skills))
	for i, s := range skills {
		names[i] = s.ID
	}
	return strings.Join(names, ", ")
}

// eventWords counts the events and names the most frequent actions.
func eventWords(o *overview) string {
	if o.ChainLength == nil {
		return "not readable"
	}
	const most = 6
	names := slices.SortedFunc(maps.Keys(o.Actions), func(a, b string) int {
		return cmp.Or(cmp.Compare(o.Actions[b], o.Actions[a]), strings.Compare(a, b))
	})
	words := make([]string, 0, most)
	for _, n := range names[:min(len(names), most)] {
		words = append(words, fmt.Sprintf("%s %d", visible.Line(n, 24), o.Actions[n]))
	}
	if len(names) > most {
		words = append(words, "...")
	}
	text := ui.Count(int64(*o.ChainLength))
	if len(words) > 0 {
		text += ": " + strings.Join(words, ", ")
	}
	return text
}

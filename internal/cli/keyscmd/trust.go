package keyscmd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"seed/finding"
	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/ui"
)

// trustedJSON is one signer on the list.
type trustedJSON struct {
	Key     string            `json:"key"`
	Label   string            `json:"label,omitempty"`
	May     []keys.Permission `json:"may"`
	Expires string            `json:"expires,omitempty"`
	Expired bool              `json:"expired"`
	Added   string            `json:"added,omitempty"`
}

func describeTrusted(e keys.Trusted, now time.Time) trustedJSON {
	j := trustedJSON{Key: e.Public().String(), Label: e.Label, May: append([]keys.Permission{}, e.May...), Expired: e.Expired(now)}
	j.Expires, j.Added = stamp(e.Expires), stamp(e.Added)
	return j
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// may says in words what a signer is permitted.
func may(list []keys.Permission) string {
	if len(list) == 0 {
		return "nothing"
	}
	var words []string
	for _, p := range list {
		words = append(words, string(p))
	}
	return strings.Join(words, ", ")
}

type trustFlags struct {
	label   string
	may     []string
	expires string
}

func (c *cmds) trustAddCmd() *cobra.Command {
	var f trustFlags
	cmd := &cobra.Command{
		Use:   "add KEY|NAME|FILE",
		Short: "Trust a signer",
		Long: `Put a signer on the list, or change what the list says about one: a public key, a key
of your own store, or the file of a public key (of seed, or an OpenSSH line). --label is
the name under which you will see the signer.

Without --may the signer is only known: its seeds are shown as trusted, and still ask
before they run anything. Each permission is consent in advance to every seed that this
key signs, now or later.

Get the key from the person, over a way that you trust. It is never taken out of a seed
or capsule: a file cannot vouch for itself.

Exit codes: 0 on the list; 2 refused or could not, and the list is as before.`,
		Example: `  seed trust add ed25519:03a1... --label "Ada Lovelace"
  seed trust add ada.pub --label "Ada Lovelace" --may exec,install --expires 2027-01-01
  seed trust add work --label me --may any`,
		Args: command.Args(1, 1),
		RunE: func(_ *cobra.Command, args []string) error { return c.trustAdd(args[0], &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.label, "label", "", "`TEXT` by which you know the signer")
	fl.StringSliceVar(&f.may, "may", nil, "`PERMISSIONS`: exec, url, install or any; none unless given")
	fl.StringVar(&f.expires, "expires", "", "`DATE` on which trust ends, such as 2027-01-01")
	words := cobra.FixedCompletions([]string{"exec", "url", "install", "any"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("may", words); err != nil {
		panic(err) // a flag of that name was just made
	}
	return cmd
}

func (c *cmds) trustAdd(ref string, f *trustFlags) error {
	path, err := c.TrustFile()
	if err != nil {
		return err
	}
	store, err := c.Keys()
	if err != nil {
		return err
	}
	now := time.Now()
	entry, err := f.entry(now)
	if err != nil {
		return err
	}
	key, label, err := store.ResolvePublic(ref, keys.Signing)
	if err != nil {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage", Hint: keyHint(err)}
	}
	entry.Key = key.Key
	if entry.Label == "" {
		hint := "say whose key it is: --label TEXT"
		if label != "" {
			hint += fmt.Sprintf(" (the key calls itself %s)", finding.Quote(label))
		}
		return usage("a trusted signer needs a label", hint)
	}
	before, err := keys.LoadTrust(path)
	if err != nil {
		return err
	}
	_, err = before.Match(key.String())
	changed := err == nil
	if err := keys.AddTrust(path, entry); err != nil {
		return err
	}
	if c.JSON {
		return c.UI.JSON(struct {
			trustedJSON
			Changed bool `json:"changed"` // it was on the list already
		}{describeTrusted(entry, now), changed})
	}
	did := "trusted"
	if changed {
		did = "changed"
	}
	ends := ""
	if !entry.Expires.IsZero() {
		ends = ", until " + stamp(entry.Expires)
	}
	c.UI.Done("%s: %s as %s; may: %s%s", did, key, finding.Quote(entry.Label), may(entry.May), ends)
	return nil
}

// keyHint says where a key comes from, unless the error does.
func keyHint(err error) string {
	if h := command.Explain(err).Hint; h != "" {
		return h
	}
	return "give a public key, a name of seed keys list, or the file of a public key; ask the signer for it"
}

// entry is what the flags say.
func (f *trustFlags) entry(now time.Time) (keys.Trusted, error) {
	e := keys.Trusted{Label: f.label, Added: now.UTC().Truncate(time.Second)}
	if err := keys.CheckLabel(f.label); err != nil {
		return e, &command.Failure{Err: err, Code: command.Cannot, Reason: "usage"}
	}
	for _, word := range f.may {
		p, err := keys.ParsePermission(word)
		if err != nil {
			return e, &command.Failure{Err: fmt.Errorf("--may: %w", err), Code: command.Cannot, Reason: "usage"}
		}
		e.May = append(e.May, p)
	}
	if f.expires == "" {
		return e, nil
	}
	at, err := keys.ParseExpiry(f.expires)
	if err == nil && !at.After(now) {
		err = fmt.Errorf("%s is over already", finding.Quote(f.expires))
	}
	if err != nil {
		return e, &command.Failure{Err: fmt.Errorf("--expires: %w", err), Code: command.Cannot, Reason: "usage"}
	}
	e.Expires = at
	return e, nil
}

func (c *cmds) trustRemoveCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "remove KEY|LABEL",
		Short: "Trust a signer no longer",
		Long: `Take a signer off the list, by its public key or its label. What its seeds did before
stays done; from now on they ask like those of a stranger.

Exit codes: 0 removed; 2 not on the list, or could not.`,
		Example: `  seed trust remove "Ada Lovelace"`,
		Args:    command.Args(1, 1),
		RunE:    func(_ *cobra.Command, args []string) error { return c.trustRemove(args[0]) },
	}
}

func (c *cmds) trustRemove(ref string) error {
	path, err := c.TrustFile()
	if err != nil {
		return err
	}
	list, err := keys.LoadTrust(path)
	if err != nil {
		return err
	}
	entry, err := list.Match(ref)
	if err != nil {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage", Hint: "seed trust list shows who is on it"}
	}
	// By its key: another entry may have got the label meanwhile.
	if err := keys.RemoveTrust(path, entry.Public().String()); err != nil {
		return err
	}
	if c.JSON {
		return c.UI.JSON(struct {
			Removed trustedJSON `json:"removed"`
		}{describeTrusted(entry, time.Now())})
	}
	c.UI.Done("no longer trusted: %s (%s)", entry.Public(), finding.Quote(entry.Label))
	return nil
}

func (c *cmds) trustListCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the signers you trust",
		Long: `List the signers you trust, what they may do without being asked about, and when that
ends. Whoever's time is over is marked and not trusted any more.

Exit codes: 0 listed; 2 the list could not be read.`,
		Example: `  seed trust list
  seed trust list --json`,
		Args: command.Args(0, 0),
		RunE: func(*cobra.Command, []string) error { return c.trustList() },
	}
}

func (c *cmds) trustList() error {
	path, err := c.TrustFile()
	if err != nil {
		return err
	}
	list, err := keys.LoadTrust(path)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list.Entries, func(a, b keys.Trusted) int { return strings.Compare(a.Label, b.Label) })
	now := time.Now()
	if c.JSON {
		j := struct {
			File    string        `json:"file"`
			Trusted []trustedJSON `json:"trusted"`
		}{path, []trustedJSON{}}
		for _, e := range list.Entries {
			j.Trusted = append(j.Trusted, describeTrusted(e, now))
		}
		return c.UI.JSON(j)
	}
	if len(list.Entries) == 0 {
		c.UI.Note("nobody is trusted; seed trust add KEY --label TEXT begins the list")
		return nil
	}
	rows := newList(c, "LABEL", "MAY", "UNTIL")
	for _, e := range list.Entries {
		until := ui.Cell{Text: stamp(e.Expires)}
		if e.Expired(now) {
			until = ui.Cell{Text: "expired " + stamp(e.Expires), Style: ui.Bad}
		}
		rows.add(e.Public().String(), ui.Plain, ui.Cell{Text: shortLabel(e.Label), Style: ui.Bold}, ui.Cell{Text: may(e.May)}, until)
	}
	return rows.print()
}

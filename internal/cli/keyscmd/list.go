package keyscmd

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/ui"
)

func (c *cmds) listCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the keys of the store",
		Long: `List the keys of the store by their public halves. Ed25519 keys sign, X25519 keys
receive. What is wrong with a file of the store is said beside it.

Exit codes: 0 listed; 2 the store could not be read.`,
		Example: `  seed keys list
  seed keys list --json`,
		Args: command.Args(0, 0),
		RunE: func(*cobra.Command, []string) error { return c.list() },
	}
}

func (c *cmds) list() error {
	store, err := c.Keys()
	if err != nil {
		return err
	}
	all, err := store.List()
	if err != nil {
		return err
	}
	// By name and not by file, or "ana-box" would stand before "ana".
	slices.SortFunc(all, func(a, b keys.Info) int { return strings.Compare(a.Name, b.Name) })
	if c.JSON {
		j := struct {
			Dir  string    `json:"dir"`
			Keys []keyJSON `json:"keys"`
		}{store.Dir, []keyJSON{}}
		for _, k := range all {
			j.Keys = append(j.Keys, describe(k))
		}
		return c.UI.JSON(j)
	}
	if len(all) == 0 {
		c.UI.Note("there are no keys in %s; seed keys new NAME makes one", store.Dir)
		return nil
	}
	rows := newList(c, "NAME", "FOR", "PROTECTED", "LABEL")
	for _, k := range all {
		if k.Problem != "" {
			rows.add("unusable: "+k.Problem, ui.Bad, ui.Cell{Text: k.Name, Style: ui.Bold})
			continue
		}
		protected := ui.Cell{Text: "no", Style: ui.Warn}
		if k.Protected {
			protected = ui.Cell{Text: "yes"}
		}
		rows.add(k.Public.String(), ui.Plain, ui.Cell{Text: k.Name, Style: ui.Bold}, ui.Cell{Text: does(k.Public.Kind)}, protected, ui.Cell{Text: shortLabel(k.Label)})
	}
	if err := rows.print(); err != nil {
		return err
	}
	for _, k := range all {
		if k.Warning != "" {
			c.UI.Warn("%s", k.Warning)
		}
	}
	return nil
}

// does is what a key is for.
func does(k keys.Kind) string {
	if k == keys.Signing {
		return "signing"
	}
	return "receiving"
}

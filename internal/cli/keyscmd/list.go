package keyscmd

import (
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
	var t ui.Table
	head := func(s string) ui.Cell { return ui.Cell{Text: s, Style: ui.Dim} }
	t.Add(head("NAME"), head("FOR"), head("PUBLIC KEY"), head("PROTECTED"), head("LABEL"))
	for _, k := range all {
		if k.Problem != "" {
			t.Add(ui.Cell{Text: k.Name, Style: ui.Bold}, ui.Cell{Text: "unusable: " + k.Problem, Style: ui.Bad})
			continue
		}
		protected := ui.Cell{Text: "no", Style: ui.Warn}
		if k.Protected {
			protected = ui.Cell{Text: "yes"}
		}
		t.Add(ui.Cell{Text: k.Name, Style: ui.Bold}, ui.Cell{Text: does(k.Public.Kind)}, ui.Cell{Text: k.Public.String()}, protected, ui.Cell{Text: k.Label})
	}
	if err := t.Print(c.UI.Out, c.UI.Color); err != nil {
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

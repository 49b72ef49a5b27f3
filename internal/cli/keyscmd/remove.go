package keyscmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
	"seed/internal/ui"
)

func (c *cmds) removeCmd() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use:   "remove NAME",
		Short: "Remove a key from the store",
		Long: `Remove a key from the store, after a question on the terminal or with --yes. There is
no other copy unless you made one: what was encrypted to the key alone can never be
read again, and nothing new can be signed with it. Signatures it made stay valid.

Exit codes: 0 removed; 2 declined or could not, and nothing was removed.`,
		Example: `  seed keys remove old
  seed keys remove old --yes`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := c.Keys()
			if err != nil {
				return err
			}
			return c.remove(cmd, store, args[0], yes)
		},
	}
	cmd.ValidArgsFunction = c.completeKey
	cmd.Flags().BoolVarP(&yes, "yes", "y", false, "do not ask")
	return cmd
}

func (c *cmds) remove(cmd *cobra.Command, store keys.Store, name string, yes bool) error {
	if err := keys.CheckName(name); err != nil {
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "usage"}
	}
	info, err := store.Info(name)
	if errors.Is(err, keys.ErrNoKey) {
		return &command.Failure{Err: err, Code: command.Cannot, Hint: "seed keys list shows those that are there"}
	}
	if err != nil { // a damaged file can go too
		c.UI.Warn("%v", err)
		info = keys.Info{Name: name}
	}
	if !yes {
		if err := c.confirmRemoval(cmd, info); err != nil {
			return err
		}
	}
	if err := store.Remove(name); err != nil {
		return err
	}
	if c.JSON {
		return c.UI.JSON(struct {
			Removed keyJSON `json:"removed"`
		}{describe(info)})
	}
	c.UI.Done("removed key %s", name)
	return nil
}

func (c *cmds) confirmRemoval(cmd *cobra.Command, k keys.Info) error {
	key := k.Name
	if k.Public.Kind != "" {
		key += ", " + k.Public.String()
	}
	ok, err := c.UI.Confirm(cmd.Context(), "Remove the private key "+key+" for ever?")
	if errors.Is(err, ui.ErrNoTerminal) {
		err = fmt.Errorf("removing key %s needs your consent, and there is no terminal to ask on", k.Name)
		return &command.Failure{Err: err, Code: command.Cannot, Reason: "consent", Hint: "say it with --yes"}
	}
	if err == nil && !ok {
		err = &command.Failure{Err: fmt.Errorf("removing key %s was declined; nothing was changed", k.Name), Code: command.Cannot, Reason: "consent"}
	}
	return err
}

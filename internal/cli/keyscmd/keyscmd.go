// Package keyscmd is the commands about keys and trust: `seed keys …` and
// `seed trust …`. One file a command; the store and the list of trusted signers
// are in package keys. No command here prints a secret, except `keys export
// --private`, which writes it where the user says.
package keyscmd

import (
	"errors"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/keys"
)

// cmds carries what all commands share.
type cmds struct{ *command.App }

// New builds the two trees of commands.
func New(app *command.App) []*cobra.Command {
	c := &cmds{app}
	own := parent("keys", "Make and keep the keys you sign and receive with",
		`A key pair has a private half, which stays in the store on this machine, and a public
half, which you give to others. Ed25519 keys sign seeds and capsules; X25519 keys
receive encrypted capsules. The store is a folder that only you can read.

Exit codes: 0 done; 2 refused or could not.`,
		`  seed keys new work --label "Ada at work" --passphrase
  seed keys export work
  seed keys list`)
	own.AddCommand(c.newCmd(), c.listCmd(), c.exportCmd(), c.importCmd(), c.removeCmd())
	trust := parent("trust", "Say whose signatures count on this machine",
		`The list of signers whom you trust, and with what: exec (running a script that their
seed carries), url (running one that it names by its URL), install (putting a command
on the path), any (all of these). Without one of them a signer is only known by name.

Get a key from the person, over a way that you trust. A key that stands in a seed or a
capsule says nothing about who made it: anybody can sign as a stranger.

Exit codes: 0 done; 2 refused or could not.`,
		`  seed trust add ed25519:03a1... --label "Ada Lovelace"
  seed trust add ada.pub --label "Ada Lovelace" --may exec,install --expires 2027-01-01
  seed trust list`)
	trust.AddCommand(c.trustAddCmd(), c.trustRemoveCmd(), c.trustListCmd())
	return []*cobra.Command{own, trust}
}

func parent(name, short, long, example string) *cobra.Command {
	return &cobra.Command{
		Use:     name,
		GroupID: "trust",
		Short:   short,
		Long:    long,
		Example: example,
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) > 0 {
				return command.UnknownCommand(cmd, words[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			return usage("name a command", cmd.CommandPath()+" --help lists them")
		},
		SuggestionsMinimumDistance: 2,
	}
}

func usage(msg, hint string) error {
	return &command.Failure{Err: errors.New(msg), Code: command.Cannot, Reason: "usage", Hint: hint}
}

// completeKey offers the names of the store for the first argument.
func (c *cmds) completeKey(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return c.KeyNames(), cobra.ShellCompDirectiveNoFileComp
}

// keyJSON is a key without its secret.
type keyJSON struct {
	Name      string    `json:"name"`
	Kind      keys.Kind `json:"kind,omitempty"`
	Public    string    `json:"public,omitempty"`
	Label     string    `json:"label,omitempty"`
	Created   string    `json:"created,omitempty"`
	Protected bool      `json:"protected"` // by a passphrase
	Warning   string    `json:"warning,omitempty"`
	Problem   string    `json:"problem,omitempty"` // why it cannot be used
}

func describe(k keys.Info) keyJSON {
	return keyJSON{
		Name: k.Name, Kind: k.Public.Kind, Public: k.Public.String(), Label: k.Label,
		Created: k.Created, Protected: k.Protected, Warning: k.Warning, Problem: k.Problem,
	}
}

package keyscmd

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/spf13/cobra"

	"seed/internal/command"
	"seed/internal/disk"
	"seed/internal/keys"
)

type exportFlags struct {
	format  string
	private bool
	out     string
	file    string // of the passphrase
}

func (c *cmds) exportCmd() *cobra.Command {
	var f exportFlags
	cmd := &cobra.Command{
		Use:   "export NAME",
		Short: "Write out the public half of a key",
		Long: `Write the public half of a key to standard output or a file, to be given to others:
as text that says its kind (the default), as 64 hex digits, or as a line of OpenSSH.

--private writes the private half instead, for another machine of yours: to a new file
that only you can read, protected by the passphrase it has in the store; with --format
hex as bare digits without protection. It never goes to a terminal, and to standard
output only where -o - says so.

Exit codes: 0 written; 2 refused or could not, and nothing was written.`,
		Example: `  seed keys export work
  seed keys export work --format openssh -o work.pub
  seed keys export work --private -o work.key`,
		Args: command.Args(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return c.export(cmd.Context(), args[0], &f) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.format, "format", "text", "text, hex or openssh")
	fl.BoolVar(&f.private, "private", false, "the private half; needs -o")
	fl.StringVarP(&f.out, "output", "o", "", "write to `FILE` (- for standard output)")
	fl.StringVar(&f.file, "passphrase-file", "", command.PassphraseUsage)
	cmd.ValidArgsFunction = c.completeKey
	words := cobra.FixedCompletions([]string{"text", "hex", "openssh"}, cobra.ShellCompDirectiveNoFileComp)
	if err := cmd.RegisterFlagCompletionFunc("format", words); err != nil {
		panic(err) // a flag of that name was just made
	}
	return cmd
}

func (c *cmds) export(ctx context.Context, name string, f *exportFlags) error {
	if !slices.Contains([]string{"text", "hex", "openssh"}, f.format) {
		return usage(fmt.Sprintf("--format takes text, hex or openssh, not %q", f.format), "")
	}
	store, err := c.Keys()
	if err != nil {
		return err
	}
	info, err := store.Info(name)
	if err != nil {
		return err
	}
	if f.private {
		return c.exportPrivate(ctx, store, info, f)
	}
	text, err := publicText(info, f.format)
	if err != nil {
		return err
	}
	if f.out != "" && f.out != "-" {
		if err := writeNew(f.out, 0o644, text); err != nil {
			return err
		}
	}
	if c.JSON {
		return c.UI.JSON(struct {
			keyJSON
			Text string `json:"text"`
			File string `json:"file,omitempty"`
		}{describe(info), string(text), f.out})
	}
	if f.out != "" && f.out != "-" {
		c.UI.Done("wrote the public key %s to %s", name, f.out)
		return nil
	}
	_, err = c.UI.Out.Write(text)
	return err
}

func publicText(k keys.Info, format string) ([]byte, error) {
	switch format {
	case "hex":
		return []byte(k.Public.Hex() + "\n"), nil
	case "openssh":
		if k.Public.Kind != keys.Signing {
			return nil, usage("OpenSSH has no form for a key that receives", "--format text")
		}
		return []byte("ssh-ed25519 " + sshBlob(k.Public.Key) + comment(k) + "\n"), nil
	}
	return keys.MarshalPublic(k.Public, k.Label)
}

func comment(k keys.Info) string {
	if k.Label == "" {
		return ""
	}
	return " " + k.Label
}

// sshBlob is a key as RFC 8709 writes it.
func sshBlob(key [32]byte) string {
	const kind = "ssh-ed25519"
	b := binary.BigEndian.AppendUint32(nil, uint32(len(kind)))
	b = append(b, kind...)
	b = binary.BigEndian.AppendUint32(b, uint32(len(key)))
	return base64.StdEncoding.EncodeToString(append(b, key[:]...))
}

func (c *cmds) exportPrivate(ctx context.Context, store keys.Store, k keys.Info, f *exportFlags) error {
	switch {
	case f.out == "":
		return usage("a private key is not printed by itself", "name a file: -o FILE")
	case f.out == "-" && c.UI.OutTTY:
		return usage("a private key is never shown on a terminal", "name a file: -o FILE")
	case f.out == "-" && c.JSON:
		return usage("--json prints the summary, so the key needs a file of its own", "name a file: -o FILE")
	case f.format == "openssh":
		return usage("private keys are not written in the form of OpenSSH", "--format text or hex")
	}
	// The copy keeps the protection of the original.
	var pass []byte
	defer func() { clear(pass) }()
	key, err := store.Load(k.Name, remember(c.PassphraseFrom(ctx, f.file), &pass))
	if err != nil {
		return err
	}
	defer key.Wipe()
	var data []byte
	if f.format == "hex" {
		data, err = key.MarshalHex()
	} else {
		data, err = key.Marshal(k.Label, k.Created, pass, nil)
	}
	if err != nil {
		return err
	}
	defer clear(data)
	if f.out == "-" {
		_, err := c.UI.Out.Write(data)
		return err
	}
	if err := writeNew(f.out, 0o600, data); err != nil {
		return err
	}
	protected := f.format != "hex" && k.Protected
	if c.JSON {
		return c.UI.JSON(struct {
			Name      string `json:"name"`
			Public    string `json:"public"`
			File      string `json:"file"`
			Protected bool   `json:"protected"`
		}{k.Name, k.Public.String(), f.out, protected})
	}
	if !protected {
		c.UI.Warn("the copy is not protected by a passphrase")
	}
	c.UI.Done("wrote the private key %s to %s", k.Name, f.out)
	return nil
}

// remember keeps a copy of the passphrase that is given; the other is overwritten
// by whoever asked for it.
func remember(ask keys.Asker, pass *[]byte) keys.Asker {
	return func(prompt string) ([]byte, error) {
		got, err := ask(prompt)
		*pass = slices.Clone(got)
		return got, err
	}
}

// writeNew writes a file that was not there.
func writeNew(path string, perm fs.FileMode, data []byte) error {
	err := disk.WriteNew(path, perm, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if errors.Is(err, fs.ErrExist) {
		return &command.Failure{Err: fmt.Errorf("write %s: %w", path, fs.ErrExist), Code: command.Cannot, Hint: "it is never replaced; name another file"}
	}
	return err
}

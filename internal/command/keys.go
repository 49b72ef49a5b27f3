package command

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"seed/internal/keys"
	"seed/internal/ui"
)

// Keys is the store of private keys of this user. Nothing is made or read yet.
func (a *App) Keys() (keys.Store, error) {
	places, err := a.Places()
	if err != nil {
		return keys.Store{}, fmt.Errorf("find the keys: %w", err)
	}
	return keys.Store{Dir: filepath.Join(places.Config, "keys")}, nil
}

// KeyNames are the names of the usable keys in the store, for a shell to
// complete; what goes wrong leaves it nothing to offer.
func (a *App) KeyNames() []string {
	store, err := a.Keys()
	if err != nil {
		return nil
	}
	list, err := store.List()
	if err != nil {
		return nil
	}
	var names []string
	for _, k := range list {
		if k.Problem == "" {
			names = append(names, k.Name)
		}
	}
	return names
}

// Allowlist reads the keys of --allowlist, nil when there are none: each a signer's
// public key, the name of a key or a file.
func (a *App) Allowlist(refs []string) ([]keys.Public, error) {
	var list []keys.Public
	for _, ref := range refs {
		store, _ := a.Keys() // without a home, a key or its file will still do
		key, _, err := store.ResolvePublic(ref, keys.Signing)
		if err != nil {
			return nil, &Failure{
				Err: fmt.Errorf("--allowlist: %w", err), Code: Cannot, Reason: "usage",
				Hint: cmp.Or(Explain(err).Hint, "give the signer's public key, the name of a key of yours, or the file of a public key"),
			}
		}
		list = append(list, key)
	}
	return list, nil
}

// TrustFile is where the list of trusted signers lies, whether it is there or not.
func (a *App) TrustFile() (string, error) {
	places, err := a.Places()
	if err != nil {
		return "", fmt.Errorf("find the list of trusted signers: %w", err)
	}
	return filepath.Join(places.Config, keys.TrustFile), nil
}

// Trust is the list of trusted signers of this user; without a file it is empty.
func (a *App) Trust() (*keys.Trust, error) {
	path, err := a.TrustFile()
	if err != nil {
		return nil, err
	}
	return keys.LoadTrust(path)
}

// AskPassphrase asks for the passphrase of a key on the controlling terminal,
// which does not show it.
func (a *App) AskPassphrase(ctx context.Context) keys.Asker {
	return func(prompt string) ([]byte, error) {
		pass, err := a.UI.AskSecret(ctx, prompt)
		switch {
		case errors.Is(err, ui.ErrNoTerminal):
			return nil, fmt.Errorf("%w, and there is no terminal to ask on", keys.ErrNeedPassphrase)
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("%w, and none was typed", keys.ErrNeedPassphrase)
		}
		return pass, err
	}
}

// PassphraseUsage describes the flag --passphrase-file wherever there is one.
const PassphraseUsage = "read the passphrase of the key from `FILE` (- for standard input)"

// PassphraseFrom takes passphrases from the file that --passphrase-file names,
// - being standard input, and asks on the terminal when it names none.
func (a *App) PassphraseFrom(ctx context.Context, file string) keys.Asker {
	if file != "" {
		return func(string) ([]byte, error) { return a.readPassphrase(file) }
	}
	ask := a.AskPassphrase(ctx)
	return func(prompt string) ([]byte, error) {
		pass, err := ask(prompt)
		if errors.Is(err, keys.ErrNeedPassphrase) {
			err = &Failure{Err: err, Code: Cannot, Hint: "give it in a file: --passphrase-file FILE, or - for standard input"}
		}
		return pass, err
	}
}

// maxPassphrase is the longest passphrase in bytes, as long as a terminal takes.
const maxPassphrase = 4096

// readPassphrase reads the one line of a file, which may be a pipe. What it holds
// is never in an error.
func (a *App) readPassphrase(file string) ([]byte, error) {
	in := a.UI.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("read the passphrase: %w", err)
		}
		defer f.Close()
		in = f
	}
	data := make([]byte, maxPassphrase+3) // one too many, and a line end
	n, err := io.ReadFull(in, data)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		clear(data)
		return nil, fmt.Errorf("read the passphrase: %w", err)
	}
	line := bytes.TrimSuffix(bytes.TrimSuffix(data[:n], []byte("\n")), []byte("\r"))
	switch {
	case len(line) == 0:
		err = errors.New("the passphrase file is empty")
	case len(line) > maxPassphrase:
		err = fmt.Errorf("the passphrase is longer than %d bytes", maxPassphrase)
	case bytes.ContainsAny(line, "\r\n"):
		err = errors.New("the passphrase file holds more than one line")
	default:
		return line, nil
	}
	clear(data)
	return nil, err
}

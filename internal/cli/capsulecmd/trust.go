package capsulecmd

import (
	"cmp"
	"context"
	"crypto/ecdh"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"seed/internal/keys"
	"seed/internal/visible"
)

// signers are the keys that count as trusted in one run.
type signers struct {
	keys   []string          // 64 lower-case hex digits
	labels map[string]string // of those on the trust file that are not over
	ended  map[string]keys.Trusted
	demand bool // without one of them the answer is no
	file   bool // they come from the trust file
}

// trusted gathers the keys of this run: those of the allowlist where one is
// given, and then only those (CAP-TRU-04); else those of the trust file.
func (c *cmds) trusted(allowlist []string, demand bool) (*signers, error) {
	s := &signers{labels: map[string]string{}, ended: map[string]keys.Trusted{}, demand: demand || len(allowlist) > 0}
	only, err := c.Allowlist(allowlist)
	if err != nil {
		return nil, err
	}
	for _, key := range only {
		s.keys = append(s.keys, key.Hex())
	}
	list, err := c.trustFile()
	if err != nil && s.demand && len(allowlist) == 0 {
		return nil, err
	}
	if err != nil {
		// It labels; it does not change the verdict, so its absence must not either.
		c.UI.Warn("the list of trusted signers is not used: %v", err)
		list = &keys.Trust{}
	}
	now := time.Now()
	for _, e := range list.Entries {
		hex := e.Public().Hex()
		if e.Expired(now) {
			s.ended[hex] = e
			continue
		}
		s.labels[hex] = e.Label
		if len(allowlist) == 0 {
			s.file = true
			s.keys = append(s.keys, hex)
		}
	}
	return s, nil
}

// listed says what the trust file says of a key that does not count as trusted,
// "" when nothing.
func (s *signers) listed(key string) string {
	if e, ok := s.ended[key]; ok {
		return "listed as " + visible.Line(cmp.Or(e.Label, "(no label)"), 32) + ", expired " + day(e.Expires)
	}
	if label := s.labels[key]; label != "" {
		return "listed as " + visible.Line(label, 32) + ", not on the allowlist"
	}
	return ""
}

// day is a time without the hour where that is midnight, as most ends are.
func day(t time.Time) string {
	return strings.TrimSuffix(t.UTC().Format(time.RFC3339), "T00:00:00Z")
}

// trustFile reads the list of trusted signers; on a machine without a home there
// is none.
func (c *cmds) trustFile() (*keys.Trust, error) {
	places, err := c.Places()
	if err != nil {
		return &keys.Trust{}, nil //nolint:nilerr // verifying needs no home
	}
	return keys.LoadTrust(filepath.Join(places.Config, keys.TrustFile))
}

// maxKey is how much of standard input is taken for a key.
const maxKey = 64 << 10

// recipient finds the private key that opens encrypted content: by name or file,
// "-" for standard input, or as hex, which scripts of the reference give.
func (c *cmds) recipient(ctx context.Context, ref string) (*ecdh.PrivateKey, error) {
	key, err := c.privateKey(ctx, ref, keys.Receiving)
	if err != nil {
		return nil, err
	}
	defer key.Wipe()
	return key.X25519()
}

func (c *cmds) privateKey(ctx context.Context, ref string, want keys.Kind) (*keys.Private, error) {
	switch {
	case ref == "-":
		data := make([]byte, maxKey+1)
		defer clear(data)
		n, err := io.ReadFull(c.UI.In, data)
		if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read the key from standard input: %w", err)
		}
		if n > maxKey {
			return nil, errors.New("standard input is larger than any key file")
		}
		return keys.ParsePrivate(data[:n], want, c.PassphraseFrom(ctx, c.passphraseFile))
	case len(ref) == 64 && strings.Trim(ref, "0123456789abcdefABCDEF") == "":
		c.UI.Warn("a private key on the command line can be seen by other processes and stays in the shell's history; give a file or the name of a key")
		return keys.ParsePrivate([]byte(ref), want, nil)
	}
	places, err := c.Places()
	if err != nil {
		return nil, err
	}
	key, err := keys.Store{Dir: filepath.Join(places.Config, "keys")}.Resolve(ref, want, c.PassphraseFrom(ctx, c.passphraseFile))
	if err == nil && key.Warning != "" {
		c.UI.Warn("%s", key.Warning)
	}
	return key, err
}

package keys

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"seed/finding"
	"seed/internal/config"
	"seed/internal/disk"
	"seed/internal/guardyaml"
	"seed/internal/noun"
)

// TrustFile is the name of the list inside the configuration directory.
const TrustFile = "trust.yaml"

// trustHeader stands above a list that seed begins.
const trustHeader = `# Signers that this machine trusts, and what each of them may do
# (exec, url, install, any). Changed by "seed trust"; it keeps these lines at
# the top and no other comments.
`

type trustYAML struct {
	Trusted []trustedYAML `yaml:"trusted"`
}

type trustedYAML struct {
	Key     string   `yaml:"key"`
	Label   string   `yaml:"label"`
	May     []string `yaml:"may"`
	Expires string   `yaml:"expires"`
	Added   string   `yaml:"added"`
}

// LoadTrust reads the list of trusted signers. No file is an empty list; one
// that is malformed, or that others may write to, is an error.
func LoadTrust(path string) (*Trust, error) {
	f, fi, err := noun.OpenRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &Trust{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read trusted signers: %w", err)
	}
	defer f.Close()
	if writableByOthers(fi) {
		return nil, fmt.Errorf("%s: other users may write to it, so its entries are not to be trusted; look at it, then close it with chmod 600", path)
	}
	// One byte more than allowed, for the reader to see that it is too much.
	data, err := io.ReadAll(io.LimitReader(f, guardyaml.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read trusted signers: %w", err)
	}
	return ParseTrust(path, data)
}

// ParseTrust reads the content of a list; name stands in errors only.
//
//	trusted:
//	  - key: ed25519:<64 hex>
//	    label: "Alice"
//	    may: [exec, url]
//	    expires: 2027-01-01T00:00:00Z
//	    added: 2026-08-01T12:00:00Z
//
// Only key must be there.
func ParseTrust(name string, data []byte) (*Trust, error) {
	var y trustYAML
	if err := guardyaml.Decode(data, &y); err != nil {
		at := finding.Place{Name: name}
		msg := err.Error()
		var ge *guardyaml.Error
		if errors.As(err, &ge) {
			at.Line, msg = ge.Line, ge.Msg
		}
		return nil, fmt.Errorf("%s: %s; an entry has key, label, may, expires, added", at, msg)
	}
	if err := checkValues(data); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Trust{}
	for i, row := range y.Trusted {
		e, err := row.entry()
		if err == nil && t.indexKey(e.Key) >= 0 {
			err = errors.New("this key is on the list already")
		}
		if err != nil {
			return nil, located(err, finding.Place{Name: name, Line: lineOf(data, row.Key)}, i)
		}
		t.Entries = append(t.Entries, e)
	}
	return t, nil
}

// located puts the place in front of an error, within a broken rule where it
// is one, so that programs find it there.
func located(err error, at finding.Place, i int) error {
	var broken *finding.Error
	if errors.As(err, &broken) {
		broken.At = at
		broken.Msg = fmt.Sprintf("entry %d: %s", i+1, broken.Msg)
		return broken
	}
	return fmt.Errorf("%s: entry %d: %w", at, i+1, err)
}

// lineOf finds the line of an entry by its key, 0 when there is none. A key
// that stands there twice is refused at its second place.
func lineOf(data []byte, key string) int {
	if key == "" {
		return 0
	}
	found, n := 0, 0
	for line := range bytes.Lines(data) {
		n++
		_, after, ok := bytes.Cut(line, []byte(key))
		if ok && (len(after) == 0 || !isHexDigit(after[0])) {
			found = n
		}
	}
	return found
}

// checkValues refuses names without a value. The decoder takes them for names
// that are not there, and "expires:" would come to mean never.
func checkValues(data []byte) error {
	var y struct {
		Trusted []map[string]any `yaml:"trusted"`
	}
	if err := guardyaml.Decode(data, &y); err != nil {
		return err
	}
	for i, entry := range y.Trusted {
		for _, name := range []string{"key", "label", "may", "expires", "added"} {
			if value, ok := entry[name]; ok && (value == nil || value == "") {
				return fmt.Errorf("entry %d: %s has no value", i+1, name)
			}
		}
	}
	return nil
}

func (y trustedYAML) entry() (Trusted, error) {
	if y.Key == "" {
		return Trusted{}, errors.New("no key")
	}
	p, err := ParsePublic(y.Key)
	if err != nil {
		return Trusted{}, err
	}
	if err := p.Kind.want(Signing); err != nil {
		return Trusted{}, err
	}
	e := Trusted{Key: p.Key, Label: y.Label}
	for _, s := range y.May {
		e.May = append(e.May, Permission(s))
	}
	if y.Expires != "" {
		if e.Expires, err = ParseExpiry(y.Expires); err != nil {
			return Trusted{}, fmt.Errorf("expires: %w", err)
		}
	}
	if y.Added != "" {
		if e.Added, err = ParseExpiry(y.Added); err != nil {
			return Trusted{}, fmt.Errorf("added: %w", err)
		}
	}
	return e, e.check()
}

// AddTrust puts a signer on the list, or changes the entry its key has.
func AddTrust(path string, e Trusted) error {
	return changeTrust(path, func(t *Trust) error { return t.put(e) })
}

// RemoveTrust takes a signer off the list, by what [Trust.Match] takes.
func RemoveTrust(path, ref string) error {
	return changeTrust(path, func(t *Trust) error {
		i, err := t.index(ref)
		if err != nil {
			return err
		}
		t.Entries = slices.Delete(t.Entries, i, i+1)
		return nil
	})
}

func changeTrust(path string, change func(*Trust) error) error {
	// Before anything is made or rewritten: what others could write to must not
	// become a closed file that looks like the user's own.
	if _, err := LoadTrust(path); err != nil {
		return err
	}
	if err := config.MakeDir(filepath.Dir(path)); err != nil {
		return err
	}
	return disk.Update(path, 0o600, func(old []byte) ([]byte, error) {
		t, err := ParseTrust(path, old)
		if err != nil {
			return nil, err
		}
		if err := change(t); err != nil {
			return nil, err
		}
		out := t.encode(header(old))
		// What is written must be readable, or every later command would stop.
		if _, err := ParseTrust(path, out); err != nil {
			return nil, fmt.Errorf("change trusted signers: %w", err)
		}
		return out, nil
	})
}

// header gives the comment lines and blank lines at the top.
func header(old []byte) []byte {
	if old == nil {
		return []byte(trustHeader)
	}
	end := 0
	for end < len(old) {
		line, _, ended := bytes.Cut(old[end:], []byte("\n"))
		if text := bytes.TrimSpace(line); !ended || len(text) > 0 && text[0] != '#' {
			break
		}
		end += len(line) + 1
	}
	return old[:end]
}

func (t *Trust) encode(header []byte) []byte {
	out := slices.Clone(header)
	if len(t.Entries) == 0 {
		return append(out, "trusted: []\n"...)
	}
	out = append(out, "trusted:\n"...)
	for _, e := range t.Entries {
		out = fmt.Appendf(out, "  - key: %s\n", e.Public())
		if e.Label != "" {
			out = fmt.Appendf(out, "    label: %s\n", quoteYAML(e.Label))
		}
		var may []string
		for _, p := range permissions {
			if slices.Contains(e.May, p) {
				may = append(may, string(p))
			}
		}
		out = fmt.Appendf(out, "    may: [%s]\n", strings.Join(may, ", "))
		for _, at := range []struct {
			name string
			time time.Time
		}{{"expires", e.Expires}, {"added", e.Added}} {
			if !at.time.IsZero() {
				out = fmt.Appendf(out, "    %s: %s\n", at.name, at.time.UTC().Format(timeForm))
			}
		}
	}
	return out
}

// quoteYAML quotes a label, which holds no control characters.
func quoteYAML(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"seed/finding"
)

// Permission is something that a trusted signer's seeds may do.
type Permission string

// The permissions.
const (
	MayExec    Permission = "exec"    // run a script they carry
	MayURL     Permission = "url"     // run a script they name by its URL
	MayInstall Permission = "install" // put commands on the path
	MayAny     Permission = "any"     // all of these
)

// permissions in the order in which they are written.
var permissions = [...]Permission{MayExec, MayURL, MayInstall, MayAny}

// ParsePermission reads a permission from a flag or a file.
func ParsePermission(s string) (Permission, error) {
	if p := Permission(s); slices.Contains(permissions[:], p) {
		return p, nil
	}
	return "", fmt.Errorf("unknown permission %s; known are exec, url, install and any", finding.Quote(s))
}

// ParseExpiry reads when trust ends: a day, at the beginning of which it ends
// in UTC, or a time such as 2027-01-01T12:00:00Z.
func ParseExpiry(s string) (time.Time, error) {
	for _, form := range []string{time.DateOnly, time.RFC3339} {
		t, err := time.Parse(form, s)
		// The zero time would mean never, and five digits cannot be read back.
		if t = t.UTC(); err == nil && t.Year() >= 1970 && t.Year() <= 9999 {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%s is not a day like 2027-01-01 or a time like 2027-01-01T12:00:00Z", finding.Quote(s))
}

// Trusted is one signer on the list.
type Trusted struct {
	Key     [32]byte // Ed25519
	Label   string
	May     []Permission // nothing: known, but nothing is permitted
	Expires time.Time    // zero: never
	Added   time.Time    // zero: not noted
}

// Public is the signer's key with its kind.
func (e Trusted) Public() Public { return Public{Signing, e.Key} }

// Allows reports whether the signer may do p. It does not look at the clock:
// ask it of what [Trust.Find] gave.
func (e Trusted) Allows(p Permission) bool {
	return slices.Contains(e.May, p) || slices.Contains(e.May, MayAny)
}

// Expired reports whether trust has ended at now.
func (e Trusted) Expired(now time.Time) bool {
	return !e.Expires.IsZero() && !now.Before(e.Expires)
}

// Trust is the list of trusted signers. The zero value trusts nobody.
type Trust struct {
	Entries []Trusted // in the order of the file, each key once
}

// Find gives the entry of a key whose trust has not ended.
func (t *Trust) Find(key [32]byte, now time.Time) (Trusted, bool) {
	for _, e := range t.Entries {
		if e.Key == key && !e.Expired(now) {
			return e, true
		}
	}
	return Trusted{}, false
}

// Match gives the one entry that ref means, expired or not: a signer's key,
// with or without its kind, or a label. The error wraps [ErrNoKey] when there
// is none.
func (t *Trust) Match(ref string) (Trusted, error) {
	i, err := t.index(ref)
	if err != nil {
		return Trusted{}, err
	}
	return t.Entries[i], nil
}

func (t *Trust) index(ref string) (int, error) {
	if isKeyHex(ref) || typed(ref) {
		p, err := ParsePublicAs(ref, Signing)
		if err != nil {
			return -1, err
		}
		if i := t.indexKey(p.Key); i >= 0 {
			return i, nil
		}
		return -1, fmt.Errorf("%w on the list of trusted signers: %s", ErrNoKey, p)
	}
	found := -1
	for i, e := range t.Entries {
		if e.Label == "" || e.Label != ref {
			continue
		}
		if found >= 0 {
			return -1, fmt.Errorf("more than one trusted signer has the label %s; give the key", finding.Quote(ref))
		}
		found = i
	}
	if found < 0 {
		return -1, fmt.Errorf("%w on the list of trusted signers: %s", ErrNoKey, finding.Quote(ref))
	}
	return found, nil
}

func (t *Trust) indexKey(key [32]byte) int {
	return slices.IndexFunc(t.Entries, func(e Trusted) bool { return e.Key == key })
}

// put adds e, or changes the entry of its key, which keeps its place and the
// time at which it was added.
func (t *Trust) put(e Trusted) error {
	if err := e.check(); err != nil {
		return err
	}
	for _, old := range t.Entries {
		if e.Label != "" && old.Key != e.Key && strings.EqualFold(old.Label, e.Label) {
			return fmt.Errorf("another trusted signer has the label %s: %s", finding.Quote(old.Label), old.Public())
		}
	}
	if i := t.indexKey(e.Key); i >= 0 {
		if old := t.Entries[i]; !old.Added.IsZero() {
			e.Added = old.Added
		}
		t.Entries[i] = e
		return nil
	}
	t.Entries = append(t.Entries, e)
	return nil
}

func (e Trusted) check() error {
	if err := e.Public().check(); err != nil {
		return err
	}
	if typed(e.Label) || isKeyHex(e.Label) {
		return errors.New("the label looks like a key")
	}
	for _, p := range e.May {
		if _, err := ParsePermission(string(p)); err != nil {
			return err
		}
	}
	return CheckLabel(e.Label)
}

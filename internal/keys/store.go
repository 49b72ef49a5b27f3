package keys

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"seed/finding"
	"seed/internal/config"
	"seed/internal/disk"
)

const keyExt = ".key"

// Info is what can be said of a key without opening it.
type Info struct {
	Name      string
	Public    Public
	Label     string
	Created   string // 2026-08-01T12:00:00Z, or ""
	Protected bool

	Warning string // what the owner should know about the file, or ""
	// Problem is why the file cannot be used, or "". With it, only Name is set:
	// to that of the file where it is not a key's.
	Problem string
}

// Store is a directory of private keys, one file each, readable by their owner
// alone. It need not exist before the first key is made.
type Store struct {
	Dir string // absolute
}

func (s Store) path(name string) string { return filepath.Join(s.Dir, name+keyExt) }

// lock keeps two writers apart: the check for names that differ in case only
// is more than one call to the system.
func (s Store) lock() (*disk.Locked, error) { return disk.Lock(filepath.Join(s.Dir, ".lock")) }

// New puts a key into the store. The error wraps [fs.ErrExist] when a key has
// that name, in upper or lower case. An empty pass leaves the key unprotected;
// pass stays the caller's to overwrite.
func (s Store) New(name, label string, p *Private, pass []byte, now time.Time) (Info, error) {
	if err := CheckName(name); err != nil {
		return Info{}, err
	}
	if err := CheckLabel(label); err != nil {
		return Info{}, err
	}
	if err := config.MakeDir(s.Dir); err != nil {
		return Info{}, err
	}
	l, err := s.lock()
	if err != nil {
		return Info{}, err
	}
	defer l.Unlock()
	entries, err := os.ReadDir(s.Dir)
	if err != nil {
		return Info{}, fmt.Errorf("look through the keys: %w", err)
	}
	for _, e := range entries {
		if strings.EqualFold(e.Name(), name+keyExt) {
			return Info{}, fmt.Errorf("make key %s: a key called %s is there: %w", name, finding.Quote(strings.TrimSuffix(e.Name(), keyExt)), fs.ErrExist)
		}
	}
	created := now.UTC().Format(timeForm)
	data, err := p.Marshal(label, created, pass, nil)
	if err != nil {
		return Info{}, fmt.Errorf("make key %s: %w", name, err)
	}
	defer clear(data)
	err = disk.WriteNew(s.path(name), 0o600, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return Info{}, fmt.Errorf("make key %s: %w", name, err)
	}
	return Info{Name: name, Public: p.Public, Label: label, Created: created, Protected: len(pass) > 0}, nil
}

// List gives every key, ordered by name. Whatever else is in the directory is
// in the list too, with its Problem; names that begin with a dot are not.
func (s Store) List() ([]Info, error) {
	entries, err := os.ReadDir(s.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list the keys: %w", err)
	}
	var out []Info
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		name, ok := strings.CutSuffix(e.Name(), keyExt)
		if !ok || CheckName(name) != nil {
			out = append(out, Info{Name: e.Name(), Problem: "not a key file"})
			continue
		}
		info, err := s.Info(name)
		if errors.Is(err, ErrNoKey) {
			continue // removed since
		}
		if err != nil {
			info = Info{Name: name, Problem: err.Error()}
		}
		out = append(out, info)
	}
	return out, nil
}

// Info describes one key. The error wraps [ErrNoKey] when there is none.
func (s Store) Info(name string) (Info, error) {
	k, warn, err := s.read(name)
	if err != nil {
		return Info{}, err
	}
	clear(k.body)
	return Info{
		Name: name, Public: k.public, Label: k.label, Created: k.created,
		Protected: k.protect.on(), Warning: warn,
	}, nil
}

// Load opens one key. Beside [ErrNoKey], the error may wrap [ErrNeedPassphrase]
// and [ErrPassphrase].
func (s Store) Load(name string, ask Asker) (*Private, error) { return s.load(name, "", ask) }

func (s Store) load(name string, want Kind, ask Asker) (*Private, error) {
	k, warn, err := s.read(name)
	if err != nil {
		return nil, err
	}
	defer clear(k.body)
	if err := k.public.Kind.want(want); err != nil {
		return nil, placed(err, "key "+name)
	}
	p, err := k.unlock(ask, "key "+name)
	if err != nil {
		return nil, fmt.Errorf("open key %s: %w", name, err)
	}
	p.Warning = warn
	return p, nil
}

// read takes a key file apart and says what is to be known about the file.
func (s Store) read(name string) (*keyFile, string, error) {
	if err := CheckName(name); err != nil {
		return nil, "", err
	}
	data, fi, err := readOwn(s.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("%w: %s in %s", ErrNoKey, name, s.Dir)
	}
	if err != nil {
		return nil, "", fmt.Errorf("read key %s: %w", name, err)
	}
	defer clear(data)
	k, err := parseKeyFile(data)
	if err != nil {
		return nil, "", placed(err, s.path(name))
	}
	k.head = append([]byte(nil), k.head...) // of data, which ends here
	return k, warning(s.path(name), fi), nil
}

// Remove takes a key out of the store, also one whose file is damaged.
func (s Store) Remove(name string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if _, err := os.Lstat(s.path(name)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %s in %s", ErrNoKey, name, s.Dir)
	}
	l, err := s.lock()
	if err != nil {
		return err
	}
	defer l.Unlock()
	data, _, err := readOwn(s.path(name))
	if err != nil {
		return fmt.Errorf("remove key %s: %w", name, err)
	}
	defer clear(data)
	done, err := disk.RemoveTracked(s.Dir, []disk.Tracked{{Path: name + keyExt, Sum: sha256.Sum256(data)}})
	if err != nil {
		return fmt.Errorf("remove key %s: %w", name, err)
	}
	if len(done.Removed) == 0 {
		return fmt.Errorf("remove key %s: the file was changed meanwhile", name)
	}
	return nil
}

package keys

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"seed/finding"
)

// Resolve gives the private key that an argument means: a key of the store, or
// a file. What holds a separator is a path; a key of the store wins over a file
// of that name in the working directory, which may come from anybody.
func (s Store) Resolve(ref string, want Kind, ask Asker) (*Private, error) {
	if isKeyHex(ref) || typed(ref) {
		// Not repeated, and not looked for either: it may be the secret itself.
		return nil, errors.New("want the name of a private key or its file; a key itself is never given on the command line")
	}
	name, path, err := s.find(ref)
	switch {
	case err != nil:
		return nil, err
	case name != "":
		return s.load(name, want, ask)
	}
	return ReadFile(path, want, ask)
}

// ResolvePublic gives the public key that an argument means, and its label: a
// key with its kind, a key of the store (whose name stands in for a label it
// has not), or a file as [ParsePublicFile] reads it. Hex alone will do for a
// signer, never for a recipient.
func (s Store) ResolvePublic(ref string, want Kind) (Public, string, error) {
	if isKeyHex(ref) && want == Signing {
		p, err := ParsePublicAs(ref, want)
		return p, "", err
	}
	if isKeyHex(ref) || typed(ref) {
		p, err := ParsePublic(ref)
		if err == nil {
			err = p.Kind.want(want)
		}
		if err != nil {
			return Public{}, "", err
		}
		return p, "", nil
	}
	name, path, err := s.find(ref)
	if err != nil {
		return Public{}, "", err
	}
	if name == "" {
		return readPublic(path, want)
	}
	info, err := s.Info(name)
	if err != nil {
		return Public{}, "", err
	}
	if err := info.Public.Kind.want(want); err != nil {
		return Public{}, "", placed(err, "key "+name)
	}
	if info.Label == "" {
		info.Label = name
	}
	return info.Public, info.Label, nil
}

// find tells whether ref is a name of the store or a path.
func (s Store) find(ref string) (name, path string, err error) {
	if strings.ContainsRune(ref, '/') || strings.ContainsRune(ref, os.PathSeparator) {
		return "", ref, nil
	}
	if s.Dir != "" && CheckName(ref) == nil {
		// Whatever is there under that name is what was meant, also when it turns
		// out to be unusable.
		if _, err := os.Lstat(s.path(ref)); err == nil {
			return ref, "", nil
		}
	}
	if _, err := os.Stat(ref); err == nil {
		return "", ref, nil
	}
	return "", "", fmt.Errorf("%w: %s is neither a key in %s nor a file here", ErrNoKey, finding.Quote(ref), s.Dir)
}

func typed(ref string) bool {
	kind, _, ok := strings.Cut(ref, ":")
	return ok && (Kind(kind) == Signing || Kind(kind) == Receiving)
}

// namedPublic reports whether a file's name says that a public key is in it.
func namedPublic(path string) bool {
	base := strings.ToLower(filepath.Base(path))
	return strings.HasSuffix(base, ".public.hex") || strings.HasSuffix(base, ".pub")
}

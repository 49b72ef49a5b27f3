package noun

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"seed/finding"
)

// Noun is an argument and what it means.
type Noun struct {
	Kind Kind
	Arg  string // as it was written
	Path string // SeedFile, SeedFolder, Capsule, Folder, File
	Link Link   // URL; its Seed is also set when the host is the registry's
	ID   string // RegistryID
	Saw  string // what it looks like, in words: "a text file, not a seed: …"
}

// Options tell Detect about the world it may not look up itself.
type Options struct {
	// Registry is the base URL of the configured registry, "" for none.
	Registry string
}

// ErrNotFound is wrapped when an argument is neither a URL nor an id and no
// file or folder has that name.
var ErrNotFound = errors.New("no such file or folder")

// ErrNoRegistry is returned for what looks like a registry id when no registry
// is configured.
var ErrNoRegistry = errors.New("no registry is configured")

// Detect decides what arg means. A file or folder of that name wins over a
// registry id; "./" in front of a name makes it a path and nothing else.
func Detect(arg string, o Options) (Noun, error) {
	n := Noun{Arg: arg}
	switch {
	case arg == "":
		return n, errors.New("the argument is empty: name a file, a folder, a URL, or - for standard input")
	case strings.IndexByte(arg, 0) >= 0:
		return n, fmt.Errorf("%s holds a NUL byte, which no file name does", finding.Quote(arg))
	case arg == "-":
		n.Kind, n.Saw = Stdin, "standard input"
		return n, nil
	case hasScheme(arg):
		return detectURL(n, o)
	}
	fi, err := os.Stat(arg)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return detectID(n, o)
	case err != nil:
		return n, fmt.Errorf("look at %s: %w", arg, cause(err))
	case fi.IsDir():
		return detectFolder(n)
	}
	return detectFile(n)
}

// hasScheme reports whether s begins like a URL of any scheme.
func hasScheme(s string) bool {
	scheme, _, ok := strings.Cut(s, "://")
	if !ok || scheme == "" {
		return false
	}
	for i := range len(scheme) {
		c := scheme[i] | 0x20
		if (c < 'a' || c > 'z') && (i == 0 || !strings.ContainsRune("0123456789+-.", rune(scheme[i]))) {
			return false
		}
	}
	return true
}

func detectURL(n Noun, o Options) (Noun, error) {
	link, err := ParseURL(n.Arg)
	if err != nil {
		if strings.HasPrefix(strings.ToLower(n.Arg), "file:") {
			return n, fmt.Errorf("%w; for a local file give its path", err)
		}
		return n, err
	}
	if o.Registry != "" && SameHost(link.URL, o.Registry) {
		link.Seed = true
	}
	n.Kind, n.Link, n.Saw = URL, link, "a URL"
	return n, nil
}

func detectID(n Noun, o Options) (Noun, error) {
	if _, err := os.Lstat(n.Arg); err == nil {
		return n, fmt.Errorf("%s is a symbolic link to nothing: %w", n.Arg, ErrNotFound)
	}
	switch {
	case looksLikeHost(n.Arg):
		return n, fmt.Errorf("%s: %w; a URL begins with https://", n.Arg, ErrNotFound)
	case !looksLikeID(n.Arg):
		return n, fmt.Errorf("%s: %w", n.Arg, ErrNotFound)
	case o.Registry == "":
		return n, fmt.Errorf("%s: %w; it looks like a registry id, and %w", n.Arg, ErrNotFound, ErrNoRegistry)
	}
	n.Kind, n.ID, n.Saw = RegistryID, n.Arg, "a registry id"
	return n, nil
}

// looksLikeID knows the ids of SP-REG-12: 5 to 26 lower-case letters and digits.
func looksLikeID(s string) bool {
	if len(s) < 5 || len(s) > 26 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
	}
	return true
}

// looksLikeHost finds URLs without their scheme, as browsers show them.
func looksLikeHost(s string) bool {
	host, _, ok := strings.Cut(s, "/")
	return ok && strings.Contains(host, ".") && strings.Trim(host, ".") == host
}

func detectFolder(n Noun) (Noun, error) {
	n.Path = n.Arg
	fi, err := os.Stat(filepath.Join(n.Path, "SEED.md"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		n.Kind, n.Saw = Folder, "a folder without SEED.md"
	case err != nil:
		return n, fmt.Errorf("look for SEED.md in %s: %w", n.Path, cause(err))
	case !fi.Mode().IsRegular():
		n.Kind, n.Saw = Folder, "a folder whose SEED.md is "+special(fi.Mode())
	default:
		n.Kind, n.Saw = SeedFolder, "a SEED folder"
	}
	return n, nil
}

func detectFile(n Noun) (Noun, error) {
	n.Path = n.Arg
	f, _, err := OpenRegular(n.Path)
	if errors.Is(err, ErrNotRegular) {
		return n, fmt.Errorf("%w; to read from a pipe, give - and redirect standard input", err)
	}
	if err != nil {
		return n, fmt.Errorf("open %s: %w", n.Path, cause(err))
	}
	defer f.Close()
	head := make([]byte, SniffLen)
	got, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return n, fmt.Errorf("read %s: %w", n.Path, cause(err))
	}
	n.Kind, n.Saw = Sniff(head[:got]), Describe(head[:got])
	return n, nil
}

// cause drops the path that the os package repeats in its errors.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Want returns nil when the noun is one of kinds, and otherwise an error that
// says what it is and what the verb takes.
func (n Noun) Want(verb string, kinds ...Kind) error {
	if slices.Contains(kinds, n.Kind) {
		return nil
	}
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = k.String()
	}
	if len(words) > 1 {
		last := len(words) - 1
		words[last-1] += " or " + words[last]
		words = words[:last]
	}
	return fmt.Errorf("%s is %s; %s takes %s", n.Arg, n.Saw, verb, strings.Join(words, ", "))
}

package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"seed/finding"
)

// File is one file to be put below a destination.
type File struct {
	Path string      // slash-separated, relative to the destination
	Mode fs.FileMode // permission bits; the umask is taken off by the kernel
	Size int64       // exact length of what Open gives

	// Open returns the content from its beginning. It is called once for each
	// pass over the content, from several goroutines for different files.
	Open func() io.Reader

	// Sum is the SHA-256 of the content, filled in by [Tree.Write].
	Sum [32]byte
}

// Kind says what landing a file would do.
type Kind int

const (
	New     Kind = iota // nothing is there
	Same                // a regular file of equal content, left alone
	Differs             // a regular file of other content
	Unsafe              // a symbolic link on the way or in place
	Blocked             // something in the way that is never replaced
	NoDir               // a directory is missing and none may be made
)

func (k Kind) String() string {
	words := [...]string{"new", "same", "differs", "unsafe", "blocked", "no-directory"}
	if k < 0 || int(k) >= len(words) {
		return fmt.Sprintf("kind(%d)", int(k))
	}
	return words[k]
}

// MarshalText makes kinds words in JSON.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Change is what landing would do for one file.
type Change struct {
	Path string // of the file
	Kind Kind
	At   string // what stands in the way: Path, a parent of it, or "." for the destination
	Note string // what was found there in words, "" for new and same
	Size int64  // of the regular file that is there now

	top string // the highest missing element, relative to the base; for New
}

// Options are the terms of a landing. The zero value makes directories and
// replaces nothing.
type Options struct {
	Force   bool // replace regular files whose content differs
	NoMkdir bool // the destination and every parent must exist
}

// What a [ConflictError] can be tested for with [errors.Is].
var (
	ErrExists  = errors.New("existing file differs")
	ErrUnsafe  = errors.New("symbolic link in the way")
	ErrBlocked = errors.New("path is blocked")
)

// ConflictError names everything that keeps a tree from landing.
type ConflictError struct {
	Dest    string
	Changes []Change // only those that stand in the way, one for each At
}

func (e *ConflictError) Error() string {
	const most = 20
	var b strings.Builder
	for i, c := range e.Changes {
		if i == most {
			fmt.Fprintf(&b, "; and %d more", len(e.Changes)-most)
			break
		}
		if i > 0 {
			b.WriteString("; ")
		}
		at := c.At
		if at == "." {
			at = e.Dest
		}
		b.WriteString(finding.Quote(at) + ": " + c.Note)
	}
	return b.String()
}

// Is reports whether any of the changes is of the kind that target stands for.
func (e *ConflictError) Is(target error) bool {
	for _, c := range e.Changes {
		switch c.Kind {
		case Differs:
			if target == ErrExists {
				return true
			}
		case Unsafe:
			if target == ErrUnsafe {
				return true
			}
		case Blocked, NoDir:
			if target == ErrBlocked {
				return true
			}
		}
	}
	return false
}

// conflicts is the error view of changes under o: nil when all may land.
func conflicts(dest string, changes []Change, o Options) error {
	e := &ConflictError{Dest: dest}
	seen := make(map[string]bool)
	for _, c := range changes {
		if c.Kind == New || c.Kind == Same || c.Kind == Differs && o.Force || seen[c.At] {
			continue
		}
		seen[c.At] = true
		e.Changes = append(e.Changes, c)
	}
	if len(e.Changes) == 0 {
		return nil
	}
	return e
}

package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"
)

// place is a destination: the nearest directory that exists, and what is
// missing below it.
type place struct {
	dest string // absolute
	path string // of base
	base *dir
	rel  string // slash path from base to dest, "" when dest exists
}

// locate finds and opens the place of dest. A link is followed, as the user
// named it; one that leads nowhere is no place.
func locate(dest string) (*place, error) {
	if dest == "" {
		return nil, errors.New("destination is empty")
	}
	abs, err := filepath.Abs(dest)
	if err != nil {
		return nil, fmt.Errorf("find destination: %w", err)
	}
	p := &place{dest: abs, path: abs}
	for {
		_, err := os.Lstat(p.path)
		if err == nil {
			break
		}
		up := filepath.Dir(p.path)
		if up == p.path || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) {
			return nil, fmt.Errorf("find destination: %w", err)
		}
		p.rel = path.Join(filepath.Base(p.path), p.rel)
		p.path = up
	}
	at, err := os.Stat(p.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, p.blocked("is a link that leads nowhere")
	case err != nil:
		return nil, fmt.Errorf("find destination: %w", err)
	case !at.IsDir():
		return nil, p.blocked("is not a directory")
	}
	// The look above is for the message; this fails by itself on anything else.
	p.base, err = openTop(p.path)
	if err != nil {
		return nil, fmt.Errorf("open destination: %w", err)
	}
	return p, nil
}

func (p *place) blocked(note string) error {
	if p.rel != "" {
		note = "parent " + filepath.Base(p.path) + " " + note
	}
	return &ConflictError{Dest: p.dest, Changes: []Change{{Path: ".", Kind: Blocked, At: ".", Note: note}}}
}

// inside gives a path relative to base as one relative to the destination, "."
// for the destination and for everything above it.
func (p *place) inside(full string) string {
	if len(full) <= len(p.rel) {
		return "."
	}
	if p.rel == "" {
		return full
	}
	return full[len(p.rel)+1:]
}

package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"seed/finding"
)

// Landed is what a landing did. Paths are relative to the destination.
type Landed struct {
	Created  []string // new files
	Replaced []string // files that had other content
	Same     []string // files that were there with the same content
	Dirs     []string // directories made, parents first; "." is the destination
}

// Land moves the tree into its destination: all of it, or nothing and an
// error. A [ConflictError] names every path that is in the way; it was found
// before any change, or the change was undone. When ctx is cancelled before
// the last move, everything is undone.
func (t *Tree) Land(ctx context.Context, o Options) (*Landed, error) {
	if t.stage == nil || !t.wrote {
		return nil, errors.New("land tree: it was not written or is closed")
	}
	changes, err := t.Compare(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := conflicts(t.place.dest, changes, o); err != nil {
		return nil, err
	}
	moves := plan(t.list, changes)
	if len(t.list) == 0 {
		if moves, err = t.planEmpty(o); err != nil {
			return nil, err
		}
	}
	if len(moves) > 0 {
		if err := t.carryOut(ctx, moves); err != nil {
			return nil, err
		}
	}
	// A stage that cannot be removed does not make the landing undone: what is
	// left of it is cleared by the next recovery.
	_ = t.Close()
	return t.result(changes, moves), nil
}

// planEmpty is the plan for a tree without files: the destination itself.
func (t *Tree) planEmpty(o Options) ([]move, error) {
	c := cursor{top: t.place.base}
	defer c.close()
	_, err := c.to(t.place.rel)
	var stop *stepError
	if err == nil || !errors.As(err, &stop) || !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if o.NoMkdir {
		return nil, t.place.blocked("does not exist")
	}
	m := move{Path: stop.at}
	for d := t.place.rel; below(d, stop.at); d, _ = split(d) {
		m.Dirs = append(m.Dirs, d)
	}
	slices.Sort(m.Dirs)
	return []move{m}, nil
}

// carryOut makes the moves. A single new entry is atomic by itself.
func (t *Tree) carryOut(ctx context.Context, moves []move) error {
	s, base := t.stage, t.place.base
	journaled := len(moves) > 1 || moves[0].Replace
	if journaled {
		if err := s.writeJournal(moves); err != nil {
			return fmt.Errorf("prepare landing: %w", err)
		}
	}
	// One sync for the whole tree and its journal: nothing may be seen under
	// its final name whose content is not on the disk.
	if err := s.d.syncTree(); err != nil {
		return fmt.Errorf("sync tree: %w", err)
	}
	step("prepared")
	err := t.move(ctx, moves)
	if err == nil {
		err = t.commit(journaled)
	}
	if err == nil {
		return nil
	}
	if _, uerr := undo(base, s, moves); uerr != nil {
		s.keep = true
		return errors.Join(err, fmt.Errorf("undo landing, %s stays: %w", s.name, uerr))
	}
	return err
}

// commit makes the moves final. Without its journal a landing is never undone.
func (t *Tree) commit(journaled bool) error {
	if !journaled {
		return t.place.base.sync()
	}
	// What was replaced is given up only when what replaces it is safe.
	if err := t.place.base.syncTree(); err != nil {
		return fmt.Errorf("sync tree: %w", err)
	}
	step("moved")
	if err := t.stage.d.remove("journal"); err != nil {
		return fmt.Errorf("finish landing: %w", err)
	}
	step("committed")
	_ = t.stage.d.sync() // too late to fail: the landing is complete
	return nil
}

func (t *Tree) move(ctx context.Context, moves []move) error {
	from, to := cursor{top: t.stage.t}, cursor{top: t.place.base}
	defer from.close()
	defer to.close()
	var old *dir
	if slices.ContainsFunc(moves, func(m move) bool { return m.Replace }) {
		var err error
		if old, err = t.stage.d.sub("old"); err != nil {
			return err
		}
		defer old.close()
	}
	for i, m := range moves {
		if err := ctx.Err(); err != nil {
			return err
		}
		dir, name := split(m.Path)
		src, err := from.to(dir)
		if err != nil {
			return fmt.Errorf("land %s: %w", finding.Quote(t.place.inside(m.Path)), err)
		}
		dst, err := to.to(dir)
		if err == nil && m.Replace {
			err = replace(src, dst, name, old, i)
		} else if err == nil {
			err = src.renameNew(name, dst, name)
		}
		if err != nil {
			return t.moveError(m, err)
		}
		step("move " + strconv.Itoa(i))
	}
	return nil
}

// replace renames name over the file in dst, which gets a second name in old first.
func replace(src, dst *dir, name string, old *dir, i int) error {
	kept := strconv.Itoa(i)
	if err := dst.link(name, old, kept); err != nil {
		// Not every file system has hard links, and not everybody may link to
		// a file of somebody else.
		if err := dst.renameNew(name, old, kept); err != nil {
			return err
		}
	}
	step("kept " + kept)
	at, err := old.lstat(kept)
	if err != nil {
		return err
	}
	if !at.mode.IsRegular() {
		return notRegular(at.mode)
	}
	return src.rename(name, dst, name)
}

// moveError tells what came in the way after the check from other failures.
func (t *Tree) moveError(m move, err error) error {
	ch := Change{Path: t.place.inside(m.Path)}
	ch.At = ch.Path
	var stop *stepError
	if errors.As(err, &stop) {
		ch.At = t.place.inside(stop.at)
	}
	var odd *notRegularError
	switch {
	case errors.Is(err, errLink):
		ch.Kind, ch.Note = Unsafe, "became a symbolic link"
	case errors.Is(err, errNotDir), errors.As(err, &odd):
		ch.Kind, ch.Note = Blocked, "changed into something else"
	case errors.Is(err, fs.ErrExist):
		ch.Kind, ch.Note = Differs, "appeared meanwhile"
	default:
		return fmt.Errorf("land %s: %w", finding.Quote(ch.Path), err)
	}
	return &ConflictError{Dest: t.place.dest, Changes: []Change{ch}}
}

func (t *Tree) result(changes []Change, moves []move) *Landed {
	l := &Landed{}
	for _, ch := range changes {
		switch ch.Kind {
		case New:
			l.Created = append(l.Created, ch.Path)
		case Same:
			l.Same = append(l.Same, ch.Path)
		case Differs:
			l.Replaced = append(l.Replaced, ch.Path)
		}
	}
	for _, m := range moves {
		for _, d := range m.Dirs {
			if t.place.rel == "" || below(d, t.place.rel) {
				l.Dirs = append(l.Dirs, t.place.inside(d))
			}
		}
	}
	return l
}

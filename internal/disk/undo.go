package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
)

// undo takes back those moves that were made, last first, and says which
// paths it left because somebody has changed them since. What was made is told
// from what is still in the stage, so that it can be repeated after a kill.
func undo(base *dir, s *stage, moves []move) (kept []string, err error) {
	u := &undoer{stage: cursor{top: s.t}, base: cursor{top: base}}
	defer u.stage.close()
	defer u.base.close()
	old, err := s.d.sub("old")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		u.old = old
		defer old.close()
	}
	for i, m := range slices.Backward(moves) {
		if err := u.move(i, m); err != nil {
			return u.kept, fmt.Errorf("take back %s: %w", m.Path, err)
		}
		step("undone " + strconv.Itoa(i))
	}
	return u.kept, nil
}

type undoer struct {
	stage, base cursor
	old         *dir
	kept        []string
}

func (u *undoer) move(i int, m move) error {
	dir, name := split(m.Path)
	src, err := u.stage.to(dir)
	if err != nil {
		return err
	}
	dst, err := u.base.to(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed by somebody with all that was in it
	}
	if err != nil {
		return err
	}
	staged, err := src.lstat(name)
	if gone(err) != nil {
		return err
	}
	waiting := err == nil
	if m.Replace {
		return u.restore(dst, name, strconv.Itoa(i), m.Files[0], waiting)
	}
	if waiting {
		// A rename made of link and unlink may have stopped in between.
		if at, err := dst.lstat(name); err == nil && at.same(staged) {
			return dst.remove(name)
		}
		return nil
	}
	return u.removeBrought(m)
}

// restore puts the kept file back in the place of the one that replaced it.
func (u *undoer) restore(dst *dir, name, kept string, f brings, waiting bool) error {
	if u.old == nil {
		return nil
	}
	if _, err := u.old.lstat(kept); err != nil {
		return gone(err) // never begun, or restored already
	}
	ours := false
	if !waiting {
		var err error
		if ours, err = holds(dst, name, f.Size, f.Sum); err != nil {
			return err
		}
	}
	if ours {
		return u.old.rename(kept, dst, name)
	}
	err := u.old.renameNew(kept, dst, name)
	if !errors.Is(err, fs.ErrExist) || waiting {
		// Either the place was empty, or it still holds the old file itself,
		// of which the kept name is a second one.
		if errors.Is(err, fs.ErrExist) {
			return nil
		}
		return err
	}
	// Somebody has written here after us. Theirs stays, and so does the old one.
	u.kept = append(u.kept, f.Path)
	return u.old.renameNew(kept, dst, name+".seed-old-"+random()[:8])
}

// removeBrought removes what a move brought, as far as it is unchanged.
func (u *undoer) removeBrought(m move) error {
	for _, f := range m.Files {
		at, name := split(f.Path)
		d, err := u.base.to(at)
		if err == nil {
			var ours bool
			ours, err = holds(d, name, f.Size, f.Sum)
			if err == nil && ours {
				err = d.remove(name)
			} else if err == nil {
				if _, lerr := d.lstat(name); lerr == nil {
					u.kept = append(u.kept, f.Path)
				}
			}
		}
		if gone(err) != nil {
			return err
		}
	}
	for _, p := range slices.Backward(m.Dirs) {
		at, name := split(p)
		d, err := u.base.to(at)
		if err == nil {
			err = d.rmdir(name)
		}
		if gone(err) != nil {
			if !isNotEmpty(err) {
				return err
			}
			u.kept = append(u.kept, p)
		}
	}
	return nil
}

// holds reports whether name is a regular file of that content. A file that
// may not be read is known by its size.
func holds(d *dir, name string, size int64, want sum) (bool, error) {
	at, err := d.lstat(name)
	if err != nil || !at.mode.IsRegular() || at.size != size {
		return false, gone(err)
	}
	got, _, err := sumOf(d, name)
	if errors.Is(err, fs.ErrPermission) {
		return at.mine() && at.mode.Perm()&0o400 == 0, nil
	}
	var odd *notRegularError
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errLink) || errors.As(err, &odd) {
		return false, nil
	}
	return err == nil && got == want, err
}

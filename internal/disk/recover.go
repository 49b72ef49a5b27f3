package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
)

// Recovered is an abandoned stage that [Recover] dealt with.
type Recovered struct {
	Stage  string   // its path
	Undone bool     // an unfinished landing was taken back
	Kept   []string // paths below the stage's parent left as they are, because they were changed since
}

// manyNames is how far a directory above the destination is searched: most
// likely it has nothing to do with us, and some hold a hundred thousand files.
const manyNames = 4096

// Recover clears the stages in dest and the directories above it whose owners
// are dead, and takes back the landings they did not finish. Directories that
// only look like a stage are left alone, as are those of other users and of
// processes that live.
func Recover(dest string) ([]Recovered, error) {
	p, err := locate(dest)
	if err != nil {
		return nil, err
	}
	defer p.base.close()
	// A stage with a journal is here. One above the destination was for a
	// destination that did not exist, so all it can be is in the way.
	all, err := recoverIn(p.base, p.path, -1)
	for at := p.path; filepath.Dir(at) != at; {
		at = filepath.Dir(at)
		d, oerr := openTop(at)
		if oerr != nil {
			continue // where we may not look we have not written
		}
		more, rerr := recoverIn(d, at, manyNames)
		d.close()
		all, err = append(all, more...), errors.Join(err, rerr)
	}
	return all, err
}

func recoverIn(d *dir, at string, most int) ([]Recovered, error) {
	names, err := d.names(most)
	if err != nil {
		return nil, fmt.Errorf("recover in %s: %w", at, err)
	}
	var all []Recovered
	for _, name := range names {
		if !isStage(name) {
			continue
		}
		one, rerr := recoverStage(d, name)
		if rerr != nil {
			err = errors.Join(err, fmt.Errorf("recover %s: %w", filepath.Join(at, name), rerr))
		}
		if one != nil {
			one.Stage = filepath.Join(at, name)
			all = append(all, *one)
		}
	}
	return all, err
}

func recoverStage(parent *dir, name string) (*Recovered, error) {
	s, err := adopt(parent, name)
	if s == nil {
		return nil, err
	}
	done := &Recovered{}
	moves, err := s.readJournal()
	if err == nil && moves != nil {
		done.Undone = true
		if s.t, err = s.d.sub("t"); err == nil {
			done.Kept, err = undo(parent, s, moves)
		}
	}
	if err != nil {
		s.release()
		return nil, err
	}
	return done, s.remove()
}

// adopt takes over the stage name if it is one of ours and its owner is dead.
// Otherwise it gives nil.
func adopt(parent *dir, name string) (*stage, error) {
	at, err := parent.lstat(name)
	if err != nil || !at.mode.IsDir() || !at.mine() {
		return nil, gone(err)
	}
	d, err := parent.sub(name)
	if err != nil {
		return nil, nil // swapped for something else: not ours
	}
	// What counts is who owns the directory that was opened, not the one that
	// had this name a moment ago.
	if self, err := d.lstat("."); err != nil || !self.mine() || !self.same(at) {
		d.close()
		return nil, nil
	}
	s := &stage{parent: parent, name: name, d: d}
	s.lock, _, err = d.open("lock")
	if errors.Is(err, fs.ErrNotExist) {
		// Either a stage whose owner died with its first or last breath, which
		// is empty, or not a stage.
		d.close()
		_ = parent.rmdir(name)
		return nil, nil
	}
	if err == nil {
		err = s.hold()
	}
	if err != nil || !s.genuine() && !s.newborn() {
		s.release()
		return nil, nil
	}
	return s, nil
}

// genuine reports whether the stage proves to have been made here: a copy, or
// a directory that came out of an archive, has another identity.
func (s *stage) genuine() bool {
	at, err := s.d.lstat("id")
	if err != nil {
		return false
	}
	f, _, err := s.d.open("stage")
	if err != nil {
		return false
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 1024))
	return err == nil && string(text) == stageMark+at.identity()+"\n"
}

// newborn reports whether the stage was left before it could prove itself, or
// after: nothing is in it but empty files of a stage.
func (s *stage) newborn() bool {
	names, err := s.d.names(-1)
	if err != nil {
		return false
	}
	for _, name := range names {
		at, err := s.d.lstat(name)
		if err != nil || !at.mode.IsRegular() || at.size != 0 ||
			name != "lock" && name != "id" && name != "stage" {
			return false
		}
	}
	return true
}

// release lets go of the stage without removing anything.
func (s *stage) release() {
	if s.lock != nil {
		s.lock.Close()
	}
	if s.t != nil {
		s.t.close()
	}
	s.d.close()
}

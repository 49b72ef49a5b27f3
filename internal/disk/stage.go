package disk

import (
	"errors"
	"fmt"
	"io/fs"
)

const stageMark = "seed stage 1\n"

// stage is the private directory in which a tree is made and from which it lands.
type stage struct {
	parent *dir
	name   string
	d      *dir
	lock   *file
	t      *dir
	keep   bool // it holds what could not be undone
}

// makeStage makes a stage in parent.
func makeStage(parent *dir) (*stage, error) {
	for range 8 {
		s, err := tryStage(parent)
		if err == nil {
			return s, nil
		}
		// A recovery that runs at the same time may take a stage that is not
		// locked yet for an abandoned one.
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errLocked) {
			return nil, fmt.Errorf("make staging directory: %w", err)
		}
	}
	return nil, errors.New("make staging directory: it is removed as fast as it is made")
}

func tryStage(parent *dir) (_ *stage, err error) {
	s := &stage{parent: parent, name: stagePrefix + random()}
	if err := parent.mkdir(s.name, 0o700); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			s.remove()
		}
	}()
	if s.d, err = parent.sub(s.name); err != nil {
		return nil, err
	}
	step("stage made")
	if s.lock, err = s.d.create("lock", 0o600); err != nil {
		return nil, err
	}
	if err := s.hold(); err != nil {
		return nil, err
	}
	step("stage locked")
	id, err := s.d.create("id", 0o600)
	if err != nil {
		return nil, err
	}
	at, err := id.info()
	id.Close()
	if err != nil {
		return nil, err
	}
	if err := s.put("stage", []byte(stageMark+at.identity()+"\n")); err != nil {
		return nil, err
	}
	if err := s.d.mkdir("t", 0o777); err != nil {
		return nil, err
	}
	s.t, err = s.d.sub("t")
	return s, err
}

// hold takes the lock and makes sure that it is still the lock of the stage.
func (s *stage) hold() error {
	if err := s.lock.lock(false); err != nil {
		return err
	}
	mine, err := s.lock.info()
	if err != nil {
		return err
	}
	now, err := s.d.lstat("lock")
	if err == nil && !now.same(mine) {
		err = fs.ErrNotExist
	}
	return err
}

// put writes a small file of the stage.
func (s *stage) put(name string, content []byte) error {
	f, err := s.d.create(name, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err == nil {
		err = f.sync()
	}
	return errors.Join(err, f.Close())
}

// remove clears the stage away. The journal goes first, as without it nothing
// of what landed is touched; what proves that the stage is ours goes last.
func (s *stage) remove() error {
	if s.t != nil {
		s.t.close()
	}
	var err error
	if s.d != nil {
		for _, name := range []string{"journal", "journal.new", "t", "old", "stage", "id"} {
			err = errors.Join(err, removeTree(s.d, name))
			step("removed " + name)
		}
		if s.lock != nil {
			s.lock.Close() // an open file cannot be removed everywhere
		}
		if err == nil {
			err = removeTree(s.d, "lock")
			step("removed lock")
		}
		s.d.close()
	}
	if err == nil {
		err = gone(s.parent.rmdir(s.name))
	}
	if err != nil {
		return fmt.Errorf("remove staging directory %s: %w", s.name, err)
	}
	return nil
}

// removeTree removes name in d and everything below it, following no link.
func removeTree(d *dir, name string) error {
	at, err := d.lstat(name)
	if err != nil {
		return gone(err)
	}
	if !at.mode.IsDir() {
		return gone(d.remove(name))
	}
	sub, err := d.sub(name)
	if err != nil {
		return gone(err)
	}
	names, err := sub.names(-1)
	for _, n := range names {
		err = errors.Join(err, removeTree(sub, n))
	}
	sub.close()
	return errors.Join(err, gone(d.rmdir(name)))
}

// gone is err, or nil when it says that there was nothing.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// stepHook is set by tests that end the process between two steps.
var stepHook func(name string)

func step(name string) {
	if stepHook != nil {
		stepHook(name)
	}
}

package disk

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// journal is what a recovery must know: all moves of a landing in their order.
type journal struct {
	Version int    `json:"version"`
	Moves   []move `json:"moves"`
}

// move is one rename from the stage to the same path below the base.
type move struct {
	Path    string   `json:"path"`
	Replace bool     `json:"replace,omitempty"` // over a file that is kept in the stage
	Dirs    []string `json:"dirs,omitempty"`    // that come with it, parents first
	Files   []brings `json:"files,omitempty"`   // that come with it
}

// brings is a file that a move brings.
type brings struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
	Sum  sum    `json:"sum"`
}

// sum is a SHA-256 that is hexadecimal in JSON.
type sum [32]byte

func (s sum) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, s[:]), nil }

func (s *sum) UnmarshalText(b []byte) error {
	if len(b) != 2*len(s) {
		return errors.New("sum has the wrong length")
	}
	_, err := hex.Decode(s[:], b)
	return err
}

// plan makes the fewest moves that carry out changes, which belong to list.
func plan(list []entry, changes []Change) []move {
	var moves []move
	byTop := make(map[string]int)
	dirs := make(map[string]bool)
	for i, e := range list {
		ch := changes[i]
		if ch.Kind != New && ch.Kind != Differs {
			continue
		}
		full := e.full()
		top := full
		if ch.Kind == New {
			top = ch.top
		}
		at, ok := byTop[top]
		if !ok {
			at = len(moves)
			byTop[top] = at
			moves = append(moves, move{Path: top, Replace: ch.Kind == Differs})
		}
		m := &moves[at]
		m.Files = append(m.Files, brings{full, e.Size, e.Sum})
		for d := e.dir; below(d, top) && !dirs[d]; d, _ = split(d) {
			dirs[d] = true
			m.Dirs = append(m.Dirs, d)
		}
	}
	for i := range moves {
		slices.Sort(moves[i].Dirs)
	}
	return moves
}

// writeJournal puts the moves on record before the first of them.
func (s *stage) writeJournal(moves []move) error {
	text, err := json.Marshal(journal{1, moves})
	if err != nil {
		return err
	}
	if err := s.d.mkdir("old", 0o700); err != nil {
		return err
	}
	if err := s.put("journal.new", text); err != nil {
		return err
	}
	step("journal written")
	return s.d.rename("journal.new", s.d, "journal")
}

// readJournal gives the moves on record, none when there is no journal.
func (s *stage) readJournal() ([]move, error) {
	f, _, err := s.d.open("journal")
	if err != nil {
		return nil, gone(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var j journal
	if err := json.Unmarshal(text, &j); err != nil {
		return nil, fmt.Errorf("read journal: %w", err)
	}
	if j.Version != 1 {
		return nil, fmt.Errorf("read journal: version %d is not known", j.Version)
	}
	for _, m := range j.Moves {
		if err := m.check(); err != nil {
			return nil, fmt.Errorf("read journal: %w", err)
		}
	}
	return j.Moves, nil
}

func (m *move) check() error {
	err := checkPath(m.Path)
	for _, d := range m.Dirs {
		err = errors.Join(err, checkPath(d))
	}
	for _, f := range m.Files {
		err = errors.Join(err, checkPath(f.Path))
	}
	if m.Replace && len(m.Files) != 1 {
		err = errors.Join(err, errors.New("a replacement brings one file"))
	}
	return err
}

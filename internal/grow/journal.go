package grow

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"seed/internal/disk"
)

// Journal remembers what was grown where, so that it can be taken back. It is a
// directory of state files, one for each destination; each is a list of JSON
// lines, so that growing twice only adds to it.
type Journal struct {
	Dir string
	Now func() time.Time
}

// Origin says where grown files came from.
type Origin struct {
	Source string `json:"source,omitempty"`
	Digest string `json:"digest,omitempty"`
}

// Grown is everything on record for one destination.
type Grown struct {
	Dest    string
	Origins []Origin
	Entries []disk.Tracked // the latest for each path
	Links   []string       // made by install
}

// ErrNoRecord is returned by [Journal.Load] for a destination it does not know.
var ErrNoRecord = errors.New("nothing on record")

// entry is one line of the file.
type entry struct {
	Dest   string    `json:"dest,omitempty"` // opens a batch
	At     time.Time `json:"at,omitzero"`
	Origin *Origin   `json:"origin,omitempty"`
	File   string    `json:"file,omitempty"`
	Sum    string    `json:"sha256,omitempty"`
	Dir    string    `json:"dir,omitempty"`
	Link   string    `json:"link,omitempty"`
}

// file names the state file of a destination by the destination's real path.
func (j *Journal) file(dest string) string {
	sum := sha256.Sum256([]byte(realPath(dest)))
	return filepath.Join(j.Dir, hex.EncodeToString(sum[:16])+".jsonl")
}

// realPath resolves the links in a path as far as it exists, so that a
// destination has the same name before it is grown and after it is gone.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(realPath(dir), filepath.Base(path))
	}
	return path
}

// Add records what was written below dest and, if not "", a link to it.
func (j *Journal) Add(dest string, o Origin, entries []disk.Tracked, link string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	lines := []entry{{Dest: dest, At: j.Now().UTC(), Origin: &o}}
	if link != "" {
		lines = append(lines, entry{Link: link})
	}
	for _, e := range entries {
		if e.Dir {
			lines = append(lines, entry{Dir: e.Path})
		} else {
			lines = append(lines, entry{File: e.Path, Sum: hex.EncodeToString(e.Sum[:])})
		}
	}
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return err
		}
	}
	return disk.Update(j.file(dest), 0o600, func(old []byte) ([]byte, error) {
		return append(old, b.Bytes()...), nil
	})
}

// Load returns what is on record for dest.
func (j *Journal) Load(dest string) (*Grown, error) {
	data, err := os.ReadFile(j.file(dest))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoRecord
	}
	if err != nil {
		return nil, err
	}
	g := &Grown{Dest: dest}
	at := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := g.read(lines.Bytes(), at); err != nil {
			return nil, fmt.Errorf("read record %s, line %d: %w", j.file(dest), n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	return g, nil
}

func (g *Grown) read(line []byte, at map[string]int) error {
	var e entry
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	t := disk.Tracked{Path: e.File}
	switch {
	case e.Origin != nil:
		if *e.Origin != (Origin{}) {
			g.Origins = append(g.Origins, *e.Origin)
		}
		return nil
	case e.Link != "":
		g.Links = append(g.Links, e.Link)
		return nil
	case e.Dir != "":
		t.Path, t.Dir = e.Dir, true
	default:
		if n, err := hex.Decode(t.Sum[:], []byte(e.Sum)); err != nil || n != len(t.Sum) {
			return errors.New("bad digest")
		}
	}
	if i, ok := at[t.Path]; ok {
		g.Entries[i] = t
		return nil
	}
	at[t.Path] = len(g.Entries)
	g.Entries = append(g.Entries, t)
	return nil
}

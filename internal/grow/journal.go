package grow

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"time"

	"seed/internal/disk"
	"seed/internal/noun"
)

// Journal remembers what was grown where, so that it can be taken back. It is a
// directory of state files, one for each destination, each a list of JSON lines.
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

	at map[string]int // index of a path in Entries
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

// Add records what was written below dest and, if not "", a link to it. What is
// on record already stays, unless dest itself was made just now: then whatever
// was in it before is gone, and only the links to it may be left.
func (j *Journal) Add(dest string, o Origin, entries []disk.Tracked, link string) error {
	file := j.file(dest)
	return disk.Update(file, 0o600, func(old []byte) ([]byte, error) {
		g := &Grown{at: map[string]int{}}
		err := g.parse(old)
		if slices.ContainsFunc(entries, func(e disk.Tracked) bool { return e.Dir && e.Path == "." }) {
			g, err = &Grown{Links: g.Links, at: map[string]int{}}, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read record %s: %w", file, err)
		}
		g.Dest = dest
		if o != (Origin{}) {
			g.Origins = append(g.Origins, o)
		}
		if link != "" && !slices.Contains(g.Links, link) {
			g.Links = append(g.Links, link)
		}
		for _, e := range entries {
			g.put(e)
		}
		return g.encode(j.Now())
	})
}

// Load returns what is on record for dest.
func (j *Journal) Load(dest string) (*Grown, error) {
	file := j.file(dest)
	f, _, err := noun.OpenRegular(file) // a pipe in its place must not hold us up
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoRecord
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	g := &Grown{Dest: dest, at: map[string]int{}}
	if err := g.parse(data); err != nil {
		return nil, fmt.Errorf("read record %s: %w", file, err)
	}
	return g, nil
}

func (g *Grown) encode(now time.Time) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	lines := []entry{{Dest: g.Dest, At: now.UTC(), Origin: &Origin{}}}
	for _, o := range g.Origins {
		lines = append(lines, entry{Origin: &o})
	}
	for _, l := range g.Links {
		lines = append(lines, entry{Link: l})
	}
	for _, e := range g.Entries {
		if e.Dir {
			lines = append(lines, entry{Dir: e.Path})
		} else {
			lines = append(lines, entry{File: e.Path, Sum: hex.EncodeToString(e.Sum[:])})
		}
	}
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

func (g *Grown) parse(data []byte) error {
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for n := 1; lines.Scan(); n++ {
		if err := g.read(lines.Bytes()); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return lines.Err()
}

func (g *Grown) read(line []byte) error {
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
		sum, err := hex.DecodeString(e.Sum)
		if err != nil || len(sum) != len(t.Sum) {
			return errors.New("bad digest")
		}
		copy(t.Sum[:], sum)
	}
	g.put(t)
	return nil
}

// put adds an entry, or replaces the one of the same path.
func (g *Grown) put(t disk.Tracked) {
	if i, ok := g.at[t.Path]; ok {
		g.Entries[i] = t
		return
	}
	g.at[t.Path] = len(g.Entries)
	g.Entries = append(g.Entries, t)
}

package grow

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"seed/internal/disk"
)

// Undone is what ungrowing did, or would do.
type Undone struct {
	Dest    string   `json:"dest"`
	Removed []string `json:"removed"`
	Kept    []string `json:"kept"` // edited since, or not ours any more
	Missing []string `json:"missing"`
	Links   []string `json:"links"` // removed
}

// Ungrow removes what is on record for dest and is still as it was written.
func (j *Journal) Ungrow(dest string) (*Undone, error) {
	dest, err := filepath.Abs(dest)
	if err != nil {
		return nil, err
	}
	if _, err := j.Load(dest); err != nil {
		return nil, err // also spares a lock for what was never grown
	}
	file := j.file(dest) // before the destination itself may be gone
	lock, err := disk.Lock(file + ".lock")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	g, err := j.Load(dest)
	if err != nil {
		return nil, err
	}
	u := &Undone{Dest: dest, Removed: []string{}, Kept: []string{}, Missing: []string{}, Links: []string{}}
	for _, link := range g.Links {
		if u.removeLink(link, dest) != nil {
			u.Kept = append(u.Kept, link)
		}
	}
	removal, err := disk.RemoveTracked(dest, g.Entries)
	if err != nil {
		return u, err
	}
	u.Removed = append(u.Removed, removal.Removed...)
	u.Kept = append(u.Kept, removal.Kept...)
	u.Missing = append(u.Missing, removal.Missing...)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return u, err
	}
	return u, nil
}

// removeLink removes a link that still points to the file of its own name in
// dest, by whatever path dest was reached when it was made.
func (u *Undone) removeLink(link, dest string) error {
	to, err := os.Readlink(link)
	if errors.Is(err, fs.ErrNotExist) {
		u.Missing = append(u.Missing, link)
		return nil
	}
	if err != nil {
		return err
	}
	if filepath.Base(to) != filepath.Base(link) || realPath(filepath.Dir(to)) != realPath(dest) {
		return errors.New("points elsewhere")
	}
	if err := os.Remove(link); err != nil {
		return err
	}
	u.Links = append(u.Links, link)
	return nil
}

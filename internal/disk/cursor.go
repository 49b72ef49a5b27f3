package disk

import (
	"errors"
	"io/fs"
	"strings"
)

// cursor moves through the directories below top and holds the handles of the
// way to the present one, so that neighbours cost one call each. It follows
// no link.
type cursor struct {
	top  *dir
	mk   bool // make what is missing
	at   string
	way  []string
	dirs []*dir
}

// stepError says at which directory of a way the cursor had to stop.
type stepError struct {
	at  string
	err error
}

func (e *stepError) Error() string { return "directory " + e.at + ": " + e.err.Error() }
func (e *stepError) Unwrap() error { return e.err }

// to gives the directory at the slash path p, "" being top. The handle is
// good until the next call.
func (c *cursor) to(p string) (*dir, error) {
	if p != c.at {
		if err := c.move(p); err != nil {
			return nil, err
		}
	}
	if n := len(c.dirs); n > 0 {
		return c.dirs[n-1], nil
	}
	return c.top, nil
}

func (c *cursor) move(p string) error {
	var way []string
	if p != "" {
		way = strings.Split(p, "/")
	}
	same := 0
	for same < len(way) && same < len(c.way) && way[same] == c.way[same] {
		same++
	}
	c.up(same)
	here := c.top
	if same > 0 {
		here = c.dirs[same-1]
	}
	for i, name := range way[same:] {
		next, err := c.enter(here, name)
		if err != nil {
			c.at = strings.Join(c.way, "/")
			return &stepError{strings.Join(way[:same+i+1], "/"), err}
		}
		c.way, c.dirs = append(c.way, name), append(c.dirs, next)
		here = next
	}
	c.at = p
	return nil
}

func (c *cursor) enter(d *dir, name string) (*dir, error) {
	if c.mk {
		if err := d.mkdir(name, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, err
		}
	}
	return d.sub(name)
}

// up closes all but the first n handles.
func (c *cursor) up(n int) {
	for i := len(c.dirs) - 1; i >= n; i-- {
		c.dirs[i].close()
	}
	c.way, c.dirs = c.way[:n], c.dirs[:n]
}

func (c *cursor) close() {
	c.up(0)
	c.at = ""
}

// split cuts a slash path into its directory, "" for none, and its name.
func split(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/')
	if i < 0 {
		return "", p
	}
	return p[:i], p[i+1:]
}

// below reports whether the slash path p is top or below it.
func below(p, top string) bool {
	return strings.HasPrefix(p, top) && (len(p) == len(top) || p[len(top)] == '/')
}

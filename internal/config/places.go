// Package config knows where seed keeps its files on this machine and reads
// config.yaml. It reads no environment by itself: the caller hands it over.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// World is what the places depend on.
type World struct {
	Env  func(string) string // os.Getenv outside tests
	Home string              // the user's home directory, absolute
	OS   string              // runtime.GOOS outside tests
}

// Places are the directories of seed, all absolute. None of them need exist.
type Places struct {
	Config string // keys, trust.yaml, config.yaml, inputs files
	Data   string // plantings.jsonl
	Cache  string // clones; may be deleted at any time
	State  string // journals of what was written
	Seeds  string // installed SEEDs
}

// Find works the places out: the XDG variables wherever they are set to an
// absolute path, also on macOS and Windows; otherwise the XDG defaults, on
// Windows the profile's application data. macOS follows the XDG defaults
// because OpenSeed names $HOME/.config/seed for every system.
func Find(w World) (Places, error) {
	if !w.isAbs(w.Home) {
		return Places{}, fmt.Errorf("find the home directory: %q is not an absolute path; set HOME", w.Home)
	}
	p := Places{
		Config: w.join(w.base("XDG_CONFIG_HOME", "APPDATA", ".config"), "seed"),
		Data:   w.join(w.base("XDG_DATA_HOME", "LOCALAPPDATA", ".local/share"), "seed"),
		Cache:  w.join(w.base("XDG_CACHE_HOME", "LOCALAPPDATA", ".cache"), "seed"),
		State:  w.join(w.base("XDG_STATE_HOME", "LOCALAPPDATA", ".local/state"), "seed"),
		Seeds:  w.join(w.Home, "seeds"),
	}
	if w.OS == "windows" {
		// Three of them share one parent there.
		if !w.isAbs(w.Env("XDG_CACHE_HOME")) {
			p.Cache = w.join(p.Cache, "cache")
		}
		if !w.isAbs(w.Env("XDG_STATE_HOME")) {
			p.State = w.join(p.State, "state")
		}
	}
	if dir := w.Env("SEED_HOME"); dir != "" {
		if !w.isAbs(dir) {
			return Places{}, fmt.Errorf("read SEED_HOME: %q is not an absolute path", dir)
		}
		p.Seeds = w.join(dir)
	}
	return p, nil
}

// base gives the parent of one place. A relative value is ignored, as the XDG
// specification demands: it would mean another place in every directory.
func (w World) base(xdg, windows, unix string) string {
	if dir := w.Env(xdg); w.isAbs(dir) {
		return dir
	}
	if w.OS == "windows" {
		if dir := w.Env(windows); w.isAbs(dir) {
			return dir
		}
		if windows == "APPDATA" {
			return w.join(w.Home, "AppData", "Roaming")
		}
		return w.join(w.Home, "AppData", "Local")
	}
	return w.join(w.Home, unix)
}

// isAbs and join follow the rules of w.OS, so that all systems can be tested on
// any of them.
func (w World) isAbs(p string) bool {
	if w.OS != "windows" {
		return path.IsAbs(p)
	}
	if len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') {
		c := p[0] | 0x20
		return c >= 'a' && c <= 'z'
	}
	return strings.HasPrefix(p, `\\`)
}

func (w World) join(parts ...string) string {
	if w.OS != "windows" {
		return path.Join(parts...)
	}
	for i := range parts {
		parts[i] = strings.TrimRight(strings.ReplaceAll(parts[i], "/", `\`), `\`)
	}
	return strings.Join(parts, `\`)
}

// MakeDir creates one of the places with its parents, for this user alone, and
// closes one that was open to others.
func MakeDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return fmt.Errorf("create %s: not an absolute path", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			return fmt.Errorf("create %s: %w", dir, pe.Err)
		}
		return fmt.Errorf("create %s: %w", dir, err)
	}
	return closeToOthers(dir)
}

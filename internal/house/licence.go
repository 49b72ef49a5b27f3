package house

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// LinkedModule is a module of somebody else that ends up in the binary.
type LinkedModule struct {
	Path    string
	Version string
	Licence string // "" when it is none of AllowedLicences
}

// AllowedLicences are the licences that may be linked: permissive ones only.
func AllowedLicences() []string {
	return []string{"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"}
}

// Linked returns the modules whose packages are linked into cmd/seed on any
// released platform, by path.
func Linked(root string) ([]LinkedModule, error) {
	dirs := make(map[string]string)
	byPath := make(map[string]LinkedModule)
	for _, goos := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-json=Module", "./cmd/seed")
		list.Dir = root
		list.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0")
		list.Stderr = os.Stderr
		out, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list for %s: %w", goos, err)
		}
		for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
			var p struct {
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := dec.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("read go list: %w", err)
			}
			if m := p.Module; m != nil && !m.Main {
				byPath[m.Path] = LinkedModule{Path: m.Path, Version: m.Version}
				dirs[m.Path] = m.Dir
			}
		}
	}
	var all []LinkedModule
	for path, m := range byPath {
		licence, err := licenceOf(dirs[path])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		m.Licence = licence
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b LinkedModule) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

// licenceOf knows the licence of a module by the words that only its text has.
func licenceOf(dir string) (string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return "", err
	}
	for _, name := range names {
		base := strings.ToUpper(filepath.Base(name))
		if !strings.HasPrefix(base, "LICEN") && !strings.HasPrefix(base, "COPYING") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		if id := recognise(string(text)); id != "" {
			return id, nil
		}
	}
	return "", nil
}

func recognise(text string) string {
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	has := func(s string) bool { return strings.Contains(text, s) }
	switch {
	case has("general public license"), has("mozilla public license"), has("business source license"):
		return ""
	case has("apache license version 2.0"):
		return "Apache-2.0"
	case has("redistribution and use in source and binary forms") && has("neither the name"):
		return "BSD-3-Clause"
	case has("redistribution and use in source and binary forms"):
		return "BSD-2-Clause"
	case has("permission to use, copy, modify, and/or distribute this software"),
		has("permission to use, copy, modify, and distribute this software"):
		return "ISC"
	case has("permission is hereby granted, free of charge"):
		return "MIT"
	}
	return ""
}

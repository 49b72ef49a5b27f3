package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"seed/finding"
	"seed/internal/guardyaml"
	"seed/internal/noun"
)

// Config is what a user may set once for all commands. The zero value is the
// configuration of a machine where nothing was set.
type Config struct {
	// Registry is the base URL of the default registry without a slash at its
	// end, "" when none is set.
	Registry string `yaml:"registry"`
}

// FileName is the name of the configuration file inside [Places.Config].
const FileName = "config.yaml"

// Load reads the configuration file, if there is one, and lets SEED_REGISTRY
// win over it.
func Load(p Places, env func(string) string) (Config, error) {
	name := filepath.Join(p.Config, FileName)
	data, err := read(name)
	var c Config
	if err == nil {
		c, err = Parse(name, data)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Config{}, err
	}
	if v := env("SEED_REGISTRY"); v != "" {
		if c.Registry, err = ParseRegistry(v); err != nil {
			return Config{}, fmt.Errorf("read SEED_REGISTRY: %w", err)
		}
	}
	return c, nil
}

func read(name string) ([]byte, error) {
	f, _, err := noun.OpenRegular(name)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	defer f.Close()
	// One byte more than allowed, for the reader to see that it is too much.
	data, err := io.ReadAll(io.LimitReader(f, guardyaml.MaxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return data, nil
}

// Parse reads the content of a configuration file; name stands in errors only.
func Parse(name string, data []byte) (Config, error) {
	var c Config
	if err := guardyaml.Decode(data, &c); err != nil {
		at := finding.Place{Name: name}
		msg := err.Error()
		var ge *guardyaml.Error
		if errors.As(err, &ge) {
			at.Line, msg = ge.Line, ge.Msg
		}
		return Config{}, fmt.Errorf("%s: %s; known keys: registry", at, msg)
	}
	if c.Registry != "" {
		base, err := ParseRegistry(c.Registry)
		if err != nil {
			return Config{}, fmt.Errorf("%s: registry: %w", name, err)
		}
		c.Registry = base
	}
	return c, nil
}

// ParseRegistry checks the base URL of a registry, from a flag, the environment
// or a file, and gives it without a slash at its end.
func ParseRegistry(s string) (string, error) {
	u, err := noun.CheckURL(s)
	if err != nil {
		return "", err
	}
	if u.RawQuery != "" || u.ForceQuery {
		return "", fmt.Errorf("%w: the address of a registry has no query", noun.ErrURL)
	}
	return strings.TrimRight(u.String(), "/"), nil
}

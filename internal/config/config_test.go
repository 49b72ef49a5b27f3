package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"seed/internal/config"
)

func TestParse(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, registry, err string }{
		{"", "", ""},
		{"# nothing set\n", "", ""},
		{"registry:\n", "", ""},
		{"registry: https://registry.example\n", "https://registry.example", ""},
		{"registry: https://Registry.example/seeds//\n", "https://registry.example/seeds", ""},
		{"registry: http://localhost:8080\n", "http://localhost:8080", ""},
		{"registry: http://registry.example\n", "", "c.yaml: registry: unusable URL"},
		{"registry: https://u:secret@registry.example\n", "", "c.yaml: registry: unusable URL"},
		{"registry: \"https://registry.example/?a=b\"\n", "", "has no query"},
		{"registry: \"https://registry.example/#a\"\n", "", "fragment"},
		{"registry: registry.example\n", "", "no host"},
		{"# x\nregistri: https://registry.example\n", "", `c.yaml:2: unknown key "registri"; known keys: registry`},
		{"registry: https://a.example\nregistry: https://b.example\n", "", "c.yaml:2: "},
		{"registry: &a https://a.example\n", "", "c.yaml:1: an anchor"},
		{"registry: [a]\n", "", "c.yaml:1: "},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			t.Parallel()
			got, err := config.Parse("c.yaml", []byte(tt.in))
			if got.Registry != tt.registry {
				t.Errorf("got %q, want %q", got.Registry, tt.registry)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got error %v, want %q", err, tt.err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Errorf("got %v, which repeats a password", err)
			}
		})
	}
}

func TestLoad(t *testing.T) {
	t.Parallel()
	const file = "registry: https://file.example\n"
	tests := []struct {
		name, file, env, want, err string
	}{
		{"nothing", "", "", "", ""},
		{"file", file, "", "https://file.example", ""},
		{"environment alone", "", "https://env.example/", "https://env.example", ""},
		{"environment wins", file, "https://env.example", "https://env.example", ""},
		{"bad environment", file, "http://env.example", "", "read SEED_REGISTRY: "},
		{"bad file is not hidden by the environment", "x: y\n", "https://env.example", "", "config.yaml:1: unknown key"},
		{"large file", strings.Repeat("#", 70000), "", "", "larger than 64 KiB"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if tt.file != "" {
				if err := os.WriteFile(filepath.Join(dir, config.FileName), []byte(tt.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, err := config.Load(config.Places{Config: dir}, env("SEED_REGISTRY", tt.env))
			if got.Registry != tt.want {
				t.Errorf("got %q, want %q", got.Registry, tt.want)
			}
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("got error %v, want %q", err, tt.err)
			}
		})
	}
	t.Run("folder in its place", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, config.FileName), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := config.Load(config.Places{Config: dir}, env()); err == nil || !strings.Contains(err.Error(), "is a folder") {
			t.Errorf("got %v, want a refusal", err)
		}
	})
}

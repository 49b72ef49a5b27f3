package config_test

import (
	"strings"
	"testing"

	"seed/internal/config"
)

func env(pairs ...string) func(string) string {
	return func(key string) string {
		for i := 0; i+1 < len(pairs); i += 2 {
			if pairs[i] == key {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		w    config.World
		want config.Places
	}{
		{
			"defaults",
			config.World{Env: env(), Home: "/home/u", OS: "linux"},
			config.Places{
				Config: "/home/u/.config/seed", Data: "/home/u/.local/share/seed", Cache: "/home/u/.cache/seed",
				State: "/home/u/.local/state/seed", Seeds: "/home/u/seeds",
			},
		},
		{
			"set",
			config.World{
				Env:  env("XDG_CONFIG_HOME", "/c", "XDG_DATA_HOME", "/d/", "XDG_CACHE_HOME", "/k", "XDG_STATE_HOME", "/s", "SEED_HOME", "/seeds/"),
				Home: "/home/u", OS: "linux",
			},
			config.Places{Config: "/c/seed", Data: "/d/seed", Cache: "/k/seed", State: "/s/seed", Seeds: "/seeds"},
		},
		{
			"relative values are ignored",
			config.World{
				Env:  env("XDG_CONFIG_HOME", "c", "XDG_DATA_HOME", "./d", "XDG_CACHE_HOME", "~/k", "XDG_STATE_HOME", ".."),
				Home: "/home/u", OS: "linux",
			},
			config.Places{
				Config: "/home/u/.config/seed", Data: "/home/u/.local/share/seed", Cache: "/home/u/.cache/seed",
				State: "/home/u/.local/state/seed", Seeds: "/home/u/seeds",
			},
		},
		{
			"macOS",
			config.World{Env: env(), Home: "/Users/u", OS: "darwin"},
			config.Places{
				Config: "/Users/u/.config/seed", Data: "/Users/u/.local/share/seed", Cache: "/Users/u/.cache/seed",
				State: "/Users/u/.local/state/seed", Seeds: "/Users/u/seeds",
			},
		},
		{
			"Windows",
			config.World{
				Env:  env("APPDATA", `C:\Users\u\AppData\Roaming`, "LOCALAPPDATA", `C:\Users\u\AppData\Local`),
				Home: `C:\Users\u`, OS: "windows",
			},
			config.Places{
				Config: `C:\Users\u\AppData\Roaming\seed`, Data: `C:\Users\u\AppData\Local\seed`,
				Cache: `C:\Users\u\AppData\Local\seed\cache`, State: `C:\Users\u\AppData\Local\seed\state`, Seeds: `C:\Users\u\seeds`,
			},
		},
		{
			"Windows without its variables, with XDG and a drive-relative value",
			config.World{
				Env:  env("XDG_CONFIG_HOME", `D:\cfg`, "XDG_CACHE_HOME", `D:\tmp`, "XDG_STATE_HOME", `D:state`),
				Home: `C:\Users\u`, OS: "windows",
			},
			config.Places{
				Config: `D:\cfg\seed`, Data: `C:\Users\u\AppData\Local\seed`,
				Cache: `D:\tmp\seed`, State: `C:\Users\u\AppData\Local\seed\state`, Seeds: `C:\Users\u\seeds`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := config.Find(tt.w)
			if err != nil || got != tt.want {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		w    config.World
		want string
	}{
		{config.World{Env: env(), Home: "", OS: "linux"}, "set HOME"},
		{config.World{Env: env(), Home: "home/u", OS: "linux"}, "not an absolute path"},
		{config.World{Env: env(), Home: `\Users\u`, OS: "windows"}, "not an absolute path"},
		{config.World{Env: env("SEED_HOME", "seeds"), Home: "/home/u", OS: "linux"}, "SEED_HOME"},
	}
	for _, tt := range tests {
		if got, err := config.Find(tt.w); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("home %q: got %+v, %v, want %q in an error", tt.w.Home, got, err, tt.want)
		}
	}
}

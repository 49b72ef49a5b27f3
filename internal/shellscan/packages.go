package shellscan

import "strings"

// manager describes how to read a package manager's command line.
type manager struct {
	verbs  string // the actions of interest, "" for every one
	valued string
	long   string
	bare   bool // no action: the arguments are the packages
}

func managerOf(name string) (manager, bool) {
	switch name {
	case "apt", "apt-get", "aptitude":
		return manager{valued: "otc", long: "option target-release"}, true
	case "yum", "dnf", "microdnf", "zypper", "brew", "snap", "flatpak", "port", "emerge", "pkg", "choco", "winget",
		"scoop", "conda", "mamba", "micromamba", "rustup", "sdk", "asdf", "mise", "tdnf", "opkg":
		return manager{valued: "nc", long: "channel name prefix cask"}, true
	case "apk":
		return manager{valued: "Xpt", long: "repository root virtual"}, true
	case "pip", "pip2", "pip3", "pipx", "gem", "cpan", "cpanm", "luarocks":
		return manager{valued: "ritcev", long: "requirement index-url extra-index-url target constraint version editable"}, true
	case "npm", "pnpm", "yarn", "bun", "deno":
		return manager{verbs: "install i add ci exec dlx x create global link", valued: "C", long: "prefix registry"}, true
	case "cargo", "composer", "poetry", "bundle", "opam", "stack", "cabal":
		return manager{verbs: "install binstall require add", long: "git version path root features branch tag"}, true
	case "go":
		return manager{verbs: "install get run", long: "", valued: ""}, true
	case "uv":
		return manager{verbs: "pip tool add sync run", long: "python index-url"}, true
	case "nix", "nix-env", "guix":
		return manager{verbs: "-i -iA -f --install profile run shell install", valued: "f"}, true
	case "npx", "bunx", "uvx", "pnpx", "xbps-install", "pacman", "yay", "paru", "dpkg", "rpm", "nix-shell", "easy_install":
		return manager{bare: true, valued: "p", long: "package from"}, true
	}
	return manager{}, false
}

// installs notes the use of a package manager.
func (s *scanner) installs(c invocation) {
	name, args := c.name, c.args
	if strings.HasPrefix(name, "python") && len(args) > 1 && args[0].text == "-m" && hasWord("pip pipx ensurepip", args[1].text) {
		name, args = args[1].text, args[2:]
	}
	m, ok := managerOf(name)
	if !ok {
		return
	}
	p := Package{Line: c.line, Manager: name}
	names := positionals(args, m.valued, m.long)
	if m.bare {
		for _, w := range args[:min(1, len(args))] {
			if isCluster(w.text) {
				p.Action = cut(w.text, maxArg) // pacman -S, dpkg -i
			}
		}
	} else {
		if len(names) == 0 || m.verbs != "" && !hasWord(m.verbs, names[0].text) {
			return
		}
		p.Action, names = cut(names[0].text, maxArg), names[1:]
		for name == "uv" && len(names) > 0 && hasWord("install run", names[0].text) {
			p.Action, names = p.Action+" "+names[0].text, names[1:]
		}
	}
	if len(s.out.Packages) >= maxItems {
		s.out.Partial = true
		return
	}
	for i, w := range names {
		if i == maxArgs {
			p.Names = append(p.Names, "…")
			break
		}
		p.Names = append(p.Names, cut(w.text, maxArg))
	}
	s.out.Packages = append(s.out.Packages, p)
}

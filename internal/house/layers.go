package house

import "strings"

// Class says on which floor of the house a package lives.
type Class int

const (
	Shared Class = iota + 1 // pure, used by every protocol
	Core                    // pure, one protocol; the protocols do not know one another
	Edge                    // touches files, processes, terminals or the network
	CLI                     // the command tree
	Cmd                     // main
	Tool                    // for developers only: never linked into what ships
)

func (c Class) String() string {
	return [...]string{"unknown", "shared", "core", "edge", "cli", "cmd", "tool"}[c]
}

// Pure reports whether packages of the class stay away from the outside world.
func (c Class) Pure() bool { return c == Shared || c == Core }

// Package is one row of the table of packages.
type Package struct {
	Dir      string // relative to the root, slash-separated
	Class    Class
	Protocol string // for Core: which one
}

// Packages is every package of the project. A new package gets its row here and
// its line in docs/layout.md in the same change.
func Packages() []Package {
	return []Package{
		{Dir: "finding", Class: Shared},
		{Dir: "hydrate", Class: Shared},
		{Dir: "jcs", Class: Shared},
		{Dir: "internal/edstrict", Class: Shared},
		{Dir: "internal/guardyaml", Class: Shared},
		{Dir: "internal/ignore", Class: Shared},
		{Dir: "internal/pathrule", Class: Shared},
		{Dir: "internal/secrets", Class: Shared},
		{Dir: "internal/shellscan", Class: Shared},
		{Dir: "internal/sums", Class: Shared},
		{Dir: "internal/visible", Class: Shared},
		{Dir: "internal/zipstore", Class: Shared},

		{Dir: "capsule", Class: Core, Protocol: "capsule"},
		{Dir: "capsule/build", Class: Core, Protocol: "capsule"},
		{Dir: "capsule/chain", Class: Core, Protocol: "capsule"},
		{Dir: "capsule/crypt", Class: Core, Protocol: "capsule"},
		{Dir: "capsule/pith", Class: Core, Protocol: "capsule"},
		{Dir: "seedfile", Class: Core, Protocol: "seed"},
		{Dir: "seedfile/transport", Class: Core, Protocol: "seed"},

		{Dir: "internal/config", Class: Edge},
		{Dir: "internal/disk", Class: Edge},
		{Dir: "internal/fetch", Class: Edge},
		{Dir: "internal/grow", Class: Edge},
		{Dir: "internal/keys", Class: Edge},
		{Dir: "internal/noun", Class: Edge},
		{Dir: "internal/packer", Class: Edge},
		{Dir: "internal/ui", Class: Edge},
		{Dir: "internal/workfolder", Class: Edge},

		{Dir: "internal/cli", Class: CLI},
		{Dir: "internal/cli/capsulecmd", Class: CLI},
		{Dir: "internal/cli/keyscmd", Class: CLI},
		{Dir: "internal/command", Class: Edge},
		{Dir: "cmd/seed", Class: Cmd},

		{Dir: "bench/alarms", Class: Tool},
		{Dir: "bench/capsulebench", Class: Tool},
		{Dir: "bench/corpus", Class: Tool},
		{Dir: "bench/timer", Class: Tool},
		{Dir: "internal/house", Class: Tool},
		{Dir: "internal/house/keep", Class: Tool},
		{Dir: "testkit", Class: Tool},
		{Dir: "testkit/build-capsules", Class: Tool},
	}
}

// mayImport reports whether from may import to; both are rows of the table.
func mayImport(from, to Package) bool {
	switch {
	case from.Class == Tool:
		return true // it ships to nobody
	case to.Class == Tool:
		return false
	case from.Class == Core && to.Class == Core:
		return from.Protocol == to.Protocol
	case from.Class == to.Class && (from.Class == Edge || from.Class == Shared || from.Class == CLI):
		return true // the compiler refuses circles
	}
	return from.Class > to.Class
}

// forbiddenInPure reports whether a pure package may not import the standard
// package path. What it guards against is reach, not size: net/url and
// net/netip only compute.
func forbiddenInPure(path string) bool {
	switch path {
	case "net/url", "net/netip", "net/textproto":
		return false
	case "os", "syscall", "net", "log", "math/rand", "crypto/rand", "io/ioutil", "database/sql", "plugin", "testing", "unsafe":
		return true
	}
	for _, tree := range []string{"os/", "syscall/", "net/", "log/", "math/rand/", "database/", "runtime/debug", "testing/"} {
		if strings.HasPrefix(path, tree) {
			return true
		}
	}
	return false
}

// allowedInPure reports whether a pure package may import the third-party
// package path: the list of docs/dependencies.md.
func allowedInPure(path string) bool {
	for _, mod := range []string{
		"golang.org/x/crypto",
		"golang.org/x/text/unicode",
		"golang.org/x/text/cases",
		"golang.org/x/text/transform",
		"filippo.io/edwards25519",
		"github.com/yuin/goldmark",
		"github.com/goccy/go-yaml",
		"mvdan.cc/sh/v3/syntax",
	} {
		if path == mod || strings.HasPrefix(path, mod+"/") {
			return true
		}
	}
	return false
}

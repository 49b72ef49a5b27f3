// Package noun decides what the argument of a command means: a seed file, a
// SEED folder, a capsule, a URL, standard input or the id of a seed in a
// registry.
//
// Every verb asks this one package, so that the same argument means the same
// thing everywhere, and so that what cannot be used is refused with the name of
// what was seen. Detection looks at the file system only: no URL is probed. It
// judges nothing beyond the first bytes; whether a seed file is a valid seed is
// the business of the format's own package.
package noun

// Kind is what an argument turned out to be.
type Kind int

const (
	Unknown    Kind = iota // what Detect could not make out
	File                   // a regular file that is neither a seed nor a capsule
	SeedFile               // a file whose first line begins like a usage line
	Capsule                // a file that begins like a ZIP archive
	Folder                 // a folder without SEED.md
	SeedFolder             // a folder with SEED.md
	URL                    // an https URL, or http to loopback
	Stdin                  // the argument "-"
	RegistryID             // an id to be looked up in the configured registry
)

// String names the kind as the middle of a sentence would.
func (k Kind) String() string {
	switch k {
	case File:
		return "a file"
	case SeedFile:
		return "a seed file"
	case Capsule:
		return "a capsule"
	case Folder:
		return "a folder without SEED.md"
	case SeedFolder:
		return "a SEED folder"
	case URL:
		return "a URL"
	case Stdin:
		return "standard input"
	case RegistryID:
		return "a registry id"
	}
	return "something unknown"
}

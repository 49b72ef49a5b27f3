// Package disk is the one place that writes users' files: single files that
// appear whole or not at all, state files changed under a lock, and trees that
// are staged beside their destination and then land in it.
//
// # Promises
//
// A path that the caller names (a file to write, a destination) is the user's
// word: links in it are followed. Everything below a destination comes from
// outside: it is reached one component at a time through directory handles,
// never through a link, so that nothing outside the destination is read,
// written or removed, not even while somebody swaps directories for links.
//
// A tree lands in an existing destination wholly or not at all. Everything is
// checked first; then the stage's journal is written and synced; then each new
// file or whole new directory is renamed into place, and each replaced file is
// kept in the stage until the end. An error or a cancelled context undoes what
// was done. After a kill, [Recover] undoes it from the journal, or clears the
// stage when the landing was complete. A landing that is a single rename, such
// as that of a new destination, needs no journal.
//
// The stage is a directory of mode 0700 called ".seed-" and 32 hexadecimal
// digits, in the destination or its nearest existing parent:
//
//	lock      held while the owner lives
//	id        an empty file, and
//	stage     its identity: proof that this directory was made here by us
//	t/        the tree
//	old/      what was replaced, by number of the move
//	journal   the moves; removing it is what completes a landing
//
// The package knows no protocol. Which names are fit to be written is decided
// before: here they are only held to what keeps them below the destination.
package disk

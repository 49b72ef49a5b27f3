//go:build unix

package noun

import "syscall"

// openFlags keep the opening of a pipe that took a file's place from waiting
// for its other end, and a terminal from becoming ours.
const openFlags = syscall.O_NONBLOCK | syscall.O_NOCTTY

//go:build !unix

package noun

const openFlags = 0

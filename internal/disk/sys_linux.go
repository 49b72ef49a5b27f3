//go:build !portable

package disk

import "golang.org/x/sys/unix"

func renameExcl(from int, name string, to int, as string) error {
	return unix.Renameat2(from, name, to, as, unix.RENAME_NOREPLACE)
}

func ctime(st *unix.Stat_t) unix.Timespec { return st.Ctim }

// syncTree makes everything written to the directory's file system durable.
func (d *dir) syncTree() error { return unix.Syncfs(d.fd) }

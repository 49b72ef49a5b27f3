//go:build !portable

package disk

import "golang.org/x/sys/unix"

func renameExcl(from int, name string, to int, as string) error {
	return unix.RenameatxNp(from, name, to, as, unix.RENAME_EXCL)
}

func ctime(st *unix.Stat_t) unix.Timespec { return st.Ctim }

// syncTree makes everything written to the directory's file system durable,
// as far as the system offers that for more than one file at a time.
func (d *dir) syncTree() error {
	unix.Sync()
	return d.sync()
}

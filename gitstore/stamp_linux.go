package gitstore

import "syscall"

// times gives when a file's content and when anything of it last changed, in
// nanoseconds.
func times(s syscall.Stat_t) (modified, changed int64) { return s.Mtim.Nano(), s.Ctim.Nano() }

// isTimedSystem reports whether a file system is of this machine, and gives a
// file that changes a time of change that nobody sets. Elsewhere, as on file
// servers and below FUSE, what is told of a file may be old.
func isTimedSystem(s syscall.Statfs_t) bool {
	switch uint32(s.Type) {
	case 0xef53, // ext2, ext3, ext4
		0x58465342, // xfs
		0x9123683e, // btrfs
		0x2fc12fc1, // zfs
		0xca451a4e, // bcachefs
		0xf2f52010, // f2fs
		0x01021994, // tmpfs
		0x858458f6, // ramfs
		0x794c7630: // overlayfs
		return true
	}
	return false
}

package gitstore

import (
	"slices"
	"syscall"
)

// times gives when a file's content and when anything of it last changed, in
// nanoseconds.
func times(s syscall.Stat_t) (modified, changed int64) {
	return s.Mtimespec.Nano(), s.Ctimespec.Nano()
}

// isTimedSystem reports whether a file system is of this machine, and gives a
// file that changes a time of change that nobody sets.
func isTimedSystem(s syscall.Statfs_t) bool {
	name := s.Fstypename[:]
	return slices.Equal(name[:5], []int8{'a', 'p', 'f', 's', 0}) || slices.Equal(name[:4], []int8{'h', 'f', 's', 0})
}

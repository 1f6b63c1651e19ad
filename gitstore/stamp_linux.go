package gitstore

import "syscall"

// times gives when a file's content and when anything of it last changed, in
// nanoseconds.
func times(s syscall.Stat_t) (modified, changed int64) { return s.Mtim.Nano(), s.Ctim.Nano() }

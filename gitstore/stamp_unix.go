//go:build linux || darwin

package gitstore

import (
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// stampOf tells one state of a file from another, links followed; it is "-"
// where there is none. A file that is written in place gets another time of
// change, which nobody can set back; one that is replaced has another number.
func stampOf(path string) string {
	s, err := stat(path)
	if err != nil {
		if os.IsNotExist(err) {
			return "-"
		}
		return err.Error()
	}
	modified, changed := times(s)
	b := make([]byte, 0, 80)
	for _, n := range []int64{int64(s.Dev), int64(s.Ino), s.Size, modified, changed, int64(s.Mode), int64(s.Uid)} {
		b = append(strconv.AppendInt(b, n, 36), ' ')
	}
	return string(b)
}

// isOlder reports whether a file was last changed before a time, or is not there.
func isOlder(path string, than time.Time) bool {
	s, err := stat(path)
	if err != nil {
		return os.IsNotExist(err)
	}
	modified, changed := times(s)
	return max(modified, changed) < than.UnixNano()
}

// isOwn reports whether a file or folder, not what a link leads to, is this
// user's.
func isOwn(path string) bool {
	var s syscall.Stat_t
	return syscall.Lstat(path, &s) == nil && int64(s.Uid) == int64(os.Geteuid())
}

// isGuarded reports whether a file or folder is this user's, and not for everybody
// to write to. Whom the user lets in as a group is trusted.
func isGuarded(info os.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int64(s.Uid) == int64(os.Geteuid()) && info.Mode()&0o002 == 0
}

// mayEnter reports what git asks of the folders of a repository.
func mayEnter(path string) bool {
	const execute = 1
	return syscall.Access(path, execute) == nil
}

// isTimed reports whether a file, or the folder in which it would be, lies where
// the times of files tell one state of them from another.
func isTimed(path string) bool {
	var s syscall.Statfs_t
	err := syscall.Statfs(path, &s)
	for os.IsNotExist(err) && path != filepath.Dir(path) {
		path = filepath.Dir(path)
		err = syscall.Statfs(path, &s)
	}
	return err == nil && isTimedSystem(s)
}

// deviceOf gives the file system that a folder is on.
func deviceOf(path string) (device int64, ok bool) {
	s, err := stat(path)
	return int64(s.Dev), err == nil
}

func stat(path string) (s syscall.Stat_t, err error) {
	err = syscall.Stat(path, &s)
	return s, err
}

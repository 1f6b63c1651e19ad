package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
)

// What git reports as written is to survive a loss of power. Git before 2.36
// flushes objects only if a setting asks for it that later versions complain of,
// and refs never.

// durable gives a command of a git that writes the settings for that.
func (r *Repo) durable(ctx context.Context, args ...string) []string {
	if r.isFlushedByUs(ctx) {
		return append([]string{"-c", "core.fsyncObjectFiles=true"}, args...)
	}
	return append([]string{"-c", "core.fsync=all", "-c", "core.fsyncMethod=batch"}, args...)
}

// isFlushedByUs reports whether git is so old that it leaves refs to the system.
// It is asked once, if that is not remembered of it.
func (r *Repo) isFlushedByUs(ctx context.Context) bool {
	r.versionOnce.Do(func() {
		v, err := r.Git.Version(context.WithoutCancel(ctx))
		r.lazyGit, r.versionKnown = err == nil && !v.AtLeast(2, 36), err == nil
	})
	return r.lazyGit
}

// flushLock makes sure that the value which an old git has written into a ref's
// lock is on the disk before the lock becomes the ref. Where refs are no files
// there is none.
func (r *Repo) flushLock(ctx context.Context, ref string) error {
	if !r.isFlushedByUs(ctx) {
		return nil
	}
	return flushFile(r.refPath(ref) + ".lock")
}

// flushFile flushes a file, if there is one.
func flushFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

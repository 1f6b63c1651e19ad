package gitstore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// What git reports as written is to survive a loss of power. Git before 2.36
// flushes objects only if a setting asks for it that later versions complain of,
// and refs never.

// durable gives a command of a git that writes the settings for that, which go on
// to the commands that it starts. A gc packs refs into one file and takes theirs
// away: where that file would not be flushed, they stay as they are.
func (r *Repo) durable(ctx context.Context, args ...string) []string {
	if r.isFlushedByUs(ctx) {
		return append([]string{"-c", "core.fsyncObjectFiles=true", "-c", "gc.packRefs=false"}, args...)
	}
	return append([]string{"-c", "core.fsync=all", "-c", "core.fsyncMethod=batch"}, args...)
}

// isFlushedByUs reports whether git is so old that it leaves refs to the system.
// It is asked once.
func (r *Repo) isFlushedByUs(ctx context.Context) bool {
	r.versionOnce.Do(func() {
		v, err := r.Git.Version(context.WithoutCancel(ctx))
		r.lazyGit = err == nil && !v.AtLeast(2, 36)
	})
	return r.lazyGit
}

// flushRefName makes sure that what a ref has become outlasts a loss of power
// before it is acknowledged. Git flushes the lock's content and renames it to the
// ref, and leaves the name to the system, which writes it some seconds later. Of
// a reftable it flushes all but the last bytes, which it writes after that, and
// without which no ref can be read.
func (r *Repo) flushRefName(ref string) error {
	tables := filepath.Join(r.CommonDir, "reftable")
	names, err := readNames(tables)
	if errors.Is(err, fs.ErrNotExist) {
		return flushFolder(filepath.Dir(r.refPath(ref)))
	}
	for _, name := range names {
		if !strings.HasSuffix(name, ".ref") {
			continue
		}
		if failed := flushFile(filepath.Join(tables, name)); !errors.Is(failed, fs.ErrPermission) { // else it is not what we wrote
			err = errors.Join(err, failed)
		}
	}
	return errors.Join(err, flushFolder(tables))
}

// flushFolder flushes the names in a folder, where the system can do that.
func flushFolder(path string) error {
	if runtime.GOOS == "windows" { // a folder cannot be opened for that
		return nil
	}
	folder, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) { // the ref was packed meanwhile, which is flushed
		return nil
	}
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) { // not on this file system
		err = nil
	}
	return errors.Join(err, folder.Close())
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

// readNames lists a folder without looking at what is in it.
func readNames(dir string) ([]string, error) {
	file, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return file.Readdirnames(-1)
}

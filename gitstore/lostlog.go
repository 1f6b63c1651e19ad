package gitstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// reflogPath is the file of the ref's reflog, where refs are files.
func (r *Repo) reflogPath(ref string) string {
	return filepath.Join(r.CommonDir, "logs", filepath.FromSlash(ref))
}

// ReflogFault says what is wrong with the ref's reflog, or "": it is missing
// where git would keep one, or its last entry was cut off, so that the next
// would be lost with it. Without a reflog nothing tells where a branch that is
// damaged later was before.
func (s *Store) ReflogFault(ctx context.Context) (string, error) {
	if _, err := os.Stat(filepath.Join(s.repo.CommonDir, "reftable")); err == nil {
		return "", nil // git alone knows it, and writes it with the ref
	}
	file, err := os.Open(s.repo.reflogPath(s.ref))
	if errors.Is(err, fs.ErrNotExist) {
		return s.missingReflog(ctx)
	}
	if err != nil {
		return "", err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.IsDir() { // left by branches below this name
		return "", err
	}
	if open, err := endsOpen(file); !open || err != nil {
		return "", err
	}
	return "its last entry was cut off", nil
}

// endsOpen reports whether a file's last line lacks its end.
func endsOpen(file *os.File) (bool, error) {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return false, err
	}
	tail := make([]byte, 1)
	_, err = file.ReadAt(tail, info.Size()-1)
	return tail[0] != '\n', err
}

// missingReflog says that there is none, where there is a ref and git would keep
// one. A bare repository has none of what was pushed to it.
func (s *Store) missingReflog(ctx context.Context) (string, error) {
	config, err := s.repo.Config(ctx)
	if err != nil {
		return "", err
	}
	if set, _ := config.Get("core.logAllRefUpdates"); !strings.EqualFold(set, "always") {
		if kept, err := config.Bool("core.logAllRefUpdates", !s.repo.Bare); err != nil || !kept {
			return "", err
		}
	}
	if _, err := s.target(ctx); err != nil { // there is no branch, or it is broken, which is told elsewhere
		return "", nil
	}
	return "it is missing", nil
}

// MendReflog begins a reflog that is missing with what the ref names now, or
// ends the line that was cut off. Nobody moves the ref meanwhile.
func (s *Store) MendReflog(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	lock, err := s.repo.lockRef(s.ref)
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close(); _ = os.Remove(lock.Name()) }()
	fault, err := s.ReflogFault(ctx) // somebody may have been first
	if fault == "" || err != nil {
		return err
	}
	entry := "" // ends the open line
	if _, err := os.Stat(s.repo.reflogPath(s.ref)); errors.Is(err, fs.ErrNotExist) {
		tip, err := s.target(ctx)
		if err != nil {
			return err
		}
		who, err := s.repo.Git.ReadLine(ctx, "var", "GIT_COMMITTER_IDENT")
		if err != nil {
			return err
		}
		entry = fmt.Sprintf("%s %s %s\tgit plan doctor: the reflog was lost\n", strings.Repeat("0", len(tip)), tip, who)
	}
	return asReadOnly(s.repo.reflogPath(s.ref), s.repo.appendReflog(s.ref, entry))
}

// appendReflog adds to the file of a reflog, under the ref's lock as git does,
// and flushes it. A last line that was cut off is ended first, so that nothing
// is lost with it.
func (r *Repo) appendReflog(ref, entry string) error {
	path := r.reflogPath(ref)
	if err := r.makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	open, err := endsOpen(file)
	if open {
		entry = "\n" + entry
	}
	if err == nil {
		_, err = file.WriteString(entry)
	}
	r.Share(path)
	return errors.Join(err, file.Sync(), file.Close())
}

// lockRef takes git's own lock of a ref, by which nobody else changes it: the
// file that is to become the ref, or is to be removed.
func (r *Repo) lockRef(ref string) (*os.File, error) {
	path := r.refPath(ref) + ".lock"
	if err := r.makeFolders(filepath.Dir(path)); err != nil {
		return nil, asReadOnly(path, err)
	}
	lock, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		return nil, &LockedError{Path: path, Age: age(path)}
	}
	if err != nil {
		return nil, asReadOnly(path, err)
	}
	return lock, nil
}

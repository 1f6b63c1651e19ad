package gitstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// IndexFault is an index that git cannot read, or would take for that of another
// state, in the worktree that has the ref checked out.
type IndexFault struct {
	// Worktree is the folder, Path the index, Detail says what is wrong.
	Worktree, Path, Detail string
}

// IndexFault looks at the index of the worktree that has the ref checked out. It
// is nil if there is no such worktree, or its index is whole. Git itself checks
// only how it begins.
func (s *Store) IndexFault(ctx context.Context) (*IndexFault, error) {
	tip, err := s.Tip(ctx)
	if err != nil || tip.Worktree == "" {
		return nil, nil // that the ref is broken is told elsewhere
	}
	w, err := s.openWorktree(ctx, tip.Worktree)
	if err != nil || w == nil {
		return nil, err
	}
	fault := &IndexFault{Worktree: w.path, Path: w.indexPath()}
	info, err := os.Stat(fault.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		fault.Detail = "it is missing"
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		fault.Detail = "it is no regular file"
	default:
		data, err := os.ReadFile(fault.Path)
		if err != nil {
			return nil, err
		}
		fault.Detail = s.repo.indexDetail(data)
	}
	if fault.Detail == "" {
		return nil, nil
	}
	return fault, nil
}

// indexDetail says what is wrong with what an index holds, or "". It ends in a
// checksum, or in zeros where index.skipHash is set.
func (r *Repo) indexDetail(data []byte) string {
	sum := r.newHash()
	end := len(data) - sum.Size()
	switch {
	case len(data) == 0:
		return "it is empty"
	case end < 12 || !bytes.HasPrefix(data, []byte("DIRC")):
		return "it is no index of git"
	}
	sum.Write(data[:end])
	if !bytes.Equal(sum.Sum(nil), data[end:]) && len(bytes.Trim(data[end:], "\x00")) > 0 {
		return "it was cut off, or changed"
	}
	return ""
}

// MendIndex puts an index of what the ref names in the place of one that git
// cannot read, and returns where the old one is kept, "" if there was none. No
// file of the worktree changes: what was staged shows as a change again, and what
// a sparse checkout leaves out stays left out.
func (s *Store) MendIndex(ctx context.Context) (kept string, err error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return "", err
	}
	defer unlock()
	if _, err := s.recover(ctx); err != nil {
		return "", err
	}
	fault, err := s.IndexFault(ctx)
	if err != nil || fault == nil { // somebody was first
		return "", err
	}
	tip, err := s.Tip(ctx)
	if err != nil {
		return "", err
	}
	w, err := s.openWorktree(ctx, fault.Worktree)
	if err != nil || w == nil {
		return "", err
	}
	m := s.newMove(w, tip.Commit, tip.Commit)
	if err := m.record(phaseBegun); err != nil {
		return "", err
	}
	kept, err = m.rebuildIndex(ctx)
	if err != nil {
		return kept, errors.Join(asReadOnly(w.gitDir, err), m.undo())
	}
	return kept, nil
}

// rebuildIndex makes the copy from the commit alone and puts it in place.
func (m *move) rebuildIndex(ctx context.Context) (kept string, err error) {
	w := m.worktree
	if err := w.takeLock(); err != nil {
		return "", err
	}
	if err := remove(w.copyPath()); err != nil {
		return "", err
	}
	if _, err := w.git.Write(ctx, nil, w.repo.durable(ctx, "read-tree", m.New)...); err != nil {
		return "", err
	}
	if err := w.leaveOut(ctx); err != nil {
		return "", err
	}
	if err := w.refresh(ctx); err != nil {
		return "", err
	}
	if kept, err = putAside(w.indexPath()); err != nil {
		return "", err
	}
	return kept, m.replaceIndex()
}

// putAside renames what is at path to the first free name beside it, and returns
// that name, or "" if there is nothing.
func putAside(path string) (string, error) {
	for i := 1; ; i++ {
		aside := path + ".away"
		if i > 1 {
			aside = fmt.Sprintf("%s-%d", aside, i)
		}
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		err := os.Rename(path, aside)
		if errors.Is(err, fs.ErrNotExist) {
			return "", nil
		}
		return aside, err
	}
}

package gitstore

import (
	"bytes"
	"context"
	"errors"
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

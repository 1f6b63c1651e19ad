package gitstore

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// RebaseError says that a worktree is in the middle of a rebase of the ref. HEAD
// is detached there, and what moved the ref meanwhile would be gone after an
// abort, and in the way of going on. Nothing was changed.
type RebaseError struct {
	// Ref is the full name.
	Ref string
	// Worktree is its path.
	Worktree string
	// Gone says that there is nothing at that path now.
	Gone bool
	// Age is how long ago the rebase took its last step.
	Age time.Duration
}

// Error names the worktree and the ways out.
func (e *RebaseError) Error() string {
	if e.Gone {
		return fmt.Sprintf("%s is being rebased in the worktree %s, which is not there: bring it back, or forget it with 'git worktree prune'", e.Ref, e.Worktree)
	}
	return fmt.Sprintf("%s is being rebased in the worktree %s: finish that there with 'git rebase --continue', or 'git rebase --abort', and try again", e.Ref, e.Worktree)
}

// Rebasing gives the full name of the branch whose rebase is open in the worktree
// of a git directory, and the folder in which git remembers that; "" for none.
func Rebasing(gitDir string) (ref, state string) {
	for _, name := range []string{"rebase-merge", "rebase-apply"} {
		state := filepath.Join(gitDir, name)
		if data, err := os.ReadFile(filepath.Join(state, "head-name")); err == nil {
			return strings.TrimSpace(string(data)), state
		}
	}
	return "", ""
}

// Rebase tells of an open rebase of the ref, in any worktree; it is nil if there
// is none. Where nothing is rebased it asks no git.
func (s *Store) Rebase(ctx context.Context) (*RebaseError, error) {
	for _, gitDir := range s.repo.gitDirs() {
		ref, state := Rebasing(gitDir)
		if ref == "" {
			continue
		}
		end, err := s.repo.RefEnd(ctx, s.ref)
		if err != nil {
			return nil, err
		}
		if ref == end {
			path := s.repo.worktreePath(gitDir)
			_, err := os.Stat(path)
			return &RebaseError{Ref: ref, Worktree: path, Gone: os.IsNotExist(err), Age: age(state)}, nil
		}
	}
	return nil, nil
}

// worktreePath gives the top of the worktree that a git directory belongs to, as
// git itself has it.
func (r *Repo) worktreePath(gitDir string) string {
	switch {
	case gitDir == r.GitDir && r.WorkTree != "":
		return r.WorkTree
	case gitDir == r.CommonDir:
		return strings.TrimSuffix(gitDir, string(filepath.Separator)+".git")
	}
	data, err := os.ReadFile(filepath.Join(gitDir, "gitdir"))
	if err != nil {
		return gitDir
	}
	pointer := strings.TrimRight(string(data), "\r\n")
	if !filepath.IsAbs(pointer) {
		pointer = filepath.Join(gitDir, pointer)
	}
	return filepath.Dir(pointer)
}

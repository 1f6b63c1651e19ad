package draft

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-plan/git-plan/internal/store"
)

// Follow lets what every worktree of the repository remembers follow plans that a
// merge gave another id, by the old one: the id is that of somebody else's plan now.
func Follow(ctx context.Context, repo *store.Repo, plans map[string]string) error {
	at := filepath.Join(repo.CommonDir, "worktrees")
	entries, err := os.ReadDir(at)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	dirs := []string{repo.CommonDir}
	for _, e := range entries {
		dirs = append(dirs, filepath.Join(at, e.Name()))
	}
	var failed error
	for _, dir := range dirs {
		failed = errors.Join(failed, followIn(ctx, filepath.Join(dir, filepath.Base(repo.StateDir())), plans))
	}
	return failed
}

func followIn(ctx context.Context, dir string, plans map[string]string) error {
	file := filepath.Join(dir, stateName)
	if _, err := os.Lstat(file); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return lockedIn(ctx, dir, "state.lock", stateWait, func() error {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var s State
		if err := json.Unmarshal(data, &s); err != nil {
			return &StateError{Path: file, Drafts: "their folder", Err: err}
		}
		s.rename(plans)
		return s.save(file)
	})
}

// rename gives the current plan and those of the threads their new ids. What a
// thread began from has the id that it had then.
func (s *State) rename(plans map[string]string) {
	if id := plans[s.Plan]; id != "" {
		s.Plan = id
	}
	for i := range s.Threads {
		t := &s.Threads[i]
		t.rename(plans)
		if t.Filling != nil {
			t.Filling.Then.rename(plans)
		}
	}
}

func (t *Thread) rename(plans map[string]string) {
	if id := plans[t.Pending]; id != "" {
		t.Pending = id
	}
	id := plans[t.Plan]
	if id == "" {
		return
	}
	switch {
	case id == t.Was:
		t.Was = ""
	case t.Was == "" && t.Base != "":
		t.Was = t.Plan
	}
	t.Plan = id
}

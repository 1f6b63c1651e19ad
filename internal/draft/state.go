package draft

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/filelock"
	"github.com/git-plan/git-plan/internal/paths"
	"github.com/git-plan/git-plan/internal/store"
)

// Draft is a folder in which one plan is edited.
type Draft struct {
	ID string `json:"id"`
	// Dir is the absolute path of the folder. On disk a folder inside the
	// working tree is written relative to its top, so that a repository can be
	// moved or copied.
	Dir string `json:"dir"`
	// Plan is the id of the stored plan that it edits, empty for a new one.
	Plan string `json:"plan,omitempty"`
	// Base is the commit that the folder was last filled from, empty for a new plan.
	Base string `json:"base,omitempty"`
	// Next is the commit that the folder is being filled from, empty once it is: what
	// a process that was killed had written of it is no edit.
	Next string `json:"next,omitempty"`
	// Change is the identity of a change that this draft is about to land, or that
	// was parked and is resolved here; see store.Message.
	Change string `json:"change,omitempty"`
}

// isIn reports whether dir is the draft's folder, whatever links lead there.
func (t Draft) isIn(dir string) bool { return t.Dir == dir || paths.Real(t.Dir) == paths.Real(dir) }

// name is the id of the plan, or of the draft of a new one.
func (t Draft) name() string { return cmp.Or(t.Plan, t.ID) }

// isNew reports whether the draft is of a plan that is not stored yet.
func (t Draft) isNew() bool { return t.Base == "" }

// letGo is the draft with its folder free for another plan.
func (t Draft) letGo() Draft { return Draft{ID: t.ID, Dir: t.Dir} }

// State is what a worktree remembers.
type State struct {
	// Current is the id of the current draft.
	Current string `json:"current,omitempty"`
	// Plan is the id of the current plan.
	Plan  string `json:"plan,omitempty"`
	Topic string `json:"topic,omitempty"`
	// Last is the last number that was given to a draft: none is given twice.
	Last   int     `json:"last,omitempty"`
	Drafts []Draft `json:"drafts,omitempty"`
	// WorkTree is the working tree that drafts outside of it belong to.
	WorkTree string `json:"worktree,omitempty"`

	// Threads are the drafts of version 0.1, which are taken over once.
	Threads []thread `json:"threads,omitempty"`
}

// thread is a draft as version 0.1 kept it.
type thread struct {
	Draft
	Merging string `json:"merging"`
	Ours    string `json:"ours"`
	Cleared bool   `json:"cleared"`
	Filling *struct {
		Then Draft `json:"then"`
	} `json:"filling"`
}

// takeOver makes drafts of the threads of version 0.1. A merge that was open goes on
// as an edit of what was stored here; a folder that was cleared is free.
func (s *State) takeOver() {
	for _, t := range s.Threads {
		d := t.Draft
		switch {
		case t.Cleared:
			d = d.letGo()
		case t.Filling != nil:
			d.Plan, d.Base = t.Filling.Then.Plan, cmp.Or(d.Base, t.Filling.Then.Base)
		case t.Merging != "":
			d.Base = cmp.Or(t.Ours, d.Base)
		}
		s.Drafts = append(s.Drafts, d)
		if n, err := strconv.Atoi(strings.TrimPrefix(t.ID, numbered)); err == nil {
			s.Last = max(s.Last, n)
		}
	}
	s.Threads = nil
}

func (s *State) draft(id string) *Draft {
	i := slices.IndexFunc(s.Drafts, func(t Draft) bool { return t.ID == id })
	if i < 0 || id == "" {
		return nil
	}
	return &s.Drafts[i]
}

// of gives the draft that edits a plan, or nil.
func (s *State) of(plan string) *Draft {
	i := slices.IndexFunc(s.Drafts, func(t Draft) bool { return t.Plan == plan })
	if i < 0 || plan == "" {
		return nil
	}
	return &s.Drafts[i]
}

// in gives the draft in a folder, or nil.
func (s *State) in(dir string) *Draft {
	i := slices.IndexFunc(s.Drafts, func(t Draft) bool { return t.isIn(dir) })
	if i < 0 {
		return nil
	}
	return &s.Drafts[i]
}

// drop forgets a draft.
func (s *State) drop(id string) {
	s.Drafts = slices.DeleteFunc(s.Drafts, func(t Draft) bool { return t.ID == id })
	if s.Current == id {
		s.Current = ""
	}
}

// ordered gives the drafts, the current one first.
func (s *State) ordered() []Draft {
	var out []Draft
	for _, t := range s.Drafts {
		if t.ID == s.Current {
			out = slices.Insert(out, 0, t)
		} else {
			out = append(out, t)
		}
	}
	return out
}

// stateName is the file of a worktree's state, in its state folder.
const stateName = "state.json"

// stateFile is the file in which a worktree keeps its State. One process at a time
// changes it, under a lock next to it; any may read it.
type stateFile struct {
	path string
	// workTree is the top of the working tree, root the folder that drafts are made in.
	workTree, root string
}

// read gives the state, an empty one where there is no file yet.
func (f stateFile) read() (State, error) {
	s, err := readState(f.path, f.root)
	if err != nil {
		return s, err
	}
	for i := range s.Drafts {
		t := &s.Drafts[i]
		if !filepath.IsAbs(t.Dir) {
			t.Dir = filepath.Join(f.workTree, t.Dir)
		} else if s.WorkTree != f.workTree { // in a copy it is another's folder
			return s, &StateError{Path: f.path, Drafts: t.Dir, Err: fmt.Errorf("draft %s belongs to %s", t.ID, s.WorkTree)}
		}
	}
	return s, nil
}

func readState(file, drafts string) (s State, err error) {
	data, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		if err = json.Unmarshal(data, &s); err != nil {
			err = &StateError{Path: file, Drafts: drafts, Err: err}
		}
	}
	s.takeOver()
	return s, err
}

// StateError is returned when what the worktree remembers cannot be read. The
// folders of the drafts are not touched.
type StateError struct {
	// Path is the file, Drafts the folder that drafts are in.
	Path, Drafts string
	Err          error
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s cannot be read (%v): remove it to begin again; drafts stay in %s", e.Path, e.Err, e.Drafts)
}

// How long a command waits for another: for its turn to write the state, and
// for a commit of drafts to end, which may ask for a passphrase.
const (
	stateWait  = 10 * time.Second
	commitWait = 30 * time.Second
)

// locked runs fn while no other process holds the lock of that name.
func locked(ctx context.Context, dir, name string, wait time.Duration, fn func() error) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return gitDirError(dir, err)
	}
	path := filepath.Join(dir, name)
	unlock, err := filelock.Wait(ctx, path, wait)
	if errors.Is(err, filelock.ErrHeld) {
		return &gitstore.LockedError{Path: path}
	}
	if err != nil {
		return gitDirError(path, err)
	}
	defer unlock()
	return fn()
}

// change runs fn on the state under a lock and saves what it made of it,
// unless fn fails.
func (f stateFile) change(ctx context.Context, fn func(*State) error) error {
	return locked(ctx, filepath.Dir(f.path), "state.lock", stateWait, func() error {
		s, err := f.read()
		if err != nil {
			return err
		}
		if err := fn(&s); err != nil {
			return err
		}
		return f.save(s)
	})
}

// save writes the state, with paths inside the working tree relative to its top. It
// is called under the lock.
func (f stateFile) save(s State) error {
	s.Drafts, s.WorkTree = slices.Clone(s.Drafts), ""
	for i := range s.Drafts {
		if rel, err := filepath.Rel(f.workTree, s.Drafts[i].Dir); err == nil && filepath.IsLocal(rel) {
			s.Drafts[i].Dir = rel
		} else {
			s.WorkTree = f.workTree
		}
	}
	return s.write(f.path)
}

// begin notes what a folder is about to be filled from.
func (f stateFile) begin(s *State, t *Draft, commit string) error {
	if t.isNew() || t.Base == commit {
		return nil
	}
	t.Next = commit
	return f.save(*s)
}

// write changes the file if it differs.
func (s State) write(file string) error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if old, err := os.ReadFile(file); err == nil && string(old) == string(data) {
		return nil
	}
	if err := store.WriteFile(file, data); err != nil {
		return gitDirError(file, err)
	}
	return nil
}

// gitDirError tells a git directory that may not be written from other failures.
func gitDirError(path string, err error) error {
	if mayNotWrite(err) {
		return &gitstore.ReadOnlyError{Path: path, Err: err}
	}
	return err
}

// Follow changes the ids of plans, by the old ones, in what every worktree of the
// repository remembers: a plan got another id because its own was taken.
func Follow(ctx context.Context, repo *store.Repo, plans map[string]string) error {
	worktrees, err := filepath.Glob(filepath.Join(repo.CommonDir, "worktrees", "*"))
	if err != nil {
		return err
	}
	var failed error
	for _, dir := range append(worktrees, repo.CommonDir) {
		dir = filepath.Join(dir, filepath.Base(repo.StateDir()))
		file := filepath.Join(dir, stateName)
		if _, err := os.Lstat(file); err != nil {
			continue
		}
		failed = errors.Join(failed, locked(ctx, dir, "state.lock", stateWait, func() error {
			s, err := readState(file, "their folder")
			if err != nil {
				return err
			}
			s.Plan = cmp.Or(plans[s.Plan], s.Plan)
			for i, t := range s.Drafts {
				s.Drafts[i].Plan = cmp.Or(plans[t.Plan], t.Plan)
			}
			return s.write(file)
		}))
	}
	return failed
}

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
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/filelock"
	"github.com/git-plan/git-plan/internal/store"
)

// Thread is one plan being drafted.
type Thread struct {
	ID string `json:"id"`
	// Dir is the absolute path of the folder. On disk a folder inside the
	// working tree is written relative to its top, so that a repository can be
	// moved or copied.
	Dir string `json:"dir"`
	// Plan is the id of the stored plan that the folder holds, or empty.
	Plan string `json:"plan,omitempty"`
	// Base is the commit the folder's files were taken from or became.
	Base string `json:"base,omitempty"`
	// Was is the id that the plan has at Base, where a merge gave it another one
	// since; else it is empty.
	Was string `json:"was,omitempty"`
	// Merging is the commit that a merge with was left open for the plan, and
	// that committing the thread makes; empty otherwise.
	Merging string `json:"merging,omitempty"`
	// Ours is the commit here that it was left open at, Opened a checksum of the
	// files that were written then.
	Ours   string `json:"ours,omitempty"`
	Opened string `json:"opened,omitempty"`
	// Conflicts are what was to be decided then.
	Conflicts []Undecided `json:"conflicts,omitempty"`
	// Cleared says that the folder was emptied on purpose.
	Cleared bool `json:"cleared,omitempty"`
	// Pending is the id under which a commit was begun and may have landed,
	// Digest a checksum of the files it was to store.
	Pending string `json:"pending,omitempty"`
	Digest  string `json:"digest,omitempty"`
	// Proposed are the commits of the last proposals that held the plan just as
	// the folder had it then, the newest first.
	Proposed []string `json:"proposed,omitempty"`
	// Filling is what the folder is being filled with, nil where it is whole.
	Filling *Filling `json:"filling,omitempty"`
}

// isIn reports whether dir is the thread's folder, whatever links lead there.
func (t Thread) isIn(dir string) bool { return t.Dir == dir || real(t.Dir) == real(dir) }

// planOrID names the thread's plan, which has no id before it is committed.
func (t Thread) planOrID() string { return cmp.Or(t.Plan, t.ID) }

// State is what a worktree remembers.
type State struct {
	// Current is the id of the current thread.
	Current string `json:"current,omitempty"`
	// Plan is the id of the current plan.
	Plan    string   `json:"plan,omitempty"`
	Topic   string   `json:"topic,omitempty"`
	Threads []Thread `json:"threads,omitempty"`
	// WorkTree is the working tree that threads outside of it belong to.
	WorkTree string `json:"worktree,omitempty"`
}

func (s *State) thread(id string) *Thread {
	i := slices.IndexFunc(s.Threads, func(t Thread) bool { return t.ID == id })
	if i < 0 || id == "" {
		return nil
	}
	return &s.Threads[i]
}

// ordered gives the threads, the current one first.
func (s *State) ordered() []*Thread {
	var out []*Thread
	for i := range s.Threads {
		if s.Threads[i].ID == s.Current {
			out = slices.Insert(out, 0, &s.Threads[i])
		} else {
			out = append(out, &s.Threads[i])
		}
	}
	return out
}

// Drafts are the threads of one worktree.
type Drafts struct {
	// Note, unless nil, is told what bringing a folder together with the store
	// did that nobody asked for, such as giving a task another number.
	Note func(plan, what string)

	repo *store.Repo
	// cwd is where the user stands; findings name files from there.
	cwd string
	// root is the folder that threads are allocated in.
	root string
}

// DefaultDir is the folder of drafts at the top of the working tree where
// plan.draftDir does not name another.
const DefaultDir = ".plans"

// Open gives the drafts of the worktree that repo stands in. A bare
// repository has none: *store.UnsupportedError.
func Open(repo *store.Repo, cwd string) (*Drafts, error) {
	if repo.WorkTree == "" {
		return nil, &store.UnsupportedError{Message: "threads need a working tree, and there is none here: go to the top of one, or make one with `git worktree add`"}
	}
	root := Root(repo)
	if !filepath.IsAbs(root) {
		root = filepath.Join(repo.WorkTree, root)
	}
	if err := checkRoot(repo, root); err != nil {
		return nil, err
	}
	return &Drafts{repo: repo, cwd: cwd, root: root}, nil
}

// checkRoot refuses a folder of drafts that cannot be one.
func checkRoot(repo *store.Repo, root string) error {
	if root == repo.WorkTree || strings.ContainsAny(root, "\n\r") || isInside(repo.GitDir, root) || isInside(repo.CommonDir, root) {
		return &store.UnsupportedError{Message: fmt.Sprintf("plan.draftDir names %q, where no drafts can be: choose a folder of its own", root)}
	}
	return nil
}

// isInside reports whether p is dir or below it.
func isInside(dir, p string) bool {
	rel, err := filepath.Rel(dir, p)
	return err == nil && filepath.IsLocal(rel)
}

// Root is the folder of drafts as configured, relative to the top of the
// working tree or absolute.
func Root(repo *store.Repo) string {
	dir, ok := repo.Config.Get("plan.draftDir")
	if !ok || dir == "" {
		return DefaultDir
	}
	if rest, home := strings.CutPrefix(dir, "~/"); home {
		dir = repo.Git.Getenv("HOME") + "/" + rest
	}
	return filepath.Clean(filepath.FromSlash(dir))
}

func (d *Drafts) stateFile() string { return filepath.Join(d.repo.StateDir(), stateName) }

// stateName is the file of a worktree's state, in its state folder.
const stateName = "state.json"

// State reads what the worktree remembers. It never writes.
func (d *Drafts) State() (State, error) {
	var s State
	data, err := os.ReadFile(d.stateFile())
	if errors.Is(err, os.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, err
	}
	if err := json.Unmarshal(data, &s); err != nil {
		return s, &StateError{Path: d.stateFile(), Drafts: d.root, Err: err}
	}
	return s, d.resolve(&s)
}

// resolve makes the threads' paths absolute. A folder outside of the working
// tree belongs to the one it was made for: in a copy of the repository it is
// somebody else's.
func (d *Drafts) resolve(s *State) error {
	for i := range s.Threads {
		t := &s.Threads[i]
		if !filepath.IsAbs(t.Dir) {
			t.Dir = filepath.Join(d.repo.WorkTree, t.Dir)
		} else if s.WorkTree != d.repo.WorkTree {
			return &StateError{Path: d.stateFile(), Drafts: t.Dir, Err: fmt.Errorf("thread %s belongs to %s", t.ID, s.WorkTree)}
		}
	}
	return nil
}

// portable is the state as it is written: paths inside the working tree
// relative to its top.
func (d *Drafts) portable(s State) State {
	s.Threads = slices.Clone(s.Threads)
	s.WorkTree = ""
	for i := range s.Threads {
		rel, err := filepath.Rel(d.repo.WorkTree, s.Threads[i].Dir)
		if err == nil && filepath.IsLocal(rel) {
			s.Threads[i].Dir = rel
		} else {
			s.WorkTree = d.repo.WorkTree
		}
	}
	return s
}

// StateError is returned when what the worktree remembers is no longer
// readable. The folders of the threads are not touched.
type StateError struct {
	// Path is the file, Drafts the folder that threads are in.
	Path, Drafts string
	Err          error
}

func (e *StateError) Error() string {
	return fmt.Sprintf("%s cannot be read (%v): remove it to start anew; drafts stay in %s", e.Path, e.Err, e.Drafts)
}

// How long a command waits for another: for its turn to write the state, and
// for a commit of threads to end, which may ask for a passphrase.
const (
	stateWait  = 10 * time.Second
	commitWait = 30 * time.Second
)

// locked runs fn while no other process holds the lock of that name.
func (d *Drafts) locked(ctx context.Context, name string, wait time.Duration, fn func() error) error {
	return lockedIn(ctx, d.repo.StateDir(), name, wait, fn)
}

func lockedIn(ctx context.Context, dir, name string, wait time.Duration, fn func() error) error {
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
// unless fn fails. Folders that were filled in part are whole before that, where they
// can be; one that cannot hinders nobody but who uses it, see fill.
func (d *Drafts) change(ctx context.Context, fn func(*State) error) error {
	return d.locked(ctx, "state.lock", stateWait, func() error {
		s, err := d.State()
		if err != nil {
			return err
		}
		for i := range s.Threads {
			_ = d.finish(&s.Threads[i])
		}
		if err := fn(&s); err != nil {
			return err
		}
		return d.save(s)
	})
}

// save writes the state; it is called under the lock.
func (d *Drafts) save(s State) error { return d.portable(s).save(d.stateFile()) }

// gitDirError tells a git directory that may not be written from other failures.
func gitDirError(path string, err error) error {
	if mayNotWrite(err) {
		return &gitstore.ReadOnlyError{Path: path, Err: err}
	}
	return err
}

// save writes what differs from what the file holds.
func (s State) save(file string) error {
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

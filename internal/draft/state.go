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
	"time"

	"github.com/gofrs/flock"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/planrepo"
)

// Thread is one plan being drafted.
type Thread struct {
	ID string `json:"id"`
	// Dir is the absolute path of the folder.
	Dir string `json:"dir"`
	// Plan is the id of the stored plan that the folder holds, or empty.
	Plan string `json:"plan,omitempty"`
	// Base is the commit the folder's files were taken from or became.
	Base string `json:"base,omitempty"`
	// Cleared says that the folder was emptied on purpose.
	Cleared bool `json:"cleared,omitempty"`
	// Pending is the id under which a commit was begun and may have landed.
	Pending string `json:"pending,omitempty"`
}

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
	repo *planrepo.Repo
	// cwd is where the user stands; findings name files from there.
	cwd string
	// root is the folder that threads are allocated in.
	root     string
	fileMode bool
}

// DefaultDir is the folder of drafts at the top of the working tree where
// plan.draftDir does not name another.
const DefaultDir = ".plans"

// Open gives the drafts of the worktree that repo stands in. A bare
// repository has none: *planrepo.UnsupportedError.
func Open(repo *planrepo.Repo, cwd string) (*Drafts, error) {
	if repo.WorkTree == "" {
		return nil, &planrepo.UnsupportedError{Message: "threads need a working tree, and there is none here"}
	}
	fileMode, err := repo.Config.Bool("core.fileMode", true)
	if err != nil {
		return nil, err
	}
	root := Root(repo)
	if !filepath.IsAbs(root) {
		root = filepath.Join(repo.WorkTree, root)
	}
	return &Drafts{repo: repo, cwd: cwd, root: root, fileMode: fileMode}, nil
}

// Root is the folder of drafts as configured, relative to the top of the
// working tree or absolute.
func Root(repo *planrepo.Repo) string {
	if dir, ok := repo.Config.Get("plan.draftDir"); ok && dir != "" {
		return filepath.FromSlash(dir)
	}
	return DefaultDir
}

func (d *Drafts) stateFile() string { return filepath.Join(d.repo.StateDir(), "state.json") }

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
	return s, nil
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

const lockWait = 10 * time.Second

// change runs fn on the state under a lock and saves what it made of it,
// unless fn fails.
func (d *Drafts) change(ctx context.Context, fn func(*State) error) error {
	dir := d.repo.StateDir()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return &gitstore.ReadOnlyError{Path: dir, Err: err}
	}
	lock := flock.New(filepath.Join(dir, "state.lock"))
	ctx, cancel := context.WithTimeout(ctx, lockWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil || !ok {
		if errors.Is(err, context.DeadlineExceeded) {
			return &gitstore.LockedError{Path: lock.Path(), Age: lockWait}
		}
		return &gitstore.ReadOnlyError{Path: lock.Path(), Err: err}
	}
	defer lock.Unlock()
	s, err := d.State()
	if err != nil {
		return err
	}
	if err := fn(&s); err != nil {
		return err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := planrepo.WriteFile(d.stateFile(), append(data, '\n')); err != nil {
		return &gitstore.ReadOnlyError{Path: d.stateFile(), Err: err}
	}
	return nil
}

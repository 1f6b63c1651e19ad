package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/formats"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/setup"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// workspace is the repository that a command works in, once it is opened.
type workspace struct {
	output
	projectFiles

	agent string
	push  bool
	// unattended says that nobody can be asked for a password.
	unattended bool
	// request is the id that the caller gave this change.
	request string
	repo    *store.Repo
}

// open finds the repository, once.
func (w *workspace) open(ctx context.Context) (*store.Repo, error) {
	if w.repo != nil {
		return w.repo, nil
	}
	if why := store.CheckRequest(w.request); why != "" {
		return nil, &usageError{why}
	}
	g := w.git()
	g.Attended = w.attended
	if w.unattended {
		g = g.Unattended()
	}
	repo, err := store.Open(ctx, store.Options{Git: g, Getenv: w.Getenv, Now: w.Now, Agent: w.agent, Push: w.push, Progress: w.counted, Warn: w.warn})
	if err != nil {
		var refused *git.Error // to work here: the type that callers look for, in git's own words
		if errors.As(err, &refused) {
			err = &gitstore.NotRepositoryError{Words: refused.Error()}
		}
		return nil, err
	}
	repo.Request = w.request
	repo.Approve = w.approver(repo)
	repo.Renamed = func(ctx context.Context, plans map[string]string) error {
		if w.Env.Renamed != nil {
			w.Env.Renamed(plans)
		}
		return draft.Follow(ctx, repo, plans)
	}
	w.repo, w.config, w.projectFiles = repo, repo.Config, projectFiles{repo.WorkTree, !repo.FileMode}
	return repo, nil
}

// openAs finds the repository and the name that this process acts under.
func (w *workspace) openAs(ctx context.Context) (agent string, err error) {
	repo, err := w.open(ctx)
	if err != nil {
		return "", err
	}
	return repo.Agent(ctx)
}

// fetchBehind has the remote's plans fetched for those who read next, after a command
// that shows where work stands.
func (w *workspace) fetchBehind(ctx context.Context) {
	if err := w.repo.Publisher().FetchBehind(ctx, w.Program); err != nil {
		w.warn("the plans are not fetched: %v", err)
	}
}

func (w *workspace) close() {
	if w.repo != nil {
		w.repo.Close()
	}
}

// drafts opens the worktree's drafts.
func (w *workspace) drafts(ctx context.Context) (*draft.Drafts, error) {
	repo, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	d, err := draft.Open(repo, w.Dir)
	if err != nil {
		return nil, err
	}
	d.Note = func(plan, what string) { w.warn("%s: %s", plan, what) }
	return d, nil
}

// look is snapshot with a warning of what is wrong with the store.
func (w *workspace) look(ctx context.Context) (*store.Snapshot, error) {
	s, err := w.snapshot(ctx)
	if err == nil {
		w.warnOfGates(ctx, s)
	}
	return s, err
}

// threads opens the worktree's threads and reads what it remembers of them.
func (w *workspace) threads(ctx context.Context) (*draft.Drafts, draft.State, error) {
	d, err := w.drafts(ctx)
	if err != nil {
		return nil, draft.State{}, err
	}
	state, err := d.State()
	return d, state, err
}

// snapshot opens the repository and reads the store as it is.
func (w *workspace) snapshot(ctx context.Context) (*store.Snapshot, error) {
	repo, err := w.open(ctx)
	if err != nil {
		return nil, err
	}
	return repo.Snapshot(ctx)
}

// warnOfGates warns of a gates.yaml by which no plan can be judged or written. It
// does not stop readers.
func (w *workspace) warnOfGates(ctx context.Context, s *store.Snapshot) {
	if s.Ref == "" {
		return // no store, or a look into its past
	}
	gates, found, err := s.Gates(ctx)
	switch {
	case err != nil:
		w.warn("gates.yaml in the store cannot be read: %v", err)
	case gates.Newer():
		w.warn("gates.yaml in the store is of a newer format: update git plan to write plans here")
	case len(found) > 0:
		w.warn("gates.yaml in the store has %s, and no plan can be written: see `git plan doctor`", count(len(found), "error"))
	}
}

// afterChange ends every command that changed plans: unedited drafts of these plans
// follow. The claims, <plan>/<task>, are those that the command is about, even where
// the agent had them before.
func (w *workspace) afterChange(ctx context.Context, result store.Result, claims ...string) {
	w.tellResult(result, claims...)
	if !result.Changed() || w.repo.WorkTree == "" {
		return
	}
	d, err := w.drafts(ctx)
	if err == nil {
		err = d.Refresh(ctx, result.Commit, namesOf(result.Plans, outcomeID)...)
	}
	if err != nil {
		w.warn("drafts were not brought up to date: %v", err)
	}
}

// draftedIDs gives the ids that the worktree's threads have for their plans.
func (w *workspace) draftedIDs(ctx context.Context) ([]string, error) {
	if w.repo.WorkTree == "" {
		return nil, nil
	}
	_, state, err := w.threads(ctx)
	return namesOf(state.Drafts, func(t draft.Draft) string { return t.Plan }), err
}

// makeCurrent makes a plan the worktree's current one, where there is a
// worktree.
func (w *workspace) makeCurrent(ctx context.Context, id string) error {
	if w.repo.WorkTree == "" {
		return nil
	}
	d, err := w.drafts(ctx)
	if err != nil {
		return err
	}
	return d.Use(ctx, id)
}

// openIfThere finds the repository, if there is one: a folder may lie outside
// of any.
func (w *workspace) openIfThere(ctx context.Context) error {
	if _, err := w.open(ctx); err != nil && !isA[*gitstore.NotRepositoryError](err) {
		return err
	}
	return nil
}

// project is what setting up must know of the project.
func (w *workspace) project(ctx context.Context) (setup.Project, error) {
	repo, err := w.open(ctx)
	if err != nil {
		return setup.Project{}, err
	}
	if repo.WorkTree == "" {
		return setup.Project{}, hooks.ErrNoWorkTree
	}
	if inStore, err := repo.Project().InStore(ctx); err != nil || inStore {
		return setup.Project{}, cmp.Or(err, error(&store.UnsupportedError{Message: "the plans are checked out here: run it in a working tree of the project"}))
	}
	p := setup.Project{Dir: repo.WorkTree, CommonDir: repo.CommonDir, Drafts: w.draftFolder()}
	if name, set := repo.Config.Get("plan.instructionsFile"); set && name != "" {
		p.Instructions = path.Clean(filepath.ToSlash(name))
	}
	info, err := os.Lstat(filepath.Join(repo.WorkTree, ".git"))
	p.Linked = err != nil || !info.IsDir()
	hidden, err := repo.Config.Bool("plan.draftExclude", true)
	if !hidden {
		p.Drafts = ""
	}
	return p, err
}

// draftFolder is the folder of threads in the working tree, if there is one.
func (w *workspace) draftFolder() string {
	if w.repo.WorkTree == "" {
		return ""
	}
	return strings.Trim(draft.ExcludePattern(w.repo), "/")
}

// readInput reads a file, or standard input, and gives its name for messages. What
// is too large for any plan is cut.
func (w *workspace) readInput(ctx context.Context, file string) (name string, data []byte, err error) {
	if file == "-" {
		data, err = w.readStdin(ctx, "the plan", formats.MaxFile)
		return "stdin", data, err
	}
	if info, err := os.Lstat(w.abs(file)); err == nil && info.Mode().Type() == os.ModeNamedPipe && !strings.HasPrefix(file, "/dev/fd/") {
		return "", nil, &usageError{fmt.Sprintf("%s is a pipe, which may never end: give - and write to the command", file)}
	}
	data, err = unlessOver(ctx, func() ([]byte, error) {
		f, err := w.openFile(w.abs(file))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return readAtMost(f, formats.MaxFile)
	})
	if os.IsNotExist(err) {
		return "", nil, &store.NotFoundError{What: "file", Name: file}
	}
	return filepath.ToSlash(filepath.Clean(file)), data, err
}

// approver is how commits ask the judge about a plan; nil where no model is set
// up.
func (w *workspace) approver(repo *store.Repo) func(context.Context, *plan.Plan) (validate.Opinion, error) {
	if command, _ := repo.Config.Get(modelCommand); strings.TrimSpace(command) == "" {
		return nil
	}
	return func(ctx context.Context, p *plan.Plan) (validate.Opinion, error) {
		model, _, err := w.model(ctx)
		if err != nil {
			return validate.Opinion{}, err
		}
		return w.opinion(ctx, model, p)
	}
}

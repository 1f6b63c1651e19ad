package main

import (
	"context"
	"strings"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/workflow"
)

// storedWorkflow is what `init --ci` puts on the store, and what became of it.
type storedWorkflow struct {
	Forge workflow.Forge `json:"forge"`
	Path  string         `json:"path"`
	State workflow.State `json:"state"`

	text   []byte
	commit string // the tip afterwards
}

// changed reports whether a commit was made.
func (w *storedWorkflow) changed() bool {
	return w != nil && (w.State == workflow.Added || w.State == workflow.Updated)
}

// tip is the store's tip, that from before if there is no workflow.
func (w *storedWorkflow) tip(before string) string {
	if w == nil {
		return before
	}
	return w.commit
}

// newWorkflow makes the workflow for the store's branch, or nothing where no
// forge is named.
func newWorkflow(repo *store.Repo, name string) (*storedWorkflow, error) {
	forge, known := workflow.ParseForge(name)
	switch {
	case name == "":
		return nil, nil
	case !known:
		return nil, &usageError{"--ci is github or gitlab, not " + name}
	case !strings.HasPrefix(repo.Ref, "refs/heads/"):
		return nil, &store.UnsupportedError{Message: repo.Ref + " is no branch, and " + forge.Title() + " runs nothing for it: set plan.ref to a branch"}
	}
	text, err := forge.Workflow(repo.Branch(), release)
	if err != nil {
		return nil, &store.UnsupportedError{Message: err.Error()}
	}
	return &storedWorkflow{Forge: forge, Path: forge.Path(), text: text}, nil
}

// addWorkflow puts a workflow on the store, unless another one is there.
func (a *app) addWorkflow(ctx context.Context, w *storedWorkflow) error {
	if w == nil {
		return nil
	}
	commit, notes, err := a.repo.EditOwnFile(ctx, w.Path, func(old []byte) (data []byte, message string) {
		switch w.State = w.Forge.Renew(old, w.text); w.State {
		case workflow.Added:
			return w.text, "Check the plans on " + w.Forge.Title() + "\n"
		case workflow.Updated:
			return w.text, "Bring the workflow for " + w.Forge.Title() + " up to date\n"
		}
		return nil, ""
	})
	if err != nil {
		return err
	}
	w.commit = commit
	for _, n := range notes {
		a.warn("%s", n)
	}
	if w.State == workflow.Edited {
		a.warn("%s on branch %s was edited and stays as it is: remove it to have it made anew", w.Path, a.repo.Branch())
	}
	return nil
}

// tellWorkflow prints what became of the workflow.
func (a *app) tellWorkflow(w *storedWorkflow) {
	if w == nil {
		return
	}
	branch := a.repo.Branch()
	switch w.State {
	case workflow.Added:
		a.say("Added %s to branch %s: %s checks what is pushed to it and what is to be merged into it.", w.Path, branch, w.Forge.Title())
	case workflow.Updated:
		a.say("Brought %s on branch %s up to date.", w.Path, branch)
	case workflow.Unchanged:
		a.say("%s is on branch %s already.", w.Path, branch)
	case workflow.Edited:
		a.say("To replace it:")
		a.say("  git worktree add --force ../git-plan-store %s", branch)
		a.say("  git -C ../git-plan-store rm %s", w.Path)
		a.say("  git -C ../git-plan-store commit -m \"Drop the workflow\"")
		a.say("  git worktree remove ../git-plan-store")
		a.say("  git plan init --ci %s", string(w.Forge))
	}
}

package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/hooks"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/workflow"
	"github.com/git-plan/git-plan/validate"
)

func newInit(a *app, cmd *cobra.Command) runner {
	var opts initOptions
	cmd.Flags().StringVar(&opts.gate, "gate", "base", "the `gate` of a new store: base or strict")
	cmd.Flags().BoolVar(&opts.noHooks, "no-hooks", false, "install no hooks")
	cmd.Flags().StringVar(&opts.forge, "ci", "", "also add the workflow for this `forge`: github or gitlab")
	return func(ctx context.Context, _ []string) error {
		opts.asked = cmd.Flags().Changed("gate")
		return a.runInit(ctx, opts)
	}
}

// initOptions are the flags of init. asked says whether a gate was.
type initOptions struct {
	gate, forge    string
	asked, noHooks bool
}

func (a *app) runInit(ctx context.Context, opts initOptions) error {
	if opts.gate != "base" && opts.gate != "strict" {
		return &usageError{"--gate is base or strict, not " + opts.gate}
	}
	repo, err := a.open(ctx)
	if err != nil {
		return err
	}
	w, err := newWorkflow(repo, opts.forge)
	if err != nil {
		return err // before anything is made
	}
	result, set, err := beginStore(ctx, repo, opts)
	if err != nil {
		return err
	}
	var report hooks.Report
	if !opts.noHooks {
		report = a.initHooks(ctx, repo)
	}
	if err := a.addWorkflow(ctx, w); err != nil {
		return err
	}
	a.tellInit(repo, result, opts)
	a.tellInitHooks(report)
	a.tellWorkflow(w)
	if result.Created {
		a.say("Write a plan in the folder that `git plan dir` names, then run `git plan commit`.")
	}
	changed, tip := result.Created || result.Adopted || set || report.Changed(), result.Commit
	if w != nil {
		changed, tip = changed || w.State == workflow.Added || w.State == workflow.Updated, w.commit
	}
	return a.document(initDocument{statusOf(changed), tip, repo.Ref, result.Gate.String(), []string{}, report.Idle(), w})
}

// beginStore makes the store, or takes the one there is, and has the repository
// know its merge driver and leave drafts alone; set says whether it did not yet.
func beginStore(ctx context.Context, repo *store.Repo, opts initOptions) (result store.InitResult, set bool, err error) {
	result, err = repo.Init(ctx, validate.ParseGate(opts.gate))
	if err != nil {
		return result, false, err
	}
	s, err := repo.At(ctx, result.Commit)
	if err != nil {
		return result, false, err
	}
	if err := s.MustBeStore(ctx, ""); err != nil {
		return result, false, err
	}
	set, err = repo.SetDrivers(ctx)
	if err != nil || repo.Bare {
		return result, set, err
	}
	excluded, err := repo.Exclude(draft.ExcludePattern(repo))
	return result, set || excluded, err
}

// initHooks installs the hooks. A store without them is a store: what goes
// wrong is told, and init goes on.
func (a *app) initHooks(ctx context.Context, repo *store.Repo) hooks.Report {
	in, err := hooks.NewInstaller(ctx, repo.Repo, a.program())
	var report hooks.Report
	if err == nil {
		report, err = in.Install(ctx, hooks.InstallOptions{SpareWorkTree: true})
	}
	if err != nil {
		a.warn("not all hooks were installed, see `git plan hooks status`: %v", err)
	}
	return report
}

// tellInitHooks is short about hooks that were installed and leaves what is to
// be done about the others to the command that is for them.
func (a *app) tellInitHooks(report hooks.Report) {
	names := func(rows []hooks.Hook) string {
		return strings.Join(namesOf(rows, func(h hooks.Hook) string { return string(h.Event) }), ", ")
	}
	installed := slices.DeleteFunc(slices.Clone(report.Hooks), func(h hooks.Hook) bool { return h.State != hooks.Installed })
	if len(installed) > 0 {
		a.say("Installed %s: %s.", count(len(installed), "hook"), names(installed))
	}
	if left := report.Idle(); len(left) > 0 {
		a.say("Not installed, as something is in the way: %s. See `git plan hooks install`.", names(left))
	}
}

// initDocument is the answer of `init`.
type initDocument struct {
	Status string   `json:"status"`
	Commit string   `json:"commit"`
	Ref    string   `json:"ref"`
	Gate   string   `json:"gate"`
	Plans  []string `json:"plans"`
	// Hooks are those that something is in the way of.
	Hooks []hooks.Hook `json:"hooks,omitempty"`
	// CI is there with --ci.
	CI *storedWorkflow `json:"ci,omitempty"`
}

func (a *app) tellInit(repo *store.Repo, result store.InitResult, opts initOptions) {
	switch {
	case result.Created:
		a.say("Made branch %s, gate %s.", repo.Branch(), result.Gate)
	case result.Adopted:
		a.say("Took branch %s over from remote %s, gate %s.", repo.Branch(), repo.Remote(), result.Gate)
	default:
		a.say("Branch %s is there already, gate %s.", repo.Branch(), result.Gate)
	}
	if opts.asked && opts.gate != result.Gate.String() {
		a.warn("the store's gate stays %s: change gates.yaml on branch %s to alter it", result.Gate, repo.Branch())
	}
}

// storedWorkflow is what `init --ci` puts on the store, and what became of it.
type storedWorkflow struct {
	Forge workflow.Forge `json:"forge"`
	Path  string         `json:"path"`
	State workflow.State `json:"state"`

	text   []byte
	commit string // the tip afterwards
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

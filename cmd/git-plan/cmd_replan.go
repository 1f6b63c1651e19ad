package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/planrepo"
	"github.com/git-plan/git-plan/plan"
)

type replanCommand struct {
	name, reason, from string
	force              bool
}

func newReplan(a *app) *cobra.Command {
	var opts replanCommand
	cmd := &cobra.Command{
		Use: "replan PLAN --reason TEXT --from DIR [--force]", Short: "store the next version of a plan", GroupID: groupDraft,
		Long: `Make the next version of a plan from the files in a folder. Tasks kept by id
keep what they were settled to; all others become pending. The version that
failed stays an ancestor: see ` + "`git plan log --versions`" + `.

A plan is replanned when a task of it failed, or with --force, and at most
max_replans times.
` + exitHelp,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.name = args[0]
			return a.runReplan(cmd.Context(), opts)
		},
	}
	cmd.Flags().StringVar(&opts.reason, "reason", "", "why, as `text`")
	cmd.Flags().StringVar(&opts.from, "from", "", "the `folder` with the files of the new version")
	cmd.Flags().BoolVar(&opts.force, "force", false, "replan though no task failed")
	return cmd
}

// replanDocument is the answer of `replan`.
type replanDocument struct {
	Status   string       `json:"status"`
	Plan     string       `json:"plan"`
	Version  int          `json:"version"`
	Replaces string       `json:"replaces"`
	Commit   string       `json:"commit"`
	Changes  plan.Changes `json:"changes"`
}

// check refuses what is no request for a replan.
func (opts replanCommand) check() error {
	switch {
	case opts.reason == "":
		return &usageError{"why? give --reason"}
	case opts.from == "":
		return &usageError{"from what? give --from and a folder, such as that of a thread made by `git plan checkout`"}
	}
	if address, ok := planrepo.ParseAddress(opts.name); ok && address.String() != address.Plan {
		return &usageError{opts.name + " is how the plan was: name the plan as it is, " + address.Plan}
	}
	return nil
}

func (a *app) runReplan(ctx context.Context, opts replanCommand) error {
	if err := opts.check(); err != nil {
		return err
	}
	stored, _, err := a.loadPlan(ctx, opts.name)
	if err != nil {
		return err
	}
	dir := a.abs(opts.from)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return &planrepo.NotFoundError{What: "folder", Name: opts.from}
	}
	files, next, err := a.nextVersion(ctx, dir, stored.ID)
	if err != nil {
		return err
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	result, err := a.repo.Commit(ctx, a.repo.Replan(planrepo.ReplanOptions{
		ID: stored.ID, Reason: opts.reason, Agent: agent, Files: next, Prefix: draft.RelativeTo(a.Dir, dir), Force: opts.force,
	}))
	if err != nil {
		return err
	}
	if err := a.adopt(ctx, dir, stored.ID, result.Commit, files); err != nil {
		a.warn("the thread was not brought up to date: %v", err)
	}
	a.afterChange(ctx, result)
	return a.tellReplan(result)
}

// adopt lets a thread go on from what was stored of its folder. Where there is
// no working tree there are no threads.
func (a *app) adopt(ctx context.Context, dir, id, commit string, files []plan.File) error {
	if a.repo.WorkTree == "" {
		return nil
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return err
	}
	return d.Adopt(ctx, dir, id, commit, files)
}

// nextVersion reads the folder of the next version: the files as they are, and
// with what changed in the store since, where the folder is a thread's.
func (a *app) nextVersion(ctx context.Context, dir, id string) (files, next []plan.File, err error) {
	if files, err = draft.ReadFolder(dir, a.repo.FileMode); err != nil || a.repo.WorkTree == "" {
		return files, files, err
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return nil, nil, err
	}
	next, err = d.UpToDate(ctx, dir, id, files)
	return files, next, err
}

func (a *app) tellReplan(result planrepo.Result) error {
	o := result.Plans[0] // the version rises, so something always changes
	changes := o.After.Changes(o.Before)
	if a.json {
		return a.print(replanDocument{"success", o.ID, o.Version, o.Replaces, result.Commit, changes})
	}
	a.say("[%s %.10s] %s: version %d; added %d, removed %d, changed %d", a.repo.Branch(), result.Commit, o.ID, o.Version,
		len(changes.Added), len(changes.Removed), len(changes.Changed))
	return nil
}

package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
)

type proposeOptions struct {
	id, branch, remote, message string
	push, ours                  bool
}

func newPropose(a *app, cmd *cobra.Command) runner {
	var opts proposeOptions
	cmd.Flags().StringVarP(&opts.branch, "branch", "b", "", "the `branch` below proposals/ (default: the plan's id)")
	cmd.Flags().BoolVar(&opts.push, "push", false, "push the branch, too")
	cmd.Flags().BoolVar(&opts.ours, "ours", false, "take the plan from here where it does not fit what others did meanwhile")
	cmd.Flags().StringVar(&opts.remote, "remote", "", "the `remote` that the proposal is for")
	cmd.Flags().StringVarP(&opts.message, "message", "m", "", "the commit `message`'s subject and body")
	return func(ctx context.Context, args []string) error {
		opts.id = args[0]
		return a.runPropose(ctx, opts)
	}
}

// proposeDocument is what became of a proposal, for programs.
type proposeDocument struct {
	Status string          `json:"status"`
	Commit string          `json:"commit"`
	Plans  []committedPlan `json:"plans"`
	Ref    string          `json:"ref"`
	Pushed bool            `json:"pushed"`
}

func (a *app) runPropose(ctx context.Context, opts proposeOptions) error {
	if _, err := a.open(ctx); err != nil {
		return err
	}
	if opts.branch != "" {
		if _, err := a.repo.Git.Read(ctx, "check-ref-format", store.ProposalPrefix+opts.branch); err != nil {
			return &usageError{fmt.Sprintf("-b cannot be %q: git takes that for no branch's name", opts.branch)}
		}
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	how := store.ProposeOptions{
		Branch: opts.branch, Remote: opts.remote, Push: opts.push, Prefer: merge.Neither, Message: store.Message{Subject: opts.message, Agent: agent},
	}
	if opts.ours {
		how.Prefer = merge.Ours
	}
	drafts, drafted, err := a.draftToPropose(ctx, opts.id)
	if err != nil {
		return err
	}
	if drafted != nil {
		p := drafted.Plan
		how.Base, how.Write = drafted.Base, store.Write{ID: opts.id, Plan: p, Found: store.Strays(p, drafted.Found), Prefix: p.Prefix, Whole: true}
	} else if how.Write, err = a.storedToPropose(ctx, opts.id); err != nil {
		return err
	}
	got, err := a.repo.Propose(ctx, how)
	if err != nil {
		return err
	}
	if drafted != nil && len(got.Plans) == 1 && got.Plans[0].After != nil {
		if err := drafts.Proposed(ctx, drafted, got.Commit, got.Plans[0].After); err != nil {
			return err
		}
	}
	for _, n := range got.Notes {
		a.warn("%s", n)
	}
	a.tellFindings(got.Warnings)
	doc := proposeDocument{statusOf(got.Changed()), got.Commit, changedPlans(got.Result), got.Ref, got.Pushed != ""}
	branch := strings.TrimPrefix(got.Ref, "refs/heads/")
	switch {
	case got.Commit == "":
		a.say("Nothing to propose: %s is as it is there.", opts.id)
	case doc.Status == "unchanged":
		a.say("%s holds that already.", branch)
	default:
		a.say("[%s %.10s] %s: %s", branch, got.Commit, opts.id, leading(got.Plans[0]))
	}
	if got.Pushed != "" {
		a.say("Pushed to %s: open a pull request from %s into %s.", got.Pushed, branch, a.repo.Branch())
	}
	return a.document(doc)
}

// draftToPropose gives the draft of a plan, nil where there is none.
func (a *app) draftToPropose(ctx context.Context, id string) (*draft.Drafts, *draft.Drafted, error) {
	if a.repo.WorkTree == "" {
		return nil, nil, nil
	}
	d, err := a.drafts(ctx)
	if err != nil {
		return nil, nil, err
	}
	drafted, err := d.Drafted(ctx, id)
	return d, drafted, err
}

func (a *app) storedToPropose(ctx context.Context, id string) (w store.Write, err error) {
	s, err := a.snapshot(ctx)
	if err != nil {
		return w, err
	}
	stored, err := s.Load(ctx, id)
	if err != nil {
		return w, err
	}
	if stored.Archived() {
		return w, &store.UnsupportedError{Message: fmt.Sprintf("plan %s is archived, and that is not for a proposal: restore it first, or `git plan sync`", id)}
	}
	return store.Write{ID: id, Plan: stored.Plan, Found: store.Strays(stored.Plan, stored.Found), Whole: true}, nil
}

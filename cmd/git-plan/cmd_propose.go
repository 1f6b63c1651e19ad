package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
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
	from, err := a.proposed(ctx, opts.id)
	if err != nil {
		return err
	}
	agent, err := a.repo.Agent(ctx)
	if err != nil {
		return err
	}
	prefer := merge.Neither
	if opts.ours {
		prefer = merge.Ours
	}
	got, err := a.repo.Propose(ctx, store.ProposeOptions{
		Write: from.write, Base: from.base(), Branch: opts.branch, Remote: opts.remote, Push: opts.push, Prefer: prefer,
		Message: store.Message{Subject: opts.message, Agent: agent},
	})
	if err != nil {
		return err
	}
	if from.draft != nil && len(got.Plans) == 1 && got.Plans[0].After != nil {
		if err := from.drafts.Proposed(ctx, from.draft, got.Commit, got.Plans[0].After); err != nil {
			return err
		}
	}
	return a.tellProposal(opts.id, got)
}

func (a *app) tellProposal(id string, got store.ProposeResult) error {
	for _, n := range got.Notes {
		a.warn("%s", n)
	}
	a.tellFindings(got.Warnings)
	doc := proposeDocument{statusOf(got.Changed()), got.Commit, changedPlans(got.Result), got.Ref, got.Pushed != ""}
	branch := strings.TrimPrefix(got.Ref, "refs/heads/")
	switch {
	case got.Commit == "":
		a.say("Nothing to propose: %s is as it is there.", id)
	case doc.Status == "unchanged":
		a.say("%s holds that already.", branch)
	default:
		a.say("[%s %.10s] %s: %s", branch, got.Commit, id, leading(got.Plans[0]))
	}
	if got.Pushed != "" {
		a.say("Pushed to %s: open a pull request from %s into %s.", got.Pushed, branch, a.repo.Branch())
	}
	return a.document(doc)
}

// toPropose is a plan as its thread has it, else as it is stored here, where
// draft is nil.
type toPropose struct {
	write  store.Write
	drafts *draft.Drafts
	draft  *draft.Drafted
}

// base is what the plan began from.
func (p toPropose) base() *plan.Plan {
	if p.draft == nil {
		return nil
	}
	return p.draft.Base
}

// proposed finds what is to be proposed.
func (a *app) proposed(ctx context.Context, id string) (p toPropose, err error) {
	if a.repo.WorkTree != "" {
		if p.drafts, err = a.drafts(ctx); err != nil {
			return p, err
		}
		if p.draft, err = p.drafts.Drafted(ctx, id); err != nil {
			return p, err
		}
	}
	switch edited := p.draft; {
	case edited == nil:
		p.write, err = a.storedToPropose(ctx, id)
	default:
		p.write = store.Write{ID: id, Plan: edited.Plan, Found: store.Strays(edited.Plan, edited.Found), Prefix: edited.Plan.Prefix, Whole: true}
	}
	return p, err
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

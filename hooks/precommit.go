package hooks

import (
	"context"
	"errors"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// preCommit judges what is about to be committed: on the plans branch or a
// proposal the change to the plans, elsewhere the plan folders that are staged,
// if any. Code is held up only by an open blocker, where plan.blockOnSignal
// asks for that.
func (r Run) preCommit(ctx context.Context) error {
	staged, err := r.Repo.Index().Staged(ctx)
	var unmerged *store.UnmergedError
	if errors.As(err, &unmerged) {
		return nil // git refuses such a commit in its own words
	}
	if err != nil {
		return err
	}
	if err := r.judgeStaged(ctx, staged); err != nil {
		return err
	}
	if staged.Candidate != nil {
		return nil
	}
	return r.openBlockers(ctx)
}

// onPlans reports whether the commit is for a branch that holds plans.
func (r Run) onPlans(ctx context.Context) (bool, error) {
	branch, err := r.Repo.HeadBranch(ctx)
	return branch != "" && r.Repo.Governs(branch), err
}

func (r Run) judgeStaged(ctx context.Context, staged store.Staging) error {
	if staged.Empty() {
		return nil
	}
	policy, world, err := r.Repo.Index().Policy(ctx, staged, validate.Base)
	if err != nil {
		return err
	}
	verdict, err := r.Repo.Index().Judge(ctx, staged, policy, world)
	if err != nil {
		return err
	}
	if !verdict.Refused() {
		return r.overlooked(ctx, staged, verdict)
	}
	newTeller(r).findings(verdict.Findings)
	errs, _ := diag.Count(verdict.Findings)
	return &Refusal{"what is staged does not pass the gate, with " + words.Count(errs, "error") + ": mend the files, `git add` them, and commit again"}
}

// overlooked refuses a merge that git made by itself of plans that do not fit
// together. What somebody commits after looking at it was decided.
func (r Run) overlooked(ctx context.Context, staged store.Staging, verdict store.Verdict) error {
	if r.Event != PreMergeCommit {
		return nil
	}
	conflicts, err := r.Repo.Index().Overlooked(ctx, staged, verdict)
	if err != nil || len(conflicts) == 0 {
		return err
	}
	for _, c := range conflicts {
		r.Say("conflict: %s", diag.Printable(c.String()))
	}
	return &Refusal{"git merged plans that do not go together, with " + words.Count(len(conflicts), "conflict") +
		": look at them and `git commit`, or `git merge --abort` and `git plan sync`"}
}

// openBlockers refuses to go on with the code while the plan that is being
// worked on has an open blocker.
func (r Run) openBlockers(ctx context.Context) error {
	wanted, err := r.Repo.Config.Bool("plan.blockOnSignal", false)
	if err != nil || !wanted {
		return err
	}
	stored, err := r.planAtHand(ctx)
	if err != nil || stored == nil {
		return err
	}
	open := 0
	for _, s := range stored.Plan.Signals {
		if s.Level != "blocker" {
			continue
		}
		open++
		r.Say("%s: blocker %s is open: %s", stored.ID, diag.Printable(s.ID), diag.Printable(s.Message()))
	}
	if open == 0 {
		return nil
	}
	return &Refusal{stored.ID + " has " + words.Count(open, "open blocker") + ": clear it first, or commit with --no-verify if this commit is what clears it"}
}

package steps

import (
	"context"
	"fmt"

	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Keeper carries out inputs of the planning tools on the plan that is worked on.
type Keeper struct {
	Repo  *store.Repo
	Agent string
	// Which finds that plan; it gives "" where there is none, and for a plan that
	// is set up where there is none to take the place of.
	Which func(ctx context.Context, s *store.Snapshot) (string, error)
	// Taken reports whether an id is in use outside of the store.
	Taken func(id string) bool
}

// Result is what an input came to.
type Result struct {
	session.Result
	// Began is the id of the plan that was set up, or empty.
	Began string
	// Landed is what was written, if anything was.
	Landed store.Result
}

// Do carries out an input that was read by [session.Decode]. The error is a
// [*session.ValidationError] where the plan does not allow it.
func (k *Keeper) Do(ctx context.Context, in session.Input) (Result, error) {
	if in.Tool == session.ToolRead {
		return k.read(ctx, in)
	}
	w := &writing{Keeper: k, in: in}
	landed, err := k.Repo.Commit(ctx, w.mutate)
	found := landed.Warnings
	for err == nil && w.more {
		landed, err = k.Repo.Commit(context.WithoutCancel(ctx), w.mutate) // what is begun is ended
		found = append(found, landed.Warnings...)
	}
	if err != nil {
		return Result{}, err
	}
	message := session.Message(in, w.after)
	if w.left != "" {
		message += fmt.Sprintf(" The plan %s was not made by these tools, and stays as it is.", w.left)
	}
	return Result{Result: session.Result{Message: message, Warnings: warnings(found)}, Began: w.began, Landed: landed}, nil
}

// warnings are what the gate found odd, a line each. That there are no steps yet
// is no news.
func warnings(found []diag.Diagnostic) (lines []string) {
	for _, d := range found {
		if d.Severity != diag.Warning || d.Rule == "no-tasks" {
			continue
		}
		line := fmt.Sprintf("warning: %s:%s: %s [%s]", d.Path, d.Pos, d.Message, d.Rule)
		if d.Hint != "" {
			line += ": " + d.Hint
		}
		lines = append(lines, diag.Printable(line))
	}
	return lines
}

func (k *Keeper) read(ctx context.Context, in session.Input) (Result, error) {
	s, err := k.Repo.Snapshot(ctx)
	if err != nil {
		return Result{}, err
	}
	_, v, err := k.next(ctx, s, in)
	if err != nil {
		return Result{}, err
	}
	return Result{Result: session.Result{Message: session.Message(in, v), Plan: &v}}, nil
}

// next gives the plan that is worked on, nil where there is none, and what it is to
// say after the input.
func (k *Keeper) next(ctx context.Context, s *store.Snapshot, in session.Input) (p *plan.Plan, after session.View, err error) {
	if p, err = k.find(ctx, s); err != nil {
		return nil, after, err
	}
	before := session.View{}
	if p != nil {
		before = View(p)
	}
	after, err = session.Next(before, in)
	return p, after, err
}

// find gives the plan that is worked on, nil where there is none.
func (k *Keeper) find(ctx context.Context, s *store.Snapshot) (*plan.Plan, error) {
	id, err := k.Which(ctx, s)
	if err != nil || id == "" {
		return nil, err
	}
	stored, err := s.Load(ctx, id)
	if err != nil {
		return nil, err
	}
	if stored.Archived() {
		return nil, nil
	}
	if stored.Plan.Doc == nil {
		return nil, &store.UnsupportedError{Message: fmt.Sprintf("plan %s has no plan.md that can be read: see `git plan check %s`", id, id)}
	}
	return stored.Plan, nil
}

package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
)

// ReplanOptions describe the next version of a plan.
type ReplanOptions struct {
	ID     string
	Reason string
	// Discoveries are what was learned; they are told in the commit's message.
	Discoveries []string
	// Told are further paragraphs of the commit's message.
	Told []string
	// Constraints are added to those of the new version.
	Constraints []string
	Agent       string
	// Files gives those of the version that comes after the plan as it is stored
	// at a commit; what they say of version and progress does not count. It must
	// be free of side effects, as it may be asked again.
	Files func(ctx context.Context, old *Stored, commit string) ([]plan.File, error)
	// Known is the plan as it was when Files were made, where they hold nothing
	// of what changed since: such a change is a *ConflictError. It may be nil.
	Known *plan.Plan
	// Prefix is what the paths of findings begin with.
	Prefix string
	// Force replans without a failed task.
	Force bool
}

// NotFailedError is returned when a plan is to be replanned and no task of it
// failed.
type NotFailedError struct{ Plan string }

func (e *NotFailedError) Error() string {
	return fmt.Sprintf("no task of plan %s has failed: replan it with --force, or edit it in a thread", e.Plan)
}

// AbandonedError is returned when a plan that was given up is to be replanned.
type AbandonedError struct{ Plan string }

func (e *AbandonedError) Error() string {
	return fmt.Sprintf("plan %s is abandoned, and nothing follows it: to go on with it, bring it into a thread with `git plan checkout %s`, take `abandoned` out of its plan.md, and `git plan commit`",
		e.Plan, e.Plan)
}

// Replan makes the next version of a stored plan.
func (r *Repo) Replan(opts ReplanOptions) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		old, err := s.Load(ctx, opts.ID)
		if err != nil {
			return Candidate{}, err
		}
		if old.Archived() {
			return Candidate{}, archivedError(opts.ID)
		}
		if err := mayReplan(old.Plan, opts.Force); err != nil {
			return Candidate{}, err
		}
		if err := opts.unseen(old.Plan); err != nil {
			return Candidate{}, err
		}
		files, err := opts.Files(ctx, old, s.Commit)
		if err != nil {
			return Candidate{}, err
		}
		next, found := r.ReadPlan(opts.ID, opts.Prefix, files)
		w := Write{ID: opts.ID, Plan: next, Found: Strays(next, found), Prefix: opts.Prefix, Whole: true}
		if next.Readable() { // else the gate says why not
			if err := next.Succeed(old.Plan); err != nil {
				return Candidate{}, err
			}
			if err := next.Constrain(opts.Constraints); err != nil {
				return Candidate{}, err
			}
			w.Version = old.Plan.Version() + 1
		}
		return Candidate{Writes: []Write{w}, Message: Message{Body: opts.body(), Agent: opts.Agent}}, nil
	}
}

// unseen refuses to replace what the files of the next version know nothing of:
// a task that somebody added meanwhile, say, which would be gone.
func (opts ReplanOptions) unseen(now *plan.Plan) error {
	if opts.Known == nil || opts.Known.Version() > now.Version() { // a request that is repeated runs on what was there before
		return nil
	}
	hint := fmt.Sprintf("run `git plan sync`, if that came from another clone, look at what it is now with `git plan show %s`, and replan that", opts.ID)
	if err := SameVersion(opts.Known, now, hint); err != nil {
		return err
	}
	if !plan.DefinitionChanged(opts.Known, now) {
		return nil
	}
	c := now.Changes(opts.Known)
	var details []string
	for _, change := range []struct {
		what string
		ids  []string
	}{{"added", c.Added}, {"removed", c.Removed}, {"changed", c.Changed}} {
		if len(change.ids) > 0 {
			details = append(details, change.what+" "+words.Few(change.ids, 10))
		}
	}
	if details == nil {
		details = []string{"plan.md"}
	}
	return &ConflictError{Plan: opts.ID, Details: details, Since: replanBegan, Hint: hint}
}

// replanBegan is what comes before a conflict of a replan.
const replanBegan = "this replan began"

// SameVersion refuses to replan a plan that somebody else replanned since known
// was read: what made a new version needed may be mended in theirs.
func SameVersion(known, now *plan.Plan, hint string) error {
	if now.Version() <= known.Version() {
		return nil
	}
	return &ConflictError{Plan: now.ID, Since: replanBegan, Hint: hint,
		Details: []string{fmt.Sprintf("it is at version %d, and was at %d", now.Version(), known.Version())}}
}

// body tells why, and what was learned.
func (opts ReplanOptions) body() []string {
	out := []string{opts.Reason}
	if len(opts.Discoveries) > 0 {
		var b strings.Builder
		b.WriteString("Discoveries:\n")
		for _, d := range opts.Discoveries {
			b.WriteString("- " + strings.ReplaceAll(strings.TrimSpace(d), "\n", "\n  ") + "\n")
		}
		out = append(out, b.String())
	}
	return append(out, opts.Told...)
}

func mayReplan(p *plan.Plan, force bool) error {
	switch {
	case p.IsAbandoned():
		return &AbandonedError{p.ID}
	case p.Version()-1 >= p.MaxReplans():
		return &LimitError{fmt.Sprintf("plan %s is at version %d and max_replans is %d: to allow more, bring it into a thread with `git plan checkout %s`, "+
			"raise `max_replans` in its plan.md, and `git plan commit`", p.ID, p.Version(), p.MaxReplans(), p.ID)}
	case len(p.Failed()) == 0 && !force && p.Signal(plan.ReplanSignal) == nil:
		return &NotFailedError{p.ID}
	}
	return nil
}

package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// MergeError is returned when two states of the store do not fit together by
// themselves.
type MergeError struct {
	// Conflicts are what is to be decided.
	Conflicts []merge.Conflict
	// Ours is the commit of this store, Theirs the one that it was to be merged
	// with, Base one that both went on from, or "".
	Ours, Theirs, Base string
	// Plans are the plans with conflicts, merged as far as that goes.
	Plans []merge.PlanResult
	// Settled are those whose conflicts a preference settled.
	Settled []merge.PlanResult
	// Hint says what to do, where that is known.
	Hint string
}

func (e *MergeError) Error() string {
	var lines []string
	for _, c := range e.Conflicts {
		lines = append(lines, c.String())
	}
	text := "the plans here and there do not fit together: " + strings.Join(lines, "; ")
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// Joining says how two states of the store become one.
type Joining struct {
	// Theirs is the commit to merge with, the first parent of the merge.
	Theirs string
	// Prefer settles the conflicts of single plans.
	Prefer map[string]merge.Side
	// Resolved are plans that somebody merged by hand, by id; nil for one that is
	// to go.
	Resolved map[string]*plan.Plan
	// Untangle is for a tip that native git put on top of Theirs.
	Untangle bool
}

// met is the merge of two states of the store.
type met struct {
	change   gitstore.Change
	outcomes []Outcome
	notes    []string
	renamed  Renames
}

// join works out the merge of the store's tip with another commit that went on
// from base. Conflicts are a *[MergeError], and what of the tip no merge would
// keep is a *[RejectedError].
func (r *Repo) join(ctx context.Context, base *ancestor, tip string, j Joining, m Message) (met, error) {
	merged, err := r.mergeCommits(ctx, base, tip, j.Theirs, merge.StoreOptions{Prefer: j.Prefer, Untangle: j.Untangle})
	if err != nil {
		return met{}, err
	}
	if len(merged.left) > 0 {
		return met{}, &RejectedError{merged.left}
	}
	if err := j.settle(&merged.StoreResult, base.first(), tip); err != nil {
		return met{}, err
	}
	theirs, err := r.At(ctx, j.Theirs)
	if err != nil {
		return met{}, err
	}
	w := &mergeWriter{theirs: theirs, settled: j.Resolved}
	if err := w.write(ctx, merged); err != nil {
		return met{}, err
	}
	notes := merged.AllNotes()
	m.Body = append(m.Body, strings.Join(notes, "\n"))
	change := gitstore.Change{
		Parents: []string{j.Theirs, tip}, Base: j.Theirs, Files: w.files, Message: mergeMessage(m, w.outcomes),
	}
	return met{change, w.outcomes, notes, merged.renames()}, nil
}

// prepareJoin makes the merge that a proposal asks for. What was merged by hand
// passes the gate, as a change from both sides, or nothing lands.
func (r *Repo) prepareJoin(ctx context.Context, ours *Snapshot, c Candidate) (Result, []gitstore.Change, error) {
	j := *c.Join
	j.Resolved = map[string]*plan.Plan{}
	theirs, err := r.At(ctx, j.Theirs)
	if err != nil {
		return Result{}, nil, err
	}
	result := Result{Commit: ours.Commit}
	for _, w := range c.Writes {
		if w.Plan == nil {
			j.Resolved[w.ID] = nil
			continue
		}
		found, err := r.judgeJoined(ctx, w, c.Gate, ours, theirs)
		if err != nil {
			return Result{}, nil, err
		}
		result.Warnings = append(result.Warnings, found...)
		j.Resolved[w.ID] = w.under(w.ID)
	}
	if errs, _ := diag.Count(result.Warnings); errs > 0 {
		return result, nil, &RejectedError{result.Warnings}
	}
	base, err := r.ancestor(ctx, ours.Commit, j.Theirs)
	if err != nil {
		return Result{}, nil, err
	}
	m, err := r.join(ctx, base, ours.Commit, j, c.Message)
	result.Plans, result.Notes, result.renamed = withResolved(m.outcomes, j.Resolved), m.notes, m.renamed.Plans
	return result, []gitstore.Change{m.change}, err
}

// withResolved adds the plans that were merged by hand to what the other side
// already has: that, too, is an answer.
func withResolved(outcomes []Outcome, resolved map[string]*plan.Plan) []Outcome {
	for _, id := range slices.Sorted(maps.Keys(resolved)) {
		if slices.ContainsFunc(outcomes, func(o Outcome) bool { return o.ID == id }) {
			continue
		}
		o := Outcome{ID: id, Event: plan.Merged, Occurrences: []plan.Occurrence{{Event: plan.Merged}}}
		if p := resolved[id]; p != nil {
			o.Before, o.After, o.Version, o.Tasks = p, p, p.Version(), len(p.All())
		} else {
			o.Removed = true
		}
		outcomes = append(outcomes, o)
	}
	return outcomes
}

// judgeJoined judges a plan that was merged by hand.
func (r *Repo) judgeJoined(ctx context.Context, w Write, floor validate.Gate, ours, theirs *Snapshot) ([]diag.Diagnostic, error) {
	world, err := r.World(ctx, "")
	if err != nil {
		return nil, err
	}
	s := Subject{Scope: validate.Change, Stored: w.Prefix == ""}
	var found []diag.Diagnostic
	s.Plan, found = r.ReadPlan(w.ID, w.Prefix, w.Plan.FileList())
	s.Found = append(unsaid(found, w.Found), w.Found...)
	gates, err := r.Joined(ctx, &s, ours, theirs)
	if err != nil {
		return nil, err
	}
	return Inspect(ctx, s, Policy{Gates: gates, Floor: floor}, world)
}

// Joined makes a plan that was merged by hand a change of what is published, and
// gives the gates that hold there.
func (r *Repo) Joined(ctx context.Context, s *Subject, ours, theirs *Snapshot) (validate.Gates, error) {
	for _, state := range []*Snapshot{theirs, ours} {
		stored, err := state.Find(ctx, s.Plan.ID)
		switch {
		case err != nil:
			return validate.Gates{}, err
		case stored == nil:
		case s.Parent == nil:
			s.Parent = stored.Plan
		default:
			s.Sides = append(s.Sides, stored.Plan)
		}
	}
	gates, _, err := theirs.Gates(ctx)
	return gates, err
}

// settle puts what was merged by hand in its place, and refuses what is left.
func (j Joining) settle(merged *merge.StoreResult, base, ours string) error {
	for i, p := range merged.Plans {
		if own, done := j.Resolved[p.ID]; done {
			merged.Plans[i].Plan, merged.Plans[i].Conflicts = own, nil
			if p.Path == "" {
				merged.Plans[i].Path = p.ID
			}
			if own != nil && len(p.Conflicts) > 0 && p.Path != "" && p.Path != p.ID {
				merged.Plans[i].Notes = append(p.Notes, fmt.Sprintf("it stays archived, in %s, with what was changed since: `git plan restore %s` brings it back", p.Path, p.ID))
			}
		}
	}
	left := merged.AllConflicts()
	if len(left) == 0 {
		return nil
	}
	err := &MergeError{Conflicts: left, Ours: ours, Theirs: j.Theirs, Base: base}
	for _, p := range merged.Plans {
		if len(p.Conflicts) > 0 {
			err.Plans = append(err.Plans, p)
		} else if j.Prefer[p.ID] != merge.Neither && len(p.Notes) > 0 {
			err.Settled = append(err.Settled, p)
		}
	}
	return err
}

// mergeWriter turns a merged store into changes on top of theirs.
type mergeWriter struct {
	theirs   *Snapshot
	settled  map[string]*plan.Plan // by hand
	files    []gitstore.FileChange
	outcomes []Outcome
}

func (w *mergeWriter) write(ctx context.Context, merged mergedStore) error {
	for _, p := range merged.Plans {
		if err := w.plan(ctx, p); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(merged.Files)) {
		data := merged.Files[name]
		w.files = append(w.files, gitstore.FileChange{Path: name, Data: data, Delete: data == nil})
	}
	w.files = append(w.files, merged.whole...)
	return nil
}

// plan writes what is not as it is there.
func (w *mergeWriter) plan(ctx context.Context, p merge.PlanResult) error {
	before, err := w.before(ctx, p.ID)
	if err != nil {
		return err
	}
	o := Outcome{ID: p.ID, Event: plan.Merged, Occurrences: []plan.Occurrence{{Event: plan.Merged}}}
	if before != nil {
		o.Before = before.Plan
	}
	var changes []gitstore.FileChange
	switch {
	case p.Plan == nil && before == nil:
		return nil
	case p.Plan == nil:
		o.Removed = true
		changes = []gitstore.FileChange{{Path: before.Path, Delete: true}}
	case before != nil && before.Path != p.Path:
		changes = append([]gitstore.FileChange{{Path: before.Path, Delete: true}}, fileChanges(nil, p.Path, p.Plan, true)...)
	default:
		_, settled := w.settled[p.ID]
		if changes = fileChanges(before, p.Path, p.Plan, settled); len(changes) > 0 && !settled { // nothing else has a place beside a plan that changes
			changes = fileChanges(before, p.Path, p.Plan, true)
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if p.Plan != nil {
		o.After, o.Version, o.Tasks = p.Plan, p.Plan.Version(), len(p.Plan.All())
	}
	w.files, w.outcomes = append(w.files, changes...), append(w.outcomes, o)
	return nil
}

// before reads a plan as it is there; nil if it is not.
func (w *mergeWriter) before(ctx context.Context, id string) (*Stored, error) {
	l, ok, err := w.theirs.Locate(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	return w.theirs.toMerge(ctx, l)
}

// mergeMessage is the message of a merge, which may change no plan.
func mergeMessage(m Message, outcomes []Outcome) string {
	if len(outcomes) > 0 {
		return message(m, outcomes)
	}
	return fmt.Sprintf("plans: %s\n", m.Subject)
}

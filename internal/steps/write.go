package steps

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/internal/session"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// writing is one input that changes the plan. Its mutation may run several
// times; what the last run came to is in the fields below the input.
type writing struct {
	*Keeper
	in session.Input

	after session.View
	began string // the id of the plan that was set up
	left  string // the plan that was current, and is not given up
	more  bool   // the input asks for another commit
}

func (w *writing) mutate(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
	p, after, err := w.next(ctx, s, w.in)
	if err != nil {
		return store.Candidate{}, err
	}
	w.after = after
	if w.in.Tool == session.ToolSetup {
		return w.setUp(ctx, s, p)
	}
	move := plan.Move{At: w.Repo.Now(), Agent: w.Agent}
	if move.Lease, err = s.Lease(ctx); err != nil {
		return store.Candidate{}, err
	}
	return store.Edit(p.ID, func(p *plan.Plan) (store.Message, error) {
		return store.Message{Agent: w.Agent}, w.change(ctx, s, p, move)
	})(ctx, s)
}

// setUp makes a plan, and gives up the one before it.
func (w *writing) setUp(ctx context.Context, s *store.Snapshot, old *plan.Plan) (store.Candidate, error) {
	proposal := store.Candidate{Message: store.Message{Agent: w.Agent}}
	w.left = ""
	switch {
	case old == nil || old.Status().Finished():
	case isOurs(old):
		gaveUp, err := store.Abandon(w.Agent, "", old.ID)(ctx, s)
		if err != nil {
			return proposal, err
		}
		proposal.Writes = gaveUp.Writes
	default:
		w.left = old.ID
	}
	var failed error
	w.began = plan.NewID(w.after.Objective, "plan", func(id string) bool {
		_, ok, err := s.Locate(ctx, id)
		failed = errors.Join(failed, err)
		return ok || id == store.Archive || w.Taken(id)
	})
	if failed != nil {
		return proposal, failed
	}
	files, err := newPlan(w.after)
	if err != nil {
		return proposal, err
	}
	p, _ := w.Repo.ReadPlan(w.began, "", files)
	proposal.Writes = append(proposal.Writes, store.Write{ID: w.began, Plan: p, Version: 1})
	proposal.Message.Body = []string{"Objective: " + w.after.Objective}
	return proposal, nil
}

// maxTitle bounds the title that is made of an objective, in characters.
const maxTitle = 100

// newPlan gives the files of a plan.
func newPlan(v session.View) ([]plan.File, error) {
	fields := map[string]any{"title": v.Objective}
	if len(v.Objective) > maxTitle {
		short := v.Objective[:maxTitle-3]
		if i := strings.LastIndexByte(short, ' '); i > 0 {
			short = short[:i]
		}
		fields["title"], fields["goal"] = short+"...", v.Objective
	}
	doc, err := plan.ComposePlan(fields, v.Objective)
	if err != nil {
		return nil, err
	}
	return newTasks([]plan.File{doc}, v.Steps, 1)
}

// newTasks adds the files of steps, numbered from first on.
func newTasks(files []plan.File, steps []session.StepView, first int) ([]plan.File, error) {
	if last := first + len(steps) - 1; last > plan.MaxSiblings {
		return nil, &store.LimitError{Message: fmt.Sprintf(
			"the plan would have %d steps, and one that is kept in the store has at most %d: leave out %d, or make a plan of them",
			last, plan.MaxSiblings, last-plan.MaxSiblings)}
	}
	for i, step := range steps {
		id := strings.ToLower(step.ID)
		file, err := plan.ComposeTask(fmt.Sprintf("tasks/%02d-%s.md", first+i, id), map[string]any{"id": id, "title": step.Title}, bodyOf(step))
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func bodyOf(step session.StepView) string {
	if step.Details != "" {
		return step.Details
	}
	return step.Title
}

// change makes of a stored plan what it is to become.
func (w *writing) change(ctx context.Context, s *store.Snapshot, p *plan.Plan, move plan.Move) error {
	if w.in.Tool == session.ToolMark {
		return w.mark(ctx, s, p, move)
	}
	if !isOurs(p) {
		return &ForeignPlanError{p.ID}
	}
	switch w.in.Tool {
	case session.ToolAdd:
		return w.add(p)
	case session.ToolUpdate:
		return w.reword(p)
	}
	return w.clear(p)
}

// add puts the last steps of the new view at the end.
func (w *writing) add(p *plan.Plan) error {
	last := 0
	for _, t := range p.Tasks {
		last = max(last, t.NN)
	}
	files, err := newTasks(nil, w.after.Steps[len(w.after.Steps)-len(w.in.Steps):], last+1)
	if err != nil {
		return err
	}
	w.replace(p, append(files, p.FileList()...))
	return nil
}

// replace reads a plan anew from other files.
func (w *writing) replace(p *plan.Plan, files []plan.File) {
	next, _ := w.Repo.ReadPlan(p.ID, p.Prefix, files) // what is wrong with them the gate finds, too
	*p = *next
}

// reword brings a task's title and body to what the new view says.
func (w *writing) reword(p *plan.Plan) error {
	t, step := w.step(p)
	if stepNumber(t.ID) == 0 {
		return &ForeignPlanError{p.ID + "/" + t.ID}
	}
	doc, err := t.Doc.Set("title", plan.Value(step.Title))
	if err != nil {
		return err
	}
	if t.Doc, err = doc.WithBody("\n" + bodyOf(step) + "\n"); err != nil {
		return err
	}
	return nil
}

// step gives the task that a step is, which is known to be there, and what the
// new view says of it.
func (w *writing) step(p *plan.Plan) (*plan.Task, session.StepView) {
	for i, have := range stepIDs(p.Tasks) {
		if have == w.in.StepID {
			return p.Tasks[i], w.after.Steps[i]
		}
	}
	panic("the view has a step " + w.in.StepID + " that the plan has not")
}

// mark moves a task towards where a step is to stand. Where the table of moves
// knows no direct way, this is the first move of it, and there is more to do: a
// commit holds one move of a task.
func (w *writing) mark(ctx context.Context, s *store.Snapshot, p *plan.Plan, move plan.Move) error {
	t, _ := w.step(p)
	way := wayTo(t.Status, w.in.Status)
	last := move
	if w.in.Note != "" {
		last.Notes = []string{w.in.Note}
	}
	if w.more = len(way) > 1; !w.more {
		move = last
	} else if err := w.rehearse(ctx, s, p, t.ID, way, last); err != nil {
		return err
	}
	move.To, move.Reopen = way[0], t.Status.Settled()
	_, err := p.Transition(t, move)
	return err
}

// rehearse goes the whole way on a copy and shows the gate where it ends, so that
// what is not allowed is refused before the first move.
func (w *writing) rehearse(ctx context.Context, s *store.Snapshot, p *plan.Plan, id string, way []plan.Status, move plan.Move) error {
	scratch := *p
	w.replace(&scratch, p.FileList())
	t := scratch.Task(id)
	for _, to := range way {
		move.To, move.Reopen = to, t.Status.Settled()
		if _, err := scratch.Transition(t, move); err != nil {
			return err
		}
	}
	found, err := s.Findings(ctx, store.Write{ID: p.ID, Plan: &scratch})
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { return d.Rule == "transition" }) // which is for one move
	if errs, _ := diag.Count(found); errs > 0 {
		return &store.RejectedError{Findings: found}
	}
	return nil
}

// wayTo gives the statuses that lead from one to what the tools call to, at
// least one: the same again where nothing changes but what is told of it.
func wayTo(from plan.Status, to session.StepStatus) []plan.Status {
	if statusOf(from) == to {
		return []plan.Status{from}
	}
	target := map[session.StepStatus]plan.Status{
		session.Pending: plan.Pending, session.InProgress: plan.InProgress, session.Blocked: plan.Blocked, session.Done: plan.Done,
	}[to]
	switch {
	case from.Settled() && target != plan.Pending:
		return []plan.Status{plan.Pending, target}
	case from == plan.Failed && target == plan.Done:
		return []plan.Status{plan.InProgress, target}
	}
	return []plan.Status{target}
}

// clear drops all tasks, and what else is about them, and gives the plan up.
func (w *writing) clear(p *plan.Plan) error {
	w.replace(p, []plan.File{{Path: "plan.md", Data: p.Files()["plan.md"]}})
	if p.IsAbandoned() {
		return nil
	}
	return p.Set("abandoned", true)
}

// ForeignPlanError is returned where the planning tools are to change what they
// did not make.
type ForeignPlanError struct{ Name string }

func (e *ForeignPlanError) Error() string {
	return fmt.Sprintf("%s was not made by the planning tools, which may mark it and not change it: use plan_update, or begin a plan of theirs with %s",
		e.Name, session.ToolSetup)
}

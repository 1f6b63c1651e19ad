package loop

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/internal/words"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Update carries out a payload. Its method [Update.Mutate] is the mutation; what
// the last run of it did is in Applied, and [Update.Explain] puts what the gate
// says into the words of the loop.
type Update struct {
	Repo    *store.Repo
	Payload Payload
	// Which finds the plan that is meant.
	Which func(ctx context.Context, s *store.Snapshot) (string, error)
	Agent string

	// Applied is what the last run of the mutation came to.
	Applied Applied

	labels   labels
	at       time.Time
	lease    time.Duration // that starting a task gives
	readPlan func(id, prefix string, files []plan.File) (*plan.Plan, []diag.Diagnostic)
}

// Applied is what a payload did to a plan.
type Applied struct {
	Plan *plan.Plan
	// Added are the new tasks, Moved the tasks whose status was asked for.
	Added, Moved []*plan.Task
	// Odd says what is worth a second look, though it was done.
	Odd []string
}

// Mutate is a mutation of the store.
func (u *Update) Mutate(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
	id, err := u.Which(ctx, s)
	if err != nil {
		return store.Candidate{}, err
	}
	lease, err := s.Lease(ctx)
	if err != nil {
		return store.Candidate{}, err
	}
	u.at, u.lease, u.readPlan = u.Repo.Now(), lease, u.Repo.ReadPlan
	return store.Edit(id, func(p *plan.Plan) (store.Message, error) {
		r := newRun(u, p)
		if err := r.knownSince(ctx, s); err != nil {
			return store.Message{}, err
		}
		r.apply()
		u.labels, u.Applied = r.labels, Applied{r.next, r.added, r.moved, r.odd()}
		if len(r.faults) > 0 {
			return store.Message{}, r.reject(ctx, s)
		}
		*p = *r.next
		return r.message(), nil
	})(ctx, s)
}

// Explain makes a *[Rejection] of the gate's refusal to store what a payload
// asked for; other errors stay as they are.
func (u *Update) Explain(err error) error { return u.labels.explain(err) }

// Warnings gives what is odd about the update, and the gate's warnings about what
// was stored in the words of the loop.
func (u *Update) Warnings(found []diag.Diagnostic) []string {
	out := append([]string{}, u.Applied.Odd...)
	for _, d := range found {
		if d.Severity == diag.Warning {
			out = append(out, u.labels.detail(d))
		}
	}
	return out
}

// run is one application of a payload to a state of the plan.
type run struct {
	update *Update
	before *plan.Plan
	next   *plan.Plan
	faults faults
	labels labels

	old     *plan.Plan // as the agent saw it, or nil
	aside   bool       // that was merged since, and ids may have gone to others
	refs    []string   // of the tasks under add_tasks
	taken   map[string]bool
	first   int // the number of the first of them
	added   []*plan.Task
	moved   []*plan.Task
	crowded bool            // there are more new tasks than numbers for them
	large   map[string]bool // files that are too large to be read
	updates []*plan.Task    // by update entry, nil where it names none
}

func newRun(u *Update, p *plan.Plan) *run {
	return &run{
		update: u, before: p, faults: slices.Clone(u.Payload.faults),
		labels: labels{names: map[string]string{}, faulty: map[string]map[string]bool{}},
	}
}

// knownSince reads the plan as it was at the revision that the payload is for.
func (r *run) knownSince(ctx context.Context, s *store.Snapshot) error {
	commit := r.update.Payload.Commit
	if commit == "" || commit == s.Commit {
		return nil
	}
	at, err := r.update.Repo.At(ctx, commit)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.faults.add(InvalidPayload, "commit: %s is no revision of the plans: give what `session.commit` said", commit)
		return nil
	}
	stored, err := at.Load(ctx, r.before.ID)
	if err != nil {
		r.faults.add(Conflict, "commit: there was no plan %s at %.10s", r.before.ID, commit)
		return nil
	}
	r.old = stored.Plan
	r.aside, err = r.update.Repo.Ancestry().IsAside(ctx, s.Commit, commit)
	return err
}

// apply makes the plan that the payload asks for, as far as it can be made.
func (r *run) apply() {
	payload := r.update.Payload
	if r.before.IsAbandoned() && len(payload.Add)+len(payload.Update) > 0 {
		r.faults.add(InvalidTransition, "plan %s is abandoned: its tasks cannot change", r.before.ID)
	}
	r.number()
	r.find()
	files := r.before.Files()
	r.redefine(files)
	r.add(files)
	r.read(files)
	if r.next.Doc == nil {
		return // it is too large
	}
	r.move()
	r.close()
}

// read reads the files as they would be stored.
func (r *run) read(files map[string][]byte) {
	if len(r.update.Payload.Add) == 0 && len(r.update.Payload.Update) == 0 {
		r.next = r.before
		return
	}
	var list []plan.File
	for name, data := range files {
		list = append(list, plan.File{Path: name, Data: data})
	}
	next, found := r.update.readPlan(r.before.ID, r.before.Prefix, list)
	r.next = next
	r.oversized(files, found)
	for _, t := range r.next.All() {
		if r.labels.names[t.Doc.Path] == "" {
			r.labels.set(t.Doc.Path, label(t.Title()), nil)
		}
	}
	for _, ref := range r.refs {
		if t := r.next.Task(ref); t != nil {
			r.added = append(r.added, t)
		}
	}
}

// find looks up the tasks that are to be updated.
func (r *run) find() {
	seen := map[*plan.Task]string{}
	for _, e := range r.update.Payload.Update {
		t := r.target(e)
		if t != nil && seen[t] != "" {
			r.faults.add(InvalidPayload, "%s.id: it names task `%s`, as %s does: say all there is to say of a task in one place", e.where, t.ID, seen[t])
			t = nil
		} else if t != nil {
			seen[t] = e.where
			r.labels.set(t.Doc.Path, label(t.Title()), e.faulty)
		}
		r.updates = append(r.updates, t)
	}
}

func (r *run) target(e Entry) *plan.Task {
	if e.id == nil {
		if !e.faulty["id"] {
			r.faults.add(InvalidPayload, "%s: the `id` of the task is missing", e.where)
		}
		return nil
	}
	t, ref := r.lookUp(*e.id)
	switch {
	case t != nil:
		return t
	case ref != "":
		r.faults.add(InvalidPayload, "%s: task %s is added by this very payload: update it in the next", e.id.where, *e.id)
	default:
		r.unknown(*e.id)
	}
	return nil
}

func (r *run) unknown(n name) {
	hint := ""
	if len(r.before.All()) == 0 { // a draft, which knows its own tasks alone
		r.faults.add(InvalidPayload, "%s: there is no task %s: name those of this list, 1 to %d", n.where, shortName(n), len(r.refs))
		return
	}
	if !n.isNumber {
		var ids []string
		for _, t := range r.before.All() {
			ids = append(ids, t.ID)
		}
		hint = plan.DidYouMean(n.text, ids)
	}
	r.faults.add(InvalidPayload, "%s: plan %s has no task %s%s", n.where, r.before.ID, shortName(n), hint)
}

func shortName(n name) string {
	n.text = diag.OneLine(n.text, 60)
	return n.String()
}

// move carries out the reports and moves.
func (r *run) move() {
	for i, e := range r.update.Payload.Update {
		t := r.updates[i]
		if t == nil || !e.reports() {
			continue
		}
		now := r.next.Task(t.ID)
		if now == nil {
			continue
		}
		if _, err := r.next.Transition(now, r.update.transition(e, now)); err != nil {
			r.faults.add(kindOf(err), "%s: %v", e.where, err)
			continue
		}
		if e.status != "" {
			r.moved = append(r.moved, now)
		}
	}
}

// reports reports whether the entry says more than what the task is.
func (e Entry) reports() bool {
	if e.status != "" {
		return true
	}
	return slices.ContainsFunc([]string{"result", "error", "notes", "affected_files"}, func(k string) bool {
		_, ok := e.values[k]
		return ok
	})
}

// transition is the move that an entry asks for.
func (u *Update) transition(e Entry, t *plan.Task) plan.Move {
	to := e.status
	if to == "" {
		to = t.Status
	}
	return plan.Move{
		To: to, Reopen: true, Result: e.text("result"), Error: e.text("error"), Notes: e.list("notes"), Affected: e.list("affected_files"),
		At: u.at, Agent: u.Agent, Lease: u.lease,
	}
}

func (e Entry) text(field string) string {
	s, _ := e.values[field].(string)
	return s
}

func (e Entry) list(field string) []string {
	items, _ := e.values[field].([]string)
	return items
}

// close writes the final summary, once there is nothing left to do.
func (r *run) close() {
	summary := r.update.Payload.Summary
	if summary == nil {
		return
	}
	if left := unsettled(r.next); !r.next.IsAbandoned() && (left > 0 || len(r.next.All()) == 0) {
		why := "it has no tasks"
		if left > 0 {
			why = words.Count(left, "task") + " left"
		}
		r.faults.add(InvalidTransition, "final_summary: plan %s is not complete: %s", r.next.ID, why)
		return
	}
	if err := r.next.Set("final_summary", strings.TrimSpace(*summary)); err != nil {
		r.faults.add(kindOf(err), "final_summary: %v", err)
	}
}

// unsettled counts the leaves that something is left to do at.
func unsettled(p *plan.Plan) int {
	n := 0
	for _, t := range p.All() {
		if len(t.Children) == 0 && !t.Status.Settled() {
			n++
		}
	}
	return n
}

// message tells of the update where what happened to the tasks does not.
func (r *run) message() store.Message {
	m := store.Message{Agent: r.update.Agent}
	switch {
	case len(r.added) > 0 && len(r.moved) > 0:
		m.Subject = fmt.Sprintf("add %s, report on %s", words.Count(len(r.added), "task"), refs(r.moved))
	case len(r.added) > 0:
		m.Subject = fmt.Sprintf("add %s", words.Count(len(r.added), "task"))
	case r.update.Payload.Summary != nil && len(r.moved) == 0:
		m.Subject = "sum up"
	}
	for _, e := range r.update.Payload.Update {
		m.Body = append(m.Body, e.text("result"), e.text("error"))
		m.Body = append(m.Body, e.list("notes")...)
	}
	return m
}

func refs(tasks []*plan.Task) string {
	var out []string
	for _, t := range tasks {
		out = append(out, t.ID)
	}
	return words.Few(out, 3)
}

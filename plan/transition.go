package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// TransitionError is returned when a task may not move as asked. Nothing was
// changed.
type TransitionError struct {
	Task     string
	From, To Status
	// Reason says more where the table of moves alone does not.
	Reason string
}

func (e *TransitionError) Error() string {
	s := fmt.Sprintf("task `%s` is %s and cannot become %s", e.Task, e.From, e.To)
	if e.Reason != "" {
		s = fmt.Sprintf("task `%s` cannot become %s: %s", e.Task, e.To, e.Reason)
	}
	return s
}

// legal is the table of moves between statuses. Settled tasks leave only by
// an explicit reopening, and every unsettled one may be skipped or cancelled.
func legal(from, to Status, reopen bool) bool {
	switch {
	case from.Settled():
		return to == Pending && reopen
	case to == Skipped || to == Cancelled:
		return true
	}
	moves := map[Status][]Status{
		Pending:    {InProgress, Done, Failed, Blocked},
		InProgress: {Done, Failed, Blocked, Pending},
		Blocked:    {InProgress, Pending, Done, Failed},
		Failed:     {Pending, InProgress},
	}
	return slices.Contains(moves[from], to)
}

// MayBecome reports whether the table of moves lets a task go from this status
// to another, without being reopened. The plan may still have a reason against.
func (s Status) MayBecome(to Status) bool { return legal(s, to, false) }

// Move is a transition with what is reported along with it. Empty fields
// leave what the task has.
type Move struct {
	To Status
	// Reopen allows a settled task to become pending again.
	Reopen bool
	Result string
	Error  string
	// Notes, Affected and Evidence are added to the task's lists; what is
	// there already is not repeated in the last two.
	Notes, Affected, Evidence []string
	// At and Agent stamp the move.
	At    time.Time
	Agent string
	// Lease is how long a start keeps other agents off; 0 makes no lease.
	Lease time.Duration
}

// Transition moves a task and what hangs on it: the unsettled tasks below a
// container that is skipped or cancelled, the alternatives beside a done
// child of a decision, and the status of every container above. It gives the
// tasks whose files changed, none when there was nothing left to do. After an
// error the plan must be thrown away.
//
// A task that another agent holds under a live lease is refused with a
// *[HeldError], unless it is skipped or cancelled. To start one whose lease has
// run out, or that has none, is to take it over. To start one's own again renews
// the lease once half of it is over.
func (p *Plan) Transition(t *Task, m Move) ([]*Task, error) {
	if err := p.admit(t, m); err != nil {
		return nil, err
	}
	r := mover{}
	moved := t.Status != m.To || m.takesOver(t)
	if moved {
		if err := r.move(t, m); err != nil {
			return nil, err
		}
	}
	if err := r.renew(t, m); err != nil {
		return nil, err
	}
	if err := r.report(t, m, moved); err != nil {
		return nil, err
	}
	if err := r.settleBelow(t, m); err != nil {
		return nil, err
	}
	if err := r.updateAbove(t, m); err != nil {
		return nil, err
	}
	return r.changed(), nil
}

// mover carries out a transition and keeps the documents as they were of the
// tasks it touches.
type mover map[*Task]*Document

func (r mover) edit(t *Task) *editor {
	if r[t] == nil {
		r[t] = t.Doc
	}
	return t.edit()
}

// changed gives the tasks whose files are not as they were, in file order.
func (r mover) changed() []*Task {
	var out []*Task
	for t, before := range r {
		if t.Doc.Source != before.Source {
			out = append(out, t)
		}
	}
	slices.SortFunc(out, func(a, b *Task) int { return a.index - b.index })
	return out
}

// admit says whether the move is allowed at all.
func (p *Plan) admit(t *Task, m Move) error {
	deny := func(format string, args ...any) error {
		return &TransitionError{t.ID, t.Status, m.To, fmt.Sprintf(format, args...)}
	}
	if p.IsAbandoned() {
		return deny("the plan is abandoned")
	}
	if m.To != Skipped && m.To != Cancelled {
		if err := t.HeldAgainst(m.Agent, m.At); err != nil {
			return err
		}
	}
	if t.Status == m.To {
		return nil
	}
	if len(t.Children) > 0 && m.To != Skipped && m.To != Cancelled {
		return deny("its status follows the tasks below it; report those")
	}
	if m.To == Done {
		if b := p.Blockers(t); len(b) > 0 {
			return deny("the blocker `%s` is open; clear it first", b[0].ID)
		}
	}
	if !legal(t.Status, m.To, m.Reopen) {
		if t.Status.Settled() && m.To == Pending {
			return deny("it is %s; reopen it explicitly", t.Status)
		}
		return &TransitionError{Task: t.ID, From: t.Status, To: m.To}
	}
	return nil
}

// takesOver reports whether the move starts a task in the place of somebody
// else. Who holds it under a live lease has been asked before.
func (m Move) takesOver(t *Task) bool {
	c, ok := t.Claim()
	return ok && m.To == InProgress && m.Agent != "" && c.Agent != m.Agent
}

// renew prolongs the lease of a task that is started once more.
func (r mover) renew(t *Task, m Move) error {
	c, ok := t.Claim()
	if !ok || m.To != InProgress || m.Lease <= 0 || c.Agent != m.Agent || !c.spent(m.At, m.Lease) {
		return nil
	}
	r.edit(t)
	_, err := t.lease(m.At.Add(m.Lease))
	return err
}

// move sets one task's status and its stamps.
func (r mover) move(t *Task, m Move) error {
	e := r.edit(t)
	e.set("status", string(m.To))
	switch {
	case m.To == InProgress:
		e.set("started_at", FormatTime(m.At))
		e.set("executed_by", m.Agent)
		e.drop("completed_at", "lease_until")
		if m.Lease > 0 {
			e.set("lease_until", FormatTime(m.At.Add(m.Lease)))
		}
	case m.To.Settled():
		e.set("completed_at", FormatTime(m.At))
		if (m.To == Done || t.Doc.Has("started_at")) && !t.Doc.Has("executed_by") {
			e.set("executed_by", m.Agent)
		}
	case m.To == Pending:
		e.drop("started_at", "executed_by", "completed_at")
		e.forgetChecks()
		if t.Status.Settled() {
			e.drop("result") // it is to come out anew
		}
	}
	if (m.To == Failed || m.To == Blocked) && !t.Doc.Has("executed_by") {
		e.set("executed_by", m.Agent)
	}
	if m.To == Done {
		e.drop("error") // of a try before
	}
	if m.To != InProgress {
		e.drop("lease_until")
	}
	return e.done()
}

// report adds what came with the move. A note that came with no move, as when
// a report is repeated, is added once.
func (r mover) report(t *Task, m Move, moved bool) error {
	e := r.edit(t)
	notes := m.Notes
	if !moved {
		notes = missing(t.Doc.List("notes"), notes)
	}
	e.set("result", m.Result)
	e.set("error", m.Error)
	e.append("notes", notes...)
	e.append("affected_files", missing(t.Doc.List("affected_files"), m.Affected)...)
	e.append("evidence", missing(t.Doc.List("evidence"), m.Evidence)...)
	return e.done()
}

func missing(have, want []string) []string {
	return slices.DeleteFunc(slices.Clone(want), func(s string) bool { return slices.Contains(have, s) })
}

// settleBelow carries a settled status to where it follows from the move.
func (r mover) settleBelow(t *Task, m Move) error {
	follow := Move{To: m.To, At: m.At, Agent: m.Agent}
	var below []*Task
	switch {
	case m.To == Skipped || m.To == Cancelled:
		below = t.Children
	case m.To == Done && t.Parent != nil && t.Parent.Kind == "decide":
		follow.To = Skipped
		for _, c := range t.Parent.Children {
			if c != t {
				below = append(below, c)
			}
		}
	}
	for _, c := range below {
		if err := r.settleAll(c, follow); err != nil {
			return err
		}
	}
	return nil
}

func (r mover) settleAll(t *Task, m Move) error {
	var err error
	t.walk(func(u *Task) {
		if err == nil && !u.Status.Settled() {
			err = r.move(u, m)
		}
	})
	return err
}

// updateAbove brings the containers above t up to date: done when all their
// children are settled, in progress when any is not pending, else pending. A
// container that becomes done decides as a leaf does.
func (r mover) updateAbove(t *Task, m Move) error {
	for c := t.Parent; c != nil; c = c.Parent {
		if !stale(c) {
			continue
		}
		want := derivedStatus(c)
		e := r.edit(c)
		e.set("status", string(want))
		switch want {
		case Done:
			e.set("completed_at", FormatTime(m.At))
		case InProgress:
			e.drop("completed_at")
			if !c.Doc.Has("started_at") {
				e.set("started_at", FormatTime(m.At))
			}
		default:
			e.drop("completed_at", "started_at")
		}
		if err := e.done(); err != nil {
			return err
		}
		if err := r.settleBelow(c, Move{To: want, At: m.At, Agent: m.Agent}); err != nil {
			return err
		}
	}
	return nil
}

// stale reports whether a container's status no longer follows from its
// children's; skipped and cancelled stand for done.
func stale(c *Task) bool {
	want := derivedStatus(c)
	return want != c.Status && !(want == Done && c.Status.Settled())
}

func derivedStatus(c *Task) Status {
	all, any := true, false
	for _, k := range c.Children {
		all = all && k.Status.Settled()
		any = any || k.Status != Pending
	}
	switch {
	case all:
		return Done
	case any:
		return InProgress
	}
	return Pending
}

// Cascade gives the tasks that wait for t, at any distance, and are not
// settled: what skipping t leaves without a base.
func (p *Plan) Cascade(t *Task) []*Task {
	return slices.DeleteFunc(p.Graph().Downstream(t), func(u *Task) bool {
		return u == t || u.Status.Settled() || u.IsAncestorOf(t)
	})
}

// editor collects changes to one file; the first error stops it.
type editor struct {
	doc    *Document
	finish func(*Document)
	err    error
}

func (t *Task) edit() *editor { return &editor{doc: t.Doc, finish: t.refresh} }

// set gives a field a text; an empty one leaves it as it is.
func (e *editor) set(key, text string) {
	text = strings.TrimSpace(text)
	if e.err == nil && text != "" {
		e.keep(e.doc.Set(key, Value(text)))
	}
}

func (e *editor) append(key string, items ...string) {
	if e.err == nil {
		e.keep(e.doc.Append(key, items...))
	}
}

func (e *editor) drop(keys ...string) {
	for _, k := range keys {
		if e.err == nil {
			e.keep(e.doc.Delete(k))
		}
	}
}

// forgetChecks takes the checks out of the evidence: they passed on what is to be
// done once more.
func (e *editor) forgetChecks() {
	list := e.doc.List("evidence")
	rest := slices.DeleteFunc(slices.Clone(list), func(s string) bool {
		shown, ok := ParseEvidence(s)
		return ok && shown.Signal != ""
	})
	switch {
	case len(rest) == len(list):
	case len(rest) == 0:
		e.drop("evidence")
	case e.err == nil:
		e.keep(e.doc.Set("evidence", Value(rest)))
	}
}

func (e *editor) keep(d *Document, err error) {
	if e.err = err; err == nil {
		e.doc = d
	}
}

func (e *editor) done() error {
	if e.err == nil {
		e.finish(e.doc)
	}
	return e.err
}

// Set changes a field of plan.md in place.
func (p *Plan) Set(key string, v any) error {
	d, err := p.Doc.Set(key, Value(v))
	if err == nil {
		p.Doc = d
	}
	return err
}

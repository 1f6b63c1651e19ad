package plan

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Claim says who has a task in progress, and for how long nobody else may
// take it.
type Claim struct {
	// Agent is who began the task, or empty where the file names nobody.
	Agent string
	// Until ends the lease; it is zero where there is none.
	Until time.Time
}

// Live reports whether the claim keeps others off at a time. One without a
// lease keeps nobody off: it was written by hand or imported, and nothing would
// ever end it.
func (c Claim) Live(at time.Time) bool { return c.Agent != "" && at.Before(c.Until) }

// spent reports whether at least half of a lease is over.
func (c Claim) spent(at time.Time, lease time.Duration) bool { return c.Until.Sub(at) <= lease/2 }

// Claim gives the claim on a task; ok is false where nobody works on it. A
// container is worked on through what is below it and has none.
func (t *Task) Claim() (c Claim, ok bool) {
	if t.Status != InProgress || len(t.Children) > 0 {
		return Claim{}, false
	}
	c.Agent = t.Doc.Text("executed_by")
	if until, err := ParseTime(t.Doc.Text("lease_until")); err == nil {
		c.Until = until
	}
	return c, true
}

// HeldError is returned when a task may not move because another agent works
// on it under a live lease. Nothing was changed.
type HeldError struct {
	Task, Owner string
	// Until is when the lease ends, unless the owner renews it.
	Until time.Time
}

func (e *HeldError) Error() string {
	return fmt.Sprintf("task `%s` is held by %s until %s: take another with `git plan next --claim`, wait until then, or act for its holder with --agent",
		e.Task, shorten(e.Owner), FormatTime(e.Until))
}

// HeldAgainst gives the *[HeldError] of an agent that wants to start, finish or
// release a task at a time, or nil. It does not stop who skips or cancels: what
// is no longer wanted is settled whoever works on it.
func (t *Task) HeldAgainst(agent string, at time.Time) error {
	if c, ok := t.Claim(); ok && c.Live(at) && c.Agent != agent {
		return &HeldError{t.ID, c.Agent, c.Until}
	}
	return nil
}

// ClaimsOf gives the tasks that an agent has in progress, its lease live or
// not, in the order of [Plan.Ready].
func (p *Plan) ClaimsOf(agent string) []*Task {
	return p.inProgress(func(t *Task, c Claim) bool { return agent != "" && c.Agent == agent })
}

// Lapsed gives the tasks in progress that anybody may take at a time, as no
// live claim is on them and nothing stops the work, in the order of
// [Plan.Ready].
func (p *Plan) Lapsed(at time.Time) []*Task {
	free := p.free()
	return p.inProgress(func(t *Task, c Claim) bool { return !c.Live(at) && free[t.index] })
}

// NextFor gives the task that an agent should work on at a time, or nil: what
// it has in progress already unless it wants another, else the first that is
// ready, else the first whose claim by somebody else has lapsed. In an abandoned
// plan there is none.
func (p *Plan) NextFor(agent string, another bool, at time.Time) *Task {
	if p.IsAbandoned() {
		return nil
	}
	if mine := p.ClaimsOf(agent); len(mine) > 0 && !another {
		return mine[0]
	}
	if ready := p.Ready(); len(ready) > 0 {
		return ready[0]
	}
	for _, t := range p.Lapsed(at) {
		if c, _ := t.Claim(); agent == "" || c.Agent != agent {
			return t
		}
	}
	return nil
}

func (p *Plan) inProgress(want func(*Task, Claim) bool) []*Task {
	var out []*Task
	for _, t := range p.all {
		if c, ok := t.Claim(); ok && want(t, c) {
			out = append(out, t)
		}
	}
	byPriority(out)
	return out
}

func byPriority(tasks []*Task) {
	slices.SortStableFunc(tasks, func(a, b *Task) int { return cmp.Compare(b.Priority, a.Priority) })
}

// Renew lets the leases that an agent has run from a time on. None becomes
// shorter, and a task without a lease gets none. One whose file cannot be edited
// in place keeps what it has, and so does one whose lease is another than in
// before, which may be nil: somebody has just set it. It gives the tasks that
// changed.
func (p *Plan) Renew(agent string, at time.Time, lease time.Duration, before *Plan) ([]*Task, error) {
	var out []*Task
	for _, t := range p.ClaimsOf(agent) {
		c, _ := t.Claim()
		if c.Until.IsZero() || !at.Add(lease).After(c.Until) || before != nil && setAnew(before.Task(t.ID), t) {
			continue
		}
		changed, err := t.lease(at.Add(lease))
		if err != nil {
			return out, err
		}
		if changed {
			out = append(out, t)
		}
	}
	return out, nil
}

// setAnew reports whether a task's lease is another than it was.
func setAnew(old, now *Task) bool {
	return old == nil || old.Doc.Text("lease_until") != now.Doc.Text("lease_until")
}

// Stamp completes what a change of status from that of old writes, where the file
// does not say so itself: of a start who, when, and until when nobody else may
// take the task; of the end of work that the lease is over. A lease that old had
// says nothing of that. It leaves alone a file that cannot be edited in place.
func (t *Task) Stamp(old *Task, agent string, at time.Time, lease time.Duration) error {
	_, began := t.Claim()
	if (old.Status == InProgress) == (t.Status == InProgress) || t.Doc.Has("lease_until") && setAnew(old, t) {
		return nil
	}
	e := t.edit()
	e.drop("lease_until")
	if !began {
		return orOdd(e.done())
	}
	for _, stamp := range [][2]string{
		{"executed_by", agent}, {"started_at", FormatTime(at)}, {"lease_until", FormatTime(at.Add(lease))},
	} {
		if stamp[0] == "lease_until" || !t.Doc.Has(stamp[0]) {
			e.set(stamp[0], stamp[1])
		}
	}
	return orOdd(e.done())
}

// orOdd passes over a file that cannot be edited in place.
func orOdd(err error) error {
	var odd *EditError
	if errors.As(err, &odd) {
		return nil
	}
	return err
}

// lease sets the end of the task's lease where the file can be edited.
func (t *Task) lease(until time.Time) (changed bool, err error) {
	before := t.Doc
	e := t.edit()
	e.set("lease_until", FormatTime(until))
	err = orOdd(e.done())
	return t.Doc != before, err
}

// Renewed gives the tasks of which nothing but the lease differs between two
// revisions.
func Renewed(before, after *Plan) []*Task {
	var out []*Task
	for _, t := range after.all {
		if old := before.Task(t.ID); old != nil && old.Doc.Source != t.Doc.Source && sameButLease(old.Doc, t.Doc) {
			out = append(out, t)
		}
	}
	return out
}

// sameButLease compares two files without their leases.
func sameButLease(a, b *Document) bool {
	if a.Source == b.Source {
		return true
	}
	x, errX := a.Delete("lease_until")
	y, errY := b.Delete("lease_until")
	return errX == nil && errY == nil && x.Source == y.Source
}

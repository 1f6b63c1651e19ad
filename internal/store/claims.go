package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Lease is how long a claim that is made now lasts: by gates.yaml, which where
// it cannot be read lets nothing be written anyway.
func (s *Snapshot) Lease(ctx context.Context) (time.Duration, error) {
	gates, _, err := s.Gates(ctx)
	return gates.Lease, err
}

// claimant is the agent of a change, when it acts, and how long a claim lasts.
type claimant struct {
	agent string
	now   time.Time
	lease time.Duration
}

// withClaims sees to it that a write keeps the claims of others, and brings those
// of its agent up to date: what a draft or a command started without a lease gets
// one, what is no longer in progress loses it, and the agent's other claims are
// renewed, as it is at work. Without an agent nothing changes.
func withClaims(r *Repo, w Write, before, after *plan.Plan, by claimant) (*plan.Plan, error) {
	if by.agent == "" {
		return after, nil
	}
	if err := w.keepsOff(before, after, by.agent, by.now); err != nil {
		return nil, err
	}
	if w.Prefix != "" { // a draft's plan stays as its folder has it
		after, _ = r.ReadPlan(w.ID, w.Prefix, after.FileList())
		after.Aside = w.Plan.Aside
	}
	for _, t := range after.All() {
		old := before.Task(t.ID)
		if old == nil && w.Prefix == "" {
			continue // brought along as it stands, by an import say
		}
		if old == nil {
			old = &plan.Task{Status: plan.Pending}
		}
		if err := t.Stamp(old, by.agent, by.now, by.lease); err != nil {
			return nil, err
		}
	}
	_, err := after.Renew(by.agent, by.now, by.lease, before)
	return after, err
}

// keepsOff gives a *[plan.HeldError] where a write moves a task that another
// agent holds, or puts others below it, whether or not whoever wrote it could see
// that. A new version begins all over, whoever works on the old one.
func (w Write) keepsOff(before, after *plan.Plan, agent string, now time.Time) error {
	if after.Version() > before.Version() {
		return nil
	}
	for _, old := range before.All() {
		t := after.Task(old.ID)
		if t == nil || t.Status == plan.Skipped || t.Status == plan.Cancelled {
			continue
		}
		if sameHolder(old, t) || w.Since != nil && !sameHolder(old, w.Since.Task(old.ID)) && w.mayMeet(t) {
			continue
		}
		if err := old.HeldAgainst(agent, now); err != nil {
			return err
		}
	}
	return nil
}

// mayMeet reports whether a task may be as it is although somebody holds it, by a
// claim that the write was not made from: two claims met, and the earlier one was
// kept, or the task stood so before the write.
func (w Write) mayMeet(t *plan.Task) bool {
	if _, claimed := t.Claim(); claimed {
		return true
	}
	was, isLeaf := w.Since.Task(t.ID), len(t.Children) == 0
	return was != nil && isLeaf == (len(was.Children) == 0) && (was.Status == t.Status || !isLeaf)
}

// dropped reports the tasks of others that a replan took away.
func dropped(outcomes []Outcome, agent string, now time.Time) (notes []string) {
	for _, o := range outcomes {
		if o.Before == nil || o.After == nil {
			continue
		}
		for _, old := range o.Before.All() {
			var held *plan.HeldError
			if errors.As(old.HeldAgainst(agent, now), &held) && o.After.Task(old.ID) == nil {
				notes = append(notes, fmt.Sprintf("task `%s` of %s is gone, and %s works on it until %s", old.ID, o.ID, diag.Head(held.Owner, 80), plan.FormatTime(held.Until)))
			}
		}
	}
	return notes
}

// sameHolder reports whether a task is held by the same agent in two states.
func sameHolder(a, b *plan.Task) bool {
	if b == nil {
		return false
	}
	was, _ := a.Claim()
	is, ok := b.Claim()
	return ok && is.Agent == was.Agent
}

// tell works out from content what happened to a plan, beside what is known
// already.
func (o *Outcome) tell() {
	o.Occurrences = append(o.Occurrences, plan.Compare(o.Before, o.After)...)
	if len(o.Occurrences) == 0 && len(o.Renewed()) == 0 {
		o.Occurrences = []plan.Occurrence{{Event: plan.Revised}}
	}
	o.Event = plan.Leading(o.Occurrences)
}

// Renewed gives the tasks of which nothing but the lease changed. Where that is
// all that a revision did, it has no event.
func (o *Outcome) Renewed() []*plan.Task {
	if o.Before == nil || o.After == nil {
		return nil
	}
	return plan.Renewed(o.Before, o.After)
}

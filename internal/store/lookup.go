package store

import (
	"cmp"
	"context"

	"github.com/git-plan/git-plan/plan"
)

// lookUp finds out what became of a change that others may have replayed or merged in
// this clone meanwhile: it is in the store, parked, or gave way to what was published
// first. A command that changed nothing has no change: what it saw counts as lost where
// the store does not just go on from there.
func (p *publishing) lookUp(ctx context.Context, change string, result Result) error {
	made := cmp.Or(p.commits[change], result.Commit)
	tip, err := p.repo.tip(ctx)
	if err != nil || tip == result.Commit {
		return err
	}
	since, err := p.repo.Ancestry().Fork(ctx, made, tip)
	if err != nil {
		return err
	}
	var states []string // which may hold less than the change made
	switch {
	case since == made && made != result.Commit:
		states = append(states, made)
	case since != made:
		if made, err = p.replayed(ctx, change, since, tip); err != nil {
			return err
		}
		if made == "" {
			return p.dropped(ctx, change, tip, result)
		}
		states = append(states, made)
	}
	merges, err := p.repo.Ancestry().merges(ctx, made, tip)
	if err != nil {
		return err
	}
	if change == "" && len(merges) > 0 {
		p.fates[change] = LostClaim
	}
	for _, commit := range append(states, merges...) {
		fate, err := p.fateIn(ctx, commit, result.Plans)
		if err != nil {
			return err
		}
		if fate == Noted || fate == LostClaim {
			p.fates[change] = fate
			return nil
		}
	}
	return nil
}

// replayed gives the commit that was made of a change, "" if there is none.
func (p *publishing) replayed(ctx context.Context, change, since, tip string) (commit string, err error) {
	delete(p.commits, change)
	if change == "" {
		return "", nil
	}
	commit, err = p.repo.Ancestry().FindChange(ctx, tip, since, change)
	if err == nil && commit != "" {
		p.fates[change], p.commits[change] = Landed, commit
	}
	return commit, err
}

// dropped says what became of a change that no commit makes any more: it is parked, or
// the store has all of it all the same, as after a squash, or it gave way.
func (p *publishing) dropped(ctx context.Context, change, tip string, result Result) error {
	if _, err := p.repo.Store.TipOf(ctx, ParkedPrefix+change); change != "" && err == nil {
		p.fates[change] = IsParked
		return nil
	}
	fate, err := p.fateIn(ctx, tip, result.Plans)
	if fate == Unknown && p.fates[change] != Contained {
		fate = LostClaim
	}
	if fate != Unknown {
		p.fates[change] = fate
	}
	return err
}

// fateIn says what became in a commit of the tasks that a change moved; it is Unknown
// where it moved none.
func (p *publishing) fateIn(ctx context.Context, commit string, plans []Outcome) (Fate, error) {
	now, err := p.repo.At(ctx, commit)
	if err != nil {
		return Unknown, err
	}
	fate := Unknown
	for _, o := range plans {
		stored, err := now.Find(ctx, o.ID)
		if err != nil {
			return Unknown, err
		}
		if stored == nil {
			continue
		}
		switch now := o.fateIn(stored.Plan); {
		case now == Noted:
			return Noted, nil
		case now == LostClaim || fate == Unknown:
			fate = now
		}
	}
	return fate, nil
}

// fateIn says what became in a later state of the tasks that a change moved.
func (o Outcome) fateIn(now *plan.Plan) Fate {
	fate := Unknown
	for _, c := range o.Occurrences {
		if o.After == nil || c.Task == "" || o.After.Task(c.Task) == nil {
			continue
		}
		was, is := o.After.Task(c.Task), now.Task(c.Task)
		switch {
		case is == nil, is.Doc.Body != was.Doc.Body: // one that got another id, or that others wrote anew
		case is.Status == was.Status && is.Doc.Text("executed_by") == was.Doc.Text("executed_by"):
			if fate == Unknown {
				fate = Landed
			}
		case was.Status == plan.InProgress:
			fate = LostClaim
		default:
			return Noted
		}
	}
	return fate
}

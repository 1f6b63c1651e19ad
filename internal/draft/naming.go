package draft

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// admitID says whether the id asked for can name anything: one new plan, or
// the plan that has it since the last time this was asked.
func (c *committer) admitID() error {
	if c.opts.ID == "" {
		return nil
	}
	fresh, held := 0, false
	for _, p := range c.parts {
		if p.thread.Plan == "" && !p.empty {
			fresh++
		}
		held = held || p.thread.Plan == c.opts.ID
	}
	if fresh == 1 || fresh == 0 && held {
		return nil
	}
	return &store.ExistsError{Message: fmt.Sprintf("the id %q is for one new plan, and the threads hold %d of them", c.opts.ID, fresh)}
}

// takenIDs gives the ids that threads hold already.
func (c *committer) takenIDs() map[string]bool {
	taken := map[string]bool{}
	for _, p := range c.parts {
		if p.thread.Plan != "" {
			taken[p.thread.Plan] = true
		}
	}
	return taken
}

// name gives a new plan its id: the one asked for, else the slug of its title
// or goal, made unique among stored, archived and drafted plans.
func (c *committer) name(ctx context.Context, s *store.Snapshot, p *part, taken map[string]bool) error {
	var failed error
	isTaken := func(id string) bool {
		_, ok, err := s.Locate(ctx, id)
		failed = errors.Join(failed, err)
		return ok || taken[id] || id == store.Archive
	}
	if p.landed, failed = c.hasLanded(ctx, s, p); failed != nil || p.landed {
		return failed
	}
	if c.opts.ID != "" {
		if isTaken(c.opts.ID) {
			return errors.Join(failed, &store.ExistsError{Message: fmt.Sprintf("the id %q is taken: choose another", c.opts.ID)})
		}
		p.id = c.opts.ID
		return failed
	}
	text := p.plan.Title()
	if plan.Slug(text) == "" {
		text = p.plan.Goal()
	}
	p.id = plan.NewID(text, "plan", isTaken)
	return failed
}

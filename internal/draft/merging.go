package draft

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/planrepo"
)

// OpenMerge writes the plans that two states of the store could not agree on to
// threads, merged as far as that goes, with the published values where they
// disagree. Committing these threads makes the merge. A thread that holds such a
// plan with edits of its own is a *planrepo.ConflictError, and nothing is
// written; plans that one side removed get no thread.
func (d *Drafts) OpenMerge(ctx context.Context, open *planrepo.MergeError) ([]Thread, error) {
	if _, err := d.Current(ctx); err != nil {
		return nil, err
	}
	var out []Thread
	err := d.change(ctx, func(s *State) error {
		out = nil
		for _, p := range open.Plans {
			if p.Plan == nil {
				continue
			}
			t, err := d.place(s, p.ID, CheckoutOptions{})
			if err != nil {
				return err
			}
			disk, err := d.untouched(ctx, *t)
			if err != nil {
				return err
			}
			if _, err := writeFolder(t.Dir, disk, p.Plan.Files()); err != nil {
				return err
			}
			t.Plan, t.Base, t.Merging, t.Cleared, t.Pending, t.Digest = p.ID, open.Theirs, open.Theirs, false, "", ""
			out = append(out, *t)
		}
		return nil
	})
	return out, err
}

// untouched gives the files of a thread's folder if nobody edited them since the
// thread began.
func (d *Drafts) untouched(ctx context.Context, t Thread) (map[string][]byte, error) {
	disk, err := d.planBytes(t)
	if err != nil || t.Plan == "" {
		return disk, err
	}
	base, err := d.baseFiles(ctx, t)
	if err != nil || t.Merging == "" && sameFiles(base, disk) {
		return disk, err
	}
	why := "the thread has edits that are not committed"
	if t.Merging != "" {
		why = "the thread has a merge that is not committed"
	}
	return nil, &planrepo.ConflictError{Plan: t.Plan, Details: []string{why},
		Hint: fmt.Sprintf("`git plan commit` first, or throw them away with `git plan checkout --force %s`", t.Plan)}
}

// merging keeps only the threads that a merge waits for, if there are any, and
// gives the commit to merge with. Other threads wait for the next commit.
func (c *committer) merging() string {
	theirs := ""
	for _, p := range c.parts {
		if p.thread.Merging != "" {
			theirs = p.thread.Merging
		}
	}
	if theirs != "" {
		c.parts = slices.DeleteFunc(c.parts, func(p *part) bool { return p.thread.Merging != theirs })
	}
	return theirs
}

// join says that the threads settle a merge.
func (c *committer) join(theirs string) planrepo.Mutation {
	return func(_ context.Context, _ *planrepo.Snapshot) (planrepo.Proposal, error) {
		proposal := planrepo.Proposal{
			Message: planrepo.Message{Subject: c.opts.Message, Agent: c.opts.Agent}, Join: &planrepo.Joining{Theirs: theirs},
		}
		if proposal.Message.Subject == "" {
			proposal.Message.Subject = "merge"
		}
		for _, p := range c.parts {
			p.id, p.merged, p.notes, p.remove, p.landed = p.thread.Plan, p.plan, nil, false, false
			proposal.Writes = append(proposal.Writes, planrepo.Write{
				ID: p.id, Plan: p.plan, Found: planrepo.Strays(p.plan, p.found), Prefix: p.plan.Prefix, Whole: true,
			})
		}
		return proposal, nil
	}
}

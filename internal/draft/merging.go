package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
)

// OpenMerge writes the plans that two states of the store could not agree on to
// threads, merged as far as that goes, as [merge.Result] has them. Committing these
// threads makes the merge. One that is open for the same two states already stays as
// it is. A thread that holds such a plan with edits of its own is a
// *store.ConflictError, and nothing is written; plans that one side removed get no
// thread. What a preference settled stands in its thread, too, unless somebody edited
// that, so that the commit keeps it.
func (d *Drafts) OpenMerge(ctx context.Context, open *store.MergeError) ([]Thread, error) {
	if err := d.ready(ctx); err != nil {
		return nil, err
	}
	var out []Thread
	err := d.change(ctx, func(s *State) error {
		out = nil
		if err := d.canOpen(ctx, s, open); err != nil {
			return err
		}
		for _, p := range slices.Concat(open.Plans, open.Settled) {
			if p.Plan == nil {
				continue
			}
			t, err := d.place(s, p.ID, CheckoutOptions{})
			if err != nil {
				return err
			}
			disk, stays, err := d.toOpen(ctx, *t, open, p)
			if err != nil {
				return err
			}
			if stays {
				out = append(out, *t)
				continue
			}
			then := Thread{Plan: p.ID, Base: open.Theirs, Merging: open.Theirs, Ours: open.Ours, Opened: digest(p.Plan), Conflicts: undecided(p.Conflicts), Proposed: t.Proposed}
			if err := d.fill(s, t, disk, p.Plan.Files(), then); err != nil {
				return err
			}
			out = append(out, *t)
		}
		return nil
	})
	return out, err
}

// toOpen gives the files of a thread that the merge of a plan is to be opened in. Where
// it was asked for again it stays, with whatever was settled there.
func (d *Drafts) toOpen(ctx context.Context, t Thread, open *store.MergeError, p merge.PlanResult) (disk map[string][]byte, stays bool, err error) {
	if !t.hasOpen(open) {
		disk, err = d.untouched(ctx, t)
		return disk, false, err
	}
	written, _, err := d.read(t, t.Plan)
	if err != nil {
		return nil, false, err
	}
	return written.Files(), len(p.Conflicts) > 0 || digest(written) != t.Opened, nil
}

// canOpen refuses to open a merge where one of its plans is in a thread with edits. All
// are looked at before the first folder is filled: a merge that is open in part could
// neither be made nor given up.
func (d *Drafts) canOpen(ctx context.Context, s *State, open *store.MergeError) error {
	for _, p := range slices.Concat(open.Plans, open.Settled) {
		for _, t := range s.Threads {
			if p.Plan == nil || !t.holds(p.ID) || t.hasOpen(open) {
				continue
			}
			if err := d.whole(&t); err != nil {
				return err
			}
			if _, err := d.untouched(ctx, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// hasOpen reports whether the thread waits for just this merge.
func (t *Thread) hasOpen(open *store.MergeError) bool {
	return t.Merging == open.Theirs && t.Ours == open.Ours
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
	why, hint := "the thread has edits that are not committed", "`git plan commit` first, or throw them away with `git plan checkout --force %s`"
	if t.Merging != "" {
		why, hint = "the thread has a merge that is not committed", "`git plan commit` makes it, or give it up with `git plan checkout --force %s`"
	}
	return nil, &store.ConflictError{Plan: t.Plan, Details: []string{why}, Hint: fmt.Sprintf(hint, t.Plan)}
}

// merging keeps only the threads that a merge waits for, if there are any, and
// gives the commit to merge with. Other threads wait for the next commit, which
// those are told of that hold anything for it.
func (c *committer) merging() string {
	theirs := ""
	for _, p := range c.parts {
		if p.thread.Merging != "" {
			theirs = p.thread.Merging
		}
	}
	if theirs == "" {
		return ""
	}
	for _, p := range c.parts {
		if p.thread.Merging != theirs && p.edited() {
			c.waiting = append(c.waiting, fmt.Sprintf("this commit makes the open merge alone, and %s waits for the next: run `git plan commit` again", p.thread.ID))
		}
	}
	c.parts = slices.DeleteFunc(c.parts, func(p *part) bool { return p.thread.Merging != theirs })
	return theirs
}

// edited reports whether there is something in the thread to be committed.
func (p *part) edited() bool {
	if p.empty || p.base == nil {
		return !p.empty || p.thread.Cleared
	}
	return !sameFiles(p.base.Files(), p.disk)
}

// CloseMerges lets the threads that wait for a merge which the store holds at a
// commit, made in another way, follow the store again. One that somebody has
// edited since it was opened stays as it is.
func (d *Drafts) CloseMerges(ctx context.Context, commit string) error {
	s, err := d.State()
	if err != nil || !slices.ContainsFunc(s.Threads, func(t Thread) bool { return t.Merging != "" }) {
		return err
	}
	snapshot, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	return d.change(ctx, func(s *State) error {
		var was []string // merging
		for i := range s.Threads {
			if s.Threads[i].Merging != "" {
				was = append(was, s.Threads[i].ID)
			}
			if err := d.closeMerge(ctx, s, &s.Threads[i], snapshot); err != nil {
				return err
			}
		}
		return d.dropEmptied(s, was)
	})
}

// dropEmptied drops the additional threads of the given ids that hold nothing any more,
// and would be in the way of the next commit.
func (d *Drafts) dropEmptied(s *State, ids []string) error {
	for _, id := range ids {
		t := s.thread(id)
		if t == nil || t.Plan != "" || id == s.Current {
			continue
		}
		if p, found, err := d.read(*t, id); err != nil {
			return err
		} else if !d.isBlank(*t, p, found) {
			continue
		}
		if err := d.discard(*t); err != nil {
			return err
		}
		s.Threads = slices.DeleteFunc(s.Threads, func(t Thread) bool { return t.ID == id })
	}
	return nil
}

func (d *Drafts) closeMerge(ctx context.Context, s *State, t *Thread, snapshot *store.Snapshot) error {
	if t.Merging == "" || t.Opened == "" || t.Filling != nil {
		return nil
	}
	if made, err := d.repo.Store.IsAncestor(ctx, t.Merging, snapshot.Commit); err != nil || !made {
		return err
	}
	written, _, err := d.read(*t, t.Plan)
	if err != nil || digest(written) != t.Opened {
		return err
	}
	stored, err := loadPlan(ctx, snapshot, t.Plan)
	switch {
	case err != nil:
		return err
	case stored == nil: // archived by the merge, or removed: there is nothing to follow
		return d.fill(s, t, written.Files(), nil, Thread{})
	}
	return d.bring(ctx, s, t, snapshot.Commit, written.Files(), stored, true)
}

// loadPlan gives a plan of the store, nil where it has none of that id to edit.
func loadPlan(ctx context.Context, s *store.Snapshot, id string) (*store.Mended, error) {
	stored, err := s.Mended(ctx, id)
	var gone *store.NotFoundError
	if errors.As(err, &gone) || err == nil && stored.Archived() {
		return nil, nil
	}
	return stored, err
}

// join says that the threads settle a merge.
func (c *committer) join(theirs string) store.Mutation {
	return func(ctx context.Context, s *store.Snapshot) (store.Proposal, error) {
		proposal := store.Proposal{
			Message: store.Message{Subject: c.opts.Message, Agent: c.opts.Agent}, Join: &store.Joining{Theirs: theirs},
		}
		if proposal.Message.Subject == "" {
			proposal.Message.Subject = "merge"
		}
		made, err := c.drafts.repo.Store.IsAncestor(ctx, theirs, s.Commit)
		if err != nil {
			return proposal, err
		}
		for _, p := range c.parts {
			p.id, p.merged, p.notes, p.remove, p.landed = p.thread.Plan, p.plan, nil, false, false
			if made {
				return proposal, c.conflictOf(p, "the merge that the thread was to settle was made in another way")
			}
			w, err := c.settled(ctx, s, p)
			if err != nil {
				return proposal, err
			}
			proposal.Writes = append(proposal.Writes, w)
		}
		return proposal, nil
	}
}

// settled gives what the thread has made of its plan.
func (c *committer) settled(ctx context.Context, s *store.Snapshot, p *part) (store.Write, error) {
	if err := c.sinceArchived(ctx, s, p); err != nil {
		return store.Write{}, err
	}
	if p.empty && p.thread.Cleared {
		p.remove = true
		return store.Write{ID: p.id}, nil
	}
	w := store.Write{ID: p.id, Plan: p.plan, Found: store.Strays(p.plan, p.found), Prefix: p.plan.Prefix, Whole: true}
	if err := c.sinceOpened(ctx, s, p, &w); err != nil {
		return w, err
	}
	p.notes = append(p.notes, p.thread.taken(p.plan)...)
	return w, nil
}

// sinceArchived refuses to settle a plan that somebody put away while the merge was
// open.
func (c *committer) sinceArchived(ctx context.Context, now *store.Snapshot, p *part) error {
	l, there, err := now.Locate(ctx, p.id)
	if err != nil || !there || !l.Archived() || p.thread.Ours == "" {
		return err
	}
	then, err := c.drafts.repo.At(ctx, p.thread.Ours)
	if err != nil {
		return err
	}
	if was, _, err := then.Locate(ctx, p.id); err != nil || was.Archived() {
		return err
	}
	return &store.ConflictError{Plan: p.id, Details: []string{"it was archived while the merge was open"},
		Hint: fmt.Sprintf("`git plan restore %s`, then `git plan commit` makes the merge", p.id)}
}

// sinceOpened brings in what changed in the store here while somebody settled
// the merge in a thread.
func (c *committer) sinceOpened(ctx context.Context, now *store.Snapshot, p *part, w *store.Write) error {
	if p.thread.Ours == "" || p.thread.Ours == now.Commit {
		return nil
	}
	then, err := c.drafts.repo.At(ctx, p.thread.Ours)
	if err != nil {
		return err
	}
	was, err := loadPlan(ctx, then, p.id)
	if err != nil {
		return err
	}
	is, err := loadPlan(ctx, now, p.id)
	if err != nil {
		return err
	}
	merged := merge.Plans(planOrNone(was), p.plan, planOrNone(is), merge.Options{Published: merge.Ours})
	if !merged.Clean() || merged.Plan == nil {
		return c.conflictOf(p, append(details(merged.Conflicts), "it changed here while the merge was open")...)
	}
	if !sameFiles(merged.Plan.Files(), p.plan.Files()) {
		p.merged, p.notes, w.Plan, w.Prefix = merged.Plan, merged.Notes, merged.Plan, ""
	}
	return nil
}

func (c *committer) conflictOf(p *part, why ...string) error {
	return &store.ConflictError{Plan: p.id, Details: why,
		Hint: fmt.Sprintf("keep a copy of your edits, run `git plan checkout --force %s`, and `git plan sync` again or bring them in", p.id)}
}

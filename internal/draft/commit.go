package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// CommitOptions are what a person says about a commit of threads.
type CommitOptions struct {
	Message string
	Agent   string
	// ID overrides the id of the one new plan; it is kebab-case.
	ID string
	// DryRun does everything but write.
	DryRun bool
}

// Committed is a thread's part of a commit.
type Committed struct {
	Thread string
	store.Outcome
}

// Commit validates the plans of all threads and puts them on the store as one
// commit: all land, or none. What was not edited since the thread began follows
// the store; where the same was changed in both places, and differently, the
// error is a *store.ConflictError.
func (d *Drafts) Commit(ctx context.Context, opts CommitOptions) (store.Result, []Committed, error) {
	if _, err := d.Current(ctx); err != nil {
		return store.Result{}, nil, err
	}
	var result store.Result
	var committed []Committed
	// Two commits of the same threads at once would store each plan twice.
	err := d.repo.Judging(ctx, func() error {
		return d.locked(ctx, "commit.lock", commitWait, func() (err error) {
			result, committed, err = d.commit(ctx, opts)
			return err
		})
	})
	return result, committed, err
}

func (d *Drafts) commit(ctx context.Context, opts CommitOptions) (store.Result, []Committed, error) {
	state, err := d.settled(ctx)
	if err != nil {
		return store.Result{}, nil, err
	}
	c := &committer{drafts: d, state: state, opts: opts}
	if err := c.load(ctx); err != nil {
		return store.Result{}, nil, err
	}
	mutate, begin, commit := store.Mutation(c.mutate), store.Mutation(c.begin), d.repo.CommitOnce
	if theirs := c.merging(); theirs != "" {
		mutate = c.join(theirs)
		begin, commit = mutate, d.repo.CommitMerge
	}
	if err := c.admitID(); err != nil {
		return store.Result{}, nil, err
	}
	if missing := c.missing(); len(missing) > 0 {
		return store.Result{}, nil, c.refuse(ctx, missing)
	}
	if opts.DryRun {
		result, err := d.repo.Try(ctx, mutate)
		if err == nil {
			c.tell()
		}
		result.Notes = append(result.Notes, c.waiting...)
		return result, c.committed(result), err
	}
	result, err := commit(ctx, begin)
	if err != nil {
		c.end(ctx, nil) // an id noted in vain is harmless, and err says more
		return result, nil, err
	}
	c.tell()
	result.Notes = append(result.Notes, c.waiting...)
	// The commit has landed: whatever becomes of the folders now, it is told.
	if err := c.end(context.WithoutCancel(ctx), &result); err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("the drafts were not brought up to date: %v", err))
	}
	return result, c.committed(result), nil
}

// tell says what the last run of mutate did that nobody asked for.
func (c *committer) tell() {
	for _, p := range c.parts {
		c.drafts.tell(p.id, p.notes)
	}
}

// settled gives the state once the merges are closed that the store has made, and the
// threads follow their plans.
func (d *Drafts) settled(ctx context.Context) (State, error) {
	tip, err := d.repo.Store.Tip(ctx)
	if err != nil {
		return d.State()
	}
	if err := d.CloseMerges(ctx, tip.Commit); err != nil {
		return State{}, err
	}
	s, err := d.State()
	if err != nil || !slices.ContainsFunc(s.Threads, func(t Thread) bool { return t.Base != "" && t.Base != tip.Commit }) {
		return s, err
	}
	snapshot, err := d.repo.At(ctx, tip.Commit)
	if err != nil {
		return s, err
	}
	if moved, err := d.followAlone(ctx, &s, snapshot); err != nil || !moved {
		return s, err
	}
	err = d.change(ctx, func(now *State) error {
		_, err := d.followAlone(ctx, now, snapshot)
		s = *now
		return err
	})
	return s, err
}

// committer is one commit of all threads. What it reads from disk it reads
// once; what it reads from the store it reads anew in each run of mutate.
type committer struct {
	drafts *Drafts
	state  State
	opts   CommitOptions
	parts  []*part
	// waiting tells of threads that are left for the next commit.
	waiting []string
}

// part is one thread's share.
type part struct {
	thread Thread
	plan   *plan.Plan
	found  []diag.Diagnostic
	empty  bool              // the folder stands for no plan
	onDisk map[string][]byte // the files as they were read
	disk   map[string][]byte // the same, as they are to be merged
	base   *plan.Plan
	began  *store.Mended // base with what lay beside it, if it is known

	// replaces is the stored plan that was cleared away before this one was
	// drafted in its folder; it is removed. The thread was as cleared says then.
	replaces string
	cleared  Thread

	// Set by each run of mutate.
	id     string
	merged *plan.Plan
	notes  []string // on the merge
	remove bool
	landed bool // by a commit that was cut off then
}

func (c *committer) load(ctx context.Context) error {
	for _, t := range c.state.ordered() {
		if err := c.drafts.whole(t); err != nil {
			c.waiting = append(c.waiting, err.Error()+"; it waits for the next commit")
			continue
		}
		if t.Plan != "" && !t.Cleared && !isDir(t.Dir) {
			now, err := c.drafts.reviveNow(ctx, t.ID)
			if err != nil {
				return err
			}
			*t = now
		}
		p := &part{thread: *t}
		var err error
		if p.plan, p.found, err = c.drafts.read(*t, t.planOrID()); err != nil {
			return err
		}
		p.empty = c.drafts.isBlank(*t, p.plan, p.found)
		if p.began, err = c.drafts.began(ctx, *t); err != nil {
			return err
		}
		p.base = planOrNone(p.began)
		if p.thread.Cleared && !p.empty && p.thread.Merging == "" {
			p.replaces, p.cleared, p.thread.Plan, p.thread.Base, p.base = p.thread.Plan, *t, "", "", nil
		}
		p.onDisk = p.plan.Files()
		p.disk = p.onDisk
		c.parts = append(c.parts, p)
	}
	return nil
}

// mutate says what the threads make of the store as it is.
func (c *committer) mutate(ctx context.Context, s *store.Snapshot) (store.Proposal, error) {
	proposal := store.Proposal{Message: store.Message{Subject: c.opts.Message, Agent: c.opts.Agent}}
	taken := c.takenIDs()
	for _, p := range c.parts {
		w, err := c.write(ctx, s, p, taken)
		if err != nil {
			return proposal, err
		}
		var gone *store.Write
		if p.replaces != "" {
			if gone, err = c.removal(ctx, s, p.cleared, "--force "); err != nil {
				return proposal, err
			}
		}
		for _, w := range []*store.Write{gone, w} {
			if w != nil {
				proposal.Writes = append(proposal.Writes, *w)
			}
		}
	}
	return proposal, nil
}

func (c *committer) write(ctx context.Context, s *store.Snapshot, p *part, taken map[string]bool) (*store.Write, error) {
	p.id, p.merged, p.notes, p.remove, p.landed = p.thread.Plan, p.plan, nil, false, false
	switch {
	case p.empty && p.thread.ID == c.state.Current && p.thread.Cleared:
		p.remove = true
		return c.removal(ctx, s, p.thread, "")
	case p.empty:
		return nil, nil
	case p.id == "":
		if err := c.name(ctx, s, p, taken); err != nil {
			return nil, err
		}
	}
	taken[p.id] = true
	version, err := c.merge(ctx, s, p)
	if err != nil || p.merged == nil {
		return nil, err
	}
	return &store.Write{
		ID: p.id, Plan: p.merged, Found: store.Strays(p.plan, p.found), Prefix: p.plan.Prefix, Since: p.base, Version: version, Whole: true,
	}, nil
}

// merge brings what changed in the store since the thread began together with
// what was edited in it, field by field, and gives the version the plan must
// have. The part's merged plan is nil where nothing is left to write.
func (c *committer) merge(ctx context.Context, s *store.Snapshot, p *part) (version int, err error) {
	stored, err := s.Mended(ctx, p.id)
	var gone *store.NotFoundError
	switch {
	case errors.As(err, &gone) && p.base == nil:
		return 1, nil
	case errors.As(err, &gone):
		if sameFiles(p.base.Files(), p.disk) {
			p.merged = nil
			return 0, nil
		}
		return 0, c.gone(p, "it was removed")
	case err != nil:
		return 0, err
	case stored.Archived():
		if p.base != nil && sameFiles(p.base.Files(), p.disk) {
			p.merged = nil
			return 0, nil
		}
		return 0, c.gone(p, "it was archived")
	}
	if p.base == nil {
		return 0, c.gone(p, "a plan of that id appeared")
	}
	if another(p.base, stored.Plan) {
		if sameFiles(p.base.Files(), p.disk) {
			p.merged = nil
			return 0, nil
		}
		return 0, anotherError(p.id)
	}
	merged, err := c.drafts.mergeSince(ctx, p.thread, s.Commit, p.base.Files(), stored.Plan, p.disk)
	if err != nil {
		return 0, err
	}
	merged, err = s.GateDraft(ctx, merged, p.base, c.drafts.planOf(p.id, p.disk), stored.Plan, store.Strays(p.plan, p.found))
	if err != nil {
		return 0, err
	}
	if !merged.Clean() {
		return 0, c.conflict(p, merged.Conflicts)
	}
	if why := unseen(p.began, stored); len(why) > 0 {
		return 0, &store.ConflictError{Plan: p.id, Details: why,
			Hint: fmt.Sprintf("run `git plan checkout %s`, which brings it into the folder, and commit again", p.id)}
	}
	p.merged = c.reread(p, merged.Plan.Files())
	p.notes = append(merged.Notes, removed(stored, p.merged)...)
	return stored.Plan.Version(), nil
}

func (c *committer) reread(p *part, files map[string][]byte) *plan.Plan {
	if sameFiles(files, p.onDisk) {
		return p.plan
	}
	merged := *c.drafts.planOf(p.id, files)
	merged.Prefix = p.plan.Prefix
	return &merged
}

// begin is mutate that notes the ids which new plans are about to get, so that
// a commit which is cut off after it landed is known again. Should the ref move
// it notes those of the next run in their place.
func (c *committer) begin(ctx context.Context, s *store.Snapshot) (store.Proposal, error) {
	proposal, err := c.mutate(ctx, s)
	if err != nil || !slices.ContainsFunc(c.parts, (*part).isNew) {
		return proposal, err
	}
	return proposal, c.drafts.change(ctx, func(s *State) error {
		for _, p := range c.parts {
			if t := s.thread(p.thread.ID); t != nil && p.isNew() {
				t.Pending, t.Digest = p.id, digest(p.plan)
			}
		}
		return nil
	})
}

// isNew reports whether the last run of mutate gave the part an id of its own.
func (p *part) isNew() bool {
	return p.id != "" && p.thread.Plan == "" && !p.landed
}

// end brings the folders and the state in line with what landed; a nil result
// says that nothing did, and all is as it was.
func (c *committer) end(ctx context.Context, result *store.Result) error {
	return c.drafts.change(ctx, func(s *State) error {
		for _, p := range c.parts {
			t := s.thread(p.thread.ID)
			if t == nil {
				continue
			}
			if result == nil {
				t.Pending, t.Digest = p.thread.Pending, p.thread.Digest
				continue
			}
			if err := c.settle(s, t, p, result); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *committer) settle(s *State, t *Thread, p *part, result *store.Result) error {
	if p.remove {
		if s.Plan == t.Plan {
			s.Plan = ""
		}
		t.become(Thread{}, nil)
		return nil
	}
	if p.id == "" || p.merged == nil {
		t.Pending, t.Digest = "", ""
		return nil
	}
	if t.ID == s.Current {
		s.Plan = p.id
	}
	stored := p.merged.Files()
	for _, o := range result.Plans {
		if o.ID == p.id && o.After != nil {
			stored = o.After.Files()
		}
	}
	return c.drafts.fill(s, t, p.onDisk, stored, Thread{Plan: p.id, Base: result.Commit})
}

func (c *committer) committed(result store.Result) []Committed {
	var out []Committed
	for _, o := range result.Plans {
		thread := "" // a merge brings plans that no thread holds
		if i := slices.IndexFunc(c.parts, func(p *part) bool { return p.id == o.ID || p.replaces == o.ID }); i >= 0 {
			thread = c.parts[i].thread.ID
		}
		out = append(out, Committed{thread, o})
	}
	return out
}

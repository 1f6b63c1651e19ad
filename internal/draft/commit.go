package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// CommitOptions are what a person says about a commit of drafts.
type CommitOptions struct {
	Message string
	Agent   string
	// Plans names the drafts to commit, by plan or draft; empty for all.
	Plans []string
	// ID overrides the id of the one new plan; it is kebab-case.
	ID string
	// DryRun does everything but write.
	DryRun bool
}

// Committed is a draft's part of a commit.
type Committed struct {
	Draft string
	store.Outcome
}

// Commit validates the plans of the drafts that changed and stores them as one
// commit: all land, or none. What was not edited follows the store. Where the same was
// changed in both places, the folder gets conflict markers, nothing is committed, and
// the error is a *store.ConflictError.
func (d *Drafts) Commit(ctx context.Context, opts CommitOptions) (store.Result, []Committed, error) {
	var result store.Result
	var committed []Committed
	// Two commits of the same drafts at once would store each plan twice.
	err := d.repo.Judging(ctx, func() error {
		if d.repo.Publish != store.PublishOff && !opts.DryRun {
			d.lookUpIDs(ctx, opts)
		}
		return locked(ctx, d.repo.StateDir(), "commit.lock", commitWait, func() (err error) {
			c := &committer{drafts: d, opts: opts}
			result, err = c.run(ctx)
			committed = c.committed(result)
			return err
		})
	})
	if err != nil {
		committed = nil
	}
	return result, committed, err
}

// lookUpIDs asks the remote, if commits are published, where a draft is to become a new
// plan: its id may be taken there.
func (d *Drafts) lookUpIDs(ctx context.Context, opts CommitOptions) {
	state, err := d.State()
	if err != nil {
		return
	}
	drafts, err := state.named(opts.Plans)
	if err != nil {
		return
	}
	for _, t := range drafts {
		if _, err := os.Stat(filepath.Join(t.Dir, "plan.md")); err == nil && t.isNew() {
			d.repo.Publisher().LookUp(ctx)
			return
		}
	}
}

// committer is one commit of drafts. What it reads from disk it reads once; what it
// reads from the store it reads in each run of build.
type committer struct {
	drafts  *Drafts
	opts    CommitOptions
	changes []string // the identities of the commit
	said    []string // the messages of the parked commits that it decides
	parts   []*part
	decided map[string][]string // the plans of parked changes that are decided, by change
	empty   []diag.Diagnostic   // findings about drafts that were never filled
	notes   []string
}

// part is one draft's share of a commit.
type part struct {
	draft  Draft
	plan   *plan.Plan
	found  []diag.Diagnostic
	onDisk map[string][]byte
	raises bool // it decides a parked replan

	// Set by each run of build.
	id     string
	parent string            // the commit that it was merged with
	merged *plan.Plan        // nil where nothing is left to write
	marked map[string][]byte // the files with conflict markers, nil without a conflict
	why    []string          // the conflicts in words
	notes  []string          // on the merge
	came   []string          // files that came into the store past the gate meanwhile
	free   bool              // the plan is finished or gone: the folder is for another one
}

func (c *committer) run(ctx context.Context) (store.Result, error) {
	if err := c.load(ctx); err != nil {
		return store.Result{}, err
	}
	if err := c.admitID(); err != nil {
		return store.Result{}, err
	}
	if len(c.empty) > 0 {
		return store.Result{}, c.refuse(ctx)
	}
	if c.opts.DryRun {
		result, err := c.drafts.repo.Try(ctx, c.build)
		result.Notes = append(result.Notes, c.notes...)
		return result, err
	}
	result, err := c.drafts.repo.CommitAllowing(ctx, c.build, func(result store.Result) error { return c.prepare(ctx, result) })
	var conflict *store.ConflictError
	var rejected *store.RejectedError
	switch {
	case errors.As(err, &conflict):
		return result, errors.Join(c.showConflicts(ctx), err)
	case errors.As(err, &rejected):
		return result, errors.Join(c.showMerged(ctx), err)
	case err != nil:
		return result, err
	}
	for _, p := range c.parts {
		c.drafts.tell(p.id, p.notes)
	}
	result.Notes = append(result.Notes, c.notes...)
	// The commit has landed: what becomes of the folders now is a note.
	if err := c.end(context.WithoutCancel(ctx), result); err != nil {
		result.Notes = append(result.Notes, fmt.Sprintf("the drafts were not brought up to date: %v", err))
	}
	return result, nil
}

// load reads the drafts that are asked for. One of a commit that landed and was cut
// off then goes on from there.
func (c *committer) load(ctx context.Context) error {
	state, err := c.drafts.State()
	if err != nil {
		return err
	}
	c.decided = map[string][]string{}
	wanted, err := state.named(c.opts.Plans)
	if err != nil {
		return err
	}
	for _, t := range wanted {
		if err := c.drafts.Reach(t.Dir); err != nil {
			return err
		}
		change := t.Change
		if t, err = c.drafts.resume(ctx, t); err != nil {
			return err
		}
		if t.Change != change {
			c.decided[change] = append(c.decided[change], t.Plan)
		}
		p := &part{draft: t}
		if p.plan, p.found, err = c.drafts.folders.read(t); err != nil {
			return err
		}
		p.onDisk = p.plan.Files()
		switch blank := c.drafts.folders.isBlank(t, p.plan, p.found); {
		case !blank:
			c.parts = append(c.parts, p)
			if c.drafts.isParked(t.Change) {
				if err := c.decide(ctx, p); err != nil {
					return err
				}
			}
		case t.Plan != "" && !t.isNew():
			c.notes = append(c.notes, fmt.Sprintf("the draft of %s is empty and left out: `git plan rm %s` removes the plan, `git plan edit %s` fills the draft again", t.Plan, t.Plan, t.Plan))
		case t.ID != state.Current && isDir(t.Dir):
			c.empty = append(c.empty, c.drafts.folders.missing(t))
		}
	}
	c.changes = append(c.changes, cmp.Or(c.drafts.repo.Request, store.NewChange()))
	return nil
}

// decide notes what a part says about a parked change: it has its identity, and raises the
// version as it did.
func (c *committer) decide(ctx context.Context, p *part) (err error) {
	id := p.draft.Change
	if p.raises, err = c.drafts.raises(ctx, p.draft); err != nil || slices.Contains(c.changes, id) {
		return err
	}
	said, err := c.drafts.repo.Publisher().Said(ctx, id)
	c.changes, c.said = append(c.changes, id), append(c.said, "Instead of\n"+said)
	return err
}

// resume gives a draft as it is once the change that it was about to land is found in
// the store.
func (d *Drafts) resume(ctx context.Context, t Draft) (Draft, error) {
	if t.Change == "" || t.Plan == "" {
		return t, nil
	}
	tip, err := d.repo.Store.Tip(ctx)
	if err != nil {
		return t, nil // without a store nothing landed
	}
	commit, err := d.repo.Ancestry().FindChange(ctx, tip.Commit, t.Base, t.Change)
	if err != nil || commit == "" {
		return t, err
	}
	if changed, err := d.repo.Changed(ctx, commit, t.Plan); err != nil || !changed {
		return t, err
	}
	t.Base, t.Next, t.Change = commit, "", ""
	return t, nil
}

// refuse is the answer to drafts that were never filled, along with all that is wrong
// with the others.
func (c *committer) refuse(ctx context.Context) error {
	result, err := c.drafts.repo.Try(ctx, c.build)
	found := result.Warnings
	var rejected *store.RejectedError
	if errors.As(err, &rejected) {
		found = rejected.Findings
	} else if err != nil {
		return err
	}
	found = append(c.empty, found...)
	diag.Sort(found)
	return &store.RejectedError{Findings: found}
}

// build says what the drafts make of the store as it is.
func (c *committer) build(ctx context.Context, s *store.Snapshot) (store.Candidate, error) {
	out := store.Candidate{Message: store.Message{Subject: c.opts.Message, Body: c.said, Agent: c.opts.Agent, Changes: c.changes}}
	var taken []string
	for _, p := range c.parts {
		taken = append(taken, p.draft.Plan)
	}
	conflict := &store.ConflictError{}
	for _, p := range c.parts {
		w, err := c.write(ctx, s, p, taken)
		if err != nil {
			return out, err
		}
		if p.marked != nil {
			conflict.Plan = cmp.Or(conflict.Plan, p.id)
			conflict.Details = append(conflict.Details, p.why...)
			conflict.Files = append(conflict.Files, markedFiles(p.plan.Prefix, p.marked)...)
		}
		if taken = append(taken, p.id); w != nil {
			out.Writes = append(out.Writes, *w)
		}
	}
	if conflict.Plan != "" {
		return out, conflict
	}
	return out, nil
}

// write gives what is to be stored of one draft, nil where that is nothing.
func (c *committer) write(ctx context.Context, s *store.Snapshot, p *part, taken []string) (*store.Write, error) {
	p.id, p.parent, p.merged, p.marked, p.why, p.notes, p.came, p.free = p.draft.Plan, s.Commit, p.plan, nil, nil, nil, nil, false
	var base *store.Mended
	version := 1
	if !p.draft.isNew() {
		var err error
		if base, err = c.drafts.bases.forMerge(ctx, p.draft, s); err != nil {
			return nil, err
		}
		if version, err = c.merge(ctx, s, p, base); err != nil || p.merged == nil || p.marked != nil {
			return nil, err
		}
		if p.raises && version > 0 && p.plan.Version() == version+1 {
			version++
		}
		if len(p.came) > 0 {
			return nil, &store.ConflictError{Plan: p.id, Details: p.came, Hint: fmt.Sprintf("run `git plan edit %s`, which brings it into the folder, and commit again", p.id)}
		}
	}
	if p.draft.isNew() || p.id == "" {
		base, p.free = nil, !p.draft.isNew()
		if err := c.name(ctx, s, p, taken); err != nil {
			return nil, err
		}
	}
	return &store.Write{
		ID: p.id, Plan: p.merged, Found: store.Strays(p.plan, p.found), Prefix: p.plan.Prefix, Since: planOrNone(base), Version: version, Whole: true,
	}, nil
}

// merge brings what changed in the store together with what was edited, field by
// field, and gives the version that the plan must have, 0 for any.
func (c *committer) merge(ctx context.Context, s *store.Snapshot, p *part, base *store.Mended) (version int, err error) {
	stored, err := find(ctx, s, p.id)
	if err != nil {
		return 0, err
	}
	untouched := base != nil && sameFiles(base.Plan.Files(), p.onDisk)
	finished := stored == nil || stored.Plan.Status().Finished()
	switch {
	case untouched && finished:
		p.merged, p.free = nil, true
		return 0, nil
	case finished && (isAnother(p.plan, planOrNone(cmp.Or(stored, base))) || stored != nil && isNext(p.plan, planOrNone(base))):
		p.id, p.free = "", true
		return 1, nil
	case stored == nil && base == nil: // it was gone when the draft was resolved in favour of it
		return 0, c.followGone(ctx, s, p)
	case stored == nil:
		return 0, p.markGone(ctx, s, base)
	case len(p.plan.Conflicts()) > 0: // the gate says where
		return stored.Plan.Version(), nil
	case isAnother(p.plan, stored.Plan):
		return 0, anotherError(p.plan.Prefix, p.id)
	}
	if base == nil {
		if base, err = c.archivedThen(ctx, p); err != nil {
			return 0, err
		}
	}
	merged, err := mergeDraft(base, p.plan, stored.Plan)
	switch {
	case err != nil:
		return 0, err
	case !merged.Clean():
		p.why = details(merged.Conflicts)
		return 0, p.mark(ctx, s, base, stored)
	}
	if p.merged = p.plan; !sameFiles(merged.Plan.Files(), p.onDisk) {
		p.take(merged.Plan)
	}
	p.notes, p.came = append(merged.Notes, removed(stored, p.merged)...), unseen(base, stored)
	return stored.Plan.Version(), nil
}

// followGone brings what was changed in the archive since a draft was filled into a plan
// that comes back from there.
func (c *committer) followGone(ctx context.Context, s *store.Snapshot, p *part) error {
	theirs, err := inArchive(ctx, s, p.id)
	if err != nil || theirs == nil || !p.plan.Readable() || len(p.plan.Conflicts()) > 0 {
		return err
	}
	base, err := c.archivedThen(ctx, p)
	if err != nil {
		return err
	}
	merged, err := mergeDraft(base, p.plan, theirs.Plan)
	if err != nil {
		return err
	}
	if !merged.Clean() {
		labels, err := labelsFor(ctx, s, p.id)
		p.why, p.marked = details(merged.Conflicts), markedArchived(base, p.plan, theirs.Plan, merge.Options{Draft: true}, labels, merge.Theirs)
		return err
	}
	p.take(merged.Plan)
	return nil
}

// take has a part store a merged plan, under the name that findings have for its folder.
func (p *part) take(merged *plan.Plan) {
	again := *merged
	again.Prefix = p.plan.Prefix
	p.merged = &again
}

// archivedThen gives the plan of a part as it was in the archive when the draft was
// filled.
func (c *committer) archivedThen(ctx context.Context, p *part) (*store.Mended, error) {
	then, err := c.drafts.repo.At(ctx, p.draft.Base)
	if err != nil {
		return nil, err
	}
	return inArchive(ctx, then, p.id)
}

// anotherError refuses to write another plan in the place of a stored one.
func anotherError(folder, id string) error {
	return &store.ConflictError{Plan: id, Fault: fmt.Sprintf("is not what %s holds now: it has none of its tasks and another title", folder), Hint: fmt.Sprintf(
		"for another plan run `git plan new TITLE`; to replace this one run `git plan replan %s --from %s`", id, folder)}
}

// unseen gives the files that came into the store past the gate since the draft was
// filled: a commit would remove them.
func unseen(base, stored *store.Mended) (came []string) {
	for _, name := range names(stored.Beside) {
		if base == nil || look(base.Beside, name) != look(stored.Beside, name) {
			came = append(came, name+" came into the store past the gate")
		}
	}
	return came
}

// removed tells what goes from the store with a commit of the plan: what came past the
// gate and is no file of a plan.
func removed(m *store.Mended, now *plan.Plan) (notes []string) {
	for _, name := range m.Lost(now) {
		notes = append(notes, fmt.Sprintf("%s was no file of a plan and is not in the store any more", name))
	}
	return notes
}

// prepare writes what is about to land into the folders, so that they hold it already
// if the process is killed once it has landed, and notes by which change it is found.
func (c *committer) prepare(ctx context.Context, result store.Result) error {
	return c.drafts.state.change(ctx, func(s *State) error {
		for _, p := range c.parts {
			t := s.draft(p.draft.ID)
			if t == nil || p.merged == nil {
				continue
			}
			t.Plan = p.id
			if !slices.Contains(c.changes, t.Change) {
				t.Change = c.changes[len(c.changes)-1]
			}
			if err := c.drafts.state.begin(s, t, p.parent); err != nil {
				return err
			}
			want := p.stored(result)
			left, err := c.drafts.folders.write(t.Dir, p.onDisk, want)
			if err != nil {
				return err
			}
			if len(left) == 0 {
				p.onDisk = want
				if t.Base != "" {
					t.Base, t.Next = p.parent, ""
				}
				if p.free {
					t.Base = ""
				}
			}
		}
		return nil
	})
}

// stored gives the files of a part as they are stored.
func (p *part) stored(result store.Result) map[string][]byte {
	for _, o := range result.Plans {
		if o.ID == p.id && o.After != nil {
			return o.After.Files()
		}
	}
	return p.merged.Files()
}

// end notes where the folders were filled from now, and lets go of plans that are
// finished.
func (c *committer) end(ctx context.Context, result store.Result) error {
	return c.drafts.state.change(ctx, func(s *State) error {
		for _, p := range c.parts {
			t := s.draft(p.draft.ID)
			if t == nil {
				continue
			}
			if p.free && p.merged == nil {
				if err := c.drafts.release(s, *t, p.onDisk, p.parent); err != nil {
					return err
				}
				continue
			}
			if p.merged == nil {
				continue
			}
			left, err := c.drafts.folders.write(t.Dir, p.onDisk, p.stored(result))
			if err != nil {
				return err
			}
			c.decided[p.draft.Change] = append(c.decided[p.draft.Change], t.Plan, p.id)
			t.Plan, t.Change = p.id, ""
			if len(left) == 0 || t.isNew() {
				t.Base, t.Next = result.Commit, ""
			}
			if t.ID == s.Current {
				s.Plan = p.id
			}
		}
		return c.drafts.unpark(ctx, s, c.decided)
	})
}

// unpark lets go of parked changes, by what they are, for the plans that a commit decided.
// What they do to others is a change of its own from now on.
func (d *Drafts) unpark(ctx context.Context, s *State, decided map[string][]string) error {
	for change, plans := range decided {
		if !d.isParked(change) {
			continue
		}
		rest := store.NewChange()
		if err := d.repo.Publisher().Unpark(ctx, change, rest, plans...); err != nil {
			return err
		}
		for i := range s.Drafts {
			if t := &s.Drafts[i]; t.Change == change && !slices.Contains(plans, t.Plan) {
				t.Change = rest
			}
		}
	}
	return nil
}

func (c *committer) committed(result store.Result) []Committed {
	var out []Committed
	for _, o := range result.Plans {
		id := ""
		if i := slices.IndexFunc(c.parts, func(p *part) bool { return p.id == o.ID }); i >= 0 {
			id = c.parts[i].draft.ID
		}
		out = append(out, Committed{id, o})
	}
	return out
}

// admitID says whether the id asked for can name anything: one new plan, or
// the plan that has it since the last time this was asked.
func (c *committer) admitID() error {
	if c.opts.ID == "" {
		return nil
	}
	fresh, held := 0, false
	for _, p := range c.parts {
		if p.draft.isNew() {
			fresh++
		}
		held = held || p.draft.Plan == c.opts.ID
	}
	if fresh == 1 || fresh == 0 && held {
		return nil
	}
	return &store.ExistsError{Message: fmt.Sprintf("the id %q is for one new plan, and there are %d drafts of new plans", c.opts.ID, fresh)}
}

// name gives a new plan its id: the one asked for, that of its folder, else the slug
// of its title or goal, made unique among stored, archived and drafted plans.
func (c *committer) name(ctx context.Context, s *store.Snapshot, p *part, taken []string) error {
	var failed error
	isTaken := func(id string) bool {
		_, ok, err := s.Locate(ctx, id)
		failed = errors.Join(failed, err)
		return ok || slices.Contains(taken, id) && id != p.draft.Plan || id == store.Archive
	}
	switch {
	case c.opts.ID != "":
		if p.id = c.opts.ID; isTaken(p.id) {
			return errors.Join(failed, &store.ExistsError{Message: fmt.Sprintf("the id %q is taken: choose another", p.id)})
		}
		return failed
	case c.drafts.folders.namesPlan(p.draft) && !isTaken(p.draft.ID):
		p.id = p.draft.ID
		return failed
	}
	text := p.plan.Title()
	if plan.Slug(text) == "" {
		text = p.plan.Goal()
	}
	p.id = plan.NewID(text, "plan", isTaken)
	return failed
}

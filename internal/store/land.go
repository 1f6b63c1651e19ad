package store

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Result is what landed.
type Result struct {
	// Commit is the new commit, or the tip where nothing was left to do.
	Commit string
	// Plans are the plans that changed.
	Plans []Outcome
	// Warnings are the gate's, Notes what went wrong after the commit landed.
	Warnings []diag.Diagnostic
	Notes    []string
	// Published says whether the remote has the change, or all that Commit has where
	// nothing was left to do; nil without a remote.
	Published *bool
	// Unpublished says why a change that was to be published was not: the reason, then
	// the server's lines and a hint.
	Unpublished []string

	// publish says that the store's policy is to publish each change.
	publish bool

	// Repeated says that the change was made by an earlier command with the same
	// request.
	Repeated bool
}

// Claims gives the tasks that were claimed, each as <plan>/<task>.
func (r Result) Claims() (tasks []string) {
	for _, o := range r.Plans {
		for _, c := range o.Occurrences {
			if c.Event != plan.Started || o.After == nil {
				continue
			}
			if t := o.After.Task(c.Task); t != nil && t.Status == plan.InProgress && len(t.Children) == 0 {
				tasks = append(tasks, o.ID+"/"+t.ID)
			}
		}
	}
	return tasks
}

// Changed reports whether a commit was made.
func (r Result) Changed() bool { return len(r.Plans) > 0 }

// Commit runs a mutation and puts its result on the ref, if every plan in it
// passes the gate. A refusal is a *[RejectedError] with the findings of all
// plans, and nothing is written. The commit is then published, if [Repo.Publish] or
// the store's policy wants that. Where the gate wants plans to be judged, [Repo.Approve] is asked first,
// while nothing is locked.
func (r *Repo) Commit(ctx context.Context, mutate Mutation) (Result, error) {
	var result Result
	err := r.Judging(ctx, func() (err error) {
		result, err = r.CommitOnce(ctx, mutate)
		return err
	})
	return result, err
}

// CommitOnce is [Repo.Commit] for a caller that holds locks of its own: it asks
// no model, and ends in an *[UnjudgedError] where one has to be asked, see
// [Repo.Judging].
func (r *Repo) CommitOnce(ctx context.Context, mutate Mutation) (Result, error) {
	p, err := toShare(r)
	if err != nil {
		return Result{}, err
	}
	return landAndPublish(ctx, r, p, mutate)
}

// CommitAllowing is [Repo.CommitOnce] that lets allow see what is about to land, just
// before it does. Where allow fails nothing lands. [Publisher.PublishResult] publishes it.
func (r *Repo) CommitAllowing(ctx context.Context, mutate Mutation, allow func(Result) error) (Result, error) {
	return r.land(ctx, mutate, allow)
}

// landReason is what the reflog says of a commit that passed the gate here.
const landReason = "plan: commit"

// land is the one way to the ref: it builds a candidate on the tip, judges it,
// and moves the ref if that is still at the tip. Where it moved, it does all of
// it again. Allow, if set, comes before the move.
func (r *Repo) land(ctx context.Context, mutate Mutation, allow func(Result) error) (Result, error) {
	var result Result
	if allow == nil { // else it is of drafts, which follow their plans
		mutate = meant(mutate)
	}
	build := func(tip gitstore.Tip) (changes []gitstore.Change, err error) {
		result, changes, err = r.prepare(ctx, tip.Commit, mutate)
		return changes, err
	}
	var up gitstore.UpdateResult
	var err error
	if allow != nil {
		up, err = r.Store.UpdateIf(ctx, landReason, func(string) error { return allow(result) }, build)
	} else {
		up, err = r.Store.Update(ctx, landReason, build)
	}
	if err != nil {
		return Result{Warnings: result.Warnings, publish: result.publish}, err
	}
	if n := len(up.Commits); n > 0 {
		result.Commit, r.answered = up.Commits[n-1], true
		_ = r.Store.MaintainNowAndThen(ctx, result.Commit) // nothing that landed depends on it
	}
	result.Notes = append(result.Notes, up.Warnings...)
	return result, nil
}

// Try does all of [Repo.Commit] but writing and asking a model: that one would
// be asked is a note.
func (r *Repo) Try(ctx context.Context, mutate Mutation) (Result, error) {
	tip, err := r.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
		return Result{}, err
	}
	result, _, err := r.prepare(ctx, tip.Commit, mutate)
	result.Published = r.Publisher().IsPublished(ctx, result)
	var open *UnjudgedError
	if errors.As(err, &open) {
		result.Notes = append(result.Notes, "the judge was not asked about "+open.names()+", since nothing is written")
		err = nil
	}
	return result, err
}

// prepare runs the mutation on a tip and the gate on what it wants.
func (r *Repo) prepare(ctx context.Context, tip string, mutate Mutation) (result Result, changes []gitstore.Change, err error) {
	there := r.Seen[r.Publisher().trackingRef()]
	if tip == "" {
		if there, _, err = r.Publisher().remoteBase(ctx); err != nil {
			return result, nil, err
		}
	}
	v := r.viewOf(ctx, tip, there)
	if v.commit == "" {
		return result, nil, r.ErrNoStore()
	}
	s, err := r.look(ctx, v)
	if err != nil {
		return result, nil, err
	}
	gates, _, err := s.Gates(ctx)
	if err != nil {
		return result, nil, err
	}
	result.publish = r.Publish == PublishByPolicy && gates.Publishes()
	if known, ok, err := answerAt(ctx, r, s.Commit); err != nil {
		return result, nil, err
	} else if ok {
		known.publish = result.publish
		known, err = repeatAnswer(ctx, r, known, mutate)
		return known, nil, err
	}
	if err := s.MustBeStore(ctx, ""); err != nil {
		return result, nil, err
	}
	c, err := mutate(ctx, s)
	if err != nil {
		return result, nil, err
	}
	if !r.answered {
		c.Message.Change = cmp.Or(c.Message.Change, r.Request)
	}
	verdict, err := s.judge(ctx, c)
	result.Commit, result.Plans, result.Warnings = s.Commit, verdict.Plans, verdict.Findings
	if err != nil {
		return result, nil, err
	}
	change, err := s.accept(ctx, &verdict)
	result.Plans = verdict.Plans
	if err != nil || len(change.Files) == 0 {
		return result, nil, err
	}
	result.Notes = dropped(verdict.Plans, oneLine(c.Message.Agent), r.Now())
	return result, []gitstore.Change{change}, nil
}

// judge judges a mutation's candidate on top of the state. What the gate refuses
// is a *[RejectedError]; a plan that a model has to look at first is an
// *[UnjudgedError].
func (s *Snapshot) judge(ctx context.Context, c Candidate) (Verdict, error) {
	g := &gate{repo: s.repo, policy: Policy{Floor: c.Gate}, state: s, verdict: Verdict{Candidate: c}}
	if len(c.Writes)+len(c.Moves) == 0 {
		return g.verdict, nil // what plans are, and how they are judged, does not change
	}
	var err error
	if g.policy.Gates, err = s.soundGates(ctx, "mend it on branch "+s.repo.Branch()+", such as in a worktree of it; until then nothing is stored"); err != nil {
		return g.verdict, err
	}
	if g.world, err = s.repo.Project().World(ctx, ""); err != nil {
		return g.verdict, err
	}
	if err := g.run(ctx); err != nil {
		return g.verdict, err
	}
	if g.verdict.Refused() {
		return g.verdict, &RejectedError{g.verdict.Findings}
	}
	if len(g.verdict.unjudged) > 0 {
		return g.verdict, &UnjudgedError{g.verdict.unjudged, g.policy.Gates.Judge == validate.Required}
	}
	return g.verdict, nil
}

// Findings tells what the gate would say of writes on top of this state of the
// store, all of it: for a caller that has more to say against them and wants to
// say everything at once. Nothing is written.
func (s *Snapshot) Findings(ctx context.Context, writes ...Write) ([]diag.Diagnostic, error) {
	v, err := s.judge(ctx, Candidate{Writes: writes})
	var refused *RejectedError
	if errors.As(err, &refused) {
		return refused.Findings, nil
	}
	return v.Findings, err
}

// accept turns a candidate that passed into a commit on top of the state. What
// git plan adds to plans itself comes after the gate, so that findings name the
// lines that the author sees: the commits that show what is done, who made a plan,
// claims.
func (s *Snapshot) accept(ctx context.Context, v *Verdict) (gitstore.Change, error) {
	v.Plans = nil
	files := v.Own
	for i := range v.changes {
		ch := &v.changes[i]
		switch {
		case ch.same:
			continue
		case ch.Plan == nil:
			files = append(files, gitstore.FileChange{Path: ch.before.Path, Delete: true})
		case ch.moved:
			files = append(files,
				gitstore.FileChange{Path: ch.before.Path, Delete: true},
				gitstore.FileChange{Path: ch.at, Object: ch.before.Tree, Mode: gitstore.ModeFolder})
		default:
			if err := s.complete(ctx, ch, oneLine(v.Message.Agent)); err != nil {
				return gitstore.Change{}, err
			}
			before := ch.before
			if before != nil && before.Path != ch.at { // the edit brings it back from the archive
				files = append(files, gitstore.FileChange{Path: before.Path, Delete: true})
				before = nil
			}
			files = append(files, fileChanges(before, ch.id, ch.Plan, ch.write.Whole)...)
		}
		o := ch.told()
		if ch.Plan != nil && !ch.moved {
			o.passed(v.Message.Check)
		}
		if o.Event == plan.Replanned {
			var err error
			if o.Replaces, err = s.lastRevision(ctx, ch.before.Location); err != nil {
				return gitstore.Change{}, err
			}
		}
		v.Plans = append(v.Plans, o)
	}
	if len(files) == 0 {
		return gitstore.Change{}, nil
	}
	return gitstore.Change{Parents: []string{s.Commit}, Base: s.Commit, Files: files, Message: message(v.Message, v.Plans)}, nil
}

// complete makes a change what is stored.
func (s *Snapshot) complete(ctx context.Context, ch *change, agent string) error {
	after := ch.write.under(ch.id)
	for id, e := range ch.shown {
		if err := after.Attest(after.Task(id), e); err != nil {
			return err
		}
	}
	if ch.before == nil {
		ch.Plan = stamp(after, agent, s.repo.Now())
		return nil
	}
	lease, err := s.Lease(ctx)
	if err == nil {
		ch.Plan, err = withClaims(s.repo, ch.write, ch.before.Plan, after, claimant{agent, s.repo.Now(), lease})
	}
	return err
}

// stamp adds who made a new plan and when, where it does not say so itself. An
// edit in place changes nothing else, and a plan whose frontmatter cannot be
// edited so goes without.
func stamp(p *plan.Plan, agent string, now time.Time) *plan.Plan {
	if p.Doc == nil || !p.Doc.Readable {
		return p
	}
	stamped, doc := *p, p.Doc
	for key, value := range map[string]string{"created_at": plan.FormatTime(now), "created_by": agent} {
		if doc.Has(key) || value == "" {
			continue
		}
		if next, err := doc.Set(key, plan.Value(value)); err == nil {
			doc = next
		}
	}
	stamped.Doc = doc
	return &stamped
}

// Edit is the mutation of one stored plan by fn, which may change the plan it
// is given and says what to tell about it.
func Edit(id string, fn func(p *plan.Plan) (Message, error)) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		stored, err := s.Load(ctx, id)
		if err != nil {
			return Candidate{}, err
		}
		if stored.Archived() {
			return Candidate{}, archivedError(id)
		}
		if stored.Plan.Doc == nil {
			return Candidate{}, &RejectedError{Faults(stored.Plan, stored.Found, true)}
		}
		m, err := fn(stored.Plan)
		if err != nil {
			return Candidate{}, err
		}
		return Candidate{Writes: []Write{{ID: id, Plan: stored.Plan, Found: Strays(stored.Plan, stored.Found)}}, Message: m}, nil
	}
}

package store

import (
	"context"
	"errors"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Write is what one plan is to become.
type Write struct {
	ID string
	// Plan is the wanted state; nil removes the plan.
	Plan *plan.Plan
	// Found are findings about files that Plan does not hold, such as those
	// with bad names; they are judged with it.
	Found []diag.Diagnostic
	// Prefix is what the paths of findings begin with, for a plan that comes
	// from a folder on disk; empty for one that was edited in the store.
	Prefix string
	// Since is the plan that a folder's was made from, or, of what is proposed, the
	// one that is stored here. A claim that it does not have came later, where the
	// merge may have kept an earlier one in its place, or ended here before.
	Since *plan.Plan
	// Version is what the version must be; 0 compares it with the parent's.
	Version int
	// Whole says that files of the stored folder that Plan does not hold go
	// away, whatever they are.
	Whole bool
}

// Proposal is what a mutation wants: all of it lands, or nothing.
type Proposal struct {
	Writes []Write
	Moves  []Move
	// Join, if set, makes a merge with another commit, in which Writes are the
	// plans that were merged by hand.
	Join    *Joining
	Message Message
	// Gate is the least gate, beside the store's and the plans' own.
	Gate validate.Gate
}

// Mutation makes a proposal on top of a state of the store. It runs again on
// the new state when the store moved, so it must be free of side effects.
type Mutation func(ctx context.Context, s *Snapshot) (Proposal, error)

// Result is what landed.
type Result struct {
	// Commit is the new commit, or the tip where nothing was left to do.
	Commit string
	// Plans are the plans that changed.
	Plans []Outcome
	// Warnings are the gate's, Notes what went wrong after the commit landed.
	Warnings []diag.Diagnostic
	Notes    []string

	renamed map[string]string // plans, by a merge
}

// Changed reports whether a commit was made.
func (r Result) Changed() bool { return len(r.Plans) > 0 }

// Commit runs a mutation and puts its result on the ref, if every plan in it
// passes the gate. A refusal is a *[RejectedError] with the findings of all
// plans, and nothing is written. Where [Repo.Publish] is set it counts only once
// the remote has it. Where the gate wants plans to be judged, [Repo.Approve] is
// asked first, while nothing is locked.
func (r *Repo) Commit(ctx context.Context, mutate Mutation) (Result, error) {
	var result Result
	err := r.Judging(ctx, func() (err error) {
		result, err = r.CommitOnce(ctx, mutate)
		return err
	})
	return result, err
}

// CommitOnce is [Repo.Commit] for who holds locks of his own: it asks no judge,
// and ends in an *[UnjudgedError] where one has to be asked, see [Repo.Judging].
func (r *Repo) CommitOnce(ctx context.Context, mutate Mutation) (Result, error) {
	if r.Publish {
		return r.commitShared(ctx, mutate)
	}
	return r.commitVia(ctx, mutate, nil)
}

// CommitAllowing is [Repo.CommitOnce] that lets allow see what is about to land, just
// before it does. Where allow fails nothing lands.
func (r *Repo) CommitAllowing(ctx context.Context, mutate Mutation, allow func(Result) error) (Result, error) {
	var result Result
	up, err := r.Store.UpdateIf(ctx, "plan: commit", func(string) error { return allow(result) }, r.changes(ctx, mutate, &result))
	return r.landed(ctx, up, result, err)
}

func (r *Repo) commitVia(ctx context.Context, mutate Mutation, publish func(commit string) error) (Result, error) {
	var result Result
	up, err := r.Store.UpdateVia(ctx, "plan: commit", publish, r.changes(ctx, mutate, &result))
	return r.landed(ctx, up, result, err)
}

// changes makes the commit of a mutation on a tip, with what it does as the result.
func (r *Repo) changes(ctx context.Context, mutate Mutation, result *Result) func(gitstore.Tip) ([]gitstore.Change, error) {
	return func(tip gitstore.Tip) (changes []gitstore.Change, err error) {
		*result, changes, err = r.prepare(ctx, tip.Commit, mutate)
		return changes, err
	}
}

// landed completes the result of an update.
func (r *Repo) landed(ctx context.Context, up gitstore.UpdateResult, result Result, err error) (Result, error) {
	var elsewhere *gitstore.PublishedError
	switch {
	case errors.As(err, &elsewhere):
		result.Commit = elsewhere.Commit
		return result, err
	case err != nil:
		return Result{Warnings: result.Warnings}, err
	}
	if n := len(up.Commits); n > 0 {
		result.Commit = up.Commits[n-1]
		_, _ = r.Store.MaintainNowAndThen(ctx) // nothing that landed depends on it
		result.Notes = append(result.Notes, r.tellRenamed(ctx, result.renamed)...)
	}
	result.Notes = append(result.Notes, up.Warnings...)
	return result, nil
}

// Try does all of [Repo.Commit] but writing and asking a judge: that one would
// be asked is a note.
func (r *Repo) Try(ctx context.Context, mutate Mutation) (Result, error) {
	tip, err := r.Store.Tip(ctx)
	if err != nil && !errors.Is(err, gitstore.ErrNoRef) {
		return Result{}, err
	}
	result, _, err := r.prepare(ctx, tip.Commit, mutate)
	var open *UnjudgedError
	if errors.As(err, &open) {
		result.Notes = append(result.Notes, "the judge was not asked about "+open.names()+", since nothing is written")
		err = nil
	}
	return result, err
}

// prepare runs the mutation on a tip and the gate on what it wants.
func (r *Repo) prepare(ctx context.Context, tip string, mutate Mutation) (Result, []gitstore.Change, error) {
	if tip == "" {
		var err error
		if tip, _, err = r.remoteBase(ctx); err != nil {
			return Result{}, nil, err
		}
		if tip == "" {
			return Result{}, nil, r.ErrNoStore()
		}
	}
	snapshot, err := r.At(ctx, tip)
	if err != nil {
		return Result{}, nil, err
	}
	if err := snapshot.MustBeStore(ctx); err != nil {
		return Result{}, nil, err
	}
	proposal, err := mutate(ctx, snapshot)
	if err != nil {
		return Result{}, nil, err
	}
	if proposal.Join != nil {
		return r.prepareJoin(ctx, snapshot, proposal)
	}
	c := &commitment{repo: r, snapshot: snapshot, proposal: proposal}
	if err := c.judge(ctx); err != nil {
		return Result{Commit: tip, Plans: c.outcomes, Warnings: c.findings}, nil, err
	}
	result := Result{Commit: tip, Plans: c.outcomes, Warnings: c.findings, Notes: c.dropped()}
	if len(c.outcomes) == 0 {
		return result, nil, nil
	}
	return result, []gitstore.Change{{
		Parents: []string{tip}, Base: tip, Files: c.files, Message: message(proposal.Message, c.outcomes),
	}}, nil
}

// commitment turns a proposal into changes to files.
type commitment struct {
	repo     *Repo
	snapshot *Snapshot
	proposal Proposal

	gates    validate.Gates
	exists   func(string) validate.Existence
	others   func(string) []string
	findings []diag.Diagnostic
	files    []gitstore.FileChange
	outcomes []Outcome
	unjudged []*plan.Plan // which a judge is to look at first
}

func (c *commitment) judge(ctx context.Context) error {
	var err error
	if c.gates, err = c.snapshot.soundGates(ctx, "mend it on branch "+c.repo.Branch()+", such as in a worktree of it; until then nothing is stored"); err != nil {
		return err
	}
	if c.exists, err = c.repo.World(ctx, ""); err != nil {
		return err
	}
	if c.others, err = c.snapshot.Others(ctx, c.gates, c.wanted()...); err != nil {
		return err
	}
	for _, w := range c.proposal.Writes {
		if err := c.write(ctx, w); err != nil {
			return err
		}
	}
	for _, m := range c.proposal.Moves {
		if err := c.move(ctx, m); err != nil {
			return err
		}
	}
	diag.Sort(c.findings)
	if errs, _ := diag.Count(c.findings); errs > 0 {
		return &RejectedError{c.findings}
	}
	if len(c.unjudged) > 0 {
		return &UnjudgedError{c.unjudged, c.gates.Judge == validate.Required}
	}
	return nil
}

// wanted gives what the plans are to become; one that is to go has no files.
func (c *commitment) wanted() []*plan.Plan {
	var out []*plan.Plan
	for _, w := range c.proposal.Writes {
		if w.Plan == nil {
			out = append(out, &plan.Plan{ID: w.ID})
		} else {
			out = append(out, w.under(w.ID))
		}
	}
	return out
}

func (c *commitment) write(ctx context.Context, w Write) error {
	before, err := c.snapshot.Find(ctx, w.ID)
	if err != nil {
		return err
	}
	if w.Plan == nil {
		return c.remove(w, before)
	}
	after := w.under(w.ID)
	if before != nil && len(fileChanges(before, w.ID, after, w.Whole)) == 0 {
		return c.beside(ctx, w, before, after)
	}
	opinion, err := c.gate(ctx, w, before, after)
	if err != nil {
		return err
	}
	if before == nil {
		after = c.stamp(after)
	} else if after, err = c.claims(w, before.Plan, after); err != nil {
		return err
	}
	changes := fileChanges(before, w.ID, after, w.Whole)
	if before != nil && before.Archived() { // it is brought back by the edit
		changes = append([]gitstore.FileChange{{Path: before.Path, Delete: true}}, fileChanges(nil, w.ID, after, w.Whole)...)
	}
	o := Outcome{ID: w.ID, Version: after.Version(), Tasks: len(after.All()), Judged: verdict(opinion), After: after}
	if before != nil {
		o.Before = before.Plan
	}
	o.tell()
	o.passed(c.proposal.Message.Check)
	if o.Event == plan.Replanned {
		if o.Replaces, err = c.snapshot.lastRevision(ctx, before.Location); err != nil {
			return err
		}
	}
	c.files = append(c.files, changes...)
	c.outcomes = append(c.outcomes, o)
	return nil
}

// beside judges a folder whose plan is as it is stored: a task in a file of a bad
// name, say, would else be left out without a word.
func (c *commitment) beside(ctx context.Context, w Write, before *Stored, after *plan.Plan) error {
	isBad := func(d diag.Diagnostic) bool { return d.Rule != plan.RuleStrayFile }
	if w.Prefix == "" || !slices.ContainsFunc(w.Found, isBad) {
		return nil
	}
	_, err := c.gate(ctx, w, before, after)
	return err
}

func (c *commitment) remove(w Write, before *Stored) error {
	if before == nil {
		return nil
	}
	c.files = append(c.files, gitstore.FileChange{Path: before.Path, Delete: true})
	c.outcomes = append(c.outcomes, Outcome{
		ID: w.ID, Event: plan.Removed, Occurrences: []plan.Occurrence{{Event: plan.Removed}}, Removed: true, Before: before.Plan,
	})
	return nil
}

// under is the wanted plan with the id it is written under.
func (w Write) under(id string) *plan.Plan {
	p := *w.Plan
	p.ID = id
	return &p
}

// stamp adds who made a new plan and when, where it does not say so itself.
// It comes after the gate, so that findings name the lines that their author
// sees; an edit in place changes nothing else, and a plan whose frontmatter
// cannot be edited so goes without.
func (c *commitment) stamp(p *plan.Plan) *plan.Plan {
	if p.Doc == nil || !p.Doc.Readable {
		return p
	}
	stamped, doc := *p, p.Doc
	for key, value := range map[string]string{
		"created_at": plan.FormatTime(c.repo.Now()), "created_by": oneLine(c.proposal.Message.Agent),
	} {
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

// gate judges the bytes that would be stored, read anew. The commits that were
// found to show what becomes done are added after that, so that findings name
// the lines that the author sees. It gives what a judge said of the plan, if one
// was asked.
func (c *commitment) gate(ctx context.Context, w Write, before *Stored, after *plan.Plan) (*validate.Opinion, error) {
	in := validate.Input{Scope: validate.Change, Version: w.Version, Stored: w.Prefix == "", Exists: c.exists, Others: c.others}
	if before != nil {
		in.Parents = []*plan.Plan{before.Plan}
	}
	var found []diag.Diagnostic
	in.Plan, found = c.repo.ReadPlan(w.ID, w.Prefix, after.FileList())
	in.Plan.Aside = w.Plan.Aside
	in.Found = append(unsaid(found, w.Found), w.Found...)
	if err := c.repo.Witness(ctx, c.gates, &in); err != nil {
		return nil, err
	}
	c.ask(&in)
	c.findings = append(c.findings, validate.Run(in, c.gates, c.proposal.Gate)...)
	for id, e := range in.Shown {
		if err := after.Attest(after.Task(id), e); err != nil {
			return nil, err
		}
	}
	return in.Opinion, nil
}

// unsaid leaves out findings about files that more is known of.
func unsaid(found, known []diag.Diagnostic) []diag.Diagnostic {
	return slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		return slices.ContainsFunc(known, func(k diag.Diagnostic) bool { return k.Path == d.Path })
	})
}

// Edit is the mutation of one stored plan by fn, which may change the plan it
// is given and says what to tell about it. Named are the tasks that the caller
// named, see [Snapshot.Meant].
func Edit(id string, fn func(p *plan.Plan) (Message, error), named ...string) Mutation {
	return func(ctx context.Context, s *Snapshot) (Proposal, error) {
		stored, err := s.Load(ctx, id)
		if err != nil {
			return Proposal{}, err
		}
		if stored.Archived() {
			return Proposal{}, archivedError(id)
		}
		if stored.Plan.Doc == nil {
			return Proposal{}, &RejectedError{validate.Run(validate.Input{Plan: stored.Plan, Found: stored.Found, Stored: true}, validate.DefaultGates(), validate.Base)}
		}
		if err := s.Meant(ctx, stored.Plan, named...); err != nil {
			return Proposal{}, err
		}
		m, err := fn(stored.Plan)
		if err != nil {
			return Proposal{}, err
		}
		return Proposal{Writes: []Write{{ID: id, Plan: stored.Plan, Found: Strays(stored.Plan, stored.Found)}}, Message: m}, nil
	}
}

package store

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
)

// Revision is a commit that changed plans. What it did is derived from the
// content before and after it along first parents; the message only adds who
// and why.
type Revision struct {
	Commit *gitstore.Commit
	// Changes has an entry for each plan that the commit changed, by id.
	Changes []Outcome
	// Merge says that the commit has several parents.
	Merge bool
	// Number counts the plan's revisions from 1, the oldest; in the history of
	// all plans it counts the store's commits.
	Number int
}

// At is when the revision was written, by its author's clock.
func (r Revision) At() time.Time { return r.Commit.Author.When }

// Agent is who acted: the Plan-Agent trailer, else the author.
func (r Revision) Agent() string {
	if a := trailer(r.Commit.Message, trailerAgent); a != "" {
		return a
	}
	return r.Commit.Author.Name
}

// Change is the identity of the change, empty for a commit that was not made by
// git plan.
func (r Revision) Change() string { return trailer(r.Commit.Message, trailerChange) }

// Reason is the message's body without trailers.
func (r Revision) Reason() string {
	_, body, _ := strings.Cut(r.Commit.Message, "\n")
	paragraphs := strings.Split(strings.TrimSpace(body), "\n\n")
	if n := len(paragraphs) - 1; isTrailers(paragraphs[n]) {
		paragraphs = paragraphs[:n]
	}
	return strings.TrimSpace(strings.Join(paragraphs, "\n\n"))
}

// Subject is the message's first line.
func (r Revision) Subject() string {
	subject, _, _ := strings.Cut(r.Commit.Message, "\n")
	return subject
}

// Revisions is the history of one plan, or of all: the commits are known, what
// each did is worked out when it is asked for.
type Revisions struct {
	historian
	steps []gitstore.Step
}

// Revisions finds the commits that changed a plan wherever it was, in the
// archive too. An empty id asks for those of all plans.
func (s *Snapshot) Revisions(ctx context.Context, id string) (*Revisions, error) {
	h := &Revisions{historian: historian{repo: s.repo, id: id, latest: map[string]loaded{}}}
	if !s.Exists() {
		return h, nil
	}
	var err error
	if id == "" {
		h.steps, err = s.repo.Store.History(ctx, s.Commit, 0)
		return h, err
	}
	archives := s.beginArchives(ctx)
	h.steps, err = s.repo.Store.History(ctx, s.Commit, 0, id)
	if err != nil {
		return h, err
	}
	if used, err := archives(); !used || err != nil {
		return h, err
	}
	h.steps, err = s.repo.Store.History(ctx, s.Commit, 0, id, ":(top,glob)"+Archive+"/*/"+id+"/**")
	return h, err
}

// beginArchives asks, beside other work, whether there has ever been an
// archive: most stores have none, and looking into it at each commit costs
// half as much again as looking at a plan.
func (s *Snapshot) beginArchives(ctx context.Context) func() (bool, error) {
	var steps []gitstore.Step
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		steps, err = s.repo.Store.History(ctx, s.Commit, 1, Archive)
	}()
	return func() (bool, error) {
		<-done
		return len(steps) > 0, err
	}
}

// History gives the revisions of a plan, newest first, at most limit of them
// (0 for all). An empty id asks for those of all plans.
func (s *Snapshot) History(ctx context.Context, id string, limit int) ([]Revision, error) {
	h, err := s.Revisions(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []Revision
	for rev, err := range h.All(ctx) {
		if err != nil {
			return nil, err
		}
		if out = append(out, rev); len(out) == limit {
			break
		}
	}
	return out, nil
}

// All visits the revisions, newest first. An error ends it.
func (h *Revisions) All(ctx context.Context) iter.Seq2[Revision, error] {
	return func(yield func(Revision, error) bool) {
		for p, err := range h.passages(ctx) {
			if err != nil {
				yield(Revision{}, err)
				return
			}
			rev, err := h.revision(ctx, p)
			if !yield(rev, err) || err != nil {
				return
			}
		}
	}
}

// Back gives the commit of the revision that many steps before the newest.
// Where there are fewer it gives their number.
func (h *Revisions) Back(ctx context.Context, steps int) (commit string, total int, err error) {
	for p, err := range h.passages(ctx) {
		if err != nil {
			return "", 0, err
		}
		if total == steps {
			return p.step.Commit, 0, nil
		}
		total++
	}
	return "", total, nil
}

// Oldest gives the first revision there was; ok is false without any.
func (h *Revisions) Oldest(ctx context.Context) (rev Revision, ok bool, err error) {
	for i := len(h.steps) - 1; i >= 0; i-- {
		passages, err := h.passagesOf(ctx, i, i+1)
		if err != nil {
			return Revision{}, false, err
		}
		if len(passages) > 0 {
			rev, err := h.revision(ctx, passages[0])
			return rev, err == nil, err
		}
	}
	return Revision{}, false, nil
}

// lastRevision is the newest commit that changed what is at a location.
func (s *Snapshot) lastRevision(ctx context.Context, l Location) (string, error) {
	steps, err := s.repo.Store.History(ctx, s.Commit, 1, l.Path)
	if err != nil || len(steps) == 0 {
		return "", err
	}
	return steps[0].Commit, nil
}

// passage is a commit that changed plans: where each was before and after.
type passage struct {
	step          gitstore.Step
	number        int
	before, after map[string]Location
}

// passages visits the commits that changed plans, newest first. They are looked
// at in portions that grow, as most readers stop early.
func (h *Revisions) passages(ctx context.Context) iter.Seq2[passage, error] {
	return func(yield func(passage, error) bool) {
		size := 16
		for from := 0; from < len(h.steps); size = min(4*size, 4096) {
			to := min(from+size, len(h.steps))
			passages, err := h.passagesOf(ctx, from, to)
			if err != nil {
				yield(passage{}, err)
				return
			}
			for _, m := range passages {
				if !yield(m, nil) {
					return
				}
			}
			from = to
		}
	}
}

// passagesOf gives what a portion of the steps did; those that changed no plan
// are left out.
func (h *Revisions) passagesOf(ctx context.Context, from, to int) ([]passage, error) {
	all, err := h.repo.Store.Differences(ctx, h.steps[from:to])
	if err != nil {
		return nil, err
	}
	var out []passage
	for i, differences := range all {
		expanded, err := changes{h.repo}.expand(ctx, differences)
		switch {
		case IsDamage(err): // of an archive, which hides no other plan's past
			tellUnread(h.repo, h.steps[from+i].Commit, err)
		case err != nil:
			return nil, err
		default:
			differences = expanded
		}
		p := passageOf(differences)
		if h.id != "" {
			p = p.only(h.id)
		}
		if len(p.before)+len(p.after) > 0 {
			p.step, p.number = h.steps[from+i], len(h.steps)-from-i
			out = append(out, p)
		}
	}
	return out, nil
}

// tellUnread tells, once for each object, that the past of archived plans may be
// incomplete.
func tellUnread(r *Repo, commit string, err error) {
	if _, told := r.unread.LoadOrStore(err.Error(), true); !told && r.opts.Warn != nil {
		r.opts.Warn("%s/ cannot be read in commit %.12s: %v; what happened there is left out: see `git plan doctor`", Archive, commit, err)
	}
}

// passageOf finds the plans among the entries that differ.
func passageOf(differences []gitstore.Difference) passage {
	p := passage{before: map[string]Location{}, after: map[string]Location{}}
	for _, d := range differences {
		if id := planAt(d.Path); id != "" {
			note(p.before, id, d.Path, d.Old)
			note(p.after, id, d.Path, d.New)
		}
	}
	return p
}

// only leaves out all plans but one.
func (p passage) only(id string) passage {
	for _, at := range []map[string]Location{p.before, p.after} {
		maps.DeleteFunc(at, func(other string, _ Location) bool { return other != id })
	}
	return p
}

// note keeps where a plan is; one that is not archived counts more.
func note(at map[string]Location, id, path string, e gitstore.Entry) {
	if !e.IsFolder() {
		return
	}
	if had, ok := at[id]; !ok || had.Archived() {
		at[id] = Location{ID: id, Path: path, Tree: e.Object}
	}
}

// planAt gives the id of the plan whose folder a path is, or "".
func planAt(p string) string {
	dir, name := path.Split(p)
	if !plan.IsKebab(name) {
		return ""
	}
	if dir == "" && name != Archive {
		return name
	}
	if year, ok := strings.CutPrefix(dir, Archive+"/"); ok && isYear(strings.TrimSuffix(year, "/")) {
		return name
	}
	return ""
}

// historian compares plans of neighbouring commits. What came before one
// change of a plan is what came after the change before, so the last that was
// read at each path is kept.
type historian struct {
	repo   *Repo
	id     string
	latest map[string]loaded
}

type loaded struct {
	tree string
	plan *plan.Plan
}

func (h *historian) revision(ctx context.Context, m passage) (Revision, error) {
	c, err := h.repo.Store.Commit(ctx, m.step.Commit)
	if err != nil {
		return Revision{}, err
	}
	rev := Revision{Commit: c, Merge: len(c.Parents) > 1, Number: m.number}
	for _, id := range changedIDs(m.before, m.after) {
		o, err := h.outcome(ctx, id, m.before, m.after)
		if err != nil {
			return Revision{}, fmt.Errorf("revision %.12s: %w", m.step.Commit, err)
		}
		if check := checkIn(c.Message, id); o.isRecord() {
			o.passed(check)
		}
		o.Judged = verdictIn(c.Message, id)
		rev.Changes = append(rev.Changes, o)
	}
	return rev, nil
}

func changedIDs(before, after map[string]Location) []string {
	ids := slices.Collect(maps.Keys(after))
	for id := range before {
		if _, ok := after[id]; !ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

func (h *historian) outcome(ctx context.Context, id string, before, after map[string]Location) (Outcome, error) {
	o := Outcome{ID: id}
	old, hadOld := before[id]
	now, hasNow := after[id]
	var err error
	if hasNow { // first, as it was read as what came before the next
		if o.After, err = h.load(ctx, now); err != nil {
			return o, err
		}
		o.Version, o.Tasks = o.After.Version(), len(o.After.All())
	}
	if hadOld {
		if o.Before, err = h.load(ctx, old); err != nil {
			return o, err
		}
	}
	if !hasNow {
		o.Version = o.Before.Version()
	}
	o.Removed = !hasNow
	if hadOld && hasNow && old.Path != now.Path {
		event := plan.Archived
		if !now.Archived() {
			event = plan.Restored
		}
		o.Occurrences = append(o.Occurrences, plan.Occurrence{Event: event})
	}
	o.tell()
	return o, nil
}

// load reads the plan at a location, newer revisions first.
func (h *historian) load(ctx context.Context, l Location) (*plan.Plan, error) {
	if last := h.latest[l.Path]; last.tree == l.Tree {
		return last.plan, nil
	}
	s := &Snapshot{repo: h.repo}
	stored, err := s.LoadAt(ctx, l)
	if err != nil {
		return nil, err
	}
	h.latest[l.Path] = loaded{l.Tree, stored.Plan}
	return stored.Plan, nil
}

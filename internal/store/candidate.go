package store

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Candidate is a state of the store that someone wants: the changes of a
// mutation, which are still to be committed, or a commit or an index of git.
type Candidate struct {
	// Writes and Moves are the changes of a mutation.
	Writes []Write
	Moves  []Move
	// Own are changes of the store's own files.
	Own     []gitstore.FileChange
	Message Message
	// Gate is the least gate of a mutation, next to the store's and the plans' own.
	Gate validate.Gate

	// Commit is the name of a commit of git, Tree that of an index.
	Commit, Tree string
	// Parents are the commits that it goes on from. It is judged from the first.
	Parents []string
	// Range says that it is all commits since its parent together, each of which
	// is judged too.
	Range bool

	judged map[string]bool // the plans that commits of a range changed
}

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

// Mutation makes a candidate on top of a state of the store. It runs again on
// the new state when the store moved, so it must be free of side effects.
type Mutation func(ctx context.Context, s *Snapshot) (Candidate, error)

// name is what errors call the candidate.
func (c Candidate) name() string {
	switch {
	case c.Commit != "":
		return fmt.Sprintf("commit %.12s", c.Commit)
	case c.Tree != "":
		return "the index"
	}
	return "the change"
}

// change is what a candidate does to one plan.
type change struct {
	Subject // the plan as it is to be; Plan is nil for a removed one
	id      string
	at      string  // the plan's folder in the candidate
	before  *Stored // nil for a new plan
	moved   bool    // it is only in another place
	same    bool    // the files of the plan do not change
	write   Write   // of a mutation
}

// changes resolves the writes and moves of a mutation.
func (c *Candidate) changes(ctx context.Context, s *Snapshot) ([]change, error) {
	var out []change
	for _, w := range c.Writes {
		ch, ok, err := w.change(ctx, s)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, ch)
		}
	}
	for _, m := range c.Moves {
		ch, ok, err := m.change(ctx, s)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, ch)
		}
	}
	return out, nil
}

// change compares a write with what is stored; ok is false where there is
// nothing to do.
func (w Write) change(ctx context.Context, s *Snapshot) (ch change, ok bool, err error) {
	ch = change{id: w.ID, at: w.ID, write: w}
	if ch.before, err = s.Find(ctx, w.ID); err != nil {
		return ch, false, err
	}
	if w.Plan == nil {
		return ch, ch.before != nil, nil
	}
	after := w.under(w.ID)
	ch.same = ch.before != nil && len(fileChanges(ch.before, w.ID, after, w.Whole)) == 0
	if ch.same && !w.hasBadFiles() {
		return ch, false, nil
	}
	// The gate reads the bytes that would be stored.
	p, found := s.repo.ReadPlan(w.ID, w.Prefix, after.FileList())
	p.Aside = w.Plan.Aside
	found = slices.DeleteFunc(found, func(d diag.Diagnostic) bool { // more is known of the file
		return slices.ContainsFunc(w.Found, func(k diag.Diagnostic) bool { return k.Path == d.Path })
	})
	ch.Subject = Subject{
		Plan: p, Found: append(found, w.Found...), Scope: validate.Change, Version: w.Version, Stored: w.Prefix == "", Search: true,
	}
	if ch.before != nil {
		ch.Parent = ch.before.Plan
	}
	return ch, true, nil
}

// hasBadFiles reports whether a folder holds files that the plan cannot take,
// such as a task with a bad name: to leave it out without a word would lose it.
func (w Write) hasBadFiles() bool {
	return w.Prefix != "" && slices.ContainsFunc(w.Found, func(d diag.Diagnostic) bool { return d.Rule != plan.RuleStrayFile })
}

// under is the wanted plan with the id it is written under.
func (w Write) under(id string) *plan.Plan {
	p := *w.Plan
	p.ID = id
	return &p
}

// Move puts a plan elsewhere in the store as it is.
type Move struct {
	ID string
	// Archived says that it goes to the archive of this year, else it comes
	// back from there.
	Archived bool
}

// change resolves a move; ok is false where the plan is there already.
func (m Move) change(ctx context.Context, s *Snapshot) (ch change, ok bool, err error) {
	from, there, err := s.Locate(ctx, m.ID)
	if err != nil {
		return ch, false, err
	}
	if !there {
		return ch, false, s.unknownPlan(ctx, m.ID)
	}
	if from.Archived() == m.Archived {
		return ch, false, nil
	}
	ch = change{id: m.ID, at: m.ID, moved: true}
	if ch.before, err = s.LoadAt(ctx, from); err != nil {
		return ch, false, err
	}
	ch.Plan = ch.before.Plan
	if m.Archived {
		ch.at = path.Join(Archive, strconv.Itoa(s.repo.Now().Year()), m.ID)
		err = vacant(ctx, s, ch.at, from.Tree)
	}
	return ch, err == nil, err
}

// vacant refuses to put a plan where another one of its id is, as native git may
// have archived it: that one would be gone unseen.
func vacant(ctx context.Context, s *Snapshot, to, tree string) error {
	there, ok, err := s.repo.Store.Lookup(ctx, s.Commit, to)
	if err != nil || !ok || there.Object == tree {
		return err
	}
	return &ExistsError{fmt.Sprintf("%s holds another plan of this id: in a worktree of %s, `git mv` it to another id or `git rm` it, and commit that first", to, s.repo.Branch())}
}

// Candidates gives the commits that are reachable from tip and from none of
// known, oldest first. A missing parent, where history was cut off, is none.
func (r *Repo) Candidates(ctx context.Context, tip string, known ...string) ([]Candidate, error) {
	history, err := r.Store.Between(ctx, tip, known...)
	if err != nil {
		return nil, err
	}
	out := make([]Candidate, len(history))
	for i, h := range history {
		out[i] = Candidate{Commit: h.Commit, Parents: h.Parents}
	}
	return out, nil
}

// together gives all candidates that tip has and from has not as one. Where tip
// does not go on from from, that is what tip has since the two were one; ok is
// false where they have nothing in common.
func together(ctx context.Context, a Ancestry, from, tip string, all []Candidate) (c Candidate, ok bool, err error) {
	c = Candidate{Commit: tip, Parents: []string{from}, Range: true}
	if slices.ContainsFunc(all, func(c Candidate) bool { return slices.Contains(c.Parents, from) }) {
		return c, true, nil
	}
	bases, err := a.bases(ctx, from, tip)
	if err != nil || len(bases) == 0 {
		return c, false, err
	}
	c.Parents = bases[:1]
	return c, true, nil
}

// planChanges finds the plans that a commit or an index changes, from what
// differs from its first parent. Entries that are as in another parent were
// judged there.
func planChanges(differences []gitstore.Difference, wanted func(gitstore.Difference) bool) []placed {
	moved := map[string]Location{} // plans that are in another place, by their new path
	left := map[string]bool{}      // the places that they left
	for _, d := range differences {
		if id := planAt(d.Path); id != "" && d.New.IsFolder() && !d.Old.IsFolder() {
			if from, ok := source(differences, id, d.New.Object); ok {
				moved[d.Path] = from
				left[from.Path] = true
			}
		}
	}
	var out []placed
	for _, d := range differences {
		id := planAt(d.Path)
		if id == "" || !d.Old.IsFolder() && !d.New.IsFolder() || !wanted(d) {
			continue
		}
		p := placed{id: id, path: d.Path}
		if from, ok := moved[d.Path]; ok {
			p.before = from
		} else if d.Old.IsFolder() && !left[d.Path] {
			p.before = Location{ID: id, Path: d.Path, Tree: d.Old.Object}
		}
		if d.New.IsFolder() {
			p.now = Location{ID: id, Path: d.Path, Tree: d.New.Object}
		} else if left[d.Path] {
			continue
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b placed) int { return cmp.Compare(a.id, b.id) })
	return out
}

// placed is where a plan was and is; a Location without a path is nowhere.
type placed struct {
	id, path    string
	before, now Location
}

// source finds the place that a plan of this id left. One that is unchanged is
// preferred to one that was edited with the move.
func source(differences []gitstore.Difference, id, tree string) (from Location, ok bool) {
	for _, d := range differences {
		if planAt(d.Path) != id || !d.Old.IsFolder() {
			continue
		}
		switch {
		case d.Old.Object == tree && d.New.Object != tree:
			return Location{ID: id, Path: d.Path, Tree: d.Old.Object}, true
		case !d.New.IsFolder() && !ok:
			from, ok = Location{ID: id, Path: d.Path, Tree: d.Old.Object}, true
		}
	}
	return from, ok
}

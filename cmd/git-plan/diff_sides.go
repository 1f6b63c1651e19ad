package main

import (
	"context"
	"fmt"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
)

// nothing is what a side without plans is called.
const nothing = "nothing"

// one finds what a single name, or none, is compared with.
func (c *comparer) one(ctx context.Context, names []string) (from, to diff.State, err error) {
	name := ""
	if len(names) == 1 {
		name = names[0]
	} else if name, err = c.app.onePlan(ctx, c.store); err != nil {
		return from, to, err
	}
	if looksLikePath(name) {
		return c.folder(ctx, name)
	}
	s, err := c.side(ctx, name)
	if err != nil {
		return from, to, err
	}
	if s.entry == nil {
		return c.withParent(ctx, s)
	}
	if name == s.entry.ID {
		if drafted := c.drafted(ctx, name); drafted != nil {
			c.app.warnOfDraft(drafted)
			return draftStates(s.entry, drafted)
		}
	}
	return c.withPrevious(ctx, s)
}

// drafted gives the plan's edited thread, or nil. Where there can be no
// threads, there is none.
func (c *comparer) drafted(ctx context.Context, id string) *draft.Drafted {
	d, err := c.app.drafts(ctx)
	if err != nil {
		return nil
	}
	drafted, err := d.Drafted(ctx, id)
	if err != nil {
		c.app.warn("%v", err)
		return nil
	}
	return drafted
}

func (a *app) warnOfDraft(d *draft.Drafted) {
	if d.Plan != nil {
		a.warnOfFolder(d.Plan, d.Found)
	}
}

// draftStates compares what a thread began from with what is in it: what
// others stored meanwhile is no part of that.
func draftStates(stored *diff.Entry, d *draft.Drafted) (from, to diff.State, err error) {
	base := side{name: stored.ID, entry: &diff.Entry{ID: stored.ID, Plan: stored.Plan, Archived: stored.Archived}}
	if d.Base != nil {
		base.entry.Plan = d.Base
	}
	now := side{name: d.Folder, entry: &diff.Entry{ID: stored.ID, Plan: d.Plan, Archived: stored.Archived}}
	return base.state(), now.state(), nil
}

// folder compares a thread's folder with the plan it holds.
func (c *comparer) folder(ctx context.Context, name string) (from, to diff.State, err error) {
	now, err := c.side(ctx, name)
	if err != nil {
		return from, to, err
	}
	d, err := c.app.drafts(ctx)
	if err != nil {
		return from, to, err
	}
	t, err := d.In(c.app.folderOf(name))
	switch {
	case err != nil:
		return from, to, err
	case t == nil:
		return from, to, &usageError{name + " is not the folder of a draft: name what to compare it with"}
	case t.Plan == "":
		return diff.State{Name: nothing}, now.state(), nil
	}
	now.entry.ID = t.Plan
	before := now.state() // the same, unless it was edited
	before.Name = t.Plan
	if drafted := c.drafted(ctx, t.Plan); drafted != nil && drafted.Base != nil {
		before.Plans = []diff.Entry{{ID: t.Plan, Plan: drafted.Base}}
	}
	return before, now.state(), nil
}

// withPrevious compares a plan with the revision before; the first one with
// nothing.
func (c *comparer) withPrevious(ctx context.Context, s side) (from, to diff.State, err error) {
	id := s.entry.ID
	history, err := s.at.Revisions(ctx, id)
	if err != nil {
		return from, to, err
	}
	commit, _, err := history.Back(ctx, 1)
	if err != nil {
		return from, to, err
	}
	before := side{name: nothing, entry: &diff.Entry{ID: id}}
	if commit != "" {
		at, err := c.app.repo.At(ctx, commit)
		if err != nil {
			return from, to, err
		}
		before = side{name: commit + ":" + id, at: at}
		if s.name == id {
			before.name = id + "@{1}"
		}
		if before.entry, err = c.planAt(ctx, before, id); err != nil {
			return from, to, err
		}
	}
	return before.state(), s.state(), nil
}

// withParent compares a revision of the store with its first parent.
func (c *comparer) withParent(ctx context.Context, s side) (from, to diff.State, err error) {
	commit, err := c.app.repo.Store.Commit(ctx, s.at.Commit)
	if err != nil {
		return from, to, err
	}
	parent := side{name: nothing}
	if len(commit.Parents) > 0 {
		parent.name = commit.Parents[0]
	}
	if parent.at, err = c.app.repo.At(ctx, firstOr(commit.Parents, "")); err != nil {
		return from, to, err
	}
	return c.revisions(ctx, parent, s)
}

func firstOr(list []string, def string) string {
	if len(list) == 0 {
		return def
	}
	return list[0]
}

// revisions compares the store at two commits. Only plans that differ are
// read.
func (c *comparer) revisions(ctx context.Context, a, b side) (from, to diff.State, err error) {
	old, err := everywhere(ctx, a.at)
	if err != nil {
		return from, to, err
	}
	now, err := everywhere(ctx, b.at)
	if err != nil {
		return from, to, err
	}
	from.Name, to.Name = a.name, b.name
	if from.Plans, err = differing(ctx, a.at, old, now); err != nil {
		return from, to, err
	}
	if to.Plans, err = differing(ctx, b.at, now, old); err != nil {
		return from, to, err
	}
	if from.Files, err = ownFiles(ctx, a.at); err != nil {
		return from, to, err
	}
	to.Files, err = ownFiles(ctx, b.at)
	return from, to, err
}

// ownFiles gives the store's own files with what the gates are set to.
func ownFiles(ctx context.Context, s *store.Snapshot) ([]diff.File, error) {
	all, err := s.OwnFiles(ctx)
	if err != nil {
		return nil, err
	}
	var out []diff.File
	for _, f := range all {
		file := diff.File{Path: f.Path, Object: f.Object, Mode: fmt.Sprintf("%06o", f.Mode), Error: f.Error}
		if f.Gates != nil {
			file.Values = f.Gates.Settings()
		}
		out = append(out, file)
	}
	return out, nil
}

// everywhere gives the plans of the store, the archived ones too, by id.
func everywhere(ctx context.Context, s *store.Snapshot) (map[string]store.Location, error) {
	archived, err := s.Archive(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]store.Location{}
	for _, l := range append(archived, s.Locations()...) {
		out[l.ID] = l
	}
	return out, nil
}

// differing reads the plans that are not the same in the other state.
func differing(ctx context.Context, s *store.Snapshot, here, there map[string]store.Location) ([]diff.Entry, error) {
	var out []diff.Entry
	for id, l := range here {
		if there[id] == l {
			continue
		}
		stored, err := s.LoadAt(ctx, l)
		if err != nil {
			return nil, err
		}
		out = append(out, *entryOf(stored))
	}
	return out, nil
}

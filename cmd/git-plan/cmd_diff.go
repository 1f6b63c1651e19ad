package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/diff"
	"github.com/git-plan/git-plan/internal/draft"
	"github.com/git-plan/git-plan/internal/store"
)

type diffCommand struct {
	*app
	format   string
	exitCode bool
}

func newDiff(a *app, cmd *cobra.Command) runner {
	c := &diffCommand{app: a}
	cmd.Flags().BoolVar(&c.exitCode, "exit-code", false, "exit with 1 where there is a difference")
	a.formats(cmd, &c.format, "text", "markdown", "json", "html")
	return c.run
}

func (c *diffCommand) run(ctx context.Context, args []string) error {
	result, err := c.compare(ctx, args)
	if err != nil {
		return err
	}
	if err := c.tell(result); err != nil {
		return err
	}
	if c.exitCode && !result.Empty() {
		return errNo
	}
	return nil
}

// compare compares what the arguments name.
func (a *app) compare(ctx context.Context, args []string) (*diff.Result, error) {
	s, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 && !looksLikePath(args[0]) { // a path may begin with dots
		if from, to, ok := strings.Cut(args[0], ".."); ok && from != "" && to != "" && !strings.HasPrefix(to, ".") {
			args = []string{from, to}
		}
	}
	return (&comparer{app: a, store: s}).sides(ctx, args)
}

func (c *diffCommand) tell(r *diff.Result) error {
	switch {
	case c.json:
		return c.print(r)
	case c.format == "markdown":
		return diff.Markdown(c.Stdout, r, diff.MarkdownSize)
	case c.format == "html":
		return diff.HTML(c.Stdout, r)
	}
	return diff.Text(c.Stdout, r, c.newPage())
}

// comparer finds what the arguments name.
type comparer struct {
	app   *app
	store *store.Snapshot
}

// side is one thing to compare: a plan, or the store at a revision.
type side struct {
	name  string
	entry *diff.Entry
	at    *store.Snapshot
}

func (c *comparer) sides(ctx context.Context, names []string) (*diff.Result, error) {
	if len(names) < 2 {
		return c.one(ctx, names)
	}
	a, err := c.side(ctx, names[0])
	if err != nil {
		return nil, err
	}
	b, err := c.side(ctx, names[1])
	if err != nil {
		return nil, err
	}
	return c.pair(ctx, a, b)
}

// pair compares a plan and a revision as far as the plan goes, two plans whatever
// their ids are.
func (c *comparer) pair(ctx context.Context, a, b side) (_ *diff.Result, err error) {
	switch {
	case a.entry == nil && b.entry == nil:
		return c.revisions(ctx, a, b)
	case a.entry == nil:
		a.entry, err = c.planAt(ctx, a, b.entry.ID)
	case b.entry == nil:
		b.entry, err = c.planAt(ctx, b, a.entry.ID)
	}
	if err != nil {
		return nil, err
	}
	a.entry.ID = b.entry.ID
	return diff.Compare(a.state(), b.state()), nil
}

func (s side) state() diff.State {
	out := diff.State{Name: s.name}
	if s.entry != nil && s.entry.Plan != nil {
		out.Plans = []diff.Entry{*s.entry}
	}
	return out
}

// planAt reads a plan at a revision. It may be absent there.
func (c *comparer) planAt(ctx context.Context, s side, id string) (*diff.Entry, error) {
	stored, err := s.at.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	if stored == nil {
		return &diff.Entry{ID: id}, nil
	}
	return entryOf(stored), nil
}

func entryOf(s *store.Stored) *diff.Entry {
	return &diff.Entry{ID: s.ID, Plan: s.Plan, Archived: s.Archived()}
}

// side finds what a name means: a folder, a plan, or a revision of the store.
func (c *comparer) side(ctx context.Context, name string) (side, error) {
	if looksLikePath(name) {
		p, err := c.app.readFolder(ctx, name)
		if err != nil {
			return side{}, err
		}
		return side{name: name, entry: &diff.Entry{ID: p.ID, Plan: p}}, nil
	}
	var unknown error = &store.NotFoundError{What: "plan, revision or path", Name: name, Hint: "see `git plan list` and `git plan log`"}
	if address, ok := store.ParseAddress(name); ok {
		at, err := c.store.Resolve(ctx, address)
		if err == nil {
			stored, err := at.Load(ctx, address.Plan)
			if err != nil {
				return side{}, err
			}
			return side{name: name, entry: entryOf(stored), at: at}, nil
		}
		if unknown = err; !isNotFound(err) || address.String() != address.Plan {
			return side{}, err
		}
	}
	if s, ok := c.revision(ctx, name); ok {
		return s, nil
	}
	return side{}, unknown
}

func (c *comparer) revision(ctx context.Context, name string) (side, bool) {
	commit, err := c.app.repo.Store.Resolve(ctx, name)
	if err != nil {
		return side{}, false
	}
	at, err := c.app.repo.At(ctx, commit)
	return side{name: commit, at: at}, err == nil && at.MustBeStore(ctx, "") == nil // or one of the code
}

// nothing is what a side without plans is called.
const nothing = "nothing"

// one compares a single name, or the one plan there is, with what was before: a plan
// with what its draft holds now, or with its previous revision; a revision of the store
// with its first parent; the first of either with nothing.
func (c *comparer) one(ctx context.Context, names []string) (_ *diff.Result, err error) {
	name := ""
	if len(names) == 1 {
		name = names[0]
	} else if name, err = c.app.onePlan(ctx, c.store); err != nil {
		return nil, err
	}
	if looksLikePath(name) {
		return c.folder(ctx, name)
	}
	s, err := c.side(ctx, name)
	if err != nil {
		return nil, err
	}
	var before side
	var commit string
	if s.entry == nil {
		of, err := c.app.repo.Store.Commit(ctx, s.at.Commit)
		if err != nil {
			return nil, err
		}
		commit = firstOr(of.Parents, "")
		before.name = commit
	} else {
		id := s.entry.ID
		if name == id {
			if drafted := c.drafted(ctx, id); drafted != nil {
				return c.withDraft(s, drafted), nil
			}
		}
		history, err := s.at.Revisions(ctx, id)
		if err != nil {
			return nil, err
		}
		if commit, _, err = history.Back(ctx, 1); err != nil {
			return nil, err
		}
		if before.name = commit + ":" + id; name == id {
			before.name = id + "@{1}"
		}
	}
	if commit == "" {
		before.name = nothing
	}
	if before.at, err = c.app.repo.At(ctx, commit); err != nil {
		return nil, err
	}
	return c.pair(ctx, before, s)
}

// withDraft compares a draft with what it began from: what others stored meanwhile is
// no part of that.
func (c *comparer) withDraft(s side, drafted *draft.Drafted) *diff.Result {
	if drafted.Plan != nil {
		c.app.warnOfFolder(drafted.Plan, drafted.Found)
	}
	base, now := *s.entry, *s.entry
	if now.Plan = drafted.Plan; drafted.Base != nil {
		base.Plan = drafted.Base
	}
	return diff.Compare(side{name: s.name, entry: &base}.state(), side{name: drafted.Folder, entry: &now}.state())
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

// folder compares a thread's folder with the plan it holds.
func (c *comparer) folder(ctx context.Context, name string) (*diff.Result, error) {
	now, err := c.side(ctx, name)
	if err != nil {
		return nil, err
	}
	d, err := c.app.drafts(ctx)
	if err != nil {
		return nil, err
	}
	t, err := d.In(c.app.folderOf(name))
	switch {
	case err != nil:
		return nil, err
	case t == nil:
		return nil, &usageError{name + " is not the folder of a draft: name what to compare it with"}
	case t.Plan == "":
		return diff.Compare(diff.State{Name: nothing}, now.state()), nil
	}
	now.entry.ID = t.Plan
	before := now.state() // the same, unless it was edited
	before.Name = t.Plan
	if drafted := c.drafted(ctx, t.Plan); drafted != nil && drafted.Base != nil {
		before.Plans = []diff.Entry{{ID: t.Plan, Plan: drafted.Base}}
	}
	return diff.Compare(before, now.state()), nil
}

func firstOr(list []string, def string) string {
	if len(list) == 0 {
		return def
	}
	return list[0]
}

// revisions compares the store at two commits. Only plans that differ are
// read.
func (c *comparer) revisions(ctx context.Context, a, b side) (*diff.Result, error) {
	old, err := everywhere(ctx, a.at)
	if err != nil {
		return nil, err
	}
	now, err := everywhere(ctx, b.at)
	if err != nil {
		return nil, err
	}
	from, to := diff.State{Name: a.name}, diff.State{Name: b.name}
	for _, one := range []struct {
		state       *diff.State
		at          *store.Snapshot
		here, there map[string]store.Location
	}{{&from, a.at, old, now}, {&to, b.at, now, old}} {
		if one.state.Plans, err = differing(ctx, one.at, one.here, one.there); err != nil {
			return nil, err
		}
		if one.state.Files, err = ownFiles(ctx, one.at); err != nil {
			return nil, err
		}
	}
	return diff.Compare(from, to), nil
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

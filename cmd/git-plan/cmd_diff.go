package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/diff"
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
	s, err := c.look(ctx)
	if err != nil {
		return err
	}
	from, to, err := (&comparer{app: c.app, store: s}).sides(ctx, splitRange(args))
	if err != nil {
		return err
	}
	result := diff.Compare(from, to)
	if err := c.tell(result); err != nil {
		return err
	}
	if c.exitCode && !result.Empty() {
		return errNo
	}
	return nil
}

func (c *diffCommand) tell(r *diff.Result) error {
	switch {
	case c.json:
		return c.print(r.Document())
	case c.format == "markdown":
		return diff.Markdown(c.Stdout, r, diff.MarkdownSize)
	case c.format == "html":
		return diff.HTML(c.Stdout, r)
	}
	return diff.Text(c.Stdout, r, c.newPage())
}

// splitRange takes A..B for A and B. A path may begin with dots.
func splitRange(names []string) []string {
	if len(names) != 1 || looksLikePath(names[0]) {
		return names
	}
	from, to, ok := strings.Cut(names[0], "..")
	if !ok || from == "" || to == "" || strings.HasPrefix(to, ".") {
		return names
	}
	return []string{from, to}
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

func (c *comparer) sides(ctx context.Context, names []string) (from, to diff.State, err error) {
	if len(names) < 2 {
		return c.one(ctx, names)
	}
	a, err := c.side(ctx, names[0])
	if err != nil {
		return from, to, err
	}
	b, err := c.side(ctx, names[1])
	if err != nil {
		return from, to, err
	}
	return c.both(ctx, a, b)
}

// both brings two sides together: a plan and a revision are compared as far as
// the plan goes, two plans whatever their ids are.
func (c *comparer) both(ctx context.Context, a, b side) (from, to diff.State, err error) {
	switch {
	case a.entry == nil && b.entry == nil:
		return c.revisions(ctx, a, b)
	case a.entry == nil:
		a.entry, err = c.planAt(ctx, a, b.entry.ID)
	case b.entry == nil:
		b.entry, err = c.planAt(ctx, b, a.entry.ID)
	}
	if err != nil {
		return from, to, err
	}
	a.entry.ID = b.entry.ID
	return a.state(), b.state(), nil
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
	if address, ok := store.ParseAddress(name); ok {
		at, err := c.store.Resolve(ctx, address)
		if err == nil {
			return c.stored(ctx, name, at, address.Plan)
		}
		if !isNotFound(err) || address.String() != address.Plan {
			return side{}, err
		}
		if s, ok := c.revision(ctx, name); ok {
			return s, nil
		}
		return side{}, err
	}
	if s, ok := c.revision(ctx, name); ok {
		return s, nil
	}
	return side{}, &store.NotFoundError{What: "plan, revision or path", Name: name, Hint: "see `git plan list` and `git plan log`"}
}

func (c *comparer) stored(ctx context.Context, name string, at *store.Snapshot, id string) (side, error) {
	stored, err := at.Load(ctx, id)
	if err != nil {
		return side{}, err
	}
	return side{name: name, entry: entryOf(stored), at: at}, nil
}

func (c *comparer) revision(ctx context.Context, name string) (side, bool) {
	commit, err := c.app.repo.Store.Resolve(ctx, name)
	if err != nil {
		return side{}, false
	}
	at, err := c.app.repo.At(ctx, commit)
	return side{name: commit, at: at}, err == nil && at.MustBeStore(ctx) == nil // or one of the code
}

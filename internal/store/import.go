package store

import (
	"context"
	"errors"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// ImportOptions describe a plan that comes from another form.
type ImportOptions struct {
	// ID is the plan's; where it is empty, Title tells, and Named is given what
	// it came to be.
	ID    string
	Title string
	Named func(id string)
	Agent string
	// Body holds what to tell about it.
	Body []string
	// Files makes the plan's files; onto is the stored plan of that id, or nil.
	Files func(onto *plan.Plan) []plan.File
	// Prefix is what the paths of findings begin with.
	Prefix string
}

// Import stores a plan as it comes. One that is new may be of any version; else
// it is compared with the stored one as a move by native git would be.
func (r *Repo) Import(opts ImportOptions) Mutation {
	return func(ctx context.Context, s *Snapshot) (Candidate, error) {
		opts := opts
		if opts.ID == "" {
			id, err := s.idFor(ctx, opts.Title)
			if err != nil {
				return Candidate{}, err
			}
			opts.ID = id
			opts.Named(id)
		}
		old, err := s.Load(ctx, opts.ID)
		var missing *NotFoundError
		var onto *plan.Plan
		switch {
		case errors.As(err, &missing):
		case err != nil:
			return Candidate{}, err
		case old.Archived():
			return Candidate{}, archivedError(opts.ID)
		default:
			onto = old.Plan
		}
		next, found := r.ReadPlan(opts.ID, opts.Prefix, opts.Files(onto))
		return Candidate{
			Writes:  []Write{{ID: opts.ID, Plan: next, Found: Strays(next, found), Prefix: opts.Prefix, Whole: true}},
			Message: Message{Body: opts.Body, Agent: opts.Agent},
		}, nil
	}
}

// idFor gives the id of a plan that brings none: that of the stored plan whose
// title this is, if its id is made of it, else a new one.
func (s *Snapshot) idFor(ctx context.Context, title string) (string, error) {
	var failed error
	id := plan.NewID(title, "plan", func(id string) bool {
		l, ok, err := s.Locate(ctx, id)
		if failed = errors.Join(failed, err); !ok || err != nil {
			return id == Archive
		}
		stored, err := s.LoadAt(ctx, l)
		failed = errors.Join(failed, err)
		return err == nil && (stored.Archived() || stored.Plan.Doc == nil || stored.Plan.Title() != title)
	})
	return id, failed
}

// LastChange gives the author date of the newest commit that changed what is at
// a location.
func (s *Snapshot) LastChange(ctx context.Context, l Location) (time.Time, error) {
	name, err := s.lastRevision(ctx, l)
	if err != nil || name == "" {
		return time.Time{}, err
	}
	c, err := s.repo.Store.Commit(ctx, name)
	if err != nil {
		return time.Time{}, err
	}
	return c.Author.When, nil
}

// PlansOf gives what this state has of the plans that changes are about, by id.
func (s *Snapshot) PlansOf(ctx context.Context, changes []Outcome) (map[string]*plan.Plan, error) {
	out := map[string]*plan.Plan{}
	for _, o := range changes {
		stored, err := s.Find(ctx, o.ID)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			out[o.ID] = stored.Plan
		}
	}
	return out, nil
}

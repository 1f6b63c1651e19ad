package draft

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Drafted is a draft of a stored plan with changes that are not stored.
type Drafted struct {
	Draft Draft
	// Folder is the draft's folder as a person in the current one would write it.
	Folder string
	// Base is the stored plan that the draft was filled from, nil where it is gone.
	Base *plan.Plan
	// Plan is the plan in the folder, Found are the findings of reading it.
	Plan  *plan.Plan
	Found []diag.Diagnostic
}

// Drafted gives the draft in which a stored plan was edited, or nil.
func (d *Drafts) Drafted(ctx context.Context, id string) (*Drafted, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	t := s.of(id)
	if t == nil {
		return nil, nil
	}
	now, err := d.repo.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	began, err := d.bases.forMerge(ctx, *t, now)
	if err != nil {
		return nil, err
	}
	base := planOrNone(began)
	p, found, err := d.folders.read(*t)
	if err != nil || p.Empty() || base != nil && sameFiles(base.Files(), p.Files()) {
		return nil, err
	}
	return &Drafted{Draft: *t, Folder: d.folders.prefix(t.Dir), Base: base, Plan: p, Found: found}, nil
}

// Proposed notes that the draft holds what a commit of a proposal has: once the store
// takes that in, it is no edit.
func (d *Drafts) Proposed(ctx context.Context, from *Drafted, commit string, proposed *plan.Plan) error {
	if !sameFiles(from.Plan.Files(), proposed.Files()) {
		return nil
	}
	if within, err := d.repo.Store.IsAncestor(ctx, from.Draft.Base, commit); err != nil || !within {
		return err // it goes on from another state
	}
	return d.state.change(ctx, func(s *State) error {
		if t := s.draft(from.Draft.ID); t != nil && *t == from.Draft {
			t.Base = commit
		}
		return nil
	})
}

// Edit is a draft with work that is not stored.
type Edit struct {
	ID, Dir string
	// At is when one of its files was last written.
	At time.Time
}

// Edited gives the drafts whose folders differ from what they were filled from.
func (d *Drafts) Edited(ctx context.Context) ([]Edit, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	var out []Edit
	for _, t := range s.ordered() {
		p, _, err := d.folders.read(t)
		if err != nil {
			return nil, err
		}
		base, err := d.bases.of(ctx, t)
		if err != nil {
			return nil, err
		}
		if !p.Empty() && !sameFiles(filesOf(base), p.Files()) {
			out = append(out, Edit{t.ID, t.Dir, lastWrite(t.Dir, p.Files())})
		}
	}
	return out, nil
}

// lastWrite is when one of a folder's files was last written.
func lastWrite(dir string, files map[string][]byte) time.Time {
	var last time.Time
	for name := range files {
		if info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(name))); err == nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
	}
	return last
}

package draft

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/paths"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// EditOptions say where a stored plan goes.
type EditOptions struct {
	// Dir is the absolute path of a folder, or empty for the draft's own.
	Dir string
	// Force throws away edits in a draft of the plan.
	Force bool
}

// Edit fills a draft from a stored plan and makes both the current ones. One that
// there is already is brought up to date; where its edits do not fit, the folder gets
// conflict markers and the error is a *store.ConflictError. A change of the plan that
// was parked is brought in the same way.
func (d *Drafts) Edit(ctx context.Context, id string, opts EditOptions) (Draft, error) {
	now, err := d.repo.Snapshot(ctx)
	if err != nil {
		return Draft{}, err
	}
	if err := now.MustMean(id); err != nil {
		return Draft{}, err
	}
	stored, err := now.Mended(ctx, id)
	var gone error // a parked change may bring it back
	switch unknown := (*store.NotFoundError)(nil); {
	case errors.As(err, &unknown):
		gone = err
	case err != nil:
		return Draft{}, err
	case stored.Archived():
		gone = &store.UnsupportedError{Message: fmt.Sprintf("plan %s is archived: restore it first", id)}
	}
	var out Draft
	var conflict error
	err = d.state.change(ctx, func(s *State) error {
		var parked *store.Parked
		if gone != nil || !opts.Force {
			var err error
			if parked, err = d.parkedFor(ctx, s, id); err != nil {
				return err
			}
		}
		if gone != nil && parked == nil {
			t := s.of(id)
			if t == nil || len(d.folders.markedIn(*t)) == 0 {
				return gone
			}
			out, conflict = *t, &store.ConflictError{Plan: id, Files: d.folders.markedIn(*t)}
			d.makeCurrent(s, t.ID)
			return nil
		}
		t, err := d.place(s, id, opts)
		if err != nil {
			return err
		}
		if parked != nil {
			files, err := d.fillParked(ctx, t, now, *parked, id)
			if len(files) > 0 {
				conflict = &store.ConflictError{Plan: id, Files: files}
			}
			out = *t
			if gone == nil {
				s.Plan = id
				d.makeCurrent(s, out.ID)
			}
			return err
		}
		f := &filler{drafts: d, now: now, stored: stored, force: opts.Force}
		if err := f.fill(ctx, s, t); err != nil {
			return err
		}
		s.Plan, out, conflict = id, *t, f.conflict
		d.makeCurrent(s, out.ID)
		return nil
	})
	return out, errors.Join(err, conflict)
}

// filler fills a draft from a stored plan.
type filler struct {
	drafts *Drafts
	now    *store.Snapshot
	stored *store.Mended
	// force throws away edits; quiet leaves a draft alone that conflicts.
	force, quiet bool
	conflict     error
	change       string // what the folder decides once it is filled
}

// fill brings the stored plan into a draft's folder. Edits stay where they do not meet
// a change in the store.
func (f *filler) fill(ctx context.Context, s *State, t *Draft) error {
	d := f.drafts
	if !isDir(t.Dir) || t.Plan == "" && isEmpty(t.Dir) {
		if err := d.folders.fillNew(t.Dir, files(f.stored)); err != nil {
			return err
		}
		return f.done(t, nil)
	}
	resumed, err := d.resume(ctx, *t)
	if err != nil {
		return err
	}
	f.change = resumed.Change
	p := &part{draft: resumed, id: f.stored.ID, parent: f.now.Commit}
	if p.plan, p.found, err = d.folders.read(resumed); err != nil {
		return err
	}
	p.onDisk = p.plan.Files()
	if resumed.Change != t.Change {
		if err := d.unpark(ctx, s, map[string][]string{t.Change: {t.Plan}}); err != nil {
			return err
		}
	}
	if f.force || d.folders.isBlank(resumed, p.plan, p.found) {
		f.change = ""
		return f.write(s, t, p.onDisk, files(f.stored))
	}
	if len(p.plan.Conflicts()) > 0 {
		return f.stop(p, "has conflict markers that are not resolved", markedFiles(p.plan.Prefix, p.onDisk))
	}
	if resumed.Plan == "" {
		return &store.ExistsError{Message: fmt.Sprintf("%s holds another draft: commit it, or choose another folder", t.Dir)}
	}
	base, err := d.bases.forMerge(ctx, resumed, f.now)
	if err != nil {
		return err
	}
	c := &committer{drafts: d}
	_, err = c.merge(ctx, f.now, p, base)
	var another *store.ConflictError
	if f.quiet && errors.As(err, &another) {
		return nil
	}
	if err != nil {
		return err
	}
	switch {
	case p.marked != nil && f.quiet:
		return nil
	case p.marked != nil:
		if err := f.write(s, t, p.onDisk, p.marked); err != nil {
			return err
		}
		f.conflict = &store.ConflictError{Plan: p.id, Details: p.why, Files: markedFiles(p.plan.Prefix, p.marked)}
		return nil
	case p.merged == nil: // the plan is finished, and nothing was edited
		f.change = ""
		return f.write(s, t, p.onDisk, files(f.stored))
	}
	d.tell(p.id, p.notes)
	want := p.merged.Files()
	for name, data := range f.stored.Beside {
		want[name] = data
	}
	return f.write(s, t, p.onDisk, want)
}

func (f *filler) stop(p *part, why string, files []string) error {
	if !f.quiet {
		f.conflict = &store.ConflictError{Plan: p.id, Details: []string{p.id + " " + why}, Files: files}
	}
	return nil
}

// write changes the folder from the files that were read of it to others.
func (f *filler) write(s *State, t *Draft, from, to map[string][]byte) error {
	if err := f.drafts.state.begin(s, t, f.now.Commit); err != nil {
		return err
	}
	left, err := f.drafts.folders.write(t.Dir, from, to)
	if err != nil {
		return err
	}
	return f.done(t, left)
}

// done notes what the folder was filled from; one in which files changed meanwhile was
// not filled.
func (f *filler) done(t *Draft, left []string) error {
	if len(left) > 0 {
		return nil
	}
	t.Plan, t.Base, t.Next, t.Change = f.stored.ID, f.now.Commit, "", f.change
	for _, name := range f.stored.Left {
		f.drafts.tell(f.stored.ID, []string{name + " is no file of a plan and is not in the folder: `git plan commit` removes it from the store"})
	}
	for _, name := range names(f.stored.Beside) {
		f.drafts.tell(f.stored.ID, []string{name + " came past the gate and cannot be committed as it is: see `git plan check`"})
	}
	return nil
}

func (d *Drafts) tell(id string, notes []string) {
	for _, n := range notes {
		if d.Note != nil {
			d.Note(id, n)
		}
	}
}

// place gives the draft of a plan: the one there is, else the current one if it is
// free, else a new one.
func (d *Drafts) place(s *State, id string, opts EditOptions) (*Draft, error) {
	if t := s.of(id); t != nil {
		if opts.Dir != "" && !t.isIn(opts.Dir) {
			return nil, &store.ExistsError{Message: fmt.Sprintf("plan %s has a draft already, in %s: edit it there", id, t.Dir)}
		}
		return t, nil
	}
	if opts.Dir != "" {
		return d.placeAt(s, opts.Dir)
	}
	if t := s.draft(s.Current); t != nil && t.Plan == "" && isDir(t.Dir) {
		p, found, err := d.folders.read(*t)
		if err != nil {
			return nil, err
		}
		if d.folders.isBlank(*t, p, found) {
			return t, nil
		}
	}
	return d.allocate(s, id)
}

// placeAt makes a draft of a folder that the user chose, which must be empty
// and of no other use.
func (d *Drafts) placeAt(s *State, dir string) (*Draft, error) {
	refuse := func(format string, args ...any) (*Draft, error) {
		return nil, &store.ExistsError{Message: fmt.Sprintf(format, args...) + ": choose another folder"}
	}
	if isDir(dir) && !isEmpty(dir) {
		return refuse("%s is not empty", dir)
	}
	if paths.IsIn(d.repo.GitDir, dir) || paths.IsIn(d.repo.CommonDir, dir) || dir == d.repo.WorkTree {
		return refuse("%s belongs to git", dir)
	}
	real := paths.Real(dir)
	for i := range s.Drafts {
		t := &s.Drafts[i]
		there := paths.Real(t.Dir)
		if there == real && t.Plan == "" {
			return t, nil
		}
		if paths.IsIn(there, real) || paths.IsIn(real, there) {
			return refuse("%s and the folder of draft %s are one inside the other", dir, t.ID)
		}
	}
	s.Last++
	s.Drafts = append(s.Drafts, Draft{ID: numbered + strconv.Itoa(s.Last), Dir: dir})
	return &s.Drafts[len(s.Drafts)-1], nil
}

// Refresh brings the folders of drafts of plans up to date with a commit of the store,
// where no edit meets a change, and lets go of plans that are finished; without plans,
// those of all drafts. It is called after the store was changed otherwise.
func (d *Drafts) Refresh(ctx context.Context, commit string, plans ...string) error {
	s, err := d.State()
	wanted := func(t Draft) bool { return t.Plan != "" && (len(plans) == 0 || slices.Contains(plans, t.Plan)) }
	if err != nil || !slices.ContainsFunc(s.Drafts, wanted) {
		return err
	}
	now, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	return d.state.change(ctx, func(s *State) error {
		for _, t := range slices.Clone(s.Drafts) {
			if !wanted(t) || t.isNew() || !isDir(t.Dir) {
				continue
			}
			if err := d.follow(ctx, s, s.draft(t.ID), now); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Drafts) follow(ctx context.Context, s *State, t *Draft, now *store.Snapshot) error {
	stored, err := find(ctx, now, t.Plan)
	if err != nil {
		return err
	}
	if stored != nil && !stored.Plan.Status().Finished() {
		if p, found, err := d.folders.read(*t); err != nil || d.folders.isBlank(*t, p, found) {
			return err
		}
		return (&filler{drafts: d, now: now, stored: stored, quiet: true}).fill(ctx, s, t)
	}
	base, err := d.bases.of(ctx, *t)
	var missing *gitstore.MissingObjectError
	if errors.As(err, &missing) {
		return nil
	}
	if err != nil {
		return err
	}
	p, _, err := d.folders.read(*t)
	if err != nil || !sameFiles(p.Files(), filesOf(base)) {
		return err
	}
	return d.release(s, *t, p.Files(), now.Commit)
}

// release lets go of the plan of a draft in which nothing was edited: the folder is
// free for another plan. One that has the plan's name goes, and one that is not the
// current draft's. The plan is finished at the commit.
func (d *Drafts) release(s *State, t Draft, onDisk map[string][]byte, commit string) error {
	if now := s.draft(t.ID); now != nil && len(onDisk) > 0 {
		now.Next = commit
		if err := d.state.save(*s); err != nil {
			return err
		}
	}
	left, err := d.folders.write(t.Dir, onDisk, nil)
	if err != nil || len(left) > 0 {
		return err
	}
	if isEmpty(t.Dir) && (t.ID != s.Current || d.folders.namesPlan(t)) {
		return d.remove(s, t)
	}
	if now := s.draft(t.ID); now != nil {
		*now = t.letGo()
	}
	return nil
}

// UpToDate gives the files of a folder with what changed up to a commit since the
// draft in it was filled, if it is a draft of the plan. Where the same was changed in
// both places, or the plan was replanned meanwhile, it is a *store.ConflictError.
func (d *Drafts) UpToDate(ctx context.Context, dir string, now *store.Stored, commit string, files []plan.File) ([]plan.File, error) {
	t, err := d.In(dir)
	if err != nil || t == nil || t.Plan != now.ID {
		return files, err
	}
	snapshot, err := d.repo.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	base, err := d.bases.forMerge(ctx, *t, snapshot)
	if err != nil {
		return nil, err
	}
	if base != nil {
		if err := store.SameVersion(base.Plan, now.Plan, fmt.Sprintf("run `git plan edit %s`, look at what it is now, and replan that", now.ID)); err != nil {
			return nil, err
		}
	}
	p, _ := d.repo.ReadPlan(now.ID, "", files)
	merged, err := mergeDraft(base, p, now.Plan)
	switch {
	case err != nil:
		return nil, err
	case !merged.Clean():
		return nil, &store.ConflictError{Plan: now.ID, Details: details(merged.Conflicts),
			Hint: fmt.Sprintf("run `git plan edit %s`, resolve the markers, and replan again", now.ID)}
	}
	own := p.Files()
	out := slices.DeleteFunc(slices.Clone(files), func(f plan.File) bool { return own[f.Path] != nil })
	return append(out, merged.Plan.FileList()...), nil
}

// Adopt lets the draft whose folder a stored revision was made from edit that
// revision; files are those it was made from.
func (d *Drafts) Adopt(ctx context.Context, dir, id, commit string, files []plan.File) error {
	at, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	stored, err := find(ctx, at, id)
	if err != nil || stored == nil {
		return err
	}
	return d.state.change(ctx, func(s *State) error {
		t := s.in(dir)
		if t == nil || t.Plan != id {
			return nil
		}
		from, _ := d.repo.ReadPlan(id, "", files)
		return (&filler{drafts: d, now: at, stored: stored}).write(s, t, from.Files(), stored.Plan.Files())
	})
}

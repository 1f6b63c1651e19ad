package draft

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// CheckoutOptions say where a stored plan goes.
type CheckoutOptions struct {
	// Dir is the absolute path of a folder, or empty for a thread's own.
	Dir string
	// Force throws away edits of a thread that holds the plan already.
	Force bool
}

// Checkout brings a stored plan into a thread and makes thread and plan the
// current ones. A thread that holds the plan already is brought up to date;
// otherwise the current thread is used if it is empty, else a new one.
func (d *Drafts) Checkout(ctx context.Context, id string, opts CheckoutOptions) (Thread, error) {
	if err := d.ready(ctx); err != nil {
		return Thread{}, err
	}
	snapshot, err := d.repo.Snapshot(ctx)
	if err != nil {
		return Thread{}, err
	}
	stored, err := snapshot.Mended(ctx, id)
	if err != nil {
		return Thread{}, err
	}
	if stored.Archived() {
		return Thread{}, &store.UnsupportedError{Message: fmt.Sprintf("plan %s is archived: restore it first", id)}
	}
	var out Thread
	err = d.change(ctx, func(s *State) error {
		if _, err := d.followAlone(ctx, s, snapshot); err != nil {
			return err
		}
		t, err := d.place(s, id, opts)
		if err != nil {
			return err
		}
		if opts.Force {
			t.Filling = nil
		}
		if err := d.whole(t); err != nil {
			return err
		}
		p, found, err := d.read(*t, id)
		if err != nil {
			return err
		}
		anew := opts.Force || t.Merging == "" && d.isBlank(*t, p, found)
		if err := d.bring(ctx, s, t, snapshot.Commit, p.Files(), stored, anew); err != nil {
			return err
		}
		s.Current, s.Plan = t.ID, id
		out = *t
		return nil
	})
	return out, err
}

// bring writes the stored plan into the thread's folder. Edits since the
// thread began stay, where they do not meet a change in the store; anew says that
// there are none, or that they are to go.
func (d *Drafts) bring(ctx context.Context, s *State, t *Thread, commit string, disk map[string][]byte, stored *store.Mended, anew bool) error {
	want := stored.Plan.Files()
	var began *store.Mended
	if t.Cleared && len(disk) > 0 && !anew {
		return &store.ConflictError{Plan: stored.ID, Fault: "was cleared from its thread's folder, which holds another draft", Details: names(disk),
			Hint: "move that to the folder that `git plan request-thread-dir` makes and check out again, or use --force to throw it away; to commit it here removes the plan"}
	}
	if t.Merging != "" && !anew {
		return &store.ConflictError{Plan: stored.ID, Details: []string{"its merge is not committed"},
			Hint: "edit the folder and `git plan commit`, or use --force to give the merge up"}
	}
	if t.Plan != "" && !anew && !t.Cleared {
		var err error
		if began, err = d.began(ctx, *t); err != nil {
			return err
		}
		if look(filesOf(began), "plan.md").there && !look(disk, "plan.md").there {
			return notWholeError(stored.ID)
		}
		if another(planOrNone(began), stored.Plan) {
			return anotherError(stored.ID)
		}
		merged, err := d.mergeSince(ctx, *t, commit, filesOf(began), stored.Plan, disk)
		if err != nil {
			return err
		}
		if !merged.Clean() {
			return &store.ConflictError{Plan: stored.ID, Details: details(merged.Conflicts),
				Hint: "keep a copy of your edits and use --force to take the stored state"}
		}
		want = merged.Plan.Files()
		d.tell(stored.ID, merged.Notes)
	}
	beside, without := news(began, stored)
	maps.Copy(want, beside)
	d.tell(stored.ID, besides(beside, without))
	return d.fill(s, t, disk, want, Thread{Plan: stored.ID, Base: commit})
}

// notWholeError refuses to bring a plan together with what is no plan: a process that
// was killed while it emptied the folder may have left it so.
func notWholeError(id string) error {
	return &store.ConflictError{Plan: id, Fault: "is not whole in its thread's folder", Details: []string{"plan.md is not there"}, Hint: fmt.Sprintf(
		"put it back to keep your edits of the other files, or take all as it is stored with `git plan checkout --force %s`", id)}
}

func (d *Drafts) tell(id string, notes []string) {
	for _, n := range notes {
		if d.Note != nil {
			d.Note(id, n)
		}
	}
}

// ThreadIn gives the thread whose folder dir is, nil where it is no thread's.
func (d *Drafts) ThreadIn(dir string) (*Thread, error) {
	s, err := d.State()
	if err != nil {
		return nil, err
	}
	return s.in(dir), nil
}

// Holds reports whether the thread in a folder holds a stored plan.
func (d *Drafts) Holds(dir, id string) (bool, error) {
	t, err := d.ThreadIn(dir)
	return t != nil && t.Plan == id, err
}

// in gives the thread in a folder, or nil.
func (s *State) in(dir string) *Thread {
	i := slices.IndexFunc(s.Threads, func(t Thread) bool { return t.isIn(dir) })
	if i < 0 {
		return nil
	}
	return &s.Threads[i]
}

// UpToDate gives the files of a folder with what changed up to a commit since
// the thread in that folder began, if a thread that holds the plan is in it.
// Where the same was changed in both places, or the plan was replanned
// meanwhile, it is a *store.ConflictError.
func (d *Drafts) UpToDate(ctx context.Context, dir string, now *store.Stored, commit string, files []plan.File) ([]plan.File, error) {
	thread, err := d.ThreadIn(dir)
	if err != nil || thread == nil || thread.Plan != now.ID {
		return files, err
	}
	if err := d.whole(thread); err != nil {
		return nil, err
	}
	began, err := d.basePlan(ctx, *thread)
	if err != nil {
		return nil, err
	}
	snapshot, err := d.repo.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	mended, err := snapshot.Mend(ctx, now)
	if err != nil {
		return nil, err
	}
	var base map[string][]byte
	if began != nil {
		base = began.Files()
		if another(began, now.Plan) {
			return nil, anotherError(now.ID)
		}
		if err := store.SameVersion(began, now.Plan, fmt.Sprintf("run %s, look at what it is now, and replan that", bringIn(now.ID, ""))); err != nil {
			return nil, err
		}
	}
	ours, _ := d.repo.ReadPlan(now.ID, "", files)
	disk := ours.Files()
	merged, err := d.mergeSince(ctx, *thread, commit, base, mended.Plan, disk)
	if err != nil {
		return nil, err
	}
	if !merged.Clean() {
		return nil, &store.ConflictError{Plan: now.ID, Details: details(merged.Conflicts),
			Hint: fmt.Sprintf("keep a copy of your edits, run %s, bring them in again and replan", bringIn(now.ID, "--force "))}
	}
	return withPlan(files, disk, merged.Plan.Files()), nil
}

// bringIn names the commands that bring a plan as it is now into its thread.
func bringIn(id, flag string) string {
	return fmt.Sprintf("`git plan sync`, if that came from another clone, then `git plan checkout %s%s`", flag, id)
}

// withPlan gives the files of a folder with those of its plan as they are to
// be; disk are the plan's among them.
func withPlan(files []plan.File, disk, whole map[string][]byte) []plan.File {
	out := slices.DeleteFunc(slices.Clone(files), func(f plan.File) bool {
		_, own := disk[f.Path]
		return own
	})
	for _, name := range names(whole) {
		out = append(out, plan.File{Path: name, Data: whole[name]})
	}
	return out
}

// Adopt lets a thread whose folder a stored revision was made from hold that
// revision; files are those it was made from.
func (d *Drafts) Adopt(ctx context.Context, dir, id, commit string, files []plan.File) error {
	at, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	stored, err := at.Load(ctx, id)
	if err != nil {
		return err
	}
	return d.change(ctx, func(s *State) error {
		t := s.in(dir)
		if t == nil || t.Plan != id {
			return nil
		}
		from, _ := d.repo.ReadPlan(id, "", files)
		return d.fill(s, t, from.Files(), stored.Plan.Files(), Thread{Plan: id, Base: commit})
	})
}

// holds reports whether the plan is in the thread's folder, or was on its way there.
func (t Thread) holds(id string) bool {
	return t.Plan == id || t.Filling != nil && t.Filling.Then.Plan == id
}

// holder gives the thread that holds a plan, or nil.
func (s *State) holder(id string) *Thread {
	i := slices.IndexFunc(s.Threads, func(t Thread) bool { return t.holds(id) })
	if i < 0 {
		return nil
	}
	return &s.Threads[i]
}

// place chooses the thread for a plan.
func (d *Drafts) place(s *State, id string, opts CheckoutOptions) (*Thread, error) {
	if t := s.holder(id); t != nil {
		if opts.Dir != "" && !t.isIn(opts.Dir) {
			return nil, &store.ExistsError{Message: fmt.Sprintf("plan %s is in thread %s already, in %s: edit it there", id, t.ID, t.Dir)}
		}
		return t, nil
	}
	if opts.Dir != "" {
		return d.placeAt(s, opts.Dir)
	}
	if t := s.thread(s.Current); t != nil && !t.Cleared && t.Merging == "" && t.Filling == nil {
		p, found, err := d.read(*t, t.planOrID())
		if err != nil {
			return nil, err
		}
		if d.isBlank(*t, p, found) {
			t.become(Thread{}, nil) // whatever plan it held
			return t, nil
		}
	}
	return d.allocate(s)
}

// placeAt makes a thread of a folder that the user chose, which must be empty
// and of no other use.
func (d *Drafts) placeAt(s *State, dir string) (*Thread, error) {
	refuse := func(format string, args ...any) (*Thread, error) {
		return nil, &store.ExistsError{Message: fmt.Sprintf(format, args...) + ": choose another folder"}
	}
	if isDir(dir) && !isEmpty(dir) {
		return refuse("%s is not empty", dir)
	}
	if isInside(d.repo.GitDir, dir) || isInside(d.repo.CommonDir, dir) || dir == d.repo.WorkTree {
		return refuse("%s belongs to git", dir)
	}
	for i := range s.Threads {
		t := &s.Threads[i]
		if real(t.Dir) == real(dir) && t.Plan == "" {
			return t, nil
		}
		if isInside(real(t.Dir), real(dir)) || isInside(real(dir), real(t.Dir)) {
			return refuse("%s and the folder of thread %s are one inside the other", dir, t.ID)
		}
	}
	for n := 1; ; n++ {
		id := fmt.Sprintf("thread-%d", n)
		if s.thread(id) == nil && !isDir(filepath.Join(d.root, id)) {
			s.Threads = append(s.Threads, Thread{ID: id, Dir: dir})
			return &s.Threads[len(s.Threads)-1], nil
		}
	}
}

// real is a path without links, as far as it exists.
func real(p string) string {
	if r, err := filepath.EvalSymlinks(p); err == nil {
		return r
	}
	if up := filepath.Dir(p); up != p {
		return filepath.Join(real(up), filepath.Base(p))
	}
	return p
}

// Refresh brings the folders of threads that hold the plans up to date with a
// commit of the store, where no edit meets a change. It is called after the
// store was changed otherwise, and does nothing for threads that cannot
// follow.
func (d *Drafts) Refresh(ctx context.Context, commit string, plans ...string) error {
	s, err := d.State()
	if err != nil || !slices.ContainsFunc(s.Threads, func(t Thread) bool { return slices.Contains(plans, t.Plan) }) {
		return err
	}
	snapshot, err := d.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	return d.change(ctx, func(s *State) error {
		for i := range s.Threads {
			t := &s.Threads[i]
			if t.Plan == "" || t.Cleared || !slices.Contains(plans, t.Plan) || !isDir(t.Dir) {
				continue
			}
			if err := d.follow(ctx, s, t, snapshot); err != nil {
				return err
			}
		}
		return nil
	})
}

func (d *Drafts) follow(ctx context.Context, s *State, t *Thread, snapshot *store.Snapshot) error {
	if t.Merging != "" || t.Filling != nil {
		return nil
	}
	stored, err := loadPlan(ctx, snapshot, t.Plan)
	if err != nil || stored == nil {
		return err
	}
	disk, err := d.planBytes(*t)
	if err != nil {
		return err
	}
	err = d.bring(ctx, s, t, snapshot.Commit, disk, stored, false)
	var conflict *store.ConflictError
	if errors.As(err, &conflict) {
		return nil
	}
	return err
}

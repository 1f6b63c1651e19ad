package draft

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/internal/store"
	"github.com/git-plan/git-plan/plan"
)

// conflict is the answer to edits that do not fit what changed in the store.
func (c *committer) conflict(p *part, conflicts []merge.Conflict) error {
	return &store.ConflictError{Plan: p.id, Details: details(conflicts),
		Hint: fmt.Sprintf("keep a copy of your edits, run `git plan checkout --force %s`, bring them in again and commit", p.id)}
}

// details tells conflicts in words; ours is the thread's side.
func details(conflicts []merge.Conflict) []string {
	var out []string
	for _, c := range conflicts {
		out = append(out, c.String())
	}
	return out
}

// gone is the answer to edits of a plan that is no longer where the thread
// took it from.
func (c *committer) gone(p *part, why string) error {
	leave := "run `git plan clear-current` and `git plan commit`"
	if p.thread.ID != c.state.Current {
		leave = "run `git plan remove-thread --thread-id " + p.thread.ID + "`"
	}
	return &store.ConflictError{Plan: p.id, Details: []string{why},
		Hint: "keep a copy of your edits, " + leave + ", then bring them in as a new plan"}
}

// removal removes the plan that a thread held when its folder was cleared. What is
// archived by now, or gone, is no business of the thread's any more; and what
// others changed since is not theirs to lose: then the error is a
// *store.ConflictError. The flag is what checkout needs to bring the plan back.
func (c *committer) removal(ctx context.Context, s *store.Snapshot, t Thread, flag string) (*store.Write, error) {
	stored, err := loadPlan(ctx, s, t.Plan)
	if err != nil || stored == nil {
		return nil, err
	}
	base, err := c.drafts.baseFiles(ctx, t)
	if err != nil {
		return nil, err
	}
	now := stored.Plan.Files()
	own := func(files map[string][]byte) bool { return sameFiles(files, now) }
	if base == nil || !own(base) && !slices.ContainsFunc(c.drafts.proposedFiles(ctx, t), own) {
		return nil, &store.ConflictError{Plan: t.Plan, Details: []string{"it was to be removed as it was then"}, Hint: fmt.Sprintf(
			"look at what it is now, with `git plan checkout %s%s`; if that is to go, run `git plan clear-current` and commit again", flag, t.Plan)}
	}
	return &store.Write{ID: t.Plan}, nil
}

// mergeSince brings a thread's files together with the plan as it is in the
// store at a commit: ours are the thread's, theirs the store's.
func (d *Drafts) mergeSince(ctx context.Context, t Thread, commit string, base map[string][]byte, theirs *plan.Plan, ours map[string][]byte) (merge.Result, error) {
	base, err := d.arrived(ctx, t, commit, base, theirs.Files(), ours)
	if err != nil {
		return merge.Result{}, err
	}
	return merge.Plans(d.planOf(theirs.ID, base), d.planOf(theirs.ID, ours), theirs, merge.Options{Published: merge.Theirs}), nil
}

// arrived gives what the thread began from, file by file. A file that holds what
// the store holds, or held at some time since, is no edit: it came with a
// change, and the command was cut off before the thread noted that. One that the
// store has as it was proposed from the thread is where later edits began.
func (d *Drafts) arrived(ctx context.Context, t Thread, commit string, base, theirs, ours map[string][]byte) (map[string][]byte, error) {
	base = maps.Clone(base)
	if base == nil {
		base = map[string][]byte{}
	}
	take := func(name string, from map[string][]byte) {
		if delete(base, name); look(from, name).there {
			base[name] = from[name]
		}
	}
	var met []string
	for _, name := range union(base, theirs, ours) {
		b, s, o := look(base, name), look(theirs, name), look(ours, name)
		switch {
		case o == s:
			take(name, ours)
		case o != b && s != b:
			met = append(met, name)
		}
	}
	if len(met) == 0 {
		return base, nil
	}
	passed, err := d.passed(ctx, t, commit)
	proposed := d.proposedFiles(ctx, t)
	for _, name := range met {
		held := func(files map[string][]byte) bool {
			return slices.ContainsFunc(passed, func(had map[string][]byte) bool { return look(had, name) == look(files, name) })
		}
		if held(ours) {
			take(name, ours)
		} else if i := slices.IndexFunc(proposed, held); i >= 0 {
			take(name, proposed[i])
		}
	}
	return base, err
}

// union gives the names in any of the sets, sorted.
func union(sets ...map[string][]byte) []string {
	all := map[string][]byte{}
	for _, set := range sets {
		maps.Copy(all, set)
	}
	return names(all)
}

// planOf reads files as a plan.
func (d *Drafts) planOf(id string, files map[string][]byte) *plan.Plan {
	list := make([]plan.File, 0, len(files))
	for _, name := range names(files) {
		list = append(list, plan.File{Path: name, Data: files[name]})
	}
	p, _ := d.repo.ReadPlan(id, "", list)
	return p
}

// maxPassed bounds how many revisions of a plan are looked through.
const maxPassed = 100

// passed gives the files of each revision that the thread's plan had after the
// one the thread began from.
func (d *Drafts) passed(ctx context.Context, t Thread, commit string) (files []map[string][]byte, err error) {
	began, err := d.revisions(ctx, t.Base, cmp.Or(t.Was, t.Plan), 1)
	if err != nil || len(began) == 0 {
		return nil, err
	}
	since, err := d.revisions(ctx, commit, t.Plan, maxPassed)
	for _, r := range since {
		if r.Commit.Name == began[0].Commit.Name {
			return files, nil
		}
		if after := r.Changes[0].After; after != nil {
			files = append(files, after.Files())
		}
	}
	return nil, err
}

// revisions gives the newest revisions of a plan at a commit.
func (d *Drafts) revisions(ctx context.Context, commit, id string, limit int) ([]store.Revision, error) {
	s, err := d.repo.At(ctx, commit)
	if err != nil {
		return nil, err
	}
	return s.History(ctx, id, limit)
}

// content is a file's text, or that it is not there.
type content struct {
	text  string
	there bool
}

func look(files map[string][]byte, name string) content {
	data, ok := files[name]
	return content{string(data), ok}
}

func sameFiles(a, b map[string][]byte) bool {
	return maps.EqualFunc(a, b, func(x, y []byte) bool { return string(x) == string(y) })
}

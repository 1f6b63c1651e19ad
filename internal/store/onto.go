package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// ownID is the id under which the store's own files, which belong to no plan,
// are named among the plans of a change.
const ownID = ""

// ontoOptions say how a change is made on another state.
type ontoOptions struct {
	// By made the change, for what is noted of a report that lost.
	By Revision
	// Prefer decides the conflicts of single plans.
	Prefer map[string]merge.Side
	// Renamed are the ids that plans were given meanwhile, by the old ones.
	Renamed map[string]string
	// Tasks are the ids that tasks were given meanwhile, by plan and old id.
	Tasks map[string]map[string]string
	// Skip leaves plans out, by the ids that they have in the change; [ownID] stands
	// for the store's own files.
	Skip func(id string) bool
}

// onto is a change between two states, made on a third one.
type onto struct {
	// Files are what changes there.
	Files []gitstore.FileChange
	// Plans are what became of the plans that were merged field by field, sorted by
	// id. A plan that is the same in the first and the third state is not among
	// them: its folder is taken as it is.
	Plans []ontoPlan
	// Taken are the plans whose folders are taken as they are, by id.
	Taken []string
	// Renamed are the ids that plans get, by the old ones.
	Renamed   map[string]string
	Conflicts []merge.Conflict
	Notes     []string
}

// ontoPlan is a plan that was merged.
type ontoPlan struct {
	merge.PlanResult
	// Old is the id that the plan has in the change.
	Old string
	// Did is what the change did to the plan, Does what it does now; the latter has
	// no event where nothing is left of it.
	Did, Does Outcome
}

// makeOnto makes what changed between two states of the store on a third one,
// plan by plan and field by field.
func (r *Repo) makeOnto(ctx context.Context, from, to, tip *Snapshot, opts ontoOptions) (*onto, error) {
	b := &ontoBuilder{repo: r, from: from, to: to, tip: tip, opts: opts, out: &onto{Renamed: map[string]string{}}}
	changed, err := changes{r}.expand(ctx, differencesOf(from.root, to.root))
	if err != nil {
		return nil, err
	}
	p := passageOf(changed)
	for _, id := range changedIDs(p.before, p.after) {
		if b.skips(id) {
			continue
		}
		if err := b.plan(ctx, id, p.before[id], p.after[id]); err != nil {
			return nil, err
		}
	}
	if !b.skips(ownID) {
		if err := b.ownFiles(ctx); err != nil {
			return nil, err
		}
		if err := b.others(ctx, changed, p); err != nil {
			return nil, err
		}
	}
	return b.out, nil
}

// differencesOf gives the entries in which two folders differ, by name.
func differencesOf(from, to []gitstore.Entry) []gitstore.Difference {
	old := map[string]gitstore.Entry{}
	for _, e := range from {
		old[e.Name] = e
	}
	var out []gitstore.Difference
	for _, e := range to {
		if was := old[e.Name]; was != e {
			out = append(out, gitstore.Difference{Path: e.Name, Old: was, New: e})
		}
		delete(old, e.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(old)) {
		out = append(out, gitstore.Difference{Path: name, Old: old[name]})
	}
	return out
}

// ontoBuilder is the work of [Repo.makeOnto].
type ontoBuilder struct {
	repo          *Repo
	from, to, tip *Snapshot
	opts          ontoOptions
	out           *onto
}

func (b *ontoBuilder) skips(id string) bool { return b.opts.Skip != nil && b.opts.Skip(id) }

// plan makes the change of one plan.
func (b *ontoBuilder) plan(ctx context.Context, id string, was, is Location) error {
	now := id
	if to := b.opts.Renamed[id]; to != "" {
		now = to
	}
	there, found, err := b.tip.Locate(ctx, now)
	if err != nil {
		return err
	}
	if !found {
		there = Location{}
	}
	switch {
	case now == id && there == is:
		return nil
	case now == id && there == was:
		b.take(id, was, is)
		return nil
	case was.Path == "":
		other, double, err := b.from.Locate(ctx, id)
		if err != nil {
			return err
		}
		if double {
			b.out.Conflicts = append(b.out.Conflicts, merge.Conflict{Plan: id, Field: "path", Ours: is.Path, Theirs: other.Path, Message: "two plans have one id: rename one of the folders"})
			return nil
		}
	}
	return b.merge(ctx, id, now, was, is, there)
}

// take puts a plan's folder where the change has it.
func (b *ontoBuilder) take(id string, was, is Location) {
	if was.Path != "" && was.Path != is.Path {
		b.out.Files = append(b.out.Files, gitstore.FileChange{Path: was.Path, Delete: true})
	}
	if is.Path != "" {
		b.out.Files = append(b.out.Files, gitstore.FileChange{Path: is.Path, Object: is.Tree, Mode: gitstore.ModeFolder})
	}
	b.out.Taken = append(b.out.Taken, id)
}

// merge merges a plan field by field.
func (b *ontoBuilder) merge(ctx context.Context, id, now string, was, is, there Location) error {
	var states [3]merge.Entry
	var plans [3]*plan.Plan
	var stored *Stored
	for i, l := range []Location{was, is, there} {
		if l.Path == "" {
			continue
		}
		s, err := b.tip.toMerge(ctx, l)
		if err != nil {
			return err
		}
		if i == 2 {
			stored = s
		}
		p := s.Plan
		if i < 2 {
			if p, err = merge.RenameTasks(p, b.opts.Tasks[id]); err != nil {
				return err
			}
		}
		same := *p
		same.ID = now
		plans[i] = &same
		states[i] = merge.Entry{Path: path.Join(path.Dir(l.Path), now), Plan: &same}
	}
	opts := merge.Options{Prefer: b.prefer(id, now)}
	if b.opts.By.Commit != nil {
		opts.Agent, opts.At = b.opts.By.Agent(), b.opts.By.At()
	}
	merged := merge.Stored(merge.Versions{ID: now, Base: states[0], Ours: states[1], Theirs: states[2]}, opts, b.taken(ctx))
	b.result(merged, id, now, plans, stored)
	if merged.ID != now {
		b.out.Renamed[now], b.out.Renamed[id] = merged.ID, merged.ID
	}
	b.out.Notes = append(b.out.Notes, merged.Notes...)
	b.out.Conflicts = append(b.out.Conflicts, merged.Conflicts...)
	return nil
}

// result keeps what became of a plan. Where its id was taken there are two: the
// one that is there stays as it is.
func (b *ontoBuilder) result(p merge.PlanResult, id, now string, plans [3]*plan.Plan, stored *Stored) {
	was, is, before := plans[0], plans[1], stored
	if p.ID != now {
		was, before = nil, nil
	}
	o := ontoPlan{PlanResult: p, Old: id, Did: outcomeOf(id, was, is)}
	if len(p.Conflicts) > 0 {
		b.out.Plans = append(b.out.Plans, o)
		return
	}
	files := filesOf(before, p)
	var old *plan.Plan
	if before != nil {
		old = before.Plan
	}
	if len(files) > 0 {
		o.Does = outcomeOf(p.ID, old, p.Plan)
	}
	b.out.Files, b.out.Plans = append(b.out.Files, files...), append(b.out.Plans, o)
}

// outcomeOf tells what happened to a plan between two states.
func outcomeOf(id string, before, after *plan.Plan) Outcome {
	o := Outcome{ID: id, Before: before, After: after}
	if after == nil {
		o.Removed, o.Event, o.Occurrences = true, plan.Removed, []plan.Occurrence{{Event: plan.Removed}}
		return o
	}
	o.Version, o.Tasks = after.Version(), len(after.All())
	o.tell()
	return o
}

// filesOf gives what must change in the store for a merged plan.
func filesOf(before *Stored, p merge.PlanResult) []gitstore.FileChange {
	switch {
	case p.Plan == nil && before == nil:
		return nil
	case p.Plan == nil:
		return []gitstore.FileChange{{Path: before.Path, Delete: true}}
	case before == nil:
		return fileChanges(nil, p.Path, p.Plan, false)
	case before.Path != p.Path:
		return append([]gitstore.FileChange{{Path: before.Path, Delete: true}}, fileChanges(nil, p.Path, p.Plan, false)...)
	}
	return fileChanges(before, p.Path, p.Plan, false)
}

// prefer gives the side that decides the conflicts of a plan.
func (b *ontoBuilder) prefer(ids ...string) merge.Side {
	for _, id := range ids {
		if side, ok := b.opts.Prefer[id]; ok {
			return side
		}
	}
	return merge.Neither
}

// taken reports which ids are in use.
func (b *ontoBuilder) taken(ctx context.Context) func(string) bool {
	return func(id string) bool {
		for _, s := range []*Snapshot{b.from, b.to, b.tip} {
			if _, ok, err := s.Locate(ctx, id); ok || err != nil {
				return true
			}
		}
		return id == Archive
	}
}

// toMerge reads a plan as one side of a merge. A file that is wrong in nothing but
// that it is executable is one of the plan: to leave it out would be to remove it.
func (s *Snapshot) toMerge(ctx context.Context, l Location) (*Stored, error) {
	stored, err := s.LoadAt(ctx, l)
	if err != nil || !slices.ContainsFunc(stored.Found, func(d diag.Diagnostic) bool { return d.Rule == plan.RuleFileMode }) {
		return stored, err
	}
	files, err := s.Files(ctx, l)
	if err != nil {
		return nil, err
	}
	asRegular(files)
	stored.Plan, _ = s.repo.ReadPlan(l.ID, l.Path, files)
	return stored, nil
}

// ownFiles makes the change of the store's own files.
func (b *ontoBuilder) ownFiles(ctx context.Context) error {
	var all [3]map[string]gitstore.Entry
	for i, s := range []*Snapshot{b.from, b.to, b.tip} {
		var err error
		if all[i], err = s.ownFiles(ctx); err != nil {
			return err
		}
	}
	names := map[string]bool{}
	for _, of := range all[:2] {
		for name, e := range of {
			if all[0][name] != e || all[1][name] != e {
				names[name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		was, is, there := all[0][name], all[1][name], all[2][name]
		switch {
		case is == there:
		case was == there:
			b.entry(name, was, is)
		default:
			if err := b.mergeFile(ctx, name, was, is, there); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry puts an entry where the change has it.
func (b *ontoBuilder) entry(name string, was, is gitstore.Entry) {
	if was.Mode != 0 {
		b.out.Files = append(b.out.Files, gitstore.FileChange{Path: name, Delete: true})
	}
	if is.Mode != 0 {
		b.out.Files = append(b.out.Files, gitstore.FileChange{Path: name, Object: is.Object, Mode: writable(is)})
	}
}

// mergeFile merges one of the store's own files by line, or gates.yaml by key. Of
// one that is not plain text of moderate size only one side can be taken.
func (b *ontoBuilder) mergeFile(ctx context.Context, name string, entries ...gitstore.Entry) error {
	var states [3][]byte
	for i, e := range entries {
		if e.Mode == 0 {
			continue
		}
		data, err := b.repo.Store.Blob(ctx, e.Object, plan.MaxFile)
		var large *gitstore.TooLargeError
		if errors.As(err, &large) || fileMode(e.Mode) != plan.Regular {
			b.out.Conflicts = append(b.out.Conflicts, merge.Conflict{
				Field: name, Ours: nameOf(entries[1]), Theirs: nameOf(entries[2]), Message: "both sides changed it, and it cannot be merged by line",
			})
			return nil
		}
		if err != nil {
			return err
		}
		states[i] = append([]byte{}, data...) // one that is there is not nil
	}
	merged := merge.OwnFile(name, states[0], states[1], states[2])
	b.out.Files = append(b.out.Files, gitstore.FileChange{Path: name, Data: merged.Data, Delete: merged.Data == nil})
	b.out.Conflicts = append(b.out.Conflicts, merged.Conflicts...)
	return nil
}

// nameOf names what an entry is, or "" where there is none.
func nameOf(e gitstore.Entry) string { return fmt.Sprintf("%.12s", e.Object) }

// writable is the mode that git writes for an entry.
func writable(e gitstore.Entry) uint32 {
	switch {
	case e.IsFolder():
		return gitstore.ModeFolder
	case fileMode(e.Mode) == plan.Regular:
		return gitstore.ModeFile
	case fileMode(e.Mode) == plan.Executable:
		return gitstore.ModeExecutable
	}
	return e.Mode
}

// others makes the change of what belongs to no plan and is no file of the store,
// put there by native git. The gate refuses it, unless the change removes it.
func (b *ontoBuilder) others(ctx context.Context, changed []gitstore.Difference, p passage) error {
	for _, d := range changed {
		if id := planAt(d.Path); id != "" && (p.before[id].Path == d.Path || p.after[id].Path == d.Path) {
			continue
		}
		if d.Path == Archive || path.Dir(d.Path) == Archive && isYear(path.Base(d.Path)) || d.Path == ".github" || isOwnFile(d.Path) && !d.New.IsFolder() && !d.Old.IsFolder() {
			continue
		}
		there, ok, err := b.repo.Store.Lookup(ctx, b.tip.Commit, d.Path)
		if err != nil {
			return err
		}
		if !ok {
			there = gitstore.Entry{}
		}
		switch {
		case there == d.New:
		case there == d.Old:
			b.entry(d.Path, d.Old, d.New)
		default:
			b.out.Conflicts = append(b.out.Conflicts, merge.Conflict{Field: d.Path, Ours: nameOf(d.New), Theirs: nameOf(there), Message: "both sides changed it, and it belongs to no plan"})
		}
	}
	return nil
}

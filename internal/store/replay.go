package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
)

// Fate is what became of an unpublished change.
type Fate int

// The fates of changes.
const (
	// Unknown is that of a change that was not looked at.
	Unknown Fate = iota
	// Landed: the change is in a commit that goes to the remote.
	Landed
	// Contained: the remote has the change, or all that it did.
	Contained
	// Noted: the change is a report that lost; it is a note on its task.
	Noted
	// LostClaim: another agent claimed the task first. The claim did not land.
	LostClaim
	// IsParked: the change could not be made again; see [Parked].
	IsParked
)

// replayStep is an unpublished commit that is made again.
type replayStep struct {
	commit   *gitstore.Commit
	from, to *Snapshot // the states before and after it
	changes  []string  // the identities of what it holds
	merge    bool
	parked   string // the ref that it comes from, for one that was parked before
	plans    []string
	as       *gitstore.Commit // of what is merged first, the merge of it here
}

// replay makes unpublished commits again on top of what is published.
type replay struct {
	repo   *Repo
	policy Policy
	prefer map[string]merge.Side
	theirs string
	self   string // the address that this process makes commits under
	steps  []*replayStep
	merges []*replayStep // what another remote ref has, which is merged before the steps are made
	base   *Snapshot     // where the two histories part
	local  *Snapshot     // the local tip
	there  *Snapshot     // what is published

	// asOne are the plans whose unpublished changes become one commit, never those
	// for which that did not work.
	asOne, never map[string]bool
	upTo         map[string]int // for a plan that the remote has as after that step

	pending *gitstore.Pending // where commits are made
	judged  lastPlans

	tip    *Snapshot         // of what was made so far
	made   map[string]string // new commits by the old ones
	ids    map[string]string // plans that were given another id, by the old one
	tasks  map[string]map[string]string
	cut    string // the commit up to which is to be published first, as it lowers the gate
	notes  []string
	fates  map[string]Fate
	groups []*parkedGroup
}

// parkedGroup is a commit that could not be made again, with the later ones that
// need it.
type parkedGroup struct {
	steps     []*replayStep
	plans     map[string]bool
	conflicts []merge.Conflict
	found     []diag.Diagnostic
	waits     bool // for the process whose signature it has
}

// newReplay reads what is to be made again: the unpublished commits, oldest first,
// and then what is to be made of parked ones.
func (r *Repo) newReplay(ctx context.Context, base, tip, theirs string, unpublished []gitstore.Lineage, again []Parked, prefer map[string]merge.Side) (*replay, error) {
	w := &replay{repo: r, prefer: prefer, theirs: theirs, judged: lastPlans{}, asOne: map[string]bool{}, never: map[string]bool{}}
	self, err := r.Committer(ctx)
	if err != nil {
		return nil, err
	}
	w.self = self.Email
	if w.policy.Gates, _, err = r.GatesAt(ctx, theirs); err != nil {
		return nil, err
	}
	if w.base, err = r.At(ctx, base); err != nil {
		return nil, err
	}
	if w.local, err = r.At(ctx, tip); err != nil {
		return nil, err
	}
	if w.there, err = r.At(ctx, theirs); err != nil {
		return nil, err
	}
	known, err := r.Ancestry().changes(ctx, theirs, tip)
	if err != nil {
		return nil, err
	}
	for _, l := range unpublished {
		s, err := readStep(ctx, r, l.Commit)
		if err != nil {
			return nil, err
		}
		if len(known) > 0 && !slices.ContainsFunc(s.changes, func(id string) bool { return !known[id] }) {
			s.plans = nil
			s.from = s.to // it is there
		}
		w.steps = append(w.steps, s)
	}
	for _, p := range again {
		s, err := readStep(ctx, r, p.Commit)
		if err != nil {
			return nil, err
		}
		s.parked = p.Ref
		w.steps = append(w.steps, s)
	}
	return w, nil
}

// mergeFirst has the tips of proposals and of other remotes merged, and looks at what
// there is to do. A merge commit of them here gives its message, and is a step that
// mostly has nothing left to do.
func (w *replay) mergeFirst(ctx context.Context, tips []string) error {
	for _, name := range tips {
		s, err := readStep(ctx, w.repo, name)
		if err != nil {
			return err
		}
		base, err := w.repo.Ancestry().Fork(ctx, name, w.theirs)
		if err == nil {
			s.from, err = w.repo.At(ctx, base)
		}
		if err == nil {
			s.plans, err = s.to.changedSince(ctx, s.from)
		}
		if err != nil {
			return err
		}
		s.merge = true // it stands for all commits that lead to it
		w.merges = append(w.merges, s)
		for _, step := range w.steps {
			if slices.Contains(step.commit.Parents, name) {
				step.merge = false
				if len(step.commit.Parents) > 1 {
					s.as = step.commit
				}
			}
		}
	}
	return w.look(ctx)
}

// mergeTip merges one.
func (w *replay) mergeTip(ctx context.Context, s *replayStep) error {
	o, err := w.repo.makeOnto(ctx, s.from, s.to, w.tip, ontoOptions{By: Revision{Commit: s.commit}, Prefer: w.prefer, Renamed: w.ids})
	if err != nil {
		return err
	}
	a := &attempt{onto: o}
	for _, c := range o.Conflicts {
		a.fail(w.oldID(c.Plan))
	}
	if len(a.failed) == 0 {
		change := gitstore.Change{Message: "Merge a proposal\n\n" + s.commit.Message, Parents: []string{s.commit.Name}}
		other, _ := w.repo.Git.ReadLine(ctx, "for-each-ref", "--count=1", "--contains="+s.commit.Name, "--format=%(refname:lstrip=2)", "refs/remotes/*/"+w.repo.Branch())
		if other != "" {
			change.Message = "Merge " + other + "\n\n" + s.commit.Message
		}
		if s.as != nil {
			change.Message, change.Author = s.as.Message, &s.as.Author
		}
		if err := w.make(ctx, a, change); err != nil {
			return err
		}
	}
	if len(a.failed) > 0 {
		w.park(s, a)
		return nil
	}
	w.keep(s, a)
	return w.advance(ctx, a.commit)
}

// readStep reads a commit as a step.
func readStep(ctx context.Context, r *Repo, name string) (*replayStep, error) {
	c, err := r.Store.Commit(ctx, name)
	if err != nil {
		return nil, err
	}
	s := &replayStep{commit: c, changes: changesOf(c.Name, c.Message), merge: len(c.Parents) > 1}
	from := ""
	if len(c.Parents) > 0 {
		from = c.Parents[0]
	}
	if s.from, err = r.At(ctx, from); err != nil {
		return nil, err
	}
	if s.to, err = r.At(ctx, name); err != nil {
		return nil, err
	}
	s.plans, err = s.to.changedSince(ctx, s.from)
	return s, err
}

// changedSince gives the plans that are not as in another state, and [ownID] if
// anything else is not.
func (s *Snapshot) changedSince(ctx context.Context, from *Snapshot) ([]string, error) {
	changed, err := changes{s.repo}.expand(ctx, differencesOf(from.root, s.root))
	if err != nil {
		return nil, err
	}
	p := passageOf(changed)
	ids := changedIDs(p.before, p.after)
	for _, d := range changed {
		if planAt(d.Path) == "" && d.Path != Archive && !strings.HasPrefix(d.Path, Archive+"/") {
			return append(ids, ownID), nil
		}
	}
	return ids, nil
}

// look finds out which plans become one commit at once, as a merge is among the
// steps, and which the remote has as they were after a step: they were squashed
// there.
func (w *replay) look(ctx context.Context) error {
	w.upTo = map[string]int{}
	merges := slices.ContainsFunc(w.steps, func(s *replayStep) bool { return s.merge && s.parked == "" })
	for i, s := range w.steps {
		for _, id := range s.plans {
			if merges && s.parked == "" {
				w.asOne[id] = true
			}
			if id == ownID || s.parked != "" {
				continue
			}
			is, _, err := s.to.Locate(ctx, id)
			if err != nil {
				return err
			}
			there, ok, err := w.there.Locate(ctx, id)
			if err != nil {
				return err
			}
			was, _, err := w.base.Locate(ctx, id)
			if err != nil {
				return err
			}
			if ok && is == there && was != there {
				w.upTo[id] = i
			}
		}
	}
	return nil
}

// run makes the steps, again from the beginning each time that it turns out that
// the changes of a plan are to become one commit.
func (w *replay) run(ctx context.Context) error {
	for {
		w.close()
		w.pending = w.repo.Store.Pending(ctx)
		w.tip, w.made, w.ids, w.fates = w.there, map[string]string{}, map[string]string{}, map[string]Fate{}
		w.notes, w.groups, w.tasks, w.cut = nil, nil, map[string]map[string]string{}, ""
		again, err := w.once(ctx)
		if err != nil || !again {
			return err
		}
	}
}

// close drops the commits that were not written.
func (w *replay) close() {
	if w.pending != nil {
		w.pending.Close()
	}
}

func (w *replay) once(ctx context.Context) (again bool, err error) {
	for _, s := range w.merges {
		if err := w.mergeTip(ctx, s); err != nil {
			return false, err
		}
	}
	for i, s := range w.steps {
		if again, err = w.step(ctx, i, s); err != nil || again {
			return again, err
		}
		if i < len(w.steps)-1 && w.cut != "" {
			return false, nil
		}
	}
	w.cut = ""
	for _, id := range slices.Sorted(maps.Keys(w.asOne)) {
		if again, err = w.one(ctx, id); err != nil || again {
			return again, err
		}
	}
	return false, nil
}

// attempt is one attempt to make a step: what it would be, and what is wrong with
// it, in which plans.
type attempt struct {
	onto   *onto
	commit string // "" where nothing is left to do
	failed []string
	found  []diag.Diagnostic
}

// step makes one step, or parks it; again says that the changes of one of its plans
// are to become one commit instead.
func (w *replay) step(ctx context.Context, i int, s *replayStep) (again bool, err error) {
	without := map[string]bool{}
	for {
		a, err := w.try(ctx, i, s, without)
		if err != nil {
			return false, err
		}
		if w.waits(s) && (a.commit != "" || len(a.failed) > 0) {
			w.wait(s)
			return false, nil
		}
		if len(a.failed) == 0 {
			w.keep(s, a)
			if err := w.advance(ctx, a.commit); err != nil || a.commit == "" {
				return false, err
			}
			gates, _, err := w.tip.Gates(ctx)
			if err == nil && len(gates.Lowered(w.policy.Gates)) > 0 {
				w.cut = a.commit
			}
			return false, err
		}
		given := false
		for _, id := range a.failed {
			if w.prefer[id] == merge.Theirs && !without[id] {
				without[id], given = true, true
				w.notes = append(w.notes, fmt.Sprintf("%s: took theirs as it is", id))
			}
		}
		if given {
			continue
		}
		for _, id := range a.failed {
			fits, err := w.fitsAsOne(ctx, id, s)
			if err != nil {
				return false, err
			}
			if fits {
				w.asOne[id] = true
				return true, nil
			}
		}
		w.park(s, a)
		return false, nil
	}
}

// try works a step out on what was made so far, and judges it.
func (w *replay) try(ctx context.Context, i int, s *replayStep, without map[string]bool) (*attempt, error) {
	skip := func(id string) bool {
		last, squashed := w.upTo[id]
		return without[id] || s.parked == "" && (w.asOne[id] || squashed && i <= last)
	}
	o, err := w.repo.makeOnto(ctx, s.from, s.to, w.tip, ontoOptions{By: Revision{Commit: s.commit}, Prefer: w.prefer, Renamed: w.ids, Tasks: w.tasks, Skip: skip})
	if err != nil {
		return nil, err
	}
	a := &attempt{onto: o}
	for _, c := range o.Conflicts {
		a.fail(w.oldID(c.Plan))
	}
	if len(a.failed) > 0 || len(o.Files) == 0 {
		return a, nil
	}
	var dropped []string
	for _, id := range s.plans {
		touched := slices.Contains(o.Taken, id) || slices.ContainsFunc(o.Plans, func(p ontoPlan) bool { return p.Old == id })
		if !touched {
			dropped = append(dropped, id)
		}
	}
	change := gitstore.Change{Message: replayedMessage(s.commit.Message, o, dropped, w.made), Author: &s.commit.Author, Unsigned: w.waits(s)}
	return a, w.make(ctx, a, change)
}

// oldID gives the id that a plan has in the steps.
func (w *replay) oldID(id string) string {
	for old, now := range w.ids {
		if now == id {
			return old
		}
	}
	return id
}

func (a *attempt) fail(id string) {
	if !slices.Contains(a.failed, id) {
		a.failed = append(a.failed, id)
	}
}

// make makes the commit of an attempt, in memory, and judges it, as a server would
// that allows what only it can know. The parents of the change come after the tip.
func (w *replay) make(ctx context.Context, a *attempt, change gitstore.Change) error {
	change.Parents, change.Base, change.Files = append([]string{w.tip.Commit}, change.Parents...), w.tip.Commit, a.onto.Files
	commit, err := w.pending.Make(change)
	if err != nil {
		return err
	}
	made, err := w.repo.At(ctx, commit)
	if err != nil {
		return err
	}
	if slices.Equal(made.root, w.tip.root) {
		return nil
	}
	a.commit = commit
	policy := w.policy
	for _, s := range []*Snapshot{w.tip, made} {
		gates, _, err := s.Gates(ctx)
		if err != nil {
			return err
		}
		policy.Gates = policy.Gates.And(gates)
	}
	v, err := w.judged.judge(ctx, w.repo, Candidate{Commit: a.commit, Parents: change.Parents}, policy, w.repo.Project().blind(ctx))
	if err != nil || !v.Refused() {
		return err
	}
	for _, d := range v.Findings {
		if d.Severity == diag.Error {
			a.found = append(a.found, d)
			a.fail(w.oldID(planIn(d.Path, v.IDs())))
		}
	}
	return nil
}

// planIn gives which of some plans a path belongs to, or [ownID].
func planIn(file string, ids []string) string {
	parts := strings.Split(file, "/")
	if len(parts) > 2 && parts[0] == Archive {
		parts = parts[2:]
	}
	if slices.Contains(ids, parts[0]) {
		return parts[0]
	}
	return ownID
}

// advance goes on from a commit that was made.
func (w *replay) advance(ctx context.Context, commit string) (err error) {
	if commit != "" {
		w.tip, err = w.repo.At(ctx, commit)
	}
	return err
}

// keep takes an attempt that worked.
func (w *replay) keep(s *replayStep, a *attempt) {
	maps.Copy(w.ids, a.onto.Renamed)
	if s.from != s.to {
		w.notes = append(w.notes, a.onto.Notes...)
	}
	if a.commit != "" {
		w.made[s.commit.Name] = a.commit
	}
	fate := Contained
	if a.commit != "" {
		fate = Landed
	}
	for _, p := range a.onto.Plans {
		if len(p.Result.Renamed) > 0 && w.tasks[p.Old] == nil {
			w.tasks[p.Old] = map[string]string{}
		}
		maps.Copy(w.tasks[p.Old], p.Result.Renamed)
		for _, l := range p.Lost {
			switch {
			case l.Note != "":
				fate = Noted
			case fate != Noted: // whatever else is in the commit, such as a lease that is renewed
				fate = LostClaim
			}
		}
	}
	w.decide(s, fate)
}

func (w *replay) decide(s *replayStep, fate Fate) {
	for _, id := range s.changes {
		w.fates[id] = fate
	}
}

// fitsAsOne reports whether all unpublished changes of a plan fit what is published
// together, where one of them by itself does not.
func (w *replay) fitsAsOne(ctx context.Context, id string, s *replayStep) (bool, error) {
	if w.asOne[id] || w.never[id] || s.parked != "" || len(w.stepsOf(id)) < 2 {
		return false, nil
	}
	o, err := w.repo.makeOnto(ctx, w.base, w.local, w.there, ontoOptions{Prefer: w.prefer, Skip: func(other string) bool { return other != id }})
	return err == nil && len(o.Conflicts) == 0, err
}

// stepsOf gives the unpublished steps that changed a plan.
func (w *replay) stepsOf(id string) (out []*replayStep) {
	for _, s := range w.steps {
		if s.parked == "" && !s.merge && slices.Contains(s.plans, id) {
			out = append(out, s)
		}
	}
	return out
}

// one makes one commit of all unpublished changes of a plan. Where that does not
// work, it is not tried again.
func (w *replay) one(ctx context.Context, id string) (again bool, err error) {
	steps := w.stepsOf(id)
	if len(steps) == 0 { // only merges changed it
		steps = w.steps[len(w.steps)-1:]
	}
	whole := slices.DeleteFunc(slices.Clone(steps), w.isParked)
	only := func(other string) bool { return other != id }
	o, err := w.repo.makeOnto(ctx, w.base, w.local, w.tip, ontoOptions{By: Revision{Commit: steps[len(steps)-1].commit}, Prefer: w.prefer, Renamed: w.ids, Skip: only})
	if err != nil {
		return false, err
	}
	a := &attempt{onto: o}
	if len(o.Conflicts) > 0 || slices.ContainsFunc(steps, w.waits) {
		a.failed = []string{id}
	} else if len(o.Files) > 0 {
		var outcomes []Outcome
		for _, p := range o.Plans {
			if p.Does.Event != "" {
				outcomes = append(outcomes, p.Does)
			}
		}
		for _, id := range o.Taken {
			is, err := w.local.storedPlan(ctx, id)
			if err != nil {
				return false, err
			}
			was, err := w.base.storedPlan(ctx, id)
			if err != nil {
				return false, err
			}
			outcomes = append(outcomes, outcomeOf(id, was, is))
		}
		last := steps[len(steps)-1].commit
		if err := w.make(ctx, a, gitstore.Change{Message: joinedMessage(steps, outcomes, identitiesOf(whole)), Author: &last.Author}); err != nil {
			return false, err
		}
	}
	if len(a.failed) > 0 {
		if w.hasMerge() {
			w.parkAsOne(id, steps, a)
			return false, nil
		}
		delete(w.asOne, id)
		w.never[id] = true
		return true, nil
	}
	for _, s := range whole {
		w.keep(s, a)
	}
	if a.commit != "" && len(steps) > 1 {
		w.notes = append(w.notes, fmt.Sprintf("%d commits of %s became one", len(steps), nameOfPlan(id)))
	}
	return false, w.advance(ctx, a.commit)
}

// isParked reports whether something of a step is parked. A commit that is made of the rest
// has not its identity.
func (w *replay) isParked(s *replayStep) bool { return w.fates[s.changes[0]] == IsParked }

// nameOfPlan names a plan, or the store's own files.
func nameOfPlan(id string) string {
	if id == ownID {
		return "the store's own files"
	}
	return id
}

// storedPlan reads a plan, nil where there is none.
func (s *Snapshot) storedPlan(ctx context.Context, id string) (p *plan.Plan, err error) {
	l, ok, err := s.Locate(ctx, id)
	if err != nil || !ok {
		return nil, err
	}
	stored, err := s.LoadAt(ctx, l)
	if err != nil {
		return nil, err
	}
	return stored.Plan, nil
}

func (w *replay) hasMerge() bool {
	return slices.ContainsFunc(w.steps, func(s *replayStep) bool { return s.merge && s.parked == "" })
}

// waits reports whether a commit is left to the process that signed it: made again here
// it would lose that signature. Who decides about its plan takes it over.
func (w *replay) waits(s *replayStep) bool {
	decided := func(id string) bool { return w.prefer[id] != merge.Neither }
	return s.commit.Signature != "" && s.commit.Committer.Email != w.self && !slices.ContainsFunc(s.plans, decided)
}

// wait keeps such a commit.
func (w *replay) wait(s *replayStep) {
	w.decide(s, IsParked)
	w.groups = append(w.groups, &parkedGroup{steps: []*replayStep{s}, waits: true})
	subject := Revision{Commit: s.commit}.Subject()
	w.notes = append(w.notes, fmt.Sprintf("%s: not published: %s", subject, waitsFor(person(s.commit.Committer))))
}

// park keeps a step that cannot be made: with an earlier one that it needs, or by
// itself.
func (w *replay) park(s *replayStep, a *attempt) {
	w.decide(s, IsParked)
	needs := func(g *parkedGroup) bool {
		return !g.waits && slices.ContainsFunc(a.failed, func(id string) bool { return g.plans[id] })
	}
	i := slices.IndexFunc(w.groups, needs)
	if i < 0 || s.parked != "" {
		i = len(w.groups)
		w.groups = append(w.groups, &parkedGroup{plans: map[string]bool{}})
	}
	g := w.groups[i]
	g.steps = append(g.steps, s)
	for _, id := range s.plans {
		if s.parked != "" || !w.asOne[id] { // else it lands without this step
			g.plans[id] = true
		}
	}
	if len(g.conflicts)+len(g.found) == 0 {
		g.conflicts, g.found = a.onto.Conflicts, a.found
	}
}

// parkAsOne keeps all unpublished changes of a plan that merges took part in.
func (w *replay) parkAsOne(id string, steps []*replayStep, a *attempt) {
	for _, s := range steps {
		w.decide(s, IsParked)
	}
	whole := *steps[len(steps)-1]
	whole.from, whole.to, whole.plans = w.base, w.local, []string{id}
	for _, s := range steps {
		whole.changes = append(slices.Clone(s.changes), whole.changes...)
	}
	slices.Sort(whole.changes)
	whole.changes = slices.Compact(whole.changes)
	whole.merge = true
	w.groups = append(w.groups, &parkedGroup{steps: []*replayStep{&whole}, plans: map[string]bool{id: true}, conflicts: a.onto.Conflicts, found: a.found})
}

package store

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Policy is what candidates are judged by, next to the gate that a plan asks for
// itself.
type Policy struct {
	// Gates is the store's gates.yaml.
	Gates validate.Gates
	// Floor is the least gate, whatever Gates say.
	Floor validate.Gate
	// Inherit judges a commit also by the gates.yaml that it goes on from, where
	// another candidate before it brought that.
	Inherit bool
}

// Verdict is what the gate says of a candidate.
type Verdict struct {
	Candidate
	// Plans are the plans that it changes.
	Plans []Outcome
	// Gates is the gates.yaml that it brings, if it changes that.
	Gates *validate.Gates
	// Findings are sorted; an error among them refuses the candidate.
	Findings []diag.Diagnostic

	changes  []change
	unjudged []*plan.Plan // which a model is to be asked about first
}

// IDs gives the ids of the plans that the candidate changes.
func (v Verdict) IDs() []string {
	var ids []string
	for _, o := range v.Plans {
		ids = append(ids, o.ID)
	}
	return slices.Compact(ids)
}

// Refused reports whether the candidate may not land.
func (v Verdict) Refused() bool {
	errs, _ := diag.Count(v.Findings)
	return errs > 0
}

// Subject is a plan that is judged.
type Subject struct {
	Plan *plan.Plan
	// Found are the findings of reading it.
	Found []diag.Diagnostic
	// Parent is the plan before, nil for a new one.
	Parent *plan.Plan
	// Sides are, for a merge, the plan as the other sides have it.
	Sides []*plan.Plan
	Scope validate.Scope
	// Version is what its version must be, 0 to compare it with the parent's.
	Version int
	// Stored says that the plan is on the ref, where a stray file is an error.
	Stored bool
	// OnRef tells of a stray file in a folder whether it is on the ref, too.
	OnRef func(path string) bool
	// Others gives the other unfinished plans that name a path.
	Others func(path string) []string
	// Search looks for commits that show tasks which become done.
	Search bool

	shown   map[string]plan.Evidence
	opinion *validate.Opinion
}

// input is what the rules see: the only place that builds it.
func (s Subject) input(w World) validate.Input {
	return validate.Input{
		Plan: s.Plan, Found: s.Found, Parent: s.Parent, Sides: s.Sides, Scope: s.Scope, Version: s.Version,
		Stored: s.Stored, OnRef: s.OnRef, Exists: w.Exists, Others: s.Others, Names: w.Names, Shown: s.shown, Opinion: s.opinion,
	}
}

// Inspect judges one plan by itself, such as a draft.
func Inspect(ctx context.Context, s Subject, p Policy, w World) ([]diag.Diagnostic, error) {
	if err := s.search(ctx, p, w); err != nil {
		return nil, err
	}
	return validate.Run(s.input(w), p.Gates, p.Floor), nil
}

// Errors is [Inspect] without warnings, and without the work for them.
func Errors(s Subject, p Policy, w World) []diag.Diagnostic {
	return validate.Errors(s.input(w), p.Gates, p.Floor)
}

// Faults gives the errors of a plan under the default gates: what a reader of a
// plan should know that came past the gate.
func Faults(p *plan.Plan, found []diag.Diagnostic, stored bool) []diag.Diagnostic {
	return Errors(Subject{Plan: p, Found: found, Stored: stored}, Policy{Gates: validate.DefaultGates()}, World{})
}

// search looks for commits of the code that show the tasks which become done.
func (s *Subject) search(ctx context.Context, p Policy, w World) error {
	if !s.Search || w.Commits == nil || !p.Gates.Asks(validate.RuleEvidence) {
		return nil
	}
	var ids []string
	unshown := validate.Unshown(s.input(w))
	for _, t := range unshown {
		ids = append(ids, s.Plan.ID+"/"+t.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := w.Commits(ctx, ids)
	if err != nil {
		return err
	}
	s.shown = map[string]plan.Evidence{}
	for i, t := range unshown {
		if e, ok := found[ids[i]]; ok {
			s.shown[t.ID] = e
		}
	}
	return nil
}

// Judge is the gate: what is wrong with a candidate, and what it does to each
// plan. Only what it changes is read: a plan that no longer passes blocks
// itself, not the others.
func (r *Repo) Judge(ctx context.Context, c Candidate, p Policy, w World) (Verdict, error) {
	return lastPlans{}.judge(ctx, r, c, p, w)
}

// lastPlans are the plans that were judged last, by their paths: most often what the
// next commit goes on from. Nobody changes them.
type lastPlans map[string]*Stored

// judge is [Repo.Judge] of one commit after another.
func (last lastPlans) judge(ctx context.Context, r *Repo, c Candidate, p Policy, w World) (Verdict, error) {
	var v Verdict
	err := last.judgeAll(ctx, r, []Candidate{c}, p, w, func(got Verdict) error { v = got; return nil })
	return v, err
}

// load reads a plan, unless it is the one that was judged last.
func (last lastPlans) load(ctx context.Context, r *Repo, l Location) (*Stored, error) {
	if stored := last[l.Path]; stored != nil && stored.Location == l {
		return stored, nil
	}
	stored, err := (&Snapshot{repo: r}).LoadAt(ctx, l)
	if err == nil {
		const most = 100
		if len(last) == most {
			clear(last)
		}
		last[l.Path] = stored
	}
	return stored, err
}

// JudgeAll is [Repo.Judge] of commits, one after the other.
func (r *Repo) JudgeAll(ctx context.Context, candidates []Candidate, p Policy, w World, visit func(Verdict) error) error {
	if len(candidates) > 1 {
		defer r.Store.KeepBlobs()()
	}
	return lastPlans{}.judgeAll(ctx, r, candidates, p, w, visit)
}

func (last lastPlans) judgeAll(ctx context.Context, r *Repo, candidates []Candidate, p Policy, w World, visit func(Verdict) error) error {
	const portion = 256 // bounds what is kept of the differences
	brought := map[string]validate.Gates{}
	for part := range slices.Chunk(candidates, portion) {
		all, err := changes{r}.differences(ctx, part)
		if err != nil {
			return err
		}
		for i, c := range part {
			g := &gate{repo: r, policy: p, world: w, last: last, seen: all[i], verdict: Verdict{Candidate: c}}
			had, inherits := brought[c.first()]
			if inherits && p.Inherit {
				g.policy.Gates = p.Gates.And(had)
			}
			if err := g.run(ctx); err != nil {
				return fmt.Errorf("judge %s: %w", c.name(), err)
			}
			switch {
			case g.brought != nil:
				brought[c.Commit] = *g.brought
			case inherits:
				brought[c.Commit] = had
			}
			if err := visit(g.verdict); err != nil {
				return err
			}
		}
	}
	return nil
}

// JudgeRange is [Repo.JudgeAll] of the commits that tip has and from has not.
// If all of them pass, it judges what they do together, from from to tip, as a
// candidate of its own: what no commit does alone, a merge may.
func (r *Repo) JudgeRange(ctx context.Context, from, tip string, commits []Candidate, p Policy, w World, visit func(Verdict) error) error {
	judged, refused := map[string]bool{}, false
	err := r.JudgeAll(ctx, commits, p, w, func(v Verdict) error {
		refused = refused || v.Refused()
		for _, id := range v.IDs() {
			judged[id] = true
		}
		return visit(v)
	})
	if err != nil || refused || len(commits) == 0 || len(commits) == 1 && slices.Equal(commits[0].Parents, []string{from}) {
		return err
	}
	whole, ok, err := together(ctx, r.Ancestry(), from, tip, commits)
	if err != nil || !ok {
		return err
	}
	whole.judged = judged
	v, err := r.Judge(ctx, whole, p, w)
	if err != nil || !v.Refused() {
		return err
	}
	return visit(v)
}

// first is the parent that the candidate is judged from, or "".
func (c Candidate) first() string {
	if len(c.Parents) == 0 {
		return ""
	}
	return c.Parents[0]
}

// gate is the work on one candidate.
type gate struct {
	repo    *Repo
	policy  Policy
	world   World
	verdict Verdict
	// state is what a mutation changes, seen what a commit or an index changes,
	// from each of its parents.
	state *Snapshot
	seen  [][]gitstore.Difference
	last  lastPlans

	taken   map[string]bool // the paths that a merge has as another parent changed them
	brought *validate.Gates // the gates.yaml, if it is not that of the first parent
	others  func(string) []string
}

func (g *gate) run(ctx context.Context) error {
	var err error
	if g.state == nil {
		err = g.exists(ctx)
	} else {
		g.verdict.changes, err = g.verdict.Candidate.changes(ctx, g.state)
	}
	if err == nil && g.policy.Gates.Asks(validate.RuleOverlap) {
		err = g.around(ctx)
	}
	if err != nil {
		return err
	}
	for i := range g.verdict.changes {
		if err := g.plan(ctx, &g.verdict.changes[i]); err != nil {
			return err
		}
	}
	diag.Sort(g.verdict.Findings)
	return nil
}

// exists finds what a commit or an index changes, and judges what is no plan: the
// store's own files, and what has no place in the store. What is as in one of its
// parents was judged there.
func (g *gate) exists(ctx context.Context) error {
	if ok, err := g.sides(ctx); err != nil || !ok {
		return err
	}
	if !g.verdict.Range {
		if err := g.files(ctx); err != nil {
			return err
		}
	}
	for _, p := range planChanges(g.seen[0], func(d gitstore.Difference) bool { return !g.taken[d.Path] }) {
		ch := change{id: p.id, at: p.now.Path, moved: p.before.Tree == p.now.Tree}
		var err error
		if p.before.Path != "" {
			if ch.before, err = g.last.load(ctx, g.repo, p.before); err != nil {
				return err
			}
			ch.Parent = ch.before.Plan
		}
		if p.now.Path != "" {
			now, err := g.last.load(ctx, g.repo, p.now)
			if err != nil {
				return err
			}
			ch.Plan, ch.Found, ch.Stored = now.Plan, now.Found, true
			if ch.Scope = validate.Change; g.verdict.judged[p.id] {
				ch.Scope = validate.Range
			}
			if ch.Sides, err = g.onSides(ctx, p.id); err != nil {
				return err
			}
			ch.Found = slices.Concat(ch.Found, recoded(ch.Plan, ch.Parent))
		}
		g.verdict.changes = append(g.verdict.changes, ch)
	}
	return nil
}

// mostParents bounds the parents of a merge: each of them costs a look at the
// history.
const mostParents = 16

// sides looks at the other parents of a merge. Each must share its history with
// the first: a side that begins anew could bring any plan in as a new one. What a
// side changed since then was judged there, and the merge may take it over.
func (g *gate) sides(ctx context.Context) (ok bool, err error) {
	parents := g.verdict.Parents
	if n := len(parents); n > mostParents {
		g.add(".", plan.RuleLimits, fmt.Sprintf("a merge of %d commits, and the limit is %d", n, mostParents), "merge them in several steps")
		return false, nil
	}
	g.taken = map[string]bool{}
	ancestry := g.repo.Ancestry()
	for i := 1; i < len(parents); i++ {
		bases, err := ancestry.bases(ctx, parents[0], parents[i])
		if err != nil {
			return false, err
		}
		ok, err := ancestry.areRelated(ctx, bases, parents[0], parents[i])
		if err != nil {
			return false, err
		}
		if !ok {
			g.add(".", validate.RuleUnrelatedHistory, fmt.Sprintf("a merge of unrelated histories: %.12s and %.12s have no commit but the first of the store in common", parents[0], parents[i]),
				"make the changes of the other side again on top of the plans, such as with `git cherry-pick`")
			return false, nil
		}
		if err := g.takeOver(ctx, i, bases); err != nil {
			return false, err
		}
	}
	return true, nil
}

// takeOver notes what the merge has as a parent changed it.
func (g *gate) takeOver(ctx context.Context, parent int, bases []string) error {
	differs := map[string]bool{}
	for _, d := range g.seen[parent] {
		differs[d.Path] = true
	}
	steps := make([]gitstore.Step, len(bases))
	for i, base := range bases {
		steps[i] = gitstore.Step{Commit: g.verdict.Parents[parent], Parent: base}
	}
	all, err := g.repo.Store.Differences(ctx, steps)
	if err != nil {
		return err
	}
	changed := map[string]int{}
	for _, differences := range all {
		expanded, err := changes{g.repo}.expand(ctx, differences)
		if err != nil {
			return err
		}
		for _, d := range expanded {
			changed[d.Path]++
		}
	}
	for path, n := range changed {
		if n == len(bases) && !differs[path] {
			g.taken[path] = true
		}
	}
	return nil
}

// onSides reads a plan as the other parents of a merge have it.
func (g *gate) onSides(ctx context.Context, id string) ([]*plan.Plan, error) {
	var out []*plan.Plan
	for _, p := range g.verdict.Parents[min(1, len(g.verdict.Parents)):] {
		stored, err := g.repo.storedAt(ctx, p, id)
		if err != nil {
			return nil, err
		}
		if stored != nil {
			out = append(out, stored.Plan)
		}
	}
	return out, nil
}

// files judges what is no plan.
func (g *gate) files(ctx context.Context) error {
	g.names(g.seen[0])
	if err := g.form(ctx, g.seen[0]); err != nil {
		return err
	}
	if err := g.archiveForm(ctx, g.seen[0]); err != nil {
		return err
	}
	for _, d := range g.seen[0] {
		if d.Path == GatesFile {
			if err := g.gates(ctx, d.New); err != nil {
				return err
			}
		}
		if g.taken[d.Path] {
			continue
		}
		if err := g.entry(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// entry judges an entry outside of plans.
func (g *gate) entry(ctx context.Context, d gitstore.Difference) error {
	switch {
	case d.Path == GatesFile, d.New.Mode == 0:
	case !hasPlace(d.Path, d.New):
		g.add(d.Path, plan.RuleStrayFile, "neither a plan nor one of the store's own files", "remove it from the commit")
	case d.Path == ".github":
		return g.ownFolder(ctx, d.Path, d.New)
	}
	return nil
}

// hasPlace reports whether an entry may be where it is, as far as that does not
// depend on the plan that it belongs to.
func hasPlace(p string, e gitstore.Entry) bool {
	parts := strings.Split(p, "/")
	switch {
	case p == ".github" || p == Archive:
		return e.IsFolder()
	case parts[0] == Archive && len(parts) == 2:
		return e.IsFolder() && isYear(parts[1])
	case parts[0] == Archive && len(parts) == 3 && isYear(parts[1]):
		return e.IsFolder() && plan.IsKebab(parts[2])
	case len(parts) > 1: // a name with a slash in it
		return false
	case isOwnFile(p):
		return fileMode(e.Mode) == plan.Regular
	}
	return e.IsFolder() && plan.IsKebab(p)
}

func (g *gate) add(p, rule, message, hint string) {
	g.verdict.Findings = append(g.verdict.Findings, diag.Diagnostic{
		Path: p, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: rule, Message: message, Hint: hint,
	})
}

// gates judges a changed gates.yaml; whether it may be lowered is for the
// caller to say. One that a merge takes over from a side was judged there.
func (g *gate) gates(ctx context.Context, e gitstore.Entry) error {
	gates, found := validate.DefaultGates(), []diag.Diagnostic(nil)
	if e.Mode != 0 {
		var err error
		if gates, found, err = gatesOf(ctx, g.repo, e); err != nil {
			return err
		}
	}
	g.brought = &gates
	if g.taken[GatesFile] {
		return nil
	}
	g.verdict.Gates = &gates
	if gates.Newer() {
		found = append(found, newerGates())
	}
	g.verdict.Findings = append(g.verdict.Findings, found...)
	return nil
}

// plan judges one plan, and tells what happened to it. A plan that was only moved,
// or removed, has nothing for the rules to see.
func (g *gate) plan(ctx context.Context, ch *change) error {
	if ch.Plan != nil && !ch.moved {
		ch.Others = g.others
		if err := ch.search(ctx, g.policy, g.world); err != nil {
			return err
		}
		if err := g.opinion(ctx, ch); err != nil {
			return err
		}
		g.verdict.Findings = append(g.verdict.Findings, validate.Run(ch.input(g.world), g.policy.Gates, g.policy.Floor)...)
	}
	if ch.same {
		return nil
	}
	g.verdict.Plans = append(g.verdict.Plans, ch.told())
	return nil
}

// told says what happened to the plan.
func (ch *change) told() Outcome {
	o := Outcome{ID: ch.id, After: ch.Plan, Removed: ch.Plan == nil, Judged: verdict(ch.opinion)}
	if ch.before != nil {
		o.Before = ch.before.Plan
	}
	if ch.Plan != nil {
		o.Version, o.Tasks = ch.Plan.Version(), len(ch.Plan.All())
	}
	if ch.Plan != nil && ch.before != nil && ch.before.Path != ch.at {
		event := plan.Restored
		if ch.at != ch.id {
			event = plan.Archived
		}
		o.Occurrences = append(o.Occurrences, plan.Occurrence{Event: event})
	}
	o.tell()
	return o
}

// around looks up the other plans of the state that the candidate makes.
func (g *gate) around(ctx context.Context) (err error) {
	state, changed := g.state, []*plan.Plan(nil)
	for _, ch := range g.verdict.changes {
		p := ch.Plan
		if p == nil { // it is to be removed
			p = &plan.Plan{ID: ch.id}
		}
		changed = append(changed, p)
	}
	if len(changed) == 0 {
		return nil
	}
	if state == nil {
		if state, err = g.repo.stateOf(ctx, g.verdict.Candidate); err != nil {
			return err
		}
		changed = nil // the state has them
	}
	g.others, err = state.Others(ctx, g.policy.Gates, changed...)
	return err
}

func (r *Repo) stateOf(ctx context.Context, c Candidate) (*Snapshot, error) {
	if c.Commit != "" {
		return r.At(ctx, c.Commit)
	}
	return r.atTree(ctx, c.Tree)
}

// TextOf gives a file of a candidate as text, for showing a line of it; ok is
// false for what cannot be shown.
func TextOf(ctx context.Context, r *Repo, c Candidate, file string) (text string, ok bool) {
	s, err := r.stateOf(ctx, c)
	if err != nil {
		return "", false
	}
	dir, name := path.Split(file)
	entries := s.root
	for _, part := range strings.Split(strings.TrimSuffix(dir, "/"), "/") {
		if part == "" {
			continue
		}
		at := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == part && e.IsFolder() })
		if at < 0 {
			return "", false
		}
		if entries, err = r.Store.Tree(ctx, entries[at].Object); err != nil {
			return "", false
		}
	}
	at := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == name })
	if at < 0 || entries[at].Mode == modeLink {
		return "", false
	}
	data, err := r.Store.Blob(ctx, entries[at].Object, plan.MaxFile)
	return string(data), err == nil
}

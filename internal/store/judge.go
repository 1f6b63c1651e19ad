package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-plan/git-plan/gitstore"
	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/plan/diag"
	"github.com/git-plan/git-plan/validate"
)

// Law is what states of the store are judged by, beside the gate that a plan
// asks for itself.
type Law struct {
	Gates validate.Gates
	// Also are gates beside those.
	Also []validate.Gates
	// Floor is the least gate whatever Gates say.
	Floor validate.Gate
	// Carry holds a candidate also against the gates.yaml that it was made on, that of
	// each of its parents, where that is of another candidate before it.
	Carry bool
	// Exists looks a path of the project up; nil knows nothing.
	Exists func(string) validate.Existence
}

// Candidate is a state of the store that did not come by [Repo.Commit]: a
// commit made by native git, or the index of one that is about to be made.
type Candidate struct {
	// Commit is the commit's name, or "" for an index.
	Commit string
	// Tree is the state where Commit is "".
	Tree string
	// Parents are the commits it is compared with. What is legal from one of
	// them is legal.
	Parents []string
}

// Verdict is what the gate says of a candidate.
type Verdict struct {
	Candidate
	// Plans are the ids of the plans that it changes.
	Plans []string
	// Gates is the gate that the candidate brings, if it changes that.
	Gates *validate.Gates
	// Findings are sorted; an error among them refuses the candidate.
	Findings []diag.Diagnostic
}

// Refused reports whether the candidate may not land.
func (v Verdict) Refused() bool {
	errs, _ := diag.Count(v.Findings)
	return errs > 0
}

// Candidates gives the commits that are reachable from tip and from none of
// known, oldest first. A missing parent, where history was cut off, is none.
func (r *Repo) Candidates(ctx context.Context, tip string, known ...string) ([]Candidate, error) {
	history, err := r.Store.Between(ctx, tip, known...)
	if err != nil {
		return nil, err
	}
	out := make([]Candidate, len(history))
	for i, h := range history {
		out[i] = Candidate{Commit: h.Commit, Parents: h.Parents}
	}
	return out, nil
}

// Judge holds candidates against the law, each against its parents, and calls
// visit for one after the other. Only what a candidate changes is read: a plan
// that no longer passes blocks itself, not the others.
func (r *Repo) Judge(ctx context.Context, law Law, candidates []Candidate, visit func(Verdict) error) error {
	const portion = 256 // bounds what is kept of the differences
	brought := carried{}
	for part := range slices.Chunk(candidates, portion) {
		all, err := r.differences(ctx, part)
		if err != nil {
			return err
		}
		for i, c := range part {
			j := &judge{repo: r, law: law, verdict: Verdict{Candidate: c}}
			if law.Carry {
				j.law.Also = slices.Concat(law.Also, brought.to(c))
			}
			if err := j.run(ctx, all[i]); err != nil {
				return fmt.Errorf("judge %s: %w", c.name(), err)
			}
			if err := brought.keep(ctx, r, j.verdict); err != nil {
				return err
			}
			if err := visit(j.verdict); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c Candidate) name() string {
	if c.Commit == "" {
		return "the index"
	}
	return fmt.Sprintf("commit %.12s", c.Commit)
}

// judge is the work on one candidate.
type judge struct {
	repo    *Repo
	law     Law
	verdict Verdict
	others  func(string) []string
	asked   bool // for others
	root    bool // the candidate begins a history
}

// run looks at what differs from every parent that has a say: what is the same as
// in one of them was judged there.
func (j *judge) run(ctx context.Context, seen [][]gitstore.Difference) error {
	if j.octopus() {
		return nil
	}
	j.names(seen[0])
	var err error
	if j.root, err = j.isRoot(ctx); err != nil {
		return err
	}
	if err := j.form(ctx, seen[0]); err != nil {
		return err
	}
	if err := j.archiveForm(ctx, seen[0]); err != nil {
		return err
	}
	changed := everywhere(seen)
	for _, d := range changed {
		if err := j.entry(ctx, d); err != nil {
			return err
		}
	}
	parents, err := j.sides(ctx, seen)
	if err != nil {
		return err
	}
	for _, id := range parents.ids() {
		if moved := parents.of(id); len(moved) > 0 {
			if err := j.plan(ctx, id, moved); err != nil {
				return err
			}
		}
	}
	if err := j.doubles(ctx, changed, parents.moved); err != nil {
		return err
	}
	diag.Sort(j.verdict.Findings)
	return nil
}

// doubles judges what a passage passes over: a plan whose id another has that
// changed with it, such as one archived in an earlier year.
func (j *judge) doubles(ctx context.Context, changed []gitstore.Difference, moved []passage) error {
	for _, d := range changed {
		id := planAt(d.Path)
		if id == "" || !d.New.IsFolder() || moved[0].after[id].Path == d.Path {
			continue
		}
		if err := j.stored(ctx, Location{ID: id, Path: d.Path, Tree: d.New.Object}, moved); err != nil {
			return err
		}
	}
	return nil
}

// everywhere keeps the entries that differ from every parent.
func everywhere(seen [][]gitstore.Difference) []gitstore.Difference {
	times := map[string]int{}
	for i, differences := range seen {
		for _, d := range differences {
			if times[d.Path] == i {
				times[d.Path]++
			}
		}
	}
	return slices.DeleteFunc(slices.Clone(seen[0]), func(d gitstore.Difference) bool { return times[d.Path] < len(seen) })
}

// entry judges what is no plan: the store's own files, and what has no place
// in the store.
func (j *judge) entry(ctx context.Context, d gitstore.Difference) error {
	switch {
	case d.Path == GatesFile:
		return j.gates(ctx, d.New)
	case d.New.Mode == 0:
	case !hasPlace(d.Path, d.New):
		j.add(d.Path, plan.RuleStrayFile, "neither a plan nor one of the store's own files", "remove it from the commit")
	case d.Path == ".github":
		return j.ownFolder(ctx, d.Path, d.New)
	}
	return nil
}

// hasPlace reports whether an entry may stand where it is, as far as that does
// not depend on the plan that it belongs to.
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

func (j *judge) add(p, rule, message, hint string) {
	j.verdict.Findings = append(j.verdict.Findings, diag.Diagnostic{
		Path: p, Pos: diag.Pos{Line: 1, Column: 1}, Severity: diag.Error, Rule: rule, Message: message, Hint: hint,
	})
}

// gates judges a changed gates.yaml; whether it may be lowered is for the
// caller to say.
func (j *judge) gates(ctx context.Context, e gitstore.Entry) error {
	if e.Mode == 0 {
		gates := validate.DefaultGates()
		j.verdict.Gates = &gates
		return nil
	}
	gates, found, err := j.repo.gatesOf(ctx, e)
	if err != nil {
		return err
	}
	j.verdict.Gates = &gates
	if gates.Newer() {
		found = append(found, newerGates())
	}
	j.verdict.Findings = append(j.verdict.Findings, found...)
	return nil
}

// plan judges one plan that differs from what it was in each of some parents.
func (j *judge) plan(ctx context.Context, id string, moved []passage) error {
	j.verdict.Plans = append(j.verdict.Plans, id)
	now, ok := moved[0].after[id]
	if !ok {
		return nil // removed, which anybody may who may write at all
	}
	return j.stored(ctx, now, moved)
}

// stored judges a plan where it is now.
func (j *judge) stored(ctx context.Context, now Location, moved []passage) error {
	s := &Snapshot{repo: j.repo}
	stored, err := s.LoadAt(ctx, now)
	if err != nil {
		return err
	}
	if err := j.around(ctx); err != nil {
		return err
	}
	in := validate.Input{Plan: stored.Plan, Found: stored.Found, Scope: validate.Change, Stored: true, Exists: j.law.Exists, Others: j.others, Names: j.repo.Names(ctx), Root: j.root}
	for _, m := range moved {
		was, ok := m.before[now.ID]
		if !ok {
			continue
		}
		if was.Tree == now.Tree && was.Path != now.Path {
			return nil // archived or restored, and otherwise untouched
		}
		before, err := s.LoadAt(ctx, was)
		if err != nil {
			return err
		}
		in.Parents = append(in.Parents, before.Plan)
	}
	in.Found = slices.Concat(in.Found, recoded(in.Plan, in.Parents))
	if err := j.opinion(ctx, &in); err != nil {
		return err
	}
	j.verdict.Findings = append(j.verdict.Findings, validate.Run(in, j.law.Gates, j.law.Floor)...)
	for _, gates := range j.law.Also {
		j.weigh(validate.Run(in, gates, j.law.Floor))
	}
	return nil
}

// weigh adds findings of another gate: of those that both have, the graver stands.
func (j *judge) weigh(found []diag.Diagnostic) {
	for _, d := range found {
		i := slices.IndexFunc(j.verdict.Findings, func(had diag.Diagnostic) bool {
			return had.Path == d.Path && had.Pos == d.Pos && had.Rule == d.Rule && had.Message == d.Message
		})
		if i < 0 {
			j.verdict.Findings = append(j.verdict.Findings, d)
			continue
		}
		j.verdict.Findings[i].Severity = max(j.verdict.Findings[i].Severity, d.Severity)
	}
}

// asking gives the first of the law's gates that ask for something.
func (l Law) asking(what func(validate.Gates) bool) (gates validate.Gates, ok bool) {
	for _, gates := range append([]validate.Gates{l.Gates}, l.Also...) {
		if what(gates) {
			return gates, true
		}
	}
	return l.Gates, false
}

// isRoot reports whether the candidate is a commit without parents, and not only
// one that is held against none, or against none that are here.
func (j *judge) isRoot(ctx context.Context) (bool, error) {
	c := j.verdict.Candidate
	if len(c.Parents) > 0 || c.Commit == "" {
		return false, nil
	}
	commit, err := j.repo.Store.Commit(ctx, c.Commit)
	return err == nil && len(commit.Parents) == 0, err
}

// around looks up the candidate's other plans, if the law asks for them.
func (j *judge) around(ctx context.Context) error {
	gates, asks := j.law.asking(func(g validate.Gates) bool { return g.Asks(validate.RuleOverlap) })
	if j.asked || !asks {
		return nil
	}
	state, err := j.repo.stateOf(ctx, j.verdict.Candidate)
	if err != nil {
		return err
	}
	j.asked = true
	j.others, err = state.Others(ctx, gates)
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
func (r *Repo) TextOf(ctx context.Context, c Candidate, file string) (text string, ok bool) {
	s, err := r.stateOf(ctx, c)
	if err != nil {
		return "", false
	}
	entries := s.root
	parts := strings.Split(file, "/")
	for i, part := range parts {
		at := slices.IndexFunc(entries, func(e gitstore.Entry) bool { return e.Name == part })
		if at < 0 {
			return "", false
		}
		if i == len(parts)-1 {
			data, err := r.Store.Blob(ctx, entries[at].Object, plan.MaxFile)
			return string(data), err == nil && entries[at].Mode != modeLink
		}
		if entries, err = r.Store.Tree(ctx, entries[at].Object); err != nil {
			return "", false
		}
	}
	return "", false
}

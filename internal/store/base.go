package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/merge"
	"github.com/git-plan/git-plan/plan"
)

// ancestor is the state that two others went on from: a commit, or where they
// met crosswise before, so that no one commit holds all that they had in
// common, the merge of two such states.
type ancestor struct {
	// commit is "" for no commit at all, and for a merge.
	commit string
	// one and two are merged, as they went on from base.
	one, two, base *ancestor
}

// first gives a commit that both went on from, or "".
func (a *ancestor) first() string {
	for a.one != nil {
		a = a.one
	}
	return a.commit
}

// commits gives every commit that the state is made of, each once.
func (a *ancestor) commits() []string {
	if a.one == nil {
		return []string{a.commit}
	}
	all := slices.Concat(a.one.commits(), a.two.commits(), a.base.commits())
	slices.Sort(all)
	return slices.Compact(all)
}

// maxCrossings bounds how far back crosswise merges are followed.
const maxCrossings = 8

// ancestor finds the state that two commits went on from: a *[CutOffError] where
// that is not known.
func (r *Repo) ancestor(ctx context.Context, a, b string) (*ancestor, error) {
	return r.common(ctx, maxCrossings, a, b)
}

// crossing remembers where two commits met last: a merge that is made is judged
// next.
type crossing struct {
	mu    sync.Mutex
	of    [2]string
	bases []string
}

// forget makes that be asked again: there is more of history now.
func (c *crossing) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of = [2]string{}
}

// bases gives the commits that one commit and the merge of others went on from,
// none where they have nothing in common. The order does not depend on which of
// two sides asks.
func (r *Repo) bases(ctx context.Context, commits ...string) ([]string, error) {
	two := len(commits) == 2
	var of [2]string
	if two {
		of = [2]string{min(commits[0], commits[1]), max(commits[0], commits[1])}
		r.crossing.mu.Lock()
		defer r.crossing.mu.Unlock()
		if r.crossing.of == of {
			return r.crossing.bases, nil
		}
	}
	out, err := r.Git.Read(ctx, append([]string{"merge-base", "--all"}, commits...)...)
	if err != nil && git.Status(err) != 1 {
		return nil, fmt.Errorf("find what a merge began from: %w", err)
	}
	bases := strings.Fields(string(out))
	slices.Sort(bases)
	if two && len(bases) > 0 { // more of a history that is cut off may come
		r.crossing.of, r.crossing.bases = of, bases
	}
	return bases, nil
}

// common finds the state that a commit and the merge of others went on from.
func (r *Repo) common(ctx context.Context, depth int, commit string, merged ...string) (*ancestor, error) {
	sides := append([]string{commit}, merged...)
	bases, err := r.bases(ctx, sides...)
	if err != nil {
		return nil, err
	}
	if err := r.mustBeWhole(ctx, sides, bases); err != nil {
		return nil, err
	}
	if len(bases) == 0 {
		return &ancestor{}, nil
	}
	state := &ancestor{commit: bases[0]}
	if depth == 0 {
		return state, nil
	}
	for i := 1; i < len(bases); i++ {
		before, err := r.common(ctx, depth-1, bases[i], bases[:i]...)
		if err != nil {
			return nil, err
		}
		state = &ancestor{one: state, two: &ancestor{commit: bases[i]}, base: before}
	}
	return state, nil
}

// baseStore gives the store at an ancestor. What conflicts in a merge of two is
// as the preferred side has it; open says that there was such a thing.
func (m *commitMerge) baseStore(a *ancestor, prefer merge.Side) (store merge.Store, open bool) {
	if a.one == nil {
		return m.stores[a.commit], false
	}
	base, first := m.baseStore(a.base, prefer)
	one, second := m.baseStore(a.one, prefer)
	two, third := m.baseStore(a.two, prefer)
	clean := len(merge.Stores(base, one, two, merge.StoreOptions{}).AllConflicts()) == 0
	merged := merge.Stores(base, one, two, merge.StoreOptions{Options: merge.Options{Prefer: prefer}})
	store = merge.Store{Plans: map[string]merge.Entry{}, Files: map[string][]byte{}}
	for _, p := range merged.Plans {
		if p.Plan != nil {
			store.Plans[p.ID] = merge.Entry{Path: p.Path, Plan: p.Plan}
		}
	}
	for name, data := range merged.Files {
		if data != nil {
			store.Files[name] = data
		}
	}
	return store, first || second || third || !clean
}

// merged merges the two sides. Where they went on from states that themselves
// conflict, whichever settlement of that they are compared with must give the
// same: else the sides settled it differently, and nobody may choose for them.
func (m *commitMerge) merged(base *ancestor, ours, theirs string, opts merge.StoreOptions) merge.StoreResult {
	from, open := m.baseStore(base, merge.Ours)
	result := merge.Stores(from, m.stores[ours], m.stores[theirs], opts)
	if !open {
		return result
	}
	from, _ = m.baseStore(base, merge.Theirs)
	other := merge.Stores(from, m.stores[ours], m.stores[theirs], opts)
	c := merge.Conflict{Ours: "merged", Theirs: "merged", Message: settledTwice}
	for i, p := range result.Plans {
		side, preferred := opts.Prefer[p.ID]
		c.Plan, c.Field = p.ID, "plan"
		switch {
		case samePlanResult(p, find(other, p.ID)):
		case preferred:
			e := m.stores[[...]string{"", ours, theirs}[side]].Plans[p.ID]
			result.Plans[i] = merge.PlanResult{ID: p.ID, Path: e.Path, Result: merge.Result{
				Plan: e.Plan, Notes: []string{fmt.Sprintf("%s: took %s as it is", settledTwice, side)},
			}}
		default:
			result.Plans[i].Conflicts = append(p.Conflicts, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(result.Files)) {
		if c.Plan, c.Field = "", name; string(result.Files[name]) != string(other.Files[name]) {
			result.Conflicts = append(result.Conflicts, c)
		}
	}
	return result
}

const settledTwice = "both sides settled one conflict, each in another way"

func find(r merge.StoreResult, id string) merge.PlanResult {
	i := slices.IndexFunc(r.Plans, func(p merge.PlanResult) bool { return p.ID == id })
	if i < 0 {
		return merge.PlanResult{}
	}
	return r.Plans[i]
}

func samePlanResult(a, b merge.PlanResult) bool {
	if a.Plan == nil || b.Plan == nil {
		return a.Plan == b.Plan
	}
	return a.Path == b.Path && samePlan(a.Plan, b.Plan)
}

// planOf gives a plan as a commit has it.
func (m *commitMerge) planOf(commit, id string) *plan.Plan { return m.stores[commit].Plans[id].Plan }

// IsAside reports whether a commit is not on the line of first parents that leads to
// the tip: it came in by a merge, if at all. Of one that is further back than anybody
// works from, nobody asks.
func (r *Repo) IsAside(ctx context.Context, tip, commit string) (bool, error) {
	const furthest = 1000 // commits
	at := tip
	for range furthest {
		if at == commit {
			return false, nil
		}
		c, err := r.Store.Commit(ctx, at)
		if err != nil {
			return false, ctx.Err() // cut off, as in a shallow clone: nobody can tell
		}
		if len(c.Parents) == 0 {
			return true, nil
		}
		at = c.Parents[0]
	}
	return false, nil
}

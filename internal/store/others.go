package store

import (
	"context"
	"slices"
	"sync"

	"github.com/git-plan/git-plan/plan"
	"github.com/git-plan/git-plan/validate"
)

// named knows which files plans name. It is filled only where gates.yaml asks
// for rule overlap, and kept in the cache: a plan is read once.
type named struct {
	mu sync.Mutex
	// files are the paths that a plan names, by the plan's tree; nil before the
	// cache was read.
	files map[string][]string
	// plans are the ids that name a path in the state that trees are of.
	plans map[string][]string
	trees map[string]string // by plan id
	of    *Snapshot
}

// Others gives the look-up of [validate.Input.Others] in this state of the
// store, with some plans, such as drafts, in the place of those of their id. It
// is nil where gates does not ask for it. Archived plans do not count.
func (s *Snapshot) Others(ctx context.Context, gates validate.Gates, instead ...*plan.Plan) (func(string) []string, error) {
	if !gates.Asks(validate.RuleOverlap) {
		return nil, nil
	}
	n := &s.repo.named
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.learn(ctx, s); err != nil {
		return nil, err
	}
	replaced, own := map[string]bool{}, map[string][]string{}
	for _, p := range instead {
		replaced[p.ID] = true
		for _, file := range validate.NamedFiles(p) {
			own[file] = append(own[file], p.ID)
		}
	}
	return func(file string) []string {
		out := slices.Clone(own[file])
		for _, id := range n.lookUp(s, file) {
			if !replaced[id] {
				out = append(out, id)
			}
		}
		slices.Sort(out)
		return out
	}, nil
}

// learn reads the plans of a state that are not known yet.
func (n *named) learn(ctx context.Context, s *Snapshot) error {
	if n.files == nil {
		n.files = map[string][]string{}
		caches{s.repo}.read("named", &n.files)
	}
	where := s.Locations()
	var missing []int
	for i, l := range where {
		if _, ok := n.files[l.Tree]; !ok {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	names, damaged := make([][]string, len(where)), make([]bool, len(where))
	err := s.each(ctx, where, missing, func(i int, p *Stored) { names[i], damaged[i] = validate.NamedFiles(p.Plan), p.Damaged })
	if err != nil {
		return err
	}
	for _, i := range missing {
		if !damaged[i] { // which may be mended
			n.files[where[i].Tree] = names[i]
		}
	}
	const spare = 1000 // plans that are elsewhere, or were
	kept := n.files
	if len(kept) >= 2*len(where)+spare {
		kept = map[string][]string{}
		for _, l := range where {
			kept[l.Tree] = n.files[l.Tree]
		}
	}
	caches{s.repo}.write("named", kept)
	return nil
}

// lookUp gives the plans that name a file in a state whose plans are known.
func (n *named) lookUp(s *Snapshot, file string) []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.turnTo(s)
	return slices.Clone(n.plans[file])
}

// turnTo makes the table one of another state. From one commit to the next
// little changes.
func (n *named) turnTo(s *Snapshot) {
	if n.of == s {
		return
	}
	if n.plans == nil {
		n.plans, n.trees = map[string][]string{}, map[string]string{}
	}
	for id, tree := range n.trees {
		if s.plans[id].Object == tree {
			continue
		}
		for _, file := range n.files[tree] {
			n.plans[file] = slices.DeleteFunc(n.plans[file], func(o string) bool { return o == id })
		}
		delete(n.trees, id)
	}
	for id, e := range s.plans {
		if _, known := n.trees[id]; known {
			continue
		}
		for _, file := range n.files[e.Object] {
			n.plans[file] = append(n.plans[file], id)
		}
		n.trees[id] = e.Object
	}
	n.of = s
}

package web

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/git-plan/git-plan/internal/store"
)

// reader reads the store. What pages ask for again and again is kept for as
// long as the ref stays where it is.
type reader struct {
	repo *store.Repo

	mu     sync.Mutex
	latest *state
	words  map[string]string // what a search looks at, by the tree of a plan
}

func newReader(repo *store.Repo) *reader {
	return &reader{repo: repo, words: map[string]string{}}
}

// state is the store at one commit.
type state struct {
	*store.Snapshot

	mu    sync.Mutex
	plans []store.Summary // archived ones too, in the order of lists

	past      sync.Mutex
	histories map[string]*history
}

// now gives the store as it is.
func (r *reader) now(ctx context.Context) (*state, error) {
	s, err := r.repo.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.latest == nil || r.latest.Commit != s.Commit || s.Commit == "" {
		r.latest = &state{Snapshot: s, histories: map[string]*history{}}
	}
	return r.latest, nil
}

// list gives what lists say of each plan: unfinished ones first, then by age.
func (s *state) list(ctx context.Context) ([]store.Summary, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plans != nil || !s.Exists() {
		return s.plans, nil
	}
	archived, err := s.Archive(ctx)
	if err != nil {
		return nil, err
	}
	where := append(s.Locations(), newest(archived, s.Snapshot)...)
	plans, err := s.Summaries(ctx, where)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(plans, func(x, y store.Summary) int {
		return cmp.Or(cmp.Compare(rank(x), rank(y)), y.Updated.Compare(x.Updated), cmp.Compare(x.ID, y.ID))
	})
	s.plans = plans
	return plans, nil
}

// newest leaves out the archived plans that another of the same id hides: an id
// leads to one plan.
func newest(archived []store.Location, s *store.Snapshot) []store.Location {
	taken := map[string]bool{}
	for _, l := range s.Locations() {
		taken[l.ID] = true
	}
	var out []store.Location
	for _, l := range slices.Backward(archived) {
		if !taken[l.ID] {
			taken[l.ID] = true
			out = append(out, l)
		}
	}
	return out
}

func rank(s store.Summary) int {
	switch {
	case s.Archived():
		return 2
	case s.Status.Finished():
		return 1
	}
	return 0
}

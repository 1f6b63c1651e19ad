package store

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/git-plan/git-plan/plan"
)

// Summary is what a list says of a plan.
type Summary struct {
	Location
	Title, Goal string
	Status      plan.PlanStatus
	Version     int
	Progress    plan.Progress
	// Ready counts the tasks that can be worked on now.
	Ready int
	// Errors counts the faults of a plan that came past the gate.
	Errors int
	// Updated is when the plan last changed.
	Updated time.Time

	// Damaged says that a file of the plan could not be read, so that the rest is
	// said of what is left. It may be mended, so it is not remembered.
	Damaged bool
}

// Summaries sums up the plans at the locations, in their order. What was
// summed up before comes from a cache in the git directory, so that only
// plans which changed are read.
func (s *Snapshot) Summaries(ctx context.Context, where []Location) ([]Summary, error) {
	updated, err := s.Updated(ctx, where)
	if err != nil {
		return nil, err
	}
	cache := summaries{}
	caches{s.repo}.read("summaries", &cache)
	out := make([]Summary, len(where))
	var missing []int
	for i, l := range where {
		known, ok := cache[l]
		if !ok {
			missing = append(missing, i)
		}
		out[i] = known
	}
	if err := s.sumUp(ctx, where, missing, out); err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		caches{s.repo}.write("summaries", cache.keep(where, out))
	}
	if err := s.sumUpAside(ctx, where, out); err != nil {
		return nil, err
	}
	for i, l := range where {
		out[i].Location, out[i].Updated = l, updated[l.Path]
	}
	return out, nil
}

// sumUp sums up the plans at the given indexes.
func (s *Snapshot) sumUp(ctx context.Context, where []Location, indexes []int, out []Summary) error {
	return s.each(ctx, where, indexes, func(i int, p *Stored) { out[i] = summarize(p) })
}

// sumUpAside sums those plans up again of which others have published something else,
// see [Snapshot.WithClaims].
func (s *Snapshot) sumUpAside(ctx context.Context, where []Location, out []Summary) error {
	if s.aside == "" {
		return nil
	}
	theirs, err := s.repo.At(ctx, s.aside)
	if err != nil {
		return err
	}
	for i, l := range where {
		if e, ok := theirs.plans[l.ID]; !ok || e.Object == l.Tree || out[i].Damaged {
			continue
		}
		stored, err := s.LoadAt(ctx, l)
		if err == nil {
			stored, err = s.WithClaims(ctx, stored)
		}
		if err != nil {
			return err
		}
		out[i] = summarize(stored)
	}
	return nil
}

// LoadAll reads the plans at the locations, in their order.
func (s *Snapshot) LoadAll(ctx context.Context, where []Location) ([]*Stored, error) {
	out := make([]*Stored, len(where))
	indexes := make([]int, len(where))
	for i := range where {
		indexes[i] = i
	}
	return out, s.each(ctx, where, indexes, func(i int, p *Stored) { out[i] = p })
}

// each reads the plans at the given indexes, on all cores; do must mind that.
func (s *Snapshot) each(ctx context.Context, where []Location, indexes []int, do func(i int, p *Stored)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan int)
	var done atomic.Int64
	var wait sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(indexes)) {
		wait.Go(func() {
			for i := range work {
				stored, err := s.Survey(ctx, where[i])
				if err != nil {
					cancel(err)
					continue
				}
				do(i, stored)
				if n := done.Add(1); s.repo.opts.Progress != nil {
					s.repo.opts.Progress(int(n), len(indexes))
				}
			}
		})
	}
	for _, i := range indexes {
		if ctx.Err() != nil {
			break
		}
		work <- i
	}
	close(work)
	wait.Wait()
	return context.Cause(ctx)
}

func summarize(p *Stored) Summary {
	errs := Faults(p.Plan, p.Found, true)
	return Summary{
		Location: p.Location, Title: p.Plan.Title(), Goal: p.Plan.Goal(), Status: p.Plan.Status(), Version: p.Plan.Version(),
		Progress: p.Plan.Progress(), Ready: len(p.Plan.Ready()), Errors: len(errs), Damaged: p.Damaged,
	}
}

package main

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-plan/git-plan/internal/events"
	"github.com/git-plan/git-plan/internal/git"
	"github.com/git-plan/git-plan/internal/store"
)

type eventsCommand struct {
	*app
	follow bool
}

func newEvents(a *app, cmd *cobra.Command) runner {
	c := &eventsCommand{app: a}
	cmd.Flags().BoolVar(&c.follow, "follow", false, "go on with what happens from now on")
	return c.run
}

func (c *eventsCommand) run(ctx context.Context, args []string) error {
	s, err := c.look(ctx)
	if err != nil {
		return err
	}
	id := firstOr(args, c.plan)
	if err := asItIs(id); c.follow && err != nil {
		return err
	}
	if s, id, err = upTo(ctx, s, id); err != nil {
		return err
	}
	count, err := c.printEvents(ctx, s, id, nil)
	if err != nil {
		return err
	}
	if count == 0 && id != "" {
		if _, err = s.Load(ctx, id); err != nil && c.follow && isNotFound(err) {
			c.warn("%v; waiting for it", err)
			err = nil
		}
	}
	if err != nil || !c.follow {
		return err
	}
	return c.goOn(ctx, s.Commit, id)
}

// printEvents prints what led to a state of the store, oldest first, and gives
// the number of revisions. With fresh it stops at the first commit that is not among
// these, and prints what those did that are true.
func (c *eventsCommand) printEvents(ctx context.Context, s *store.Snapshot, id string, fresh map[string]bool) (count int, err error) {
	history, err := s.Revisions(ctx, id)
	if err != nil {
		return 0, err
	}
	var all [][]events.Event // newest first, as history is read
	for rev, err := range history.All(ctx) {
		if err != nil {
			return 0, err
		}
		if fresh != nil {
			news, since := fresh[rev.Commit.Name]
			if !since {
				break
			}
			if !news {
				continue
			}
		}
		count++
		happened := events.Of(rev)
		if fresh != nil && rev.Merge {
			if happened, err = c.unseen(ctx, rev, happened, fresh); err != nil {
				return 0, err
			}
		}
		all = append(all, happened)
	}
	out := bufio.NewWriter(c.Stdout)
	enc := newEncoder(out)
	for _, happened := range slices.Backward(all) {
		for _, e := range happened {
			if err := enc.Encode(e); err != nil {
				return count, err
			}
		}
	}
	return count, out.Flush()
}

// unseen leaves out what a merge brought from the side that was known before.
func (c *eventsCommand) unseen(ctx context.Context, rev store.Revision, happened []events.Event, fresh map[string]bool) ([]events.Event, error) {
	for _, parent := range rev.Commit.Parents[1:] {
		if fresh[parent] {
			continue
		}
		at, err := c.repo.At(ctx, parent)
		if err != nil {
			return nil, err
		}
		plans, err := at.PlansOf(ctx, rev.Changes)
		if err != nil {
			return nil, err
		}
		happened = events.Unseen(rev, happened, plans)
	}
	return happened, nil
}

// followEvery is how long a follower waits before it looks again: often enough
// for people and agents, and one short child of git each time.
const followEvery = time.Second

// errStopped is what a command ends with that runs until it is interrupted.
var errStopped = errors.New("interrupted")

// goOn prints what happens from a state of the store on, until it is
// interrupted or nobody reads any more.
func (c *eventsCommand) goOn(ctx context.Context, from, id string) error {
	for {
		select {
		case <-ctx.Done():
			return errStopped
		case <-time.After(followEvery):
		}
		if readerLeft(c.Stdout) {
			return nil
		}
		var err error
		if from, err = c.news(ctx, from, id); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// news prints what happened since a commit and gives the newest one.
func (c *eventsCommand) news(ctx context.Context, from, id string) (string, error) {
	s, err := c.repo.Snapshot(ctx)
	if err != nil || s.Commit == from || s.Commit == "" {
		return from, err // a branch that is gone may come back
	}
	done, known, rewritten := map[string]bool{}, []string(nil), false // the changes that commits did which are gone
	if from != "" {
		known = append(known, from)
		gone, err := c.repo.Store.Between(ctx, from, s.Commit)
		var lost *git.Error // it is not there any more
		if rewritten = errors.As(err, &lost); err != nil && !rewritten {
			return from, err
		}
		for _, g := range gone {
			change, err := c.repo.ChangeOf(ctx, g.Commit)
			if err != nil {
				return from, err
			}
			done[change], rewritten = true, rewritten || change == ""
		}
	}
	if rewritten {
		return c.beginAgain(from, s.Commit), nil
	}
	news, err := c.repo.Store.Between(ctx, s.Commit, known...)
	if err != nil {
		return from, err
	}
	fresh := map[string]bool{} // false for a commit that only makes again what one did that is gone
	for _, n := range news {
		fresh[n.Commit] = true
		if len(done) == 0 {
			continue
		}
		change, err := c.repo.ChangeOf(ctx, n.Commit)
		if err != nil {
			return from, err
		}
		if done[change] {
			fresh[n.Commit] = false
			delete(done, change)
		}
	}
	if len(done) > 0 {
		return c.beginAgain(from, s.Commit), nil
	}
	_, err = c.printEvents(ctx, s, id, fresh)
	return s.Commit, err
}

// beginAgain warns that something which was done is gone from the branch.
func (c *eventsCommand) beginAgain(from, tip string) string {
	c.warn("branch %s was rewritten: %.10s is not in its history any more; going on from %.10s", c.repo.Branch(), from, tip)
	return tip
}

package main

import (
	"context"
	"errors"
	"time"

	"github.com/git-plan/git-plan/internal/git"
)

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
	fresh := map[string]bool{}
	var known []string
	if from != "" {
		known = append(known, from)
		gone, err := c.repo.Store.Between(ctx, from, s.Commit)
		var lost *git.Error // it is not there any more
		if err != nil && !errors.As(err, &lost) {
			return from, err
		}
		if len(gone) > 0 || lost != nil {
			c.warn("branch %s was rewritten: %.10s is not in its history any more; going on from %.10s", c.repo.Branch(), from, s.Commit)
			return s.Commit, nil
		}
	}
	news, err := c.repo.Store.Between(ctx, s.Commit, known...)
	if err != nil {
		return from, err
	}
	for _, n := range news {
		fresh[n.Commit] = true
	}
	_, err = c.printEvents(ctx, s, id, fresh)
	return s.Commit, err
}

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

// follow prints what happens from a state of the store on, until it is
// interrupted or nobody reads any more.
func (a *app) follow(ctx context.Context, from, id string) error {
	for {
		select {
		case <-ctx.Done():
			return errStopped
		case <-time.After(followEvery):
		}
		if readerLeft(a.Stdout) {
			return nil
		}
		var err error
		if from, err = a.followOnce(ctx, from, id); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// followOnce prints what happened since a commit and gives the newest one.
func (a *app) followOnce(ctx context.Context, from, id string) (string, error) {
	s, err := a.repo.Snapshot(ctx)
	if err != nil || s.Commit == from || s.Commit == "" {
		return from, err // a branch that is gone may come back
	}
	fresh := map[string]bool{}
	var known []string
	if from != "" {
		known = append(known, from)
		gone, err := a.repo.Store.Between(ctx, from, s.Commit)
		var lost *git.Error // it is not there any more
		if err != nil && !errors.As(err, &lost) {
			return from, err
		}
		if len(gone) > 0 || lost != nil {
			a.warn("branch %s was rewritten: %.10s is not in its history any more; going on from %.10s", a.repo.Branch(), from, s.Commit)
			return s.Commit, nil
		}
	}
	news, err := a.repo.Store.Between(ctx, s.Commit, known...)
	if err != nil {
		return from, err
	}
	for _, c := range news {
		fresh[c.Commit] = true
	}
	_, err = a.printEvents(ctx, s, id, fresh)
	return s.Commit, err
}

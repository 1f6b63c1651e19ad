package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// clones are a repository that is shared and two that share through it. None
// of them has hooks.
type clones struct {
	s                *suite
	hub, here, there string
}

// clone makes a fresh set of clones of a store.
func (s *suite) clone(ctx context.Context, source, name string) (clones, error) {
	dir := filepath.Join(s.dir, name)
	if err := os.RemoveAll(dir); err != nil {
		return clones{}, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return clones{}, err
	}
	c := clones{s, filepath.Join(dir, "hub.git"), filepath.Join(dir, "here"), filepath.Join(dir, "there")}
	steps := []func() error{s.step(s.git(dir, "clone", "-q", "--bare", source, c.hub))}
	for _, clone := range []string{c.here, c.there} {
		steps = append(steps, s.step(s.git(dir, "clone", "-q", c.hub, clone)),
			func() error { return s.step(s.git(clone, "branch", "-q", "plans", "origin/plans"))() })
	}
	return c, s.inOrder(ctx, steps...)
}

// work is an action that is preceded, unmeasured, by what makes work for it.
func work(action action, before ...action) action {
	return func(ctx context.Context) (sample, error) {
		for _, b := range before {
			if _, err := b(ctx); err != nil {
				return sample{}, err
			}
		}
		return action(ctx)
	}
}

// publish measures what it costs to publish commits, where the remote has nothing new
// and where they are to be replayed, beside native git.
func (s *suite) publish(ctx context.Context) error {
	for _, commits := range []int{1, 200} {
		for _, moved := range []bool{false, true} {
			if err := s.publishRow(ctx, commits, moved); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *suite) publishRow(ctx context.Context, commits int, moved bool) error {
	source, err := s.manyPlans(ctx, 201)
	if err != nil {
		return err
	}
	made, err := s.clone(ctx, source, "publish")
	if err != nil {
		return err
	}
	for i := range commits {
		if _, err := made.report(made.here, fmt.Sprintf("plan-%d", i+1), 1)(ctx); err != nil {
			return err
		}
	}
	what := ", the remote as it was"
	if moved {
		what = " on a remote that moved"
		if _, err := work(one(s.plan(made.there, "sync")), made.report(made.there, "plan-0", 1))(ctx); err != nil {
			return err
		}
	}
	x, y, err := s.paired(ctx, made.afresh("publish-ours", func(c clones) action { return one(s.plan(c.here, "sync")) }),
		made.afresh("publish-native", func(c clones) action {
			return work(chain(c.git("fetch", "-q", "origin"), c.git("-c", "core.fsync=all", "rebase", "-q", "origin/plans"), c.git("push", "-q", "origin", "plans")), one(s.git(c.here, "checkout", "-q", "plans")))
		}))
	s.add(fmt.Sprintf("`sync` of %d commits%s, beside `git fetch`, `git rebase`, `git push`", commits, what), x, y, "1.5")
	return err
}

// afresh measures an action in a copy of the clones that is made for each run.
func (c clones) afresh(name string, do func(clones) action) action {
	return func(ctx context.Context) (sample, error) {
		dir, err := c.s.copyOf(ctx, func(context.Context) (string, error) { return filepath.Dir(c.hub), nil }, name)
		if err != nil {
			return sample{}, err
		}
		copied := clones{c.s, filepath.Join(dir, "hub.git"), filepath.Join(dir, "here"), filepath.Join(dir, "there")}
		if err := c.s.step(c.s.git(copied.here, "remote", "set-url", "origin", copied.hub))(); err != nil {
			return sample{}, err
		}
		return do(copied)(ctx)
	}
}

// report starts and releases a task of a plan in turn. Each clone has an agent of
// its own: who reports renews what it holds, which native git could not merge.
func (c clones) report(dir, plan string, task int) action {
	return c.s.toggle(dir, fmt.Sprintf("%s/step-%d", plan, task), "--agent", filepath.Base(dir))
}

func (c clones) git(args ...string) func() job { return func() job { return c.s.git(c.here, args...) } }

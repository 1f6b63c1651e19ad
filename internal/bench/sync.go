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

// syncs measures what bringing two clones together costs, beside native git
// that fetches, merges whole files without a worktree, and pushes.
func (s *suite) syncs(ctx context.Context) error {
	tiny, err := s.tiny(ctx)
	if err != nil {
		return err
	}
	many, err := s.manyPlans(ctx, 10_000)
	if err != nil {
		return err
	}
	for _, size := range []struct{ name, source, plan string }{{"one plan", tiny, "auth"}, {"10,000 plans", many, "plan-1"}} {
		ours, err := s.clone(ctx, size.source, "sync-ours")
		if err != nil {
			return err
		}
		native, err := s.clone(ctx, size.source, "sync-native")
		if err != nil {
			return err
		}
		if err := s.syncRows(ctx, ours, native, size.name, size.plan); err != nil {
			return err
		}
	}
	return s.files(ctx, tiny)
}

// replays measures what it costs to make many unpublished commits again on a remote
// that moved, beside native git that rebases as many.
func (s *suite) replays(ctx context.Context) error {
	const commits = 200
	source, err := s.manyPlans(ctx, commits+1)
	if err != nil {
		return err
	}
	made, err := s.clone(ctx, source, "replay")
	if err != nil {
		return err
	}
	for i := range commits {
		if _, err := made.report(made.here, fmt.Sprintf("plan-%d", i+1), 1)(ctx); err != nil {
			return err
		}
	}
	if _, err := work(one(s.plan(made.there, "sync")), made.report(made.there, "plan-0", 1))(ctx); err != nil {
		return err
	}
	x, y, err := s.paired(ctx, made.afresh("replay-ours", func(c clones) action { return one(s.plan(c.here, "sync")) }),
		made.afresh("replay-native", func(c clones) action {
			return work(chain(c.fetch(), c.git("-c", "core.fsync=all", "rebase", "-q", "origin/plans"), c.git("push", "-q", "origin", "plans")), one(s.git(c.here, "checkout", "-q", "plans")))
		}))
	s.add(fmt.Sprintf("`sync` that replays %d commits, beside `git fetch`, `git rebase`, `git push`", commits), x, y, "1.5")
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

func (s *suite) syncRows(ctx context.Context, ours, native clones, name, plan string) error {
	sync := one(s.plan(ours.here, "sync"))
	for _, r := range []struct {
		what   string
		before func(c clones) []action
		native func(context.Context) (sample, error)
	}{
		{"with nothing to do, %s, beside `git fetch`, `git push`", func(clones) []action { return nil }, native.push},
		{"that pushes a commit, %s, beside `git fetch`, `git push`", func(c clones) []action { return []action{c.report(c.here, plan, 1)} }, native.push},
		{"that goes forward by one, %s, beside `git fetch`", func(c clones) []action {
			return []action{c.report(c.there, plan, 2), one(s.plan(c.there, "sync"))}
		}, native.forward},
		{"that merges one plan, %s, beside `git fetch`, `merge-tree`, `commit-tree`, `update-ref`, `git push`", func(c clones) []action {
			return []action{one(s.plan(c.there, "sync")), c.report(c.there, plan, 2), one(s.plan(c.there, "sync")), c.report(c.here, plan, 1)}
		}, native.merge},
	} {
		x, y, err := s.paired(ctx, work(sync, r.before(ours)...), work(r.native, r.before(native)...))
		if err != nil {
			return err
		}
		s.add("`sync` "+fmt.Sprintf(r.what, name), x, y, "")
	}
	return nil
}

// report starts and releases a task of a plan in turn. Each clone has an agent of
// its own: who reports renews what it holds, which native git could not merge.
func (c clones) report(dir, plan string, task int) action {
	return c.s.toggle(dir, fmt.Sprintf("%s/step-%d", plan, task), "--agent", filepath.Base(dir))
}

func (c clones) git(args ...string) func() job { return func() job { return c.s.git(c.here, args...) } }

func (c clones) fetch() func() job { return c.git("fetch", "-q", "origin", "plans") }

func (c clones) push(ctx context.Context) (sample, error) {
	return chain(c.fetch(), c.git("push", "-q", "origin", "plans"))(ctx)
}

func (c clones) forward(ctx context.Context) (sample, error) {
	return c.git("fetch", "-q", "origin", "plans:plans")().measure(ctx)
}

// merge merges as far as that takes no worktree. What two of its steps print
// is asked for again, unmeasured.
func (c clones) merge(ctx context.Context) (sample, error) {
	fetched, err := c.fetch()().measure(ctx)
	if err != nil {
		return fetched, err
	}
	treeOf := c.git("merge-tree", "--write-tree", "origin/plans", "plans")
	tree, err := treeOf().output(ctx)
	if err != nil {
		return sample{}, err
	}
	commitOf := c.git("commit-tree", tree, "-p", "origin/plans", "-p", "plans", "-m", "merge")
	commit, err := commitOf().output(ctx)
	if err != nil {
		return sample{}, err
	}
	rest, err := chain(treeOf, commitOf, c.git("update-ref", "refs/heads/plans", commit), c.git("push", "-q", "origin", "plans"))(ctx)
	rest.wall += fetched.wall
	return rest, err
}

// files measures what native git asks of us for single files, and a comparison
// of two versions of a plan.
func (s *suite) files(ctx context.Context, tiny string) error {
	dir := filepath.Join(s.dir, "merge-files")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	base := taskText(1, "pending")
	for name, text := range map[string]string{"base": base, "theirs": base + "\nAnd one thing more.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	mine := func(context.Context) (sample, error) {
		return sample{}, os.WriteFile(filepath.Join(dir, "ours"), []byte(taskText(1, "done")), 0o666)
	}
	ours, native, err := s.paired(ctx, work(one(s.plan(dir, "merge-driver", "base", "ours", "theirs", "p/tasks/01-step.md")), mine),
		work(one(s.git(dir, "merge-file", "-q", "ours", "base", "theirs")), mine))
	if err != nil {
		return err
	}
	s.add("`merge-driver`, one task, beside `git merge-file`", ours, native, "")
	changed, err := s.copyOf(ctx, func(context.Context) (string, error) { return tiny, nil }, "diff-write")
	if err != nil {
		return err
	}
	if _, err := s.toggle(changed, "auth/step-1")(ctx); err != nil {
		return err
	}
	ours, native, err = s.paired(ctx, one(s.plan(changed, "diff", "auth@{1}", "auth")), one(s.git(changed, "diff", "plans~1", "plans", "--", "auth")))
	s.add("`diff auth@{1} auth`, beside `git diff plans~1 plans`", ours, native, "")
	return err
}

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// gates measures the hooks: the server's, and what those of a clone add to a
// commit that touches no plan.
func (s *suite) gates(ctx context.Context) error {
	dir, err := s.longHistory(ctx, 1000, 10_000)
	if err != nil {
		return err
	}
	for _, r := range []struct {
		versions       int
		what, wantedMs string
	}{{1, "one version of a plan of 9 tasks", "50 ms"}, {1000, "1,000 versions", "5 s"}} {
		receive, err := s.receive(ctx, dir, r.versions)
		if err != nil {
			return err
		}
		ours, base, err := s.paired(ctx, receive, one(s.git(dir, "rev-list", "--count", fmt.Sprintf("plans~%d..plans", r.versions))))
		if err != nil {
			return err
		}
		s.add("`pre-receive`, "+r.what+", beside `git rev-list`", ours, base, r.wantedMs)
	}
	return s.clientHooks(ctx)
}

// receive is the server's hook on the newest commits of a store, read as out of
// a push's quarantine.
func (s *suite) receive(ctx context.Context, dir string, versions int) (action, error) {
	names, err := s.git(dir, "rev-parse", fmt.Sprintf("plans~%d", versions), "plans").output(ctx)
	if err != nil {
		return nil, err
	}
	j := s.plan(dir, "hooks", "run", "pre-receive")
	j.args = append([]string{"env", "GIT_QUARANTINE_PATH=" + filepath.Join(dir, ".git", "objects")}, j.args...)
	j.stdin = []byte(strings.ReplaceAll(names, "\n", " ") + " refs/heads/plans\n")
	return one(j), nil
}

func (s *suite) clientHooks(ctx context.Context) error {
	with, err := s.copyOf(ctx, s.tiny, "hooks-write")
	if err != nil {
		return err
	}
	without, err := s.copyOf(ctx, s.tiny, "no-hooks-write")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(with, ".git", "hooks"), 0o777); err != nil {
		return err
	}
	for _, event := range []string{"pre-commit", "prepare-commit-msg", "commit-msg"} {
		script := fmt.Sprintf("#!/bin/sh\nexec '%s' hooks run %s \"$@\"\n", s.bin, event)
		if err := os.WriteFile(filepath.Join(with, ".git", "hooks", event), []byte(script), 0o777); err != nil {
			return err
		}
	}
	commit := func(dir string) action { return one(s.git(dir, "commit", "-q", "--allow-empty", "-m", "code")) }
	ours, base, err := s.paired(ctx, commit(with), commit(without))
	if err != nil {
		return err
	}
	s.add("`git commit` of code with three hooks, beside one without", ours, base, "")
	s.add("what the hooks add", sample{wall: ours.wall - base.wall}, sample{}, "50 ms")
	return nil
}

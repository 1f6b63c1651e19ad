package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// gates measures the hook of a server.
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
	return nil
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

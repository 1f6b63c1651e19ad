package main

import (
	"context"
	"fmt"
)

// loop measures what agents run all the time, in a project whose file of
// instructions is not compared, as it need not be written then.
func (s *suite) loop(ctx context.Context) error {
	dir, err := s.copyOf(ctx, s.tiny, "loop-write")
	if err != nil {
		return err
	}
	if _, err := s.git(dir, "config", "plan.instructionsFile", "").output(ctx); err != nil {
		return err
	}
	y, err := s.catFile(ctx, dir, "auth")
	if err != nil {
		return err
	}
	for _, r := range []struct {
		what string
		args []string
	}{
		{"`status --json`", []string{"status", "auth", "--json"}}, {"`prime`", []string{"prime", "auth"}},
		{"`agent-hook` before a tool that writes", []string{"agent-hook", hookCall("Edit")}},
		{"`agent-hook` before one that reads", []string{"agent-hook", hookCall("Read")}},
	} {
		ours, base, err := s.paired(ctx, one(s.plan(dir, r.args...)), y)
		if err != nil {
			return err
		}
		s.add(r.what+", beside y", ours, base, "")
	}
	return s.loopWrites(ctx, dir)
}

// hookCall is what an agent tells its hook before it uses a tool.
func hookCall(tool string) string {
	return fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"bench","tool_name":%q}`, tool)
}

func (s *suite) loopWrites(ctx context.Context, dir string) error {
	chain, err := s.plumbing(ctx, dir)
	if err != nil {
		return err
	}
	release := s.plan(dir, "task", "release", "auth/step-1")
	for _, r := range []struct {
		what string
		args []string
	}{
		{"`update` of one task", []string{"update", `{"update_tasks":[{"id":1,"status":"IN_PROGRESS"}]}`}},
		{"`next --claim`", []string{"next", "auth", "--claim"}},
	} {
		begin := func(ctx context.Context) (sample, error) {
			took, err := s.plan(dir, r.args...).measure(ctx)
			if err == nil {
				_, err = release.output(ctx)
			}
			return took, err
		}
		ours, git, err := s.paired(ctx, begin, chain)
		if err != nil {
			return err
		}
		s.add(r.what+", beside hash-object, mktree, commit-tree, update-ref", ours, git, "1.6")
	}
	return nil
}
